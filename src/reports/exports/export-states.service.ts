import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { Config } from '../../core/config/config.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Problem } from '../../core/problems/problem.js';
import { emit } from '../../core/telemetry/telemetry-events.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { ExportChunk, ReportExport } from './report-export.entity.js';
import { claimExport, deleteUnfinishedChunks } from './exports.queries.js';

type Changes = QueryDeepPartialEntity<ReportExport>;
type Active = Pick<ReportExport, 'id' | 'userId' | 'reportId' | 'format' | 'createdAt'>;

const active = In(['queued', 'running']);

/** The transitions of an export. Each applies only to an export that has not ended, so an export ends once. */
@Injectable()
export class ExportStatesService {
  constructor(
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly audit: AuditService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Enqueues the next step. */
  enqueue(tx: EntityManager, id: string, seconds = 0): Promise<void> {
    return this.jobs.send(tx, 'report_export', { export_id: id }, seconds);
  }

  /** Returns whether it is the turn of the export on its capacity; if so, it is `running`. */
  claim(id: string, capacity: string): Promise<boolean> {
    const limit = this.config.exports.perCapacity;
    return this.database.transaction(async (tx) => {
      await tx.update(ReportExport, { id, status: 'queued' }, { capacity });
      return claimExport(tx, { id, capacity, limit, now: this.clock.now() });
    });
  }

  /** Records progress and continues after `seconds`. Of an export that has ended, deletes what a step wrote meanwhile. */
  async proceed(id: string, changes: Changes, seconds: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { affected } = await tx.update(
        ReportExport,
        { id, status: active },
        { ...changes, touchedAt: this.clock.in(seconds) },
      );
      await (affected === 1 ? this.enqueue(tx, id, seconds) : deleteUnfinishedChunks(tx, id));
    });
  }

  /** Returns whether the export was still running. */
  succeed(tx: EntityManager, row: Active, done: Pick<ReportExport, 'fileName'> & { size: number }) {
    const { hours } = this.config.exports;
    const { fileName, size } = done;
    const changes = { fileName, size: String(size), percent: 100, expiresAt: this.clock.in(hours * 3600) };
    return this.end(tx, row, { ...changes, status: 'succeeded', errorCode: null, errorDetail: null });
  }

  fail(row: Active, { code, detail }: Problem): Promise<boolean> {
    const changes = { status: 'failed' as const, errorCode: code, errorDetail: detail };
    return this.database.transaction((tx) => this.end(tx, row, changes));
  }

  /** Without a problem, the person cancelled it. */
  cancel(tx: EntityManager, row: Active, problem?: Problem): Promise<boolean> {
    const { code: errorCode = null, detail: errorDetail = null } = problem ?? {};
    return this.end(tx, row, { status: 'cancelled', errorCode, errorDetail });
  }

  /** Deletes what was written for an export that has ended without a file. */
  async removeUnfinished(id: string): Promise<void> {
    await deleteUnfinishedChunks(this.database.manager, id);
  }

  /** Deletes the file of a completed export. */
  async expire(tx: EntityManager, id: string): Promise<void> {
    await tx.update(ReportExport, { id, status: 'succeeded' }, { status: 'expired' });
    await tx.delete(ExportChunk, { exportId: id });
  }

  private async end(tx: EntityManager, row: Active, changes: Ending): Promise<boolean> {
    const now = this.clock.now();
    const { affected } = await tx.update(
      ReportExport,
      { id: row.id, status: active },
      { ...changes, viewState: null, finishedAt: now, touchedAt: now },
    );
    const isEnded = affected === 1;
    await deleteUnfinishedChunks(tx, row.id);
    if (!isEnded) return false;
    await this.record(tx, row, changes);
    const seconds = (now.getTime() - row.createdAt.getTime()) / 1000;
    emit('report_export_ended', { format: row.format, result: changes.status, seconds });
    return true;
  }

  private record(tx: EntityManager, row: Active, { status, size, errorCode }: Ending): Promise<void> {
    const { id, userId, reportId, format } = row;
    return this.audit.record(tx, {
      ...events[status],
      actorId: userId,
      target: { type: 'report', id: reportId },
      details: {
        export_id: id,
        format,
        ...(size && { size: Number(size) }),
        ...(errorCode && { code: errorCode }),
      },
    });
  }
}

interface Ending extends Pick<Partial<ReportExport>, 'fileName' | 'size' | 'percent' | 'expiresAt'> {
  status: keyof typeof events;
  errorCode: ReportExport['errorCode'];
  errorDetail: string | null;
}

const events = {
  succeeded: { action: 'report_exported', outcome: 'allowed' },
  failed: { action: 'report_export_failed', outcome: 'failed' },
  cancelled: { action: 'report_export_cancelled', outcome: 'allowed' },
} as const;
