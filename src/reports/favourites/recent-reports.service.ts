import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { Config } from '../../core/config/config.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import { withoutDeadline } from '../../core/http/request-context.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import type { ListedReport } from '../reports.queries.js';
import { ReportsService } from '../reports.service.js';
import type { RecentReport } from './favourite.entity.js';
import { deleteOpenedBefore, listRecentReports, writeOpenedReports } from './favourites.queries.js';

const FLUSH_MS = 1000;
const MAX_LISTED = 20;
const DAY_SECONDS = 86_400;

/**
 * The reports that each person opened last. Written once a second for all embed tokens of that second: a write for each
 * would slow every token down. A replica that is killed loses its last second.
 */
@Injectable()
export class RecentReportsService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(RecentReportsService.name);
  private readonly opened = new Map<string, RecentReport>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly config: Config,
    private readonly database: DatabaseService,
    private readonly reports: ReportsService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
    this.jobs.repeat('recent_reports_cleanup', '37 2 * * *', () => this.removeOld());
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** Only adds to memory. */
  record(userId: string, reportId: string): void {
    this.opened.set(`${userId} ${reportId}`, { userId, reportId, openedAt: this.clock.now() });
  }

  /** The reports that the caller opened last and may see now, last opened first. */
  async list(caller: Principal): Promise<ListedReport[]> {
    await this.flush();
    const ids = await listRecentReports(this.database.manager, caller.id);
    return (await this.reports.findByIds(caller, ids)).slice(0, MAX_LISTED);
  }

  /** Never throws: what could not be written is written by the next flush. */
  async flush(): Promise<void> {
    if (this.opened.size === 0) return;
    const opened = [...this.opened];
    this.opened.clear();
    try {
      await withoutDeadline(() =>
        writeOpenedReports(
          this.database.manager,
          opened.map(([, row]) => row),
        ),
      );
    } catch (error) {
      this.logger.warn({ msg: 'opened reports could not be recorded; the next flush retries', err: error });
      for (const [key, row] of opened) if (!this.opened.has(key)) this.opened.set(key, row);
    }
  }

  /** Kept as long as the issued tokens, which contain the same facts. */
  async removeOld(): Promise<void> {
    await deleteOpenedBefore(
      this.database.manager,
      this.clock.in(-this.config.embed.grantDays * DAY_SECONDS),
    );
  }
}
