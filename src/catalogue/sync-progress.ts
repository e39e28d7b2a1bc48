import { IsNull, type Repository } from 'typeorm';
import type { Clock } from '../core/clock.js';
import { Problem } from '../core/problems/problem.js';
import type { CallMeter } from '../power-bi/power-bi.types.js';
import type { SyncError, SyncRun, SyncStatus } from './sync-run.entity.js';

const SAVE_MS = 1000;
const HEARTBEAT_MS = 5000;
/** Enough to see what is wrong; a tenant-wide failure need not be told ten thousand times. */
const MAX_ERRORS = 100;

/** What became of one workspace. */
export interface WorkspaceOutcome {
  reports: number;
  changes: number;
  error?: SyncError;
}

/** Another replica has taken the run up: this one has nothing more to say. */
export class Superseded extends Error {}

/**
 * What a run did so far, written to its row about once a second. Workspaces count once all before them are done, so that
 * a replica that takes over neither leaves one out nor counts one twice.
 */
export class SyncProgress {
  readonly meter: CallMeter;
  private readonly stopped = new AbortController();
  private readonly waiting = new Map<number, { pbiWorkspaceId: string; outcome: WorkspaceOutcome }>();
  private next = 0;
  private savedAt = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly runs: Repository<SyncRun>,
    private readonly run: SyncRun,
    private readonly clock: Clock,
  ) {
    this.meter = { calls: run.calls, throttledSeconds: run.throttledSeconds };
    this.timer = setInterval(() => this.heartbeat(), HEARTBEAT_MS).unref();
  }

  /** Aborts when the run is somebody else's, or this replica is going down. */
  get signal(): AbortSignal {
    return this.stopped.signal;
  }

  get startedAt(): Date {
    return this.run.startedAt ?? this.run.queuedAt;
  }

  get checkpoint(): string | null {
    return this.run.reached;
  }

  get workspacesFailed(): number {
    return this.run.workspacesFailed;
  }

  setSeen(workspaces: number): void {
    this.run.workspacesSeen = workspaces;
  }

  /** Power BI has named all there are; so many of them are left to do. */
  setTotal(workspaces: number, left: number, changes: number): void {
    this.setSeen(workspaces);
    this.run.workspacesTotal = workspaces;
    this.run.workspacesDone = workspaces - left;
    this.run.changes += changes;
  }

  /** A listing that has no order to go on from is read from its start again. */
  restart(): void {
    const counts = { workspacesSeen: 0, workspacesDone: 0, workspacesFailed: 0, reportsSeen: 0 };
    Object.assign(this.run, { ...counts, workspacesTotal: null, errors: [] });
  }

  /** The workspace at this position is done. */
  async recordWorkspace(position: number, pbiWorkspaceId: string, outcome: WorkspaceOutcome): Promise<void> {
    this.waiting.set(position, { pbiWorkspaceId, outcome });
    for (let done = this.waiting.get(this.next); done !== undefined; done = this.waiting.get(this.next)) {
      this.waiting.delete(this.next);
      this.next += 1;
      this.count(done.outcome);
      this.run.reached = done.pbiWorkspaceId;
    }
    const now = this.clock.now().getTime();
    if (now - this.savedAt >= SAVE_MS) await this.save({});
  }

  failed(error: unknown): void {
    this.scheduleSave(syncError(null, error));
  }

  finish(status: SyncStatus): Promise<void> {
    return this.save({ status, finishedAt: this.clock.now() });
  }

  /** Leaves the run to another replica. */
  abandon(reason: unknown): void {
    this.stopped.abort(reason);
  }

  end(): void {
    clearInterval(this.timer);
  }

  private count({ reports, changes, error }: WorkspaceOutcome): void {
    this.run.workspacesDone += 1;
    this.run.reportsSeen += reports;
    this.run.changes += changes;
    if (error === undefined) return;
    this.run.workspacesFailed += 1;
    this.scheduleSave(error);
  }

  private scheduleSave(error: SyncError): void {
    if (this.run.errors.length < MAX_ERRORS) this.run.errors.push(error);
  }

  /** Signs of life while all workspaces wait, as they do through a pause of Power BI. */
  private heartbeat(): void {
    // A database that is away for a moment does not end the run; a claim that is gone aborts it by itself.
    this.save({}).catch(() => undefined);
  }

  private async save(changes: Partial<SyncRun>): Promise<void> {
    const now = this.clock.now();
    this.savedAt = now.getTime();
    const { id, claim } = this.run;
    const mine = { id, claim: claim ?? IsNull(), status: 'running' as const };
    const { affected } = await this.runs.update(mine, {
      workspacesSeen: this.run.workspacesSeen,
      workspacesDone: this.run.workspacesDone,
      workspacesTotal: this.run.workspacesTotal,
      workspacesFailed: this.run.workspacesFailed,
      reportsSeen: this.run.reportsSeen,
      changes: this.run.changes,
      errors: this.run.errors,
      reached: this.run.reached,
      calls: this.meter.calls,
      throttledSeconds: Math.round(this.meter.throttledSeconds),
      heartbeatAt: now,
      ...changes,
    });
    if (affected !== 0) return;
    const superseded = new Superseded('the run was taken over');
    this.abandon(superseded);
    throw superseded;
  }
}

export function syncError(pbiWorkspaceId: string | null, error: unknown): SyncError {
  const { code, detail }: Pick<SyncError, 'code' | 'detail'> =
    error instanceof Problem ? error : { code: 'internal_error', detail: 'The failure was logged.' };
  return { pbi_workspace_id: pbiWorkspaceId, code, detail };
}
