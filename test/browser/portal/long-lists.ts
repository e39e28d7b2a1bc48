import { inDatabase } from '../../local/owner-database.js';
import type { Portal } from './portal.js';
import { createGroup, idOf } from './viewers.js';

/** Rows of each list. */
export const ROWS = 10_000;

const numbered = (prefix: string): string => `'${prefix} ' || lpad(n::text, 5, '0')`;
const rows = `generate_series(1, ${ROWS}) n`;

/** Ids of the users, in the order of their names and after those of all others: the access review is read in this order. */
const userId = (padded: string): string => `ffffffff-ffff-7fff-8fff-0000000${padded}`;
export const lastUser = { id: userId(String(ROWS)), name: `Zoe ${ROWS}` };

/** As the service writes them; `$1` is the id of the workspace, or of the group. */
const seeds = [
  `INSERT INTO users (id, email, name, role, status, created_at, last_sign_in_at)
   SELECT ('${userId('')}' || lpad(n::text, 5, '0'))::uuid, 'user-' || lpad(n::text, 5, '0') || '@example.com',
     ${numbered('Zoe')}, 'member', 'active', now(), now() - interval '3 hours' FROM ${rows}`,
  `INSERT INTO grants (user_id, workspace_id, source, role, expires_at, created_at)
   SELECT id, $1, 'manual', 'viewer', now() + interval '20 days', now() FROM users WHERE email LIKE 'user-%'`,
  `INSERT INTO group_edges (group_id, user_id, source, created_at)
   SELECT $1, id, 'manual', now() FROM users WHERE email LIKE 'user-%'`,
  `INSERT INTO reports (id, workspace_id, pbi_report_id, name, report_type, embed_url, data_as_of, updated_at)
   SELECT gen_random_uuid(), $1, gen_random_uuid(), ${numbered('Zulu')}, 'PowerBIReport', 'https://127.0.0.1/', now(), now()
   FROM ${rows}`,
  `UPDATE workspaces SET report_count = (SELECT count(*) FROM reports WHERE workspace_id = $1) WHERE id = $1`,
  `INSERT INTO workspaces (id, pbi_workspace_id, name, updated_at)
   SELECT gen_random_uuid(), gen_random_uuid(), ${numbered('Zeta')}, now() FROM ${rows}`,
  `INSERT INTO groups (id, name, source, created_at) SELECT gen_random_uuid(), ${numbered('Zone')}, 'manual', now() FROM ${rows}`,
  `INSERT INTO invitations (id, email, role, secret_salt, secret_hash, invited_by, delivery, mailed_at, created_at, expires_at)
   SELECT gen_random_uuid(), 'zed-' || lpad(n::text, 5, '0') || '@example.com', 'member', '\\x00', decode(md5(n::text), 'hex'),
     (SELECT id FROM users WHERE role = 'admin' LIMIT 1), 'sent', now(), now() - n * interval '1 second', now() + interval '5 days'
   FROM ${rows}`,
  `INSERT INTO audit_events (id, at, action, outcome, ip)
   SELECT gen_random_uuid(), now() - interval '1 hour' - n * interval '1 second', 'signed_in', 'denied', '192.0.2.1' FROM ${rows}`,
];

/** Writes the rows of all lists. Returns the ids of what they belong to. */
export async function seedLongLists(
  portal: Portal,
): Promise<{ workspace: string; group: string; report: string }> {
  const workspace = await idOf(portal, 'workspaces', 'Sales');
  const report = await idOf(portal, 'reports', 'Revenue overview');
  const group = await createGroup(portal, 'Everyone');
  await inDatabase(portal.started.dataDir, async (query) => {
    for (const sql of seeds) {
      const values = sql.includes('$1') ? [sql.includes('group_') ? group : workspace] : [];
      await query(sql, values);
    }
  });
  return { workspace, group, report };
}
