import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client as Connection } from 'pg';
import { fillCatalogue, grantWorkspaces } from '../bench/catalogue-rows.js';
import { SessionCleanupService } from '../src/sessions/session-cleanup.service.js';
import { UsageRetentionService } from '../src/usage/usage-retention.service.js';
import type { Client } from './support/client.js';
import { password } from './support/factory.js';
import { type Service, startService } from './support/service.js';
import { isFull } from './support/test-size.js';

const WORKSPACES = isFull ? 10_000 : 5000;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Plan Rows': number;
  Plans?: Plan[];
}

interface Statement {
  text: string;
  values: unknown[];
}

/** What the service says to the database while it is listened to. */
const said: Statement[] = [];
let isListening = false;
// oxlint-disable-next-line typescript/unbound-method -- called with its connection, below
const plainQuery: (...args: unknown[]) => unknown = Connection.prototype.query;
Connection.prototype.query = function query(this: Connection, ...args: unknown[]) {
  const [first, second] = args as [string | Partial<Statement>, unknown];
  if (isListening) {
    const { text = '', values = [] } = typeof first === 'string' ? { text: first } : first;
    said.push({ text, values: Array.isArray(second) ? (second as unknown[]) : values });
  }
  return plainQuery.apply(this, args);
} as Connection['query'];

let service: Service;
let admin: Client;
let member: Client;
let explaining: Connection;
let workspaceId: string;

beforeAll(async () => {
  service = await startService();
  explaining = new Connection({
    connectionString: service.environment.DATABASE_DIRECT_URL ?? service.environment.DATABASE_URL,
  });
  await explaining.connect();
  await explaining.query('SET statement_timeout = 0');
  await fillCatalogue(explaining, { workspaces: WORKSPACES, reportsEach: 100 });
  const person = await service.factory.user();
  await grantWorkspaces(explaining, person.id, 50);
  for (let n = 0; n < 200; n += 1) await grantWorkspaces(explaining, (await service.factory.user()).id, 50);
  [admin, member] = [await service.asAdmin(), await service.as(person)];
  const { rows } = await explaining.query<{ id: string }>('SELECT id FROM workspaces LIMIT 1');
  workspaceId = rows[0]?.id ?? '';
}, 300_000);
afterAll(async () => {
  Connection.prototype.query = plainQuery as Connection['query'];
  await explaining.end();
  await service.close();
});

/** The tables that grow with an organisation and with its use. */
const large = new Set([
  'reports',
  'workspaces',
  'workspace_grants',
  'report_grants',
  'group_edges',
  'sessions',
]);

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

async function plansOf(statements: readonly Statement[]): Promise<Plan[]> {
  const plans: Plan[] = [];
  for (const { text, values } of statements.filter((each) => /^\s*(SELECT|WITH|DELETE)/i.test(each.text))) {
    const { rows } = await explaining.query<{ 'QUERY PLAN': { Plan: Plan }[] }>({
      text: `EXPLAIN (FORMAT JSON) ${text}`,
      values,
    });
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    if (plan !== undefined) plans.push(plan);
  }
  return plans;
}

/** The plans of all statements that this causes. */
async function nodesWhile(work: () => Promise<unknown>): Promise<Plan[]> {
  said.length = 0;
  isListening = true;
  await work();
  isListening = false;
  const nodes = (await plansOf(said)).flatMap(nodesOf);
  expect(nodes.length).toBeGreaterThan(0);
  return nodes;
}

/** How the answer to this was found. */
const nodesFor = (client: Client, path: string): Promise<Plan[]> =>
  nodesWhile(async () => expect((await client.get(path)).status).toBe(200));

/** The tables that were read as a whole, one row after the other. */
const readWhole = (nodes: readonly Plan[]): string[] =>
  nodes
    .filter((node) => node['Node Type'].includes('Seq Scan') && large.has(node['Relation Name'] ?? ''))
    .map((node) => node['Relation Name'] ?? '');

const readAsAWhole = async (client: Client, path: string): Promise<string[]> =>
  readWhole(await nodesFor(client, path));

const nextOf = async (client: Client, path: string): Promise<string> => {
  const { headers } = await client.get(path);
  return /^<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
};

