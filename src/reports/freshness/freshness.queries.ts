import type { EntityManager } from 'typeorm';
import { execute } from '../../core/database/execute.js';
import type { RefreshState } from './refresh-state.js';

/** A dataset whose refreshes are to be checked, and what is known about them. */
export interface DueDataset extends RefreshState {
  pbiDatasetId: string;
  pbiWorkspaceId: string;
  pbiProfileId: string | null;
}

interface DueQuery {
  now: Date;
  viewedSince: Date;
  limit: number;
}

/** Of several workspaces that list the dataset, the oldest entry. Datasets that were never checked come first. */
export async function findDueDatasets(
  manager: EntityManager,
  { now, viewedSince, limit }: DueQuery,
): Promise<DueDataset[]> {
  const { rows } = await execute<DueDataset>(
    manager,
    `WITH viewed AS (
       SELECT DISTINCT r.pbi_dataset_id FROM usage_last_views v JOIN reports r ON r.id = v.report_id
       WHERE v.last_viewed_at > $2 AND r.retired_at IS NULL AND r.pbi_dataset_id IS NOT NULL)
     SELECT viewed.pbi_dataset_id AS "pbiDatasetId", w.pbi_workspace_id AS "pbiWorkspaceId",
       w.pbi_profile_id AS "pbiProfileId", known.status, known.data_as_of AS "dataAsOf",
       known.failed_since AS "failedSince"
     FROM viewed
     JOIN LATERAL (
       SELECT workspace_id FROM datasets d
       WHERE d.pbi_dataset_id = viewed.pbi_dataset_id AND d.retired_at IS NULL ORDER BY d.id LIMIT 1
     ) AS place ON true
     JOIN workspaces w ON w.id = place.workspace_id AND w.retired_at IS NULL
     LEFT JOIN dataset_refreshes known ON known.pbi_dataset_id = viewed.pbi_dataset_id
     WHERE known.next_at IS NULL OR known.next_at <= $1
     ORDER BY known.next_at NULLS FIRST, viewed.pbi_dataset_id LIMIT $3`,
    [now, viewedSince, limit],
  );
  return rows;
}

/** The state of a dataset after a check, and when it is checked again. */
export interface CheckedDataset extends RefreshState {
  pbiDatasetId: string;
  nextAt: Date;
}

export async function storeStates(
  tx: EntityManager,
  checked: readonly CheckedDataset[],
  now: Date,
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO dataset_refreshes (pbi_dataset_id, status, data_as_of, failed_since, next_at, checked_at)
     SELECT given.*, $6 FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[])
       AS given (pbi_dataset_id, status, data_as_of, failed_since, next_at)
     ON CONFLICT (pbi_dataset_id) DO UPDATE SET status = excluded.status, data_as_of = excluded.data_as_of,
       failed_since = excluded.failed_since, next_at = excluded.next_at, checked_at = excluded.checked_at`,
    [
      checked.map(({ pbiDatasetId }) => pbiDatasetId),
      checked.map(({ status }) => status),
      checked.map(({ dataAsOf }) => dataAsOf),
      checked.map(({ failedSince }) => failedSince),
      checked.map(({ nextAt }) => nextAt),
      now,
    ],
  );
}

/** Postpones the check of datasets that could not be read; what is known about them stays. */
export async function postponeChecks(
  tx: EntityManager,
  ids: readonly string[],
  { nextAt, now }: { nextAt: Date; now: Date },
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO dataset_refreshes (pbi_dataset_id, checked_at, next_at) SELECT id, $2, $3 FROM unnest($1::text[]) AS id
     ON CONFLICT (pbi_dataset_id) DO UPDATE SET next_at = excluded.next_at`,
    [ids, now, nextAt],
  );
}

/** Removes what was not checked since this time. Returns the datasets. */
export async function deleteStatesBefore(tx: EntityManager, before: Date): Promise<string[]> {
  const { rows } = await execute<{ pbi_dataset_id: string }>(
    tx,
    'DELETE FROM dataset_refreshes WHERE checked_at < $1 RETURNING pbi_dataset_id',
    [before],
  );
  return rows.map(({ pbi_dataset_id }) => pbi_dataset_id);
}
