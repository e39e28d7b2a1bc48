import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThan, LessThanOrEqual, Repository } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { ExportTicket, ReportExport } from './report-export.entity.js';
import { ExportRunnerService } from './export-runner.service.js';
import { ExportStatesService } from './export-states.service.js';

/** Downloads take longer than other steps, so some run at the same time. */
const CONCURRENCY = 4;
/**
 * An export that no job has touched for so long after its step was due has lost its job, or downloads a large file; a second job
 * is harmless. Far below the time that an export may take, so that the rest suffices.
 */
const LOST_SECONDS = 600;
/** How long an ended export is listed. */
const LISTED_DAYS = 7;
const BATCH = 100;

/** Runs the steps of exports, and deletes files that have expired. */
@Injectable()
export class ExportScheduleService implements OnApplicationBootstrap {
  constructor(
    @InjectRepository(ReportExport) private readonly exports: Repository<ReportExport>,
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly runner: ExportRunnerService,
    private readonly states: ExportStatesService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.onStarted(() =>
      this.jobs.work<{ export_id: string }>(
        'report_export',
        ({ export_id }, { isLast }) => this.runner.step(export_id, isLast),
        CONCURRENCY,
      ),
    );
    this.jobs.repeat('report_export_cleanup', '*/10 * * * *', () => this.cleanUp());
  }

  async cleanUp(): Promise<void> {
    const now = this.clock.now();
    await this.inBatches({ status: 'succeeded' as const, expiresAt: LessThanOrEqual(now) }, (tx, { id }) =>
      this.states.expire(tx, id),
    );
    const lost = { status: In(['queued', 'running']), touchedAt: LessThan(this.clock.in(-LOST_SECONDS)) };
    await this.inBatches(lost, async (tx, { id }) => {
      await tx.update(ReportExport, { id }, { touchedAt: now });
      await this.states.enqueue(tx, id);
    });
    const old = { finishedAt: LessThan(this.clock.in(-LISTED_DAYS * 86_400)) };
    await this.inBatches(old, async (tx, { id }) => void (await tx.delete(ReportExport, { id })));
    await this.database.manager.delete(ExportTicket, { expiresAt: LessThan(now) });
  }

  /** One transaction for each row, so that no lock is held for long. */
  private async inBatches(
    where: Parameters<Repository<ReportExport>['findBy']>[0],
    work: (tx: Parameters<ExportStatesService['expire']>[0], row: ReportExport) => Promise<void>,
  ): Promise<void> {
    for (;;) {
      const rows = await this.exports.find({ where, take: BATCH });
      for (const row of rows) await this.database.transaction((tx) => work(tx, row));
      if (rows.length < BATCH) return;
    }
  }
}
