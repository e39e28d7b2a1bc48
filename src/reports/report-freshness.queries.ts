// SQL, because it updates a set and skips locked rows.
import type { EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';
import type { RefreshStatus } from './report.entity.js';

/** What is known about the refreshes of a dataset. */
export interface DatasetFreshness {
  pbiDatasetId: string;
  status: RefreshStatus | null;
  dataAsOf: Date | null;
  /** Null unless the last refresh failed. */
  failedSince: Date | null;
}

/**
 * Copies what is known about datasets to their reports. Without `waits` it skips rows that a sync has locked, which the next
 * check of the dataset updates.
 */
export async function setFreshness(
  manager: EntityManager,
  found: readonly DatasetFreshness[],
  { waits = false } = {},
): Promise<void> {
  await execute(
    manager,
    `WITH given AS (
       SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::timestamptz[])
         AS given (pbi_dataset_id, data_as_of, refresh_status, refresh_failed_since)
     ), changed AS MATERIALIZED (
       SELECT reports.id, given.data_as_of, given.refresh_status, given.refresh_failed_since
       FROM given JOIN reports ON reports.pbi_dataset_id = given.pbi_dataset_id AND reports.retired_at IS NULL
       WHERE (reports.data_as_of, reports.refresh_status, reports.refresh_failed_since)
         IS DISTINCT FROM (given.data_as_of, given.refresh_status, given.refresh_failed_since)
       ORDER BY reports.id FOR NO KEY UPDATE OF reports ${waits ? '' : 'SKIP LOCKED'}
     )
     UPDATE reports SET data_as_of = changed.data_as_of, refresh_status = changed.refresh_status,
       refresh_failed_since = changed.refresh_failed_since
     FROM changed WHERE reports.id = changed.id`,
    [
      found.map(({ pbiDatasetId }) => pbiDatasetId),
      found.map(({ dataAsOf }) => dataAsOf),
      found.map(({ status }) => status),
      found.map(({ failedSince }) => failedSince),
    ],
  );
}
