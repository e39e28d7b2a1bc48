import { type EntityManager, IsNull, type Repository } from 'typeorm';
import type { Clock } from '../core/clock.js';
import type { DatabaseService } from '../core/database/database.service.js';
import { Problem } from '../core/problems/problem.js';
import type { EventsService, Recorded } from '../events/outbox/events.service.js';
import type { CallMeter } from '../power-bi/power-bi.types.js';
import { type SyncError, SyncRun, type SyncStatus } from './sync-run.entity.js';

const SAVE_MS = 1000;
const HEARTBEAT_MS = 5000;
/** Limits the stored errors: a tenant-wide failure would store one for each workspace. */
const MAX_ERRORS = 100;

/** Result of syncing one workspace. */
export interface WorkspaceOutcome {
  reports: number;
  changes: number;
  error?: SyncError;
}

export type SyncResult = Exclude<SyncStatus, 'queued' | 'running'>;

type Ended = Pick<SyncRun, 'id' | 'errors' | 'workspacesSeen' | 'workspacesFailed' | 'changes'> & {
  status: SyncResult;
};

/** Another replica has taken over the run; this one stops. */
export class Superseded extends Error {}

/**
 * Progress of a run, written to its row about once a second. A workspace counts once all before it are done, so that a
 * replica that takes over neither skips a workspace nor counts it twice.
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
    private readonly database: DatabaseService,
    private readonly events: EventsService,
  ) {
    this.meter = { calls: run.calls, throttledSeconds: run.throttledSeconds };
    this.timer = setInterval(() => this.heartbeat(), HEARTBEAT_MS).unref();
  }

  /** Aborts when another replica has taken over the run, or when this replica shuts down. */
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

  /** Power BI has listed all workspaces; `left` of them are still to be processed. */
  setTotal(workspaces: number, left: number): void {
    this.setSeen(workspaces);
    this.run.workspacesTotal = workspaces;
    this.run.workspacesDone = workspaces - left;
  }

  addChanges(changes: number): void {
    this.run.changes += changes;
  }

  /**
   * Resets the counters: a listing without a defined order cannot resume at a checkpoint and is read again from the
   * start.
   */
  restart(): void {
    const counts = { workspacesSeen: 0, workspacesDone: 0, workspacesFailed: 0, reportsSeen: 0 };
    Object.assign(this.run, { ...counts, workspacesTotal: null, errors: [] });
  }

  /** Records the workspace at this position as done. */
  async recordWorkspace(position: number, pbiWorkspaceId: string, outcome: WorkspaceOutcome): Promise<void> {
    this.waiting.set(position, { pbiWorkspaceId, outcome });
    for (let done = this.waiting.get(this.next); done !== undefined; done = this.waiting.get(this.next)) {
      this.waiting.delete(this.next);
      this.next += 1;
      this.count(done.outcome);
      if (this.run.reached === null || done.pbiWorkspaceId > this.run.reached)
        this.run.reached = done.pbiWorkspaceId;
    }
    const now = this.clock.now().getTime();
    if (now - this.savedAt >= SAVE_MS) await this.save({});
  }

  /** Stores the results so far. Throws Superseded. */
  flush(): Promise<void> {
    return this.save({});
  }

  failed(error: unknown): void {
    this.keepError(syncError(null, error));
  }

  /** Writes the result and its event in one transaction. */
  finish(status: SyncResult): Promise<void> {
    return this.database.transaction(async (tx) => {
      await this.save({ status, finishedAt: this.clock.now() }, tx.getRepository(SyncRun));
      await this.events.record(tx, [toEvent({ ...this.run, status })]);
    });
  }

  /** In a transaction that writes content: no other replica takes over the run until its end. Throws Superseded if one has. */
  async keep(tx: EntityManager): Promise<void> {
    const where = this.mine;
    const lock = { mode: 'for_key_share' } as const;
    if ((await tx.findOne(SyncRun, { where, select: { id: true }, lock })) === null) throw this.superseded();
  }

  /** Stops work on the run, so that another replica can take it over. */
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
    this.keepError(error);
  }

  private keepError(error: SyncError): void {
    if (this.run.errors.length < MAX_ERRORS) this.run.errors.push(error);
  }

  /** Keeps the heartbeat fresh while all workspaces wait, for example while Power BI throttles. */
  private heartbeat(): void {
    // A short database outage does not end the run. If the claim was lost, `save` aborts the run itself.
    this.save({}).catch(() => undefined);
  }

  private async save(changes: Partial<SyncRun>, runs = this.runs): Promise<void> {
    const now = this.clock.now();
    this.savedAt = now.getTime();
    const { affected } = await runs.update(this.mine, {
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
    if (affected === 0) throw this.superseded();
  }

  /** The row of the run, while this replica executes it. */
  private get mine() {
    const { id, claim } = this.run;
    return { id, claim: claim ?? IsNull(), status: 'running' as const };
  }

  private superseded(): Superseded {
    const superseded = new Superseded('another replica took over the run');
    this.abandon(superseded);
    return superseded;
  }
}

export function syncError(pbiWorkspaceId: string | null, error: unknown): SyncError {
  const { code, detail }: Pick<SyncError, 'code' | 'detail'> =
    error instanceof Problem
      ? error
      : { code: 'internal_error', detail: 'An unexpected error occurred. See the log of the service.' };
  return { pbi_workspace_id: pbiWorkspaceId, code, detail };
}

/** The event of a run that ended. */
export function toEvent({ id, status, errors, workspacesSeen, workspacesFailed, changes }: Ended): Recorded {
  const subject = `sync/${id}`;
  if (status === 'failed') {
    const code = errors.find(({ pbi_workspace_id }) => pbi_workspace_id === null)?.code ?? null;
    return { type: 'sync.failed', subject, data: { sync_id: id, code } };
  }
  const counts = { workspaces: workspacesSeen, workspaces_failed: workspacesFailed, changes };
  return { type: 'sync.finished', subject, data: { sync_id: id, status, ...counts } };
}
