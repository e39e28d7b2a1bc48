import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Group } from '../../src/access/groups/group.entity.js';
import type { Report } from '../../src/reports/report.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

/** More than `MAX_SORTED` viewers and `MAX_ROWS` rows of a review. */
const PEOPLE = 5100;

interface Viewer {
  user_id: string;
  name: string;
  role: string;
  path: string[];
}

interface Line {
  user: { id: string; name: string };
  resource: { type: string };
  role: string;
  last_token_at: string | null;
}

let service: Service;
let admin: Client;
let group: Group;
let workspace: Workspace;
let report: Report;

/** Person 00003 is disabled, 00004 has an own grant, 00005 only one that has expired and is in no group. */
beforeAll(async () => {
  service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
  admin = await service.asAdmin();
  group = await service.factory.group({ name: 'Everyone' });
  workspace = await service.factory.workspace();
  report = await service.factory.report(workspace);
  const now = service.clock.now();
  await service.database.query(
    `INSERT INTO users (id, email, name, role, status, created_at)
     SELECT gen_random_uuid(), 'person' || n || '@vitrine.example', 'Person ' || lpad(n::text, 5, '0'), 'member',
       CASE WHEN n = 3 THEN 'disabled' ELSE 'active' END, $1 FROM generate_series(1, ${PEOPLE}) n`,
    [now],
  );
  await service.database.query(
    `INSERT INTO group_edges (user_id, group_id, source, created_at)
     SELECT id, $1, 'manual', now() FROM users WHERE name LIKE 'Person 0%' AND name <> 'Person 00005'`,
    [group.id],
  );
  await admin.put(`/api/workspaces/${workspace.id}/grants/groups/${group.id}`, { role: 'viewer' });
  await service.database.query(
    `INSERT INTO grants (user_id, report_id, source, role, expires_at, created_at)
     SELECT id, $1, 'manual', 'editor', CASE WHEN name = 'Person 00005' THEN $2::timestamptz END, $2
     FROM users WHERE name IN ('Person 00004', 'Person 00005')`,
    [report.id, now],
  );
});
afterAll(() => service.close());

async function viewers(query = ''): Promise<Viewer[]> {
  const found: Viewer[] = [];
  for (let path = `/api/reports/${report.id}/viewers?limit=1000${query}`; path !== '';) {
    const { body, headers } = await admin.get<{ viewers: Viewer[] }>(path);
    found.push(...body.viewers);
    path = /^<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
  }
  return found.filter(({ role }) => role !== 'admin');
}

const expected = Array.from({ length: PEOPLE }, (_, n) => `Person ${String(n + 1).padStart(5, '0')}`).filter(
  (name) => !['Person 00003', 'Person 00005'].includes(name),
);

test('a report that thousands of people see: its viewers in order, each once, with the strongest role', async () => {
  const found = await viewers();
  expect(found.map(({ name }) => name)).toEqual(expected);
  expect(found[0]).toMatchObject({ role: 'viewer', path: ['Everyone'] });
  expect(found.find(({ name }) => name === 'Person 00004')).toMatchObject({ role: 'editor', path: [] });
  expect((await viewers('&sort=-name')).map(({ name }) => name)).toEqual(expected.toReversed());
  expect((await viewers('&q=person%200510')).map(({ name }) => name)).toEqual(['Person 05100']);
});

test('admins are among the viewers', async () => {
  const path = `/api/reports/${report.id}/viewers?q=${encodeURIComponent((await service.factory.admin({ name: 'Zoe' })).name)}`;
  const { body } = await admin.get<{ viewers: Viewer[] }>(path);
  expect(body.viewers).toEqual([expect.objectContaining({ name: 'Zoe', role: 'admin', path: [] })]);
});

test('a review of thousands of rows: each grant of each person once, ordered by user', async () => {
  const [person] = await service.database.query<{ id: string }[]>(
    `SELECT id FROM users WHERE name = 'Person 00004'`,
  );
  const issue = (at: Date, reportId: string) =>
    service.database.query(
      `INSERT INTO issued_tokens (id, token_id, user_id, report_id, workspace_id, access, issued_at, expires_at,
         last_issued_at) VALUES (gen_random_uuid(), gen_random_uuid(), $1, $2, $3, 'view', $4, $4, $4)`,
      [person?.id, reportId, workspace.id, at],
    );
  const now = service.clock.now();
  const before = new Date(now.getTime() - 60_000);
  await issue(before, report.id);
  await issue(now, (await service.factory.report(workspace)).id);
  const headers = { authorization: `Bearer ${admin.token}`, accept: 'application/x-ndjson' };
  const response = await fetch(`${service.url}/api/access/review`, { headers });
  const lines = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
    .filter(({ role }) => role !== 'admin');
  expect(lines.map(({ user }) => user.id)).toEqual(lines.map(({ user }) => user.id).toSorted());
  const keys = lines.map(({ user, resource }) => `${user.name} ${resource.type}`).toSorted();
  const all = ['Person 00003', ...expected].map((name) => `${name} workspace`);
  expect(keys).toEqual([...all, 'Person 00004 report'].toSorted());
  // The workspace's is that of any report in it.
  const own = lines.filter(({ user }) => user.id === person?.id);
  expect(
    Object.fromEntries(own.map(({ resource, last_token_at }) => [resource.type, last_token_at])),
  ).toEqual({
    workspace: now.toISOString(),
    report: before.toISOString(),
  });
});
