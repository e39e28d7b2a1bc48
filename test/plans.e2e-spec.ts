import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client as Connection } from 'pg';
import { fillCatalogue, grantWorkspaces } from '../bench/catalogue-rows.js';
import type { AuditRows } from '../src/platform/audit/audit.queries.js';
import { rolesAllowing } from '../src/access/grants/grant.js';
import { issueEmbedToken, readEmbedRights } from '../src/embed/embed.queries.js';
import type { User } from '../src/users/user.entity.js';
import type { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';
import {
  explainingConnection,
  mostRowsReadPrepared,
  type Plan,
  planNodes,
  Statements,
} from './support/statements.js';
import { isFull } from './support/test-size.js';
import { until } from './support/until.js';

const WORKSPACES = isFull ? 10_000 : 5000;

let statements: Statements;
let service: Service;
let admin: Client;
let member: Client;
let explaining: Connection;
let workspaceId: string;

beforeAll(async () => {
  statements = new Statements();
  service = await startService();
  explaining = await explainingConnection(service);
  await fillCatalogue(explaining, { workspaces: WORKSPACES, reportsEach: 100 });
  await until(vacuumed);
  const person = await service.factory.user();
  await grantWorkspaces(explaining, person.id, 50);
  for (let n = 0; n < 200; n += 1) await grantWorkspaces(explaining, (await service.factory.user()).id, 50);
  [admin, member] = [await service.asAdmin(), await service.as(person)];
  const { rows } = await explaining.query<{ id: string }>('SELECT id FROM workspaces LIMIT 1');
  workspaceId = rows[0]?.id ?? '';
}, 300_000);
afterAll(async () => {
  statements.close();
  await explaining.end();
  await service.close();
});

/** Whether an index alone tells which reports exist: VACUUM leaves out the pages that a job of the service still reads. */
async function vacuumed(): Promise<boolean> {
  await explaining.query('VACUUM reports');
  const { rows } = await explaining.query<{ ready: boolean }>(
    `SELECT relallvisible >= 0.99 * relpages AS ready FROM pg_class WHERE oid = 'reports'::regclass`,
  );
  return rows[0]?.ready ?? false;
}

/** The tables that grow with an organization and with its use. */
const large = new Set(['reports', 'workspaces', 'grants', 'group_edges', 'sessions']);

/** The plans of all statements that these requests cause; jobs send others at any time. */
async function nodesWhile(work: () => Promise<unknown>): Promise<Plan[]> {
  const sent = await statements.during(work);
  const nodes = await planNodes(
    explaining,
    sent.filter(({ isOfRequest }) => isOfRequest),
  );
  expect(nodes.length).toBeGreaterThan(0);
  return nodes;
}

/** What is recorded with an embed token. */
const auditRows = (at: Date): AuditRows => {
  const id = randomUUID();
  const unknown = {
    actorId: null,
    targetType: null,
    targetId: null,
    ip: null,
    userAgent: null,
    requestId: null,
  };
  return {
    events: [{ id, at, action: 'embed_token_issued', outcome: 'allowed', ...unknown, details: {} }],
    derived: [{ id, at, type: 'embed_token.issued', subject: 'reports/1', data: {} }],
  };
};

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

  test.each(['updated_at', '-updated_at'])(
    'a member reads few reports by %s, however often',
    async (sort) => {
      const sent = await statements.during(() => member.get(`/api/reports?limit=50&sort=${sort}`));
      const pages = sent.filter(
        ({ text }) => text.includes('effective_grants') && text.includes('FROM reports'),
      );
      expect(pages).not.toEqual([]);
      for (const page of pages)
        expect(await mostRowsReadPrepared(explaining, page)).toBeLessThan(WORKSPACES * 10);
    },
  );

  test('there is no sequential scan for the rights of an embed token', async () => {
    for (const client of [admin, member]) {
      const { body } = await client.get<{ reports: { id: string }[] }>('/api/reports?limit=1');
      const path = `/api/reports/${body.reports[0]?.id}/embed-token`;
      // Power BI does not have the report; the rights are read before it is asked.
      const sent = (await statements.during(() => client.post(path))).filter(
        ({ isOfRequest }) => isOfRequest,
      );
      expect(readWhole(await planNodes(explaining, sent))).toEqual([]);
      expect(sent.some(({ text }) => text.includes('embed_right'))).toBe(true);
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
    // The planner expects hardly any of several characters: then the whole index and the whole table cost the same.
    await explaining.query('SET enable_seqscan = off');
    try {
      const nodes = await nodesFor(admin, `/api/reports?limit=101&q=${encodeURIComponent(q)}`);
      const indexes = nodes.map((node) => node['Index Name']);
      expect(indexes).toContain('reports_name_key_idx');
      expect(indexes).not.toContain('reports_name_key_trgm_idx');
    } finally {
      await explaining.query('RESET enable_seqscan');
    }
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
    const nodes = await planNodes(explaining, [{ text, values: ['%x%'] }]);
    expect(nodes.map((node) => node['Node Type'])).toEqual(
      expect.arrayContaining([expect.stringContaining('Seq Scan')]),
    );
  });
});

