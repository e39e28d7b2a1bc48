import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { SyncsService } from '../catalogue/syncs.service.js';
import type { SyncStatus } from '../catalogue/sync-run.entity.js';
import { Clock } from '../core/clock.js';
import { type Backlog, Jobs } from '../jobs/jobs.service.js';
import { EmbedGrants } from '../embed/issued-tokens.service.js';

const FRESH_MS = 10_000;
const WAIT_MS = 1000;

export interface StoredState {
  backlog: Backlog[];
  /** Since a sync last brought something in; null before the first. */
  syncAge: number | null;
  lastSync: { status: SyncStatus; workspacesFailed: number } | null;
  residualSeconds: number;
}

/** What the metrics know of the database: read every ten seconds at most, however often and by however many asked for. */
@Injectable()
export class StoredStates {
  private readonly logger = new Logger(StoredStates.name);
  private known?: StoredState;
  private looked = 0;
  private looking?: Promise<void>;

  constructor(
    private readonly jobs: Jobs,
    private readonly syncs: SyncsService,
    private readonly grants: EmbedGrants,
    private readonly clock: Clock,
  ) {}

  /** Undefined while the database does not tell within a second. */
  async find(): Promise<StoredState | undefined> {
    if (performance.now() - this.looked > FRESH_MS || this.known === undefined) {
      this.looking ??= this.look().finally(() => (this.looking = undefined));
      await Promise.race([this.looking, sleep(WAIT_MS, undefined, { ref: false })]);
    }
    return performance.now() - this.looked > FRESH_MS ? undefined : this.known;
  }

  private async look(): Promise<void> {
    try {
      this.known = await this.read();
      this.looked = performance.now();
    } catch (error) {
      this.logger.debug({ msg: 'the database tells the metrics nothing', err: error });
    }
  }

  private async read(): Promise<StoredState> {
    const { last, succeededAt } = await this.syncs.ended();
    const now = this.clock.now().getTime();
    return {
      backlog: await this.jobs.backlog(),
      syncAge: succeededAt === null ? null : Math.max(0, (now - succeededAt.getTime()) / 1000),
      lastSync: last === null ? null : { status: last.status, workspacesFailed: last.workspacesFailed },
      residualSeconds: await this.grants.residualSeconds(),
    };
  }
}
