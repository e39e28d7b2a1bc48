import type { ProblemCode } from '../../core/problems/problem-catalogue.js';
import type { SyncRun, SyncStatus, SyncTrigger } from '../sync-run.entity.js';

export class SyncErrorDto {
  /** Id of the workspace in Power BI; null where the failure was not one workspace's. */
  pbi_workspace_id!: string | null;
  code!: ProblemCode;
  detail!: string;
}

export class SyncRunDto {
  id!: string;
  status!: SyncStatus;
  trigger!: SyncTrigger;
  /** Workspaces that Power BI named so far. */
  workspaces_seen!: number;
  /** Of these, how many the run is done with, failed ones included. */
  workspaces_done!: number;
  /** How many there are to do; null while Power BI has not named all of them. */
  workspaces_total!: number | null;
  workspaces_failed!: number;
  reports_seen!: number;
  /** Rows written because Power BI had something else than we. */
  changes!: number;
  /** Calls to Power BI. */
  calls!: number;
  /** Seconds that Power BI made us wait. */
  throttled_seconds!: number;
  errors!: SyncErrorDto[];
  queued_at!: Date;
  started_at!: Date | null;
  finished_at!: Date | null;

  static from(run: SyncRun): SyncRunDto {
    return {
      id: run.id,
      status: run.status,
      trigger: run.trigger,
      workspaces_seen: run.workspacesSeen,
      workspaces_done: run.workspacesDone,
      workspaces_total: run.workspacesTotal,
      workspaces_failed: run.workspacesFailed,
      reports_seen: run.reportsSeen,
      changes: run.changes,
      calls: run.calls,
      throttled_seconds: run.throttledSeconds,
      errors: run.errors,
      queued_at: run.queuedAt,
      started_at: run.startedAt,
      finished_at: run.finishedAt,
    };
  }
}

export class SyncListDto {
  syncs!: SyncRunDto[];
}