describe(`LOAD-12 at ${(WORKSPACES * 100).toLocaleString('en')} reports`, () => {
  const lists = [
    '/api/workspaces?limit=25',
    '/api/workspaces?limit=25&sort=-name',
    '/api/reports?limit=100',
    '/api/reports?limit=100&sort=-name',
    '/api/reports?limit=100&sort=updated_at',
    '/api/reports?limit=100&sort=-updated_at',
    '/api/reports?limit=100&q=0042%20of%20workspace%200017',
    '/api/reports?limit=100&q=zz',
    '/api/reports?limit=100&q=z',
  ];

  test.each(lists)('there is no sequential scan for %s, nor for its next page', async (path) => {
    for (const client of [admin, member]) {
      expect(await readAsAWhole(client, path)).toEqual([]);
      const next = await nextOf(client, path);
      expect(next === '' ? [] : await readAsAWhole(client, next)).toEqual([]);
    }
  });

  test('there is no sequential scan for the reports of one workspace, or one report', async () => {
    const path = `/api/reports?limit=10&workspace_id=${workspaceId}`;
    expect(await readAsAWhole(admin, path)).toEqual([]);
    const { body } = await member.get<{ reports: { id: string }[] }>('/api/reports?limit=1');
    expect(await readAsAWhole(member, `/api/reports/${body.reports[0]?.id}`)).toEqual([]);
  });

  test('there is no sequential scan for the rights of an embed token', async () => {
    for (const client of [admin, member]) {
      const { body } = await client.get<{ reports: { id: string }[] }>('/api/reports?limit=1');
      const path = `/api/reports/${body.reports[0]?.id}/embed-token`;
      // Power BI does not have the report; the rights are read before it is asked.
      expect(readWhole(await nodesWhile(() => client.post(path)))).toEqual([]);
      expect(said.some(({ text }) => text.includes('embed_revocations'))).toBe(true);
    }
  });

  test('the ids of a page come from an index-only scan, for a member and for a search in name order', async () => {
    const inIndex = async (client: Client, path: string) =>
      (await nodesFor(client, path)).some(
        (node) => node['Node Type'] === 'Index Only Scan' && node['Relation Name'] === 'reports',
      );
    expect(await inIndex(member, '/api/reports?limit=101')).toBe(true);
    expect(await inIndex(member, '/api/reports?limit=100&sort=-name&q=workspace%200017')).toBe(true);
    for (const q of ['w', 'of', 'report'])
      expect(await inIndex(admin, `/api/reports?limit=101&q=${q}`)).toBe(true);
  });

  // Of a single report: the planner's sample of names must not contain a match.
  test.each(['zz', 'z', 'q7', 'quarterly', '0045 of workspace 000123'])(
    'a rare term is found by the trigram index, also with one or two letters: %s',
    async (q) => {
      const nodes = await nodesFor(admin, `/api/reports?limit=101&q=${encodeURIComponent(q)}`);
      expect(nodes.map((node) => node['Index Name'])).toContain('reports_name_key_trgm_idx');
    },
  );

  test.each(['ж', '日本', '%', '$€'])('a term without trigrams is found in the name index: %s', async (q) => {
    const nodes = await nodesFor(admin, `/api/reports?limit=101&q=${encodeURIComponent(q)}`);
    expect(nodes.map((node) => node['Index Name'])).toContain('reports_name_key_idx');
  });

  test.each(['zz', 'quarterly', '0045 of workspace 000123'])(
    "a member's reports are found by workspace, not among all names: %s",
    async (q) => {
      const nodes = await nodesFor(member, `/api/reports?limit=101&q=${encodeURIComponent(q)}`);
      const indexes = nodes.map((node) => node['Index Name']);
      expect(indexes).toContain('reports_workspace_id_name_key_idx');
      expect(indexes).not.toContain('reports_name_key_trgm_idx');
    },
  );

  test('a sequential scan is detected', async () => {
    const text = 'SELECT count(*) FROM reports WHERE description LIKE $1';
    const nodes = (await plansOf([{ text, values: ['%x%'] }])).flatMap(nodesOf);
    expect(nodes.map((node) => node['Node Type'])).toEqual(
      expect.arrayContaining([expect.stringContaining('Seq Scan')]),
    );
  });
});

