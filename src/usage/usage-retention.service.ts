import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { IsNull, LessThan, Not, Raw } from 'typeorm';
import { Clock } from '../core/clock.js';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import { maintainPartitions } from '../core/database/partitions.js';
import { JobsService } from '../platform/jobs/jobs.service.js';
import { dayOf } from '../core/database/local-days.js';
import { monthOf } from './people.queries.js';
import { waitForRollup } from './rollup-state.queries.js';
import {
  UsageActivePeople,
  UsageMonthKey,
  UsagePerson,
  UsageReportDay,
  UsageReportMonth,
  UsageReportSums,
  UsageToken,
  UsageView,
  UsageWorkspaceDay,
} from './usage.entity.js';

const DAY_SECONDS = 86_400;
const TOKEN_SECONDS = 4 * DAY_SECONDS;

/** SQL expression: the first month whose single views are kept. A month is removed when its last day is that old. */
const firstKeptMonth = (now: string, days: string): string =>
  `date_trunc('month', (${now}::timestamptz AT TIME ZONE 'UTC') - make_interval(days => ${days}))::date`;

/**
 * SQL expression: the first day of a time zone whose single views are all kept. Months of views are UTC, so the first day that
 * contains kept views may have lost some.
 */
export const firstCompleteDay = (now: string, days: string, zone: string): string =>
  `${dayOf(`${firstKeptMonth(now, days)}::timestamp AT TIME ZONE 'UTC' - interval '1 microsecond'`, zone)} + 1`;

/**
 * Creates the partitions of the views ahead of time and removes what exceeds its retention: with the views of a month its people
 * and the key of its pseudonyms, later the figures.
 */
@Injectable()
export class UsageRetentionService implements OnApplicationBootstrap {
  constructor(
    private readonly config: Config,
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.repeat('usage_cleanup', '23 4 * * *', () => this.maintain(), { atStart: true });
  }

  async maintain(): Promise<void> {
    await this.removePeople();
    await maintainPartitions(this.database, 'usage_views', this.config.usage.rawDays);
    await this.removeViews();
    await this.removeFigures();
  }

  /**
   * Removes the people of each day, week and month that loses views, before the views: rollups never compute a period without
   * people again.
   */
  private removePeople(): Promise<void> {
    const { rawDays, timeZone } = this.config.usage;
    const first = firstCompleteDay(':now', ':rawDays', ':timeZone');
    const people = Not(IsNull());
    const none = { people: null, peopleFrom: null, peopleBits: null };
    return this.database.transaction(async (tx) => {
      await DatabaseService.withLongTimeout(tx);
      await waitForRollup(tx);
      const isOld = Raw((start) => `${start} < ${first}`, { now: this.clock.now(), rawDays, timeZone });
      await tx.update(UsageReportDay, { day: isOld, people }, none);
      await tx.update(UsageWorkspaceDay, { day: isOld, people }, none);
      await tx.update(UsageActivePeople, { start: isOld, people }, { people: null });
    });
  }

  /** Views of a dropped partition may still be in the default one, if the clock of the service differs. */
  private removeViews(): Promise<void> {
    const kept = monthOf(this.clock.in(-this.config.usage.rawDays * DAY_SECONDS));
    return this.database.transaction(async (tx) => {
      await DatabaseService.withLongTimeout(tx);
      await tx.delete(UsageView, { started_at: LessThan(new Date(kept)) });
      await tx.delete(UsageMonthKey, { month: LessThan(kept) });
      await tx.delete(UsagePerson, { month: LessThan(kept) });
    });
  }

  private removeFigures(): Promise<void> {
    const now = this.clock.now();
    const oldest = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - this.config.usage.rollupMonths);
    const before = LessThan(monthOf(new Date(oldest)));
    return this.database.transaction(async (tx) => {
      await DatabaseService.withLongTimeout(tx);
      await tx.delete(UsageReportDay, { day: before });
      await tx.delete(UsageWorkspaceDay, { day: before });
      await tx.delete(UsageReportSums, { start: before });
      await tx.delete(UsageReportMonth, { month: before });
      await tx.delete(UsageActivePeople, { start: before });
      await tx.delete(UsageToken, { hourAt: LessThan(this.clock.in(-TOKEN_SECONDS)) });
    });
  }
}
