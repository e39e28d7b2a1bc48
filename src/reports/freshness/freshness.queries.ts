// SQL, because it finds the due datasets across four tables.
import { type EntityManager, LessThan } from 'typeorm';
import { queryRows } from '../../core/database/execute.js';
import { DatasetRefresh } from './dataset-refresh.entity.js';
import type { PreviousCheck } from './refresh-state.js';

/** A dataset whose refreshes are to be checked, and what is known about them. */
export interface DueDataset extends PreviousCheck {
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
export function findDueDatasets(
  manager: EntityManager,
  { now, viewedSince, limit }: DueQuery,
): Promise<DueDataset[]> {
  // OFFSET makes PostgreSQL look up each dataset: without statistics it reads the index of all present ones for each.
  return queryRows<DueDataset>(
    manager,
    `WITH viewed AS (
       SELECT DISTINCT r.pbi_dataset_id FROM usage_last_views v JOIN reports r ON r.id = v.report_id
       WHERE v.last_viewed_at > $2 AND r.retired_at IS NULL AND r.pbi_dataset_id IS NOT NULL)
     SELECT viewed.pbi_dataset_id AS "pbiDatasetId", w.pbi_workspace_id AS "pbiWorkspaceId",
       w.pbi_profile_id AS "pbiProfileId", known.status, known.data_as_of AS "dataAsOf",
       known.failed_since AS "failedSince", known.checked_at AS "checkedAt"
     FROM viewed
     LEFT JOIN dataset_refreshes known ON known.pbi_dataset_id = viewed.pbi_dataset_id
     JOIN LATERAL (
       SELECT workspace_id FROM (
         SELECT id, workspace_id, retired_at FROM datasets WHERE pbi_dataset_id = viewed.pbi_dataset_id OFFSET 0) AS d
       WHERE retired_at IS NULL ORDER BY id LIMIT 1
     ) AS place ON true
     JOIN workspaces w ON w.id = place.workspace_id AND w.retired_at IS NULL
     WHERE known.next_at IS NULL OR known.next_at <= $1
     ORDER BY known.next_at NULLS FIRST, viewed.pbi_dataset_id LIMIT $3`,
    [now, viewedSince, limit],
  );
}

export async function storeStates(tx: EntityManager, checked: DatasetRefresh[]): Promise<void> {
  if (checked.length > 0) await tx.upsert(DatasetRefresh, checked, ['pbiDatasetId']);
}

/** Postpones the check of datasets that could not be read; what is known about them stays. */
export async function postponeChecks(
  tx: EntityManager,
  ids: readonly string[],
  { nextAt, now }: { nextAt: Date; now: Date },
): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .createQueryBuilder()
    .insert()
    .into(DatasetRefresh)
    .values(ids.map((pbiDatasetId) => ({ pbiDatasetId, checkedAt: now, nextAt })))
    .orUpdate(['next_at'], ['pbi_dataset_id'])
    .execute();
}

/** Removes what was not checked since this time. Returns the datasets. */
export async function deleteStatesBefore(tx: EntityManager, before: Date): Promise<string[]> {
  const { raw } = await tx
    .createQueryBuilder()
    .delete()
    .from(DatasetRefresh)
    .where({ checkedAt: LessThan(before) })
    .returning('pbi_dataset_id')
    .execute();
  return (raw as { pbi_dataset_id: string }[]).map(({ pbi_dataset_id }) => pbi_dataset_id);
}
