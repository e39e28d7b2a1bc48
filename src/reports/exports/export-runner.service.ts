import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { isDatabaseOutage, isRepeated } from '../../core/problems/database-problem.js';
import { Problem } from '../../core/problems/problem.js';
import type { EmbedRightsRow } from '../../embed/embed.queries.js';
import { mayHaveStarted } from '../../power-bi/translate.js';
import { ExportInterrupted, ExportTimedOut } from './exports.errors.js';
import { ExportRightsService, identityHash, requireSameIdentity } from './export-rights.service.js';
import { ExportStatesService } from './export-states.service.js';
import { ExportUpstreamService, MAX_ATTEMPTS } from './export-upstream.service.js';
import { ReportExport } from './report-export.entity.js';

/** Until an export waits for its capacity in vain, and until Power BI does not complete it. */
const MAX_QUEUED_SECONDS = 1800;
const MAX_TOTAL_SECONDS = 3600;
/** Delay until the next look at the queue of the capacity. */
const TURN_SECONDS = 2;
/** Delay after a failure without a `Retry-After`. */
const RETRY_SECONDS = 10;

/** Problems that end by themselves: the export waits. */
const transient = new Set(['power_bi_throttled', 'power_bi_unavailable']);

/** Advances exports in short steps, each a job: a restart or a failed replica loses none. */
@Injectable()
export class ExportRunnerService {
  constructor(
    @InjectRepository(ReportExport) private readonly exports: Repository<ReportExport>,
    private readonly database: DatabaseService,
    private readonly rights: ExportRightsService,
    private readonly states: ExportStatesService,
    private readonly upstream: ExportUpstreamService,
    private readonly clock: Clock,
  ) {}

  /** Does the next step of an export. Only a failure that a repetition may avoid is thrown, for the job queue to repeat it. */
  async step(id: string, isLast: boolean): Promise<void> {
    const row = await this.exports.findOneBy({ id });
    if (row === null) return;
    // A step that was killed after the end of its export may have left a part of the file.
    if (row.status !== 'queued' && row.status !== 'running') return this.states.removeUnfinished(id);
    try {
      const right = await this.rightOf(row);
      if (right !== null) await this.advance(row, right);
    } catch (error) {
      if (error instanceof Problem && transient.has(error.code)) await this.pause(row, error);
      else if (!isLast && isRepeated(error)) throw error;
      else await this.states.fail(row, error instanceof Problem ? error : new ExportInterrupted());
    }
  }

  /** Null after the export was cancelled because its right was revoked. */
  private async rightOf(row: ReportExport): Promise<EmbedRightsRow | null> {
    try {
      return await this.rights.require(row.userId, row.reportId);
    } catch (error) {
      if (!(error instanceof Problem) || isDatabaseOutage(error)) throw error;
      await this.database.transaction((tx) => this.states.cancel(tx, row, error));
      return null;
    }
  }

  private async advance(row: ReportExport, right: EmbedRightsRow): Promise<void> {
    try {
      await this.proceed(row, right);
    } catch (error) {
      throw await this.upstream.reasonOf(error, row, right);
    }
  }

  private async proceed(row: ReportExport, right: EmbedRightsRow): Promise<void> {
    if (this.age(row) > MAX_TOTAL_SECONDS) throw new ExportTimedOut();
    if (row.status === 'queued') {
      const capacity = row.capacity ?? (await this.upstream.capacityOf(right));
      if (!(await this.states.claim(row.id, capacity))) return this.waitForTurn(row);
      return this.start({ ...row, capacity, status: 'running' }, right);
    }
    return row.pbiExportId === null ? this.start(row, right) : this.poll(row, right);
  }

  private waitForTurn(row: ReportExport): Promise<void> {
    if (this.age(row) > MAX_QUEUED_SECONDS) throw new ExportTimedOut();
    return this.states.proceed(row.id, {}, TURN_SECONDS);
  }

  private async start(row: ReportExport, right: EmbedRightsRow): Promise<void> {
    const pbiExportId = await this.upstream.start(row, right);
    const changes = {
      pbiExportId,
      identityHash: identityHash(right),
      attempts: row.attempts + 1,
      percent: 0,
    };
    await this.states.proceed(row.id, changes, 1);
  }

  private async poll(row: ReportExport, right: EmbedRightsRow): Promise<void> {
    const progress = await this.upstream.progress(row, right);
    if (progress.state === 'again') {
      const changes = { status: 'queued' as const, pbiExportId: null, percent: 0 };
      return this.states.proceed(row.id, changes, this.within(row, MAX_TOTAL_SECONDS, progress.seconds));
    }
    if (progress.state === 'running') {
      // 100 is reserved for a file that can be downloaded.
      return this.states.proceed(row.id, { percent: Math.min(progress.percent, 99) }, progress.seconds);
    }
    const file = await this.upstream.download(row, right, progress.extension);
    await this.complete(row, file);
  }

  /** The right and the identity are checked again in the transaction that completes the export. */
  private async complete(row: ReportExport, file: { fileName: string; size: number }): Promise<void> {
    await this.database.transaction(async (tx) => {
      try {
        requireSameIdentity(row, await this.rights.require(row.userId, row.reportId, tx));
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        await this.states.cancel(tx, row, error);
        return;
      }
      await this.states.succeed(tx, row, file);
    });
  }

  /**
   * A started export keeps its place; one that could not start returns to the queue. Power BI cannot stop an export that it may
   * have started, so only a few are started for one order.
   */
  private async pause(row: ReportExport, problem: Problem): Promise<void> {
    const limit = row.pbiExportId === null ? MAX_QUEUED_SECONDS : MAX_TOTAL_SECONDS;
    const isCounted = mayHaveStarted(problem);
    const attempts = row.attempts + Number(isCounted);
    if (this.age(row) > limit || (isCounted && attempts >= MAX_ATTEMPTS)) {
      await this.states.fail(row, problem);
      return;
    }
    const { code: errorCode, detail: errorDetail, retryAfter = RETRY_SECONDS } = problem;
    const changes =
      row.pbiExportId === null ? { status: 'queued' as const, attempts, errorCode, errorDetail } : {};
    await this.states.proceed(row.id, changes, this.within(row, limit, retryAfter));
  }

  /** The delay, but not beyond the limit: the step after it ends the export. */
  private within(row: ReportExport, limit: number, seconds: number): number {
    return Math.max(1, Math.min(seconds, limit - this.age(row) + 1));
  }

  private age({ createdAt }: ReportExport): number {
    return (this.clock.now().getTime() - createdAt.getTime()) / 1000;
  }
}