/** People who are granted reports, each of them `EACH`. */
const GRANTED = isFull ? 50_000 : 5000;
const EACH = 20;

describe(`LOAD-12 at ${(GRANTED * EACH).toLocaleString('en')} grants on reports`, () => {
  let holder: User;

  beforeAll(async () => {
    holder = await service.factory.user();
    await explaining.query(
      `INSERT INTO users (id, email, name, role, status, created_at)
       SELECT gen_random_uuid(), n || '@granted.example', 'Reader ' || n, 'member', 'active', now()
       FROM generate_series(2, $1::int) n`,
      [GRANTED],
    );
    // The trigger locks each report. The rows are those that it would make.
    await explaining.query(`ALTER TABLE grants DISABLE TRIGGER grants_read_report`);
    await explaining.query(
      `INSERT INTO grants (user_id, report_id, workspace_id, role, source, created_at, name_key)
       SELECT holder.id, r.id, r.workspace_id, 'viewer', 'manual', now(), r.name_key
       FROM (SELECT id, (row_number() OVER ())::int AS n FROM users WHERE email LIKE '%@granted.example' OR id = $2) holder
       JOIN (SELECT id, workspace_id, name_key, (row_number() OVER (ORDER BY workspace_id, id))::int AS n FROM reports) r
         ON (r.n - 1) / $3::int + 1 = holder.n AND r.n <= $1::int * $3::int`,
      [GRANTED, holder.id, EACH],
    );
    await explaining.query(`ALTER TABLE grants ENABLE TRIGGER grants_read_report`);
    // A hundred people in each of a thousand groups.
    await explaining.query(
      `INSERT INTO groups (id, name, source, created_at)
         SELECT gen_random_uuid(), 'Readers ' || n, 'manual', now() FROM generate_series(1, 1000) n;
       INSERT INTO group_edges (group_id, user_id, source, created_at)
         SELECT g.id, u.id, 'manual', now() FROM (SELECT id, row_number() OVER () AS n FROM groups) g
         JOIN (SELECT id, row_number() OVER () AS n FROM users) u ON (u.n + g.n) % 10 = 0 AND u.n <= 1000`,
    );
    await explaining.query('VACUUM ANALYZE grants, users, groups, group_closure, group_edges');
  }, 600_000);

  const rights = /effective_grants|embed_right/;
  const inlined = new Set(['effective_grants', 'embed_right']);

  test('every statement with effective_grants reads indexes, and the function is part of its plan', async () => {
    const reader = await service.as(holder);
    const { body } = await reader.get<{ reports: { id: string; workspace_id: string }[] }>(
      '/api/reports?limit=1',
    );
    const [report] = body.reports;
    if (report === undefined) throw new Error('The user sees no report');
    const manager = await service.factory.user();
    await admin.put(`/api/workspaces/${report.workspace_id}/grants/users/${manager.id}`, { role: 'manager' });
    const managing = await service.as(manager);
    const {
      rows: [group],
    } = await explaining.query<{ id: string }>(`SELECT id FROM groups WHERE name = 'Readers 1'`);
    const grants = `/api/workspaces/${report.workspace_id}/grants`;
    await admin.put(`${grants}/groups/${group?.id}`, { role: 'viewer' });

    const requests: Record<string, () => Promise<{ status: number }>> = {
      workspaces: () => reader.get('/api/workspaces?limit=25'),
      workspace: () => reader.get(`/api/workspaces/${report.workspace_id}`),
      reports: () => reader.get('/api/reports?limit=100'),
      'reports of a workspace': () => reader.get(`/api/reports?limit=25&workspace_id=${report.workspace_id}`),
      report: () => reader.get(`/api/reports/${report.id}`),
      'embed token': () => reader.post(`/api/reports/${report.id}/embed-token`),
      search: () => reader.get('/api/search?q=report'),
      'held grants': () => admin.get(`/api/users/${holder.id}/grants?limit=25`),
      'own grants': () => reader.get('/api/users/me'),
      explain: () => managing.get(`/api/access/explain?user_id=${holder.id}&report_id=${report.id}`),
      viewers: () => managing.get(`/api/reports/${report.id}/viewers?limit=25`),
      candidates: () => managing.get(`/api/workspaces/${report.workspace_id}/candidates?limit=25`),
      'grant to a user': () => managing.put(`${grants}/users/${holder.id}`, { role: 'viewer' }),
      'grant to a group': () => managing.put(`${grants}/groups/${group?.id}`, { role: 'viewer' }),
      'usage of a manager': () => managing.get('/api/usage/reports?limit=25'),
      'usage of a report': () => managing.get(`/api/usage/reports/${report.id}`),
      'usage of a person': () => managing.get(`/api/usage/people/${holder.id}`),
      'usage of a group': () => managing.get(`/api/usage/groups/${group?.id}`),
      'export right': () => reader.get(`/api/reports/${report.id}/export-options`),
      'review of a user': () => admin.get(`/api/access/review?user_id=${holder.id}`),
      'review of a report': () => admin.get(`/api/access/review?report_id=${report.id}`),
    };
    const found: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const [name, send] of Object.entries(requests)) {
      let status = 0;
      const work = async (): Promise<void> => void ({ status } = await send());
      const sent = (await statements.during(work)).filter(({ text }) => rights.test(text));
      const nodes = await planNodes(explaining, sent);
      found[name] = {
        status,
        isRead: sent.length > 0,
        // A review joins a batch of people with the names of all workspaces.
        asAWhole: readWhole(nodes).filter((table) => !name.startsWith('review') || table !== 'workspaces'),
        notInlined: nodes.filter((node) => inlined.has(node['Function Name'] ?? '')).length,
      };
      expected[name] = { status: 200, isRead: true, asAWhole: [], notInlined: 0 };
    }
    // The addresses of the reports are not the emulator's; the rights are read before they are compared.
    expected['embed token'] = { ...(expected['embed token'] as object), status: 409 };
    expect(found).toEqual(expected);
  });

  test('the grants of a group are found without a sequential scan', async () => {
    const group = await service.factory.group();
    await admin.put(`/api/workspaces/${workspaceId}/grants/groups/${group.id}`, { role: 'viewer' });
    expect(await readAsAWhole(admin, `/api/groups/${group.id}/grants?limit=25`)).toEqual([]);
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
      `INSERT INTO grants (group_id, workspace_id, source, role, created_at)
       VALUES ($1, $2, 'manual', 'viewer', now())`,
      [group.id, workspaceId],
    );
    await explaining.query('VACUUM ANALYZE users, group_edges, group_closure, grants');
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

  test('an embed token is issued without a sequential scan', async () => {
    const { manager } = service.database;
    const { id: userId } = await service.factory.admin();
    const { body } = await admin.get<{ reports: { id: string }[] }>('/api/reports?limit=1');
    const now = service.clock.now();
    const query = { userId, reportId: body.reports[0]?.id ?? '', roles: rolesAllowing.view, now };
    const requested = await readEmbedRights(manager, query);
    if (requested === undefined) throw new Error('The report is not found');
    const [id, tokenId] = [randomUUID(), randomUUID()];
    const token = {
      id,
      tokenId,
      access: 'view',
      identity: null,
      expiresAt: now,
      ip: null,
      requestId: null,
    } as const;
    const audit = auditRows(now);
    const sent = await statements.during(async () => {
      const row = await issueEmbedToken(manager, query, { token, rightUntil: now, requested, audit });
      expect(row).toMatchObject({ is_same: true, is_issued: true });
    });
    // Jobs send statements at any time.
    const own = sent.filter(({ text }) => text.includes('lock_embed_right'));
    expect(own).toHaveLength(1);
    const nodes = await planNodes(explaining, own);
    const scanned = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
    expect(scanned.map((node) => node['Relation Name'])).toEqual([]);
  });

  test('a review reads no table of grants, groups or tokens as a whole', async () => {
    const path = `/api/access/review?workspace_id=${workspaceId}`;
    const nodes = await nodesFor(admin, path);
    expect(readWhole(nodes).filter((table) => table !== 'workspaces')).toEqual([]);
  });
});