describe('the number of statements does not depend on the number of rows', () => {
  /** Statements of the work on groups, grants and the audit trail; others run in the background. */
  const statementsOf = async (work: () => Promise<unknown>): Promise<number> => {
    said.length = 0;
    isListening = true;
    await work();
    isListening = false;
    return said.filter(({ text }) => /group_edges|group_closure|_grants|audit_events|FROM groups/.test(text))
      .length;
  };
  const times = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, make));
  const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

  test('of people and groups that join a group', async () => {
    const join = async (count: number) => {
      const group = await service.factory.group();
      const users = ids(await times(count, () => service.factory.user()));
      const groups = ids(await times(count, () => service.factory.group()));
      const add = () => admin.post(`/api/groups/${group.id}/members`, { users, groups });
      return statementsOf(async () => expect((await add()).status).toBe(204));
    };
    expect(await join(40)).toBe(await join(2));
  });

  test('of the groups of a person, with the groups between', async () => {
    const read = async (count: number) => {
      const user = await service.factory.user();
      await times(count, async () => service.factory.group({}, [await service.factory.group({}, [user])]));
      const list = () => admin.get<{ groups: unknown[] }>(`/api/users/${user.id}/groups`);
      return statementsOf(async () => expect((await list()).body.groups).toHaveLength(2 * count));
    };
    expect(await read(40)).toBe(await read(2));
  });

  test('of what an invitation confers', async () => {
    const accept = async (count: number) => {
      const workspaces = (await times(count, () => service.factory.workspace())).map(({ id }) => ({
        workspace_id: id,
        role: 'viewer',
      }));
      const groups = ids(await times(count, () => service.factory.group()));
      const email = `invited-${count}@vitrine.example`;
      const invited = await admin.post('/api/users/invite', { email, workspaces, groups });
      expect(invited.status).toBe(201);
      const body = {
        grant_type: 'invitation',
        invitation_token: await service.mailbox.secretFor(email),
        password,
      };
      return statementsOf(async () =>
        expect((await service.api.post('/api/auth/token', body)).status).toBe(200),
      );
    };
    expect(await accept(20)).toBe(await accept(2));
  });
});

describe('LOAD-12 with 30,000 people in a group', () => {
  beforeAll(async () => {
    const group = await service.factory.group();
    await explaining.query(
      `INSERT INTO users (id, email, name, role, status, created_at)
       SELECT gen_random_uuid(), n || '@many.example', 'Person ' || n, 'member', 'active', now()
       FROM generate_series(1, 30000) n`,
    );
    await explaining.query(
      `INSERT INTO group_edges (user_id, group_id, source, created_at)
       SELECT id, $1, 'manual', now() FROM users WHERE email LIKE '%@many.example'`,
      [group.id],
    );
    await explaining.query(
      `INSERT INTO workspace_grants (group_id, workspace_id, source, role, created_at)
       VALUES ($1, $2, 'manual', 'viewer', now())`,
      [group.id, workspaceId],
    );
    await explaining.query('VACUUM ANALYZE users, group_edges, group_closure, workspace_grants');
  });

  const usersRead = async (client: Client, path: string): Promise<Plan[]> =>
    (await nodesFor(client, path)).filter((node) => node['Relation Name'] === 'users');

  test.each([false, true])(
    'viewers of a report are not found among all users; seen by many: %s',
    async (isMany) => {
      const where = `WHERE (workspace_id = $1) = $2 LIMIT 1`;
      const { rows } = await explaining.query<{ id: string }>(`SELECT id FROM reports ${where}`, [
        workspaceId,
        isMany,
      ]);
      const nodes = await usersRead(admin, `/api/reports/${rows[0]?.id}/viewers?limit=25`);
      expect(nodes.length).toBeGreaterThan(0);
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    },
  );

  test('candidates are read by name, or by id for a manager', async () => {
    const path = `/api/workspaces/${workspaceId}/candidates`;
    const read = await usersRead(admin, path);
    expect(read.map((node) => node['Index Name'])).toContain('users_name_key_idx');
    const manager = await service.factory.user();
    await admin.put(`/api/workspaces/${workspaceId}/grants/users/${manager.id}`, { role: 'manager' });
    const found = await usersRead(await service.as(manager), path);
    expect([...read, ...found].map((node) => node['Node Type'])).not.toContain('Seq Scan');
  });

  test('a review reads no table of grants, groups or tokens as a whole', async () => {
    const path = `/api/access/review?workspace_id=${workspaceId}`;
    const nodes = await nodesFor(admin, path);
    expect(readWhole(nodes).filter((table) => table !== 'workspaces')).toEqual([]);
  });
});

