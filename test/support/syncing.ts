import type { Client } from './client.js';
import type { Service } from './service.js';
import { until } from './until.js';

export interface Run {
  id: string;
  status: string;
  workspaces_seen: number;
  workspaces_done: number;
  workspaces_total: number | null;
  workspaces_failed: number;
  reports_seen: number;
  changes: number;
  calls: number;
  throttled_seconds: number;
  errors: { pbi_workspace_id: string | null; code: string }[];
  started_at: string | null;
  finished_at: string | null;
}

export const getRun = async (admin: Client, id: string): Promise<Run> =>
  (await admin.get<Run>(`/api/syncs/${id}`)).body;

export const waitForSync = (admin: Client, id: string, seconds?: number): Promise<Run> =>
  until(async () => {
    const run = await getRun(admin, id);
    return run.finished_at !== null && run;
  }, seconds);

/** Runs a sync and waits for its end. */
export async function syncOnce(admin: Client, seconds?: number): Promise<Run> {
  return waitForSync(admin, (await admin.post<Run>('/api/syncs')).body.id, seconds);
}

export const setContent = (service: Service, content: object) =>
  service.powerBi.post('/__emulator/content', content);

interface Call {
  /** When it arrived. */
  at: string;
  method: string;
  path: string;
  status?: number;
  profile?: string;
  body?: Record<string, unknown>;
}

/** The calls to Power BI since they were last cleared. */
export async function callsTo(service: Service, path: RegExp): Promise<Call[]> {
  const { body } = await service.powerBi.get<{ calls: Call[] }>('/__emulator/calls');
  return body.calls.filter((call) => path.test(call.path));
}

/** The number of written catalogue rows, from PostgreSQL's statistics. */
export async function countCatalogueWrites(service: Service): Promise<number> {
  // Statistics are cached in a session; clearing the snapshot reads the current counters.
  await service.database.query('SELECT pg_stat_clear_snapshot()');
  const [{ written }] = await service.database.query(
    `SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::int AS written FROM pg_stat_user_tables
     WHERE relname IN ('workspaces', 'reports', 'datasets')`,
  );
  return written;
}

/** A hash that changes with any write to a catalogue row. */
export async function catalogueHash(service: Service): Promise<string> {
  const [{ hash }] = await service.database.query(
    `SELECT md5(string_agg(id || ':' || xmin, ',' ORDER BY id)) AS hash FROM (
       SELECT id, xmin::text FROM workspaces UNION ALL SELECT id, xmin::text FROM reports
       UNION ALL SELECT id, xmin::text FROM datasets) AS rows`,
  );
  return hash;
}
