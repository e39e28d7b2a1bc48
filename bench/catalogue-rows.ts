import type { Client } from 'pg';

/** Creates the trigram indexes after the rows, which halves the time. */
async function withoutTrigramIndex(database: Client, fill: () => Promise<void>): Promise<void> {
  const { rows: indexes } = await database.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, indexdef FROM pg_indexes
     WHERE schemaname = current_schema() AND tablename = 'reports' AND indexdef LIKE '% USING gin %'`,
  );
  for (const { indexname } of indexes) await database.query(`DROP INDEX ${indexname}`);
  await fill();
  await database.query(`SET maintenance_work_mem = '512MB'`);
  for (const { indexdef } of indexes) await database.query(indexdef);
  await database.query('RESET maintenance_work_mem');
}

/** A version 7 UUID, as in the service: later rows have higher ids. */
export const laterId = (position: string): string =>
  `(overlay(lpad(to_hex(${Date.now()} + ${position}), 12, '0') placing '-' from 9 for 0) || '-7' ||
    substr(gen_random_uuid()::text, 16))::uuid`;

/**
 * Inserts a catalogue in the order of a first sync: workspace after workspace in the order of
 * their Power BI ids, each with its reports.
 */
export async function fillCatalogue(
  database: Client,
  { workspaces, reportsEach }: { workspaces: number; reportsEach: number },
): Promise<void> {
  await database.query(
    `INSERT INTO workspaces (id, pbi_workspace_id, name, report_count, updated_at)
     SELECT ${laterId('n')}, gen_random_uuid(), 'Workspace ' || lpad((n * 7919 % $1)::text, 6, '0'), $2, now()
     FROM generate_series(1, $1::int) n`,
    [workspaces, reportsEach],
  );
  await withoutTrigramIndex(database, async () => {
    await database.query(
      `INSERT INTO reports (id, workspace_id, pbi_report_id, pbi_dataset_id, name, description, report_type,
                            web_url, embed_url, updated_at)
       SELECT ${laterId('row_number() OVER (ORDER BY w.pbi_workspace_id, n)')}, w.id, gen_random_uuid(), gen_random_uuid()::text,
              'Report ' || lpad((n * 104729 % $1)::text, 4, '0') || ' of ' || w.name, 'Figures of the month',
              'PowerBIReport', 'https://app.powerbi.com/groups/' || w.pbi_workspace_id || '/reports/' || w.id,
              'https://app.powerbi.com/reportEmbed', now() - n * interval '1 minute'
       FROM workspaces w, generate_series(1, $1::int) n
       ORDER BY w.pbi_workspace_id, n`,
      [reportsEach],
    );
  });
  await database.query('VACUUM ANALYZE workspaces, reports');
}

/** Grants a user this number of workspaces, spread over the catalogue and the same for every user. */
export async function grantWorkspaces(database: Client, userId: string, count: number): Promise<void> {
  await database.query(
    `INSERT INTO grants (user_id, workspace_id, source, role, created_at)
     SELECT $1, id, 'manual', 'viewer', now() FROM workspaces ORDER BY md5(id::text) LIMIT $2`,
    [userId, count],
  );
  await database.query('VACUUM ANALYZE grants');
}
