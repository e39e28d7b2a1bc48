import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, LessThan, Not, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import { EventsService } from '../events/outbox/events.service.js';
import { SyncProgress, toEvent } from './sync-progress.js';
import { type SyncError, SyncRun } from './sync-run.entity.js';

/** The heartbeat is updated every few seconds; a run without an update for this long is abandoned. */
export const STALE_SECONDS = 60;

const isStale: SyncError = {
  pbi_workspace_id: null,
  code: 'internal_error',
  detail: 'The replica that ran the sync stopped.',
};

@Injectable()
export class SyncLeasesService {
  constructor(
    @InjectRepository(SyncRun) private readonly runs: Repository<SyncRun>,
    private readonly database: DatabaseService,
    private readonly clock: Clock,
    private readonly events: EventsService,
  ) {}

  /**
   * Acquires a queued run or one that another replica abandoned; null if nothing is left to do. Marks other stale runs
   * as failed.
   */
  async acquire(id: string): Promise<SyncProgress | null> {
    const now = this.clock.now();
    const run = await this.database.transaction(async (tx) => {
      await this.failStale(tx, id);
      const found = await tx.findOne(SyncRun, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (found === null || found.finishedAt !== null) return null;
      const claim = { claim: uuidv7(), startedAt: found.startedAt ?? now, heartbeatAt: now };
      await tx.update(SyncRun, { id }, { status: 'running', ...claim });
      return Object.assign(found, claim);
    });
    return run === null ? null : new SyncProgress(this.runs, run, this.clock, this.database, this.events);
  }

  private async failStale(tx: EntityManager, current: string): Promise<void> {
    const where = {
      id: Not(current),
      status: 'running' as const,
      heartbeatAt: LessThan(this.clock.in(-STALE_SECONDS)),
    };
    const stale = await tx.find(SyncRun, { where, lock: { mode: 'pessimistic_write' } });
    const failed = { status: 'failed' as const, errors: [isStale] };
    for (const { id } of stale) await tx.update(SyncRun, { id }, { ...failed, finishedAt: this.clock.now() });
    await this.events.record(
      tx,
      stale.map((run) => toEvent({ ...run, ...failed })),
    );
  }
}
