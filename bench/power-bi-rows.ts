import type { TestBed } from './test-bed.js';
import { fetchJson } from './parts.js';

interface ReportRow {
  workspace: string;
  name: string;
  report: string;
  dataset: string;
  personal: boolean;
}

const policy = { username: '{{email}}', roles: [], custom_data: null };

/**
 * Workspaces of a written catalogue, all that their reports need to be embedded: they and their datasets are in the
 * emulator too, under the same ids, and the service knows of the datasets that they need no identity, but for so many in
 * a hundred which show everybody rows of their own.
 */
export async function copyToPowerBi(
  { database, emulatorUrl }: TestBed,
  workspaceIds: readonly string[],
  personalPercent = 0,
): Promise<void> {
  await database.query(
    `INSERT INTO datasets (id, workspace_id, pbi_dataset_id, name, identity_required, identity_roles_required,
                           identity_policy, updated_at)
     SELECT gen_random_uuid(), workspace_id, pbi_dataset_id, name, is_personal, false,
            CASE WHEN is_personal THEN $3::jsonb END, now()
     FROM (SELECT *, row_number() OVER (ORDER BY id) * $2 % 100 < $2 AS is_personal FROM reports
           WHERE workspace_id = ANY($1)) AS report`,
    [workspaceIds, personalPercent, policy],
  );
  await database.query('VACUUM ANALYZE datasets');
  const { rows } = await database.query<ReportRow>(
    `SELECT w.pbi_workspace_id AS workspace, r.name, r.pbi_report_id AS report, r.pbi_dataset_id AS dataset,
            d.identity_required AS personal
     FROM reports r JOIN workspaces w ON w.id = r.workspace_id JOIN datasets d USING (pbi_dataset_id)
     WHERE w.id = ANY($1)`,
    [workspaceIds],
  );
  const workspaces = [...Map.groupBy(rows, ({ workspace }) => workspace)].map(([id, reports]) => ({
    id,
    reports: reports.map(({ report, name, dataset }) => ({ id: report, name, datasetId: dataset })),
    datasets: reports.map(({ dataset, personal }) => ({
      id: dataset,
      isEffectiveIdentityRequired: personal,
    })),
  }));
  await fetchJson(`${emulatorUrl}/__emulator/content`, undefined, 'POST', { workspaces });
}

/** Changes the settings of the emulator. */
export const setPowerBi = ({ emulatorUrl }: TestBed, settings: object): Promise<unknown> =>
  fetchJson(`${emulatorUrl}/__emulator/settings`, undefined, 'PATCH', settings);