describe('statements over tables that only grow', () => {
  const ROWS = 20_000;
  const subject = '00000000-0000-4000-8000-000000000001';
  const rows = `generate_series(1, ${ROWS}) n`;

  beforeAll(async () => {
    const user = await service.factory.user();
    for (const text of [
      `INSERT INTO audit_events (id, at, action, outcome, target_type, target_id)
       SELECT gen_random_uuid(), now() - n * interval '1 minute', 'signed_in',
         CASE WHEN n % 1000 = 0 THEN 'denied' ELSE 'allowed' END, 'user', gen_random_uuid() FROM ${rows}`,
      `INSERT INTO embed_revocations (id, user_id, report_id, workspace_id, revoked_by, revoked_at)
       SELECT gen_random_uuid(), CASE n % 3 WHEN 0 THEN gen_random_uuid() END, CASE n % 3 WHEN 1 THEN gen_random_uuid() END,
         CASE n % 3 WHEN 2 THEN gen_random_uuid() END, '${user.id}', now() FROM ${rows}`,
      `INSERT INTO usage_tokens (grant_id, minute_at, events, hour_at, views)
       SELECT gen_random_uuid(), now(), 1, now(), 1 FROM ${rows}`,
      `INSERT INTO sessions (id, user_id, method, salt, counter, ip, user_agent, created_at, rotated_at, last_used_at, expires_at)
       SELECT gen_random_uuid(), '${user.id}', 'password', '\\x00', 0, '192.0.2.1', '', now(), now(), now(),
         now() + interval '7 days' FROM ${rows}`,
      'VACUUM ANALYZE audit_events, embed_revocations, usage_tokens, sessions, users',
    ])
      await explaining.query(text);
  });

  const indexesOf = (nodes: readonly Plan[]): string[] => nodes.flatMap((node) => node['Index Name'] ?? []);
  const indexesFor = async (path: string): Promise<string[]> => indexesOf(await nodesFor(admin, path));

  test('audit events of a target and with an outcome', async () => {
    const ofTarget = await indexesFor(`/api/audit-events?target_id=${subject}&limit=10`);
    expect(ofTarget.some((name) => name.includes('target_id_at'))).toBe(true);
    const denied = await indexesFor('/api/audit-events?outcome=failed&limit=10');
    expect(denied.some((name) => name.includes('outcome_at'))).toBe(true);
  });

  test.each(['/api/users?q=29123', '/api/search?q=29123', `/api/candidates?q=29123`])(
    'people by a part of the name or address: %s',
    async (path) => {
      const found = await indexesFor(
        path.replace('/api/candidates', `/api/workspaces/${workspaceId}/candidates`),
      );
      expect(found).toEqual(expect.arrayContaining(['users_name_key_trgm_idx', 'users_email_trgm_idx']));
    },
  );

  test('revocations of an embed token: of the user, the report and the workspace', async () => {
    const { body } = await member.get<{ reports: { id: string }[] }>('/api/reports?limit=1');
    const nodes = await nodesWhile(() => member.post(`/api/reports/${body.reports[0]?.id}/embed-token`));
    expect(indexesOf(nodes)).toEqual(
      expect.arrayContaining([
        'embed_revocations_user_id_idx',
        'embed_revocations_report_id_idx',
        'embed_revocations_workspace_id_idx',
      ]),
    );
  });

  test('the cleanup of sessions and of the limits of issued tokens', async () => {
    const sessions = await nodesWhile(() => service.app.get(SessionCleanupService).remove());
    expect(indexesOf(sessions)).toContain('sessions_over_at_idx');
    const limits = await nodesWhile(() => service.app.get(UsageRetentionService).maintain());
    expect(indexesOf(limits)).toContain('usage_tokens_hour_at_idx');
  });
});
