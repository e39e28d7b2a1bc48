import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../core/clock.js';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import { withOwnDeadline } from '../core/http/request-context.js';
import { emit } from '../core/telemetry/telemetry-events.js';
import { JobsService } from '../platform/jobs/jobs.service.js';
import {
  lockRollup,
  oldestChange,
  openDays,
  recordRollup,
  resetDays,
  takeChanges,
} from './rollup-state.queries.js';
import {
  type ChangedDay,
  rollActivePeople,
  rollIssued,
  rollMonths,
  rollOrganization,
  rollReports,
  rollSums,
  rollWorkspaces,
} from './rollup.queries.js';

/** Changes in one transaction of the job, and before a read. */
const JOB_CHUNK = 200_000;
const READ_CHUNK = 10_000;
/** An embed token lives at most a day; until then it can be returned again. */
const TOKEN_HOURS = 25;
/** As long as one of its statements may take. */
const MAX_REFRESH_MS = 300_000;
const MAX_PAUSE_MS = 5000;
const MAX_WAIT_MS = 300;
const RETRY_MS = 100;

const unchanged = { issuedDays: [], kept: [] };

interface Scope {
  chunk: number;
  /** Days with issued tokens that may still change. */
  hours: number;
}

/**
 * Keeps the figures of days, weeks and months up to date. Views note their report and day as changed; a rollup takes these notes
 * and replaces the figures in one transaction, so that it can be killed at any point and repeated at any time.
 */
@Injectable()
export class UsageRollupService implements OnApplicationBootstrap {
  private running?: Promise<unknown>;
  private nextAt = 0;

  constructor(
    private readonly config: Config,
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.repeat('usage_rollup', '* * * * *', () => this.run(), { atStart: true });
  }

  /** Rolls up everything that was noted before. Waits while another replica rolls up. */
  async run(): Promise<void> {
    for (;;) {
      const taken = await this.roll({ chunk: JOB_CHUNK, hours: TOKEN_HOURS });
      if (taken === undefined) await sleep(RETRY_MS);
      else if (taken < JOB_CHUNK) return;
    }
  }

  /**
   * Before a read: rolls up what was noted since, at most a tenth of the time, so that accepted events are visible within
   * 10 s. A slow rollup continues in the background.
   */
  async refresh(): Promise<void> {
    if (this.running === undefined && performance.now() >= this.nextAt) {
      const startedAt = performance.now();
      this.running = withOwnDeadline(() => this.roll({ chunk: READ_CHUNK, hours: 0 }), MAX_REFRESH_MS)
        .catch(() => undefined)
        .finally(() => {
          const took = performance.now() - startedAt;
          this.nextAt = performance.now() + Math.min(MAX_PAUSE_MS, 10 * took);
          this.running = undefined;
        });
    }
    if (this.running === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, MAX_WAIT_MS);
    await Promise.race([this.running, promise]);
    clearTimeout(timer);
  }

  /** Tokens that were issued before the first rollup count, too. */
  private get issuedHours(): number {
    return this.config.embed.grantDays * 24;
  }

  /** Age in seconds of the oldest change that is not part of the figures. */
  async lagSeconds(): Promise<number> {
    const oldest = await oldestChange(this.database.manager);
    return oldest === null ? 0 : Math.max(0, (this.clock.now().getTime() - oldest.getTime()) / 1000);
  }

  private async roll(scope: Scope): Promise<number | undefined> {
    const startedAt = performance.now();
    const seconds = (): number => (performance.now() - startedAt) / 1000;
    try {
      const taken = await this.rollOnce(scope);
      emit('usage_rolled_up', { result: 'completed', seconds: seconds() });
      return taken;
    } catch (error) {
      emit('usage_rolled_up', { result: 'failed', seconds: seconds() });
      throw error;
    }
  }

  /** Returns the number of notes that were taken; undefined while another replica rolls up. */
  private rollOnce({ chunk, hours }: Scope): Promise<number | undefined> {
    const { timeZone: zone } = this.config.usage;
    return this.database.newTransaction(async (tx) => {
      if (!(await lockRollup(tx))) return undefined;
      const now = this.clock.now();
      await DatabaseService.withLongTimeout(tx);
      const stored = await recordRollup(tx, zone, now);
      const { issuedDays, kept } =
        stored.zone === zone ? unchanged : await resetDays(tx, zone, now, this.issuedHours);
      const { days, taken } = await takeChanges(tx, zone, chunk);
      for (const changed of days) await rollReports(tx, zone, changed);
      const changed = new Map(days.map(({ day, reports }) => [day, new Set(reports)]));
      for (const { day, reports } of kept)
        changed.set(day, new Set([...(changed.get(day) ?? []), ...reports]));
      for (const day of [
        ...issuedDays,
        ...(await openDays(tx, zone, now, {
          hours: stored.isFirst ? this.issuedHours : hours,
          maxHours: this.issuedHours,
        })),
      ]) {
        const reports = await rollIssued(tx, zone, day);
        if (reports.length > 0) changed.set(day, new Set([...(changed.get(day) ?? []), ...reports]));
      }
      for (const [day, reports] of changed) await rollTotals(tx, { day, reports: [...reports] });
      return taken;
    });
  }
}

async function rollTotals(tx: EntityManager, changed: ChangedDay): Promise<void> {
  await rollWorkspaces(tx, changed);
  await rollOrganization(tx, changed.day);
  await rollSums(tx, changed);
  await rollMonths(tx, changed);
  await rollActivePeople(tx, changed.day);
}
