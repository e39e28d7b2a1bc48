import { OmitType } from '#openapi';
import { ListQuery } from '../../core/lists/list-query.dto.js';
import { SortedBy, type SortKeys } from '../../core/lists/pagination.js';
import type { ProblemCode } from '../../core/problems/problem-catalogue.js';
import type { SyncRun, SyncStatus, SyncTrigger } from '../sync-run.entity.js';

export class SyncErrorDto {
  /** Id of the workspace in Power BI; null if the failure does not concern a single workspace. */
  pbi_workspace_id!: string | null;
  code!: ProblemCode;
  detail!: string;
}

export class SyncRunDto {
  id!: string;
  status!: SyncStatus;
  trigger!: SyncTrigger;
  /** Number of workspaces that Power BI has listed so far. */
  workspaces_seen!: number;
  /** Number of workspaces that the run has processed, including failed ones. */
  workspaces_done!: number;
  /** Number of workspaces to process; null until Power BI has listed all of them. */
  workspaces_total!: number | null;
  workspaces_failed!: number;
  reports_seen!: number;
  /** Number of rows written because they differed from Power BI. */
  changes!: number;
  /** Number of calls to Power BI. */
  calls!: number;
  /** Seconds spent waiting because Power BI throttled requests. */
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

export const syncSortKeys: SortKeys<SyncRun> = {
  queued_at: { sql: 'run.queuedAt', of: (run) => run.queuedAt.toISOString() },
};

export class ListSyncsQuery extends OmitType(ListQuery, ['q']) {
  @SortedBy(syncSortKeys)
  sort: string = '-queued_at';
}
