import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, LessThan, Not, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../platform/audit/audit.service.js';
import { Clock, MAX_SKEW_SECONDS } from '../core/clock.js';
import { Cursors, type Reader } from '../core/lists/cursors.js';
import { listPage, type Page, selectedBy } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { DatabaseService } from '../core/database/database.service.js';
import { deleteInBatches } from '../core/database/delete-batch.js';
import { JobsService } from '../platform/jobs/jobs.service.js';
import { SyncNotFound } from './catalogue.errors.js';
import { ListSyncsQuery, syncSortKeys } from './dto/sync-run.dto.js';
import { STALE_SECONDS } from './sync-leases.service.js';
import { SyncRun, type SyncTrigger } from './sync-run.entity.js';

/** A run queued for longer may have lost its job; a second job for the same run is harmless. */
const LOST_SECONDS = 600;
const KEEP_SECONDS = 90 * 86_400;

/** SQL subquery: the newest of these runs. Runs finish in the order in which they were queued. */
const newest = (where: string): string =>
  `(SELECT id FROM sync_runs WHERE ${where} ORDER BY queued_at DESC, id DESC LIMIT 1)`;
/** The runs that the metrics and the start of the service read, also if no sync runs for long. */
const kept = `${newest('finished_at IS NOT NULL')} UNION ALL ${newest(`status IN ('succeeded', 'partial')`)}`;

@Injectable()
export class SyncsService implements OnApplicationBootstrap {
  constructor(
    @InjectRepository(SyncRun) private readonly runs: Repository<SyncRun>,
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
    private readonly audit: AuditService,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.repeat('sync_cleanup', '53 3 * * *', () => this.removeOld());
  }

  list(reader: Reader, page: ListSyncsQuery): Promise<Page<SyncRun>> {
    return listPage(
      selectedBy(this.runs.createQueryBuilder('run')),
      { reader, ...page, keys: syncSortKeys },
      this.cursors,
    );
  }

  async get(id: string): Promise<SyncRun> {
    const run = await this.runs.findOneBy({ id });
    if (run === null) throw new SyncNotFound();
    return run;
  }

  /** Returns the queued run if one exists. While a run is running, exactly one follow-up is queued. */
  request(caller: Principal): Promise<SyncRun> {
    return this.database.transaction(async (tx) => {
      const run = await this.enqueue(tx, 'request', caller.id);
      await this.audit.record(tx, {
        action: 'sync_requested',
        actorId: caller.id,
        target: { type: 'sync', id: run.id },
      });
      return run;
    });
  }

  /**
   * Queues a run unless one is running or was queued within `minutes`. A time in the future is that of a clock
   * that was ahead, and would stop the schedule until then. Of concurrent replicas only one queues a run.
   */
  async requestIfOlder(minutes: number, trigger: SyncTrigger): Promise<void> {
    await this.database.transaction(async (tx) => {
      const since = this.clock.in(-minutes * 60);
      const alive = this.clock.in(-STALE_SECONDS);
      const until = this.clock.in(MAX_SKEW_SECONDS);
      const recent = await tx
        .createQueryBuilder(SyncRun, 'run')
        .where('run.queuedAt > :since AND run.queuedAt < :until', { since, until })
        .orWhere(`run.status = 'running' AND run.heartbeatAt > :alive AND run.heartbeatAt < :until`, {
          alive,
        })
        .getExists();
      if (!recent) await this.enqueue(tx, trigger, null);
    });
  }

  /**
   * The run that finished last, and when a run last succeeded at least partially. Runs finish in the order in which they were
   * queued, which has an index.
   */
  async lastFinishedAt(): Promise<{ last: SyncRun | null; succeededAt: Date | null }> {
    const order = { queuedAt: 'DESC', id: 'DESC' } as const;
    // A later run is that of a clock that was ahead, and would hide all others until then.
    const queuedAt = LessThan(this.clock.in(MAX_SKEW_SECONDS));
    const last = await this.runs.findOne({ where: { queuedAt, finishedAt: Not(IsNull()) }, order });
    const good = await this.runs.findOne({
      where: { queuedAt, status: In(['succeeded', 'partial']) },
      order,
    });
    return { last, succeededAt: good?.finishedAt ?? null };
  }

  hasSucceeded(): Promise<boolean> {
    return this.runs.existsBy({ status: In(['succeeded', 'partial']) });
  }

  /** Deletes runs that finished long ago. */
  async removeOld(): Promise<void> {
    const where = `finished_at < $1 AND id <> ALL(ARRAY(${kept}))`;
    await deleteInBatches(this.database, SyncRun, { where, time: this.clock.in(-KEEP_SECONDS) });
  }

  private async enqueue(
    tx: EntityManager,
    trigger: SyncTrigger,
    requestedBy: string | null,
  ): Promise<SyncRun> {
    const { raw } = await tx
      .createQueryBuilder()
      .insert()
      .into(SyncRun)
      .values({ id: uuidv7(), status: 'queued', trigger, requestedBy, queuedAt: this.clock.now() })
      .orIgnore()
      .returning('id')
      .execute();
    const run = await tx.findOneBy(SyncRun, { status: 'queued' });
    // The queued run that caused the conflict has started in the meantime: queue a follow-up.
    if (run === null) return this.enqueue(tx, trigger, requestedBy);
    const isLost = run.queuedAt < this.clock.in(-LOST_SECONDS);
    if ((raw as unknown[]).length > 0 || isLost)
      await this.jobs.send(tx, 'catalogue_sync', { run_id: run.id });
    return run;
  }
}
