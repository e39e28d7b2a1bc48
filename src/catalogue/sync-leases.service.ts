import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Not, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Clock } from '../core/clock.js';
import { Database } from '../core/database/database.service.js';
import { SyncProgress } from './sync-progress.js';
import { type SyncError, SyncRun } from './sync-run.entity.js';

/** A run gives signs of life every few seconds; without any for so long it was left behind. */
export const LEFT_BEHIND_SECONDS = 60;

const leftBehind: SyncError = {
  pbi_workspace_id: null,
  code: 'internal_error',
  detail: 'The replica that carried it out went away.',
};

@Injectable()
export class SyncClaims {
  constructor(
    @InjectRepository(SyncRun) private readonly runs: Repository<SyncRun>,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Takes a run up, also one that another replica left behind; null when there is nothing left to do. */
  async take(id: string): Promise<SyncProgress | null> {
    const now = this.clock.now();
    const run = await this.database.transaction(async (tx) => {
      await tx.update(
        SyncRun,
        { id: Not(id), status: 'running', heartbeatAt: LessThan(this.clock.in(-LEFT_BEHIND_SECONDS)) },
        { status: 'failed', finishedAt: now, errors: [leftBehind] },
      );
      const found = await tx.findOne(SyncRun, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (found === null || found.finishedAt !== null) return null;
      const claim = { claim: uuidv7(), startedAt: found.startedAt ?? now, heartbeatAt: now };
      await tx.update(SyncRun, { id }, { status: 'running', ...claim });
      return Object.assign(found, claim);
    });
    return run === null ? null : new SyncProgress(this.runs, run, this.clock);
  }
}
