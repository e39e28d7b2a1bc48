import { type BenchUser, createUsers, openSessions } from './bench-users.js';
import { fetchJson } from './parts.js';
import type { TestBed } from './test-bed.js';

/** People with groups, and people without groups who see exactly the same by direct grants. */
export interface Callers {
  'with groups': BenchUser[];
  'without groups': BenchUser[];
}

/** Grants of `holder` to the second user of each pair what the first one sees. */
const copyGrants = `
  INSERT INTO grants (user_id, workspace_id, report_id, source, role, created_at)
  SELECT twin, workspace_id, report_id, 'manual', 'viewer', now() FROM (
    SELECT person, workspace_id, report_id FROM grants JOIN unnest($1::uuid[]) AS person ON user_id = person
    WHERE expires_at IS NULL OR expires_at > now()
    UNION SELECT person, workspace_id, report_id FROM unnest($1::uuid[]) AS person
    JOIN group_members_all ON user_id = person JOIN grants USING (group_id)
    WHERE expires_at IS NULL OR expires_at > now()
  ) AS seen JOIN unnest($1::uuid[], $2::uuid[]) AS pair (person, twin) USING (person)`;

/** Throws if two users see different things. */
async function compare({ url }: TestBed, ...users: BenchUser[]): Promise<void> {
  for (const path of ['/api/reports', '/api/reports?sort=updated_at', '/api/workspaces']) {
    const [first, second] = await Promise.all(users.map(({ token }) => fetchJson(`${url}${path}`, token)));
    if (JSON.stringify(first) !== JSON.stringify(second)) throw new Error(`${path} differs without groups`);
  }
}

export async function groupCallers(testBed: TestBed, count: number): Promise<Callers> {
  const { rows: people } = await testBed.database.query<{ id: string; email: string }>(
    `SELECT id, email FROM users WHERE email LIKE 'person%' AND status = 'active' ORDER BY md5(email) LIMIT $1`,
    [count],
  );
  const callers = {
    'with groups': await openSessions(testBed, people),
    'without groups': await createUsers(testBed, people.length),
  };
  const ids = Object.values(callers).map((users) => users.map(({ id }) => id));
  await testBed.database.query(copyGrants, ids);
  await testBed.database.query('VACUUM ANALYZE grants');
  for (let index = 0; index < people.length; index += Math.ceil(people.length / 50)) {
    await compare(testBed, ...Object.values(callers).map((users) => users[index] as BenchUser));
  }
  return callers;
}
