import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { SyncsService } from '../../catalogue/syncs.service.js';
import type { SyncStatus } from '../../catalogue/sync-run.entity.js';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { withOwnDeadline } from '../../core/http/request-context.js';
import { countGrants, type GrantCount } from '../../access/grants/grant-counts.queries.js';
import { countGroups, type GroupCounts } from '../../access/groups/groups.queries.js';
import type { Backlog } from '../../platform/jobs/backlog.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { IssuedTokensService } from '../../embed/issued-tokens.service.js';
import { backlogSeconds } from '../../events/webhooks/webhooks.queries.js';
import { UsageRollupService } from '../../usage/usage-rollup.service.js';

const FRESH_MS = 10_000;
/** Above Prometheus' default interval: a state that is read too slowly for one scrape serves the next one. */
const KNOWN_MS = 90_000;
const WAIT_MS = 1000;

export interface StoredState {
  backlog: Backlog[];
  /** Seconds since the last sync that succeeded at least partially; null before the first. */
  syncAge: number | null;
  lastSync: { status: SyncStatus; workspacesFailed: number } | null;
  residualSeconds: number;
  groups: GroupCounts;
  grants: GrantCount[];
  /** Age of the oldest view that is not part of the usage figures. */
  usageLag: number;
  /** Age of the oldest event that an active webhook has not delivered, in seconds. */
  webhookAge: number;
}

/** Database state for the metrics, read at most every 10 s regardless of the number of scrapes, and served for 90 s. */
@Injectable()
export class StoredStateService {
  private readonly logger = new Logger(StoredStateService.name);
  private known?: StoredState;
  private refreshedAt = 0;
  private refreshing?: Promise<void>;
  private isFailing = false;

  constructor(
    private readonly jobs: JobsService,
    private readonly syncs: SyncsService,
    private readonly tokens: IssuedTokensService,
    private readonly database: DatabaseService,
    private readonly usage: UsageRollupService,
    private readonly clock: Clock,
  ) {}

  /** The state that is known after a second at most; undefined when no read has succeeded for 90 s. */
  async find(): Promise<StoredState | undefined> {
    if (this.known === undefined || this.isOlderThan(FRESH_MS)) {
      this.refreshing ??= this.refresh().finally(() => (this.refreshing = undefined));
      await Promise.race([this.refreshing, sleep(WAIT_MS, undefined, { ref: false })]);
    }
    return this.isOlderThan(KNOWN_MS) ? undefined : this.known;
  }

  private isOlderThan(ms: number): boolean {
    return performance.now() - this.refreshedAt > ms;
  }

  private async refresh(): Promise<void> {
    try {
      this.known = await this.readAll();
      this.refreshedAt = performance.now();
      this.isFailing = false;
    } catch (error) {
      // Once for an outage: each scrape tries again.
      this.logger[this.isFailing ? 'debug' : 'warn']({ msg: 'the metrics queries failed', err: error });
      this.isFailing = true;
    }
  }

  /** Each read has its own deadline: a slow database would otherwise leave no time for the last ones. */
  private async readAll(): Promise<StoredState> {
    const { last, succeededAt } = await withOwnDeadline(() => this.syncs.lastFinishedAt());
    const now = this.clock.now().getTime();
    return {
      backlog: await withOwnDeadline(() => this.jobs.backlog()),
      syncAge: succeededAt === null ? null : Math.max(0, (now - succeededAt.getTime()) / 1000),
      lastSync: last === null ? null : { status: last.status, workspacesFailed: last.workspacesFailed },
      residualSeconds: await withOwnDeadline(() => this.tokens.residualSeconds()),
      groups: await withOwnDeadline(() => countGroups(this.database.manager)),
      grants: await withOwnDeadline(() => countGrants(this.database.manager)),
      usageLag: await withOwnDeadline(() => this.usage.lagSeconds()),
      webhookAge: await withOwnDeadline(() => backlogSeconds(this.database.manager, this.clock.now())),
    };
  }
}
