import type { Repository } from 'typeorm';
import type { Clock } from '../common/clock.js';
import { Problem } from '../common/problem.js';
import type { CallMeter } from '../power-bi/power-bi.types.js';
import type { SyncError, SyncRun, SyncStatus } from './sync-run.entity.js';

const SAVE_MS = 1000;
/** Enough to see what is wrong; a tenant-wide failure need not be told ten thousand times. */
const MAX_ERRORS = 100;

/** What a run did so far, written to its row about once a second. */
export class SyncProgress {
  readonly meter: CallMeter = { calls: 0, throttledSeconds: 0 };
  workspacesFailed = 0;
  private workspacesSeen = 0;
  private reportsSeen = 0;
  private changes = 0;
  private readonly errors: SyncError[] = [];
  private savedAt = 0;

  constructor(
    private readonly runs: Repository<SyncRun>,
    private readonly id: string,
    private readonly clock: Clock,
  ) {}

  saw(workspaces: number, changes: number): void {
    this.workspacesSeen = workspaces;
    this.changes += changes;
  }

  async did(reports: number, changes: number): Promise<void> {
    this.reportsSeen += reports;
    this.changes += changes;
    const now = this.clock.now();
    if (now.getTime() - this.savedAt < SAVE_MS) return;
    this.savedAt = now.getTime();
    await this.save({ heartbeatAt: now });
  }

  failed(pbiWorkspaceId: string | null, error: unknown): void {
    if (pbiWorkspaceId !== null) this.workspacesFailed += 1;
    if (this.errors.length >= MAX_ERRORS) return;
    const { code, detail } =
      error instanceof Problem ? error : { code: 'internal_error', detail: 'The failure was logged.' };
    this.errors.push({ pbi_workspace_id: pbiWorkspaceId, code, detail });
  }

  finish(status: SyncStatus): Promise<void> {
    return this.save({ status, finishedAt: this.clock.now() });
  }

  private async save(changes: Partial<SyncRun>): Promise<void> {
    await this.runs.update(
      { id: this.id },
      {
        workspacesSeen: this.workspacesSeen,
        workspacesFailed: this.workspacesFailed,
        reportsSeen: this.reportsSeen,
        changes: this.changes,
        calls: this.meter.calls,
        throttledSeconds: Math.round(this.meter.throttledSeconds),
        errors: this.errors,
        ...changes,
      },
    );
  }
}
