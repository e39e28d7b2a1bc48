import type { EntityManager, Repository } from 'typeorm';
import type { DatabaseService } from '../core/database/database.service.js';
import type { EventsService, Recorded } from '../events/outbox/events.service.js';
import { SyncRun, type SyncStatus } from './sync-run.entity.js';

export type SyncResult = Exclude<SyncStatus, 'queued' | 'running'>;

type Ended = Pick<SyncRun, 'id' | 'errors' | 'workspacesSeen' | 'workspacesFailed' | 'changes'> & {
  status: SyncResult;
};

/** Writes the end of a run together with its event. */
export class SyncOutcomeRecorder {
  constructor(
    private readonly database: DatabaseService,
    private readonly events: EventsService,
  ) {}

  record(run: Ended, save: (runs: Repository<SyncRun>) => Promise<void>): Promise<void> {
    return this.database.transaction(async (tx) => {
      await save(tx.getRepository(SyncRun));
      await this.recordAll(tx, [run]);
    });
  }

  recordAll(tx: EntityManager, runs: readonly Ended[]): Promise<void> {
    return this.events.record(tx, runs.map(toEvent));
  }
}

function toEvent({ id, status, errors, workspacesSeen, workspacesFailed, changes }: Ended): Recorded {
  const subject = `sync/${id}`;
  if (status === 'failed') {
    const code = errors.find(({ pbi_workspace_id }) => pbi_workspace_id === null)?.code ?? null;
    return { type: 'sync.failed', subject, data: { sync_id: id, code } };
  }
  const counts = { workspaces: workspacesSeen, workspaces_failed: workspacesFailed, changes };
  return { type: 'sync.finished', subject, data: { sync_id: id, status, ...counts } };
}
