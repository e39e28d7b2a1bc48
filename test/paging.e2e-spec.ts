import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';

let service: Service;
let admin: Client;

/** Prefixes of each other, equal ones, other cases, and what a sort by bytes would put elsewhere. */
const names = [
  'Sales',
  'Sales',
  'sales',
  'Sales 1',
  'Sales 10',
  'Sales 2',
  'SALESX',
  'S',
  '%',
  '_',
  '\\',
  'Ä',
];

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
  for (const name of names) await service.factory.workspace({ name });
});
afterAll(() => service.close());

interface Workspaces {
  workspaces: { id: string; name: string }[];
}

const list = (path: string) => admin.get<Workspaces>(path);
const nextOf = (headers: Headers): string | undefined =>
  /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];

/** All pages; `between` runs after each of them. */
async function walk(first: string, between: () => Promise<unknown> = async () => {}): Promise<string[]> {
  const ids: string[] = [];
  for (let path: string | undefined = first; path !== undefined;) {
    const { status, headers, body } = await list(path);
    expect(status).toBe(200);
    ids.push(...body.workspaces.map(({ id }) => id));
    await between();
    path = nextOf(headers);
  }
  return ids;
}

const everyId = async (query = '') =>
  (await list(`/api/workspaces${query}`)).body.workspaces.map(({ id }) => id);

describe('pages of a list', () => {
  test('without a limit return one page without a link', async () => {
    const { headers, body } = await list('/api/workspaces');
    expect(body.workspaces).toHaveLength(names.length);
    expect(headers.get('link')).toBeNull();
  });

  test.each([1, 2, 3, 5, 11, 12])('of %d contain the whole list in its order', async (limit) => {
    expect(await walk(`/api/workspaces?limit=${limit}`)).toEqual(await everyId());
    expect(await walk(`/api/workspaces?sort=-name&limit=${limit}`)).toEqual((await everyId()).toReversed());
  });

  test('keep the filter and the parameters of the first page', async () => {
    const { headers } = await list('/api/workspaces?q=sales&limit=2&sort=-name');
    const next = new URLSearchParams(nextOf(headers)?.split('?')[1]);
    expect(Object.fromEntries(next)).toMatchObject({ q: 'sales', limit: '2', sort: '-name' });
    expect(await walk('/api/workspaces?q=sales&limit=2')).toEqual(await everyId('?q=sales'));
  });

  test('are not shifted by concurrent inserts and removals', async () => {
    const before = await everyId();
    let count = 0;
    const walked = await walk('/api/workspaces?limit=2', async () => {
      count += 1;
      const { id } = await service.factory.workspace({ name: `A${count}` });
      await service.factory.workspace({ name: `Sales 1${count}` });
      await service.database.query('UPDATE workspaces SET retired_at = now() WHERE id = $1', [id]);
    });
    expect(walked.filter((id) => before.includes(id))).toEqual(before);
    expect(new Set(walked).size).toBe(walked.length);
  });

  test('of equal timestamps contain every row once', async () => {
    const workspace = await service.factory.workspace();
    const updatedAt = new Date();
    for (let each = 0; each < 5; each += 1) await service.factory.report(workspace, { updatedAt });
    const path = `/api/reports?workspace_id=${workspace.id}&sort=-updated_at&limit=2`;
    const seen: string[] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const { headers, body } = await admin.get<{ reports: { id: string }[] }>(next);
      seen.push(...body.reports.map(({ id }) => id));
      next = nextOf(headers);
    }
    expect(new Set(seen).size).toBe(5);
    expect(seen).toEqual(seen.toSorted().toReversed());
  });
});

describe('the total of a list', () => {
  const totalOf = async (path: string) => (await admin.get(path)).headers.get('total-count');

  test('counts all pages, with the filter, on the first page only', async () => {
    const ids = await everyId('?q=sales');
    expect(await totalOf('/api/workspaces?q=sales&count=true&limit=2')).toBe(String(ids.length));
    expect(await totalOf('/api/workspaces?q=sales&count=true')).toBe(String(ids.length));
    expect(await totalOf('/api/workspaces?q=zebra&count=true')).toBe('0');
    expect(await totalOf('/api/workspaces?q=sales&limit=2')).toBeNull();
    expect(await walk('/api/workspaces?q=sales&limit=2&count=true')).toEqual(ids);
    const { headers } = await list('/api/workspaces?limit=2&count=true');
    expect(nextOf(headers)).not.toContain('count');
    expect(await totalOf(`${nextOf(headers)}&count=true`)).toBeNull();
  });

  test('is 1000+ above 1000', async () => {
    const workspace = await service.factory.workspace();
    const insert = (number: number) =>
      service.database.query(
        `INSERT INTO reports (id, workspace_id, pbi_report_id, name, report_type, embed_url, updated_at)
         SELECT gen_random_uuid(), $1, gen_random_uuid(), 'Counted', 'PowerBIReport', 'https://127.0.0.1/', now()
         FROM generate_series(1, $2)`,
        [workspace.id, number],
      );
    await insert(1000);
    const path = `/api/reports?workspace_id=${workspace.id}&count=true&limit=10`;
    expect(await totalOf(path)).toBe('1000');
    await insert(1);
    expect(await totalOf(path)).toBe('1000+');
    expect((await admin.get<{ reports: object[] }>(path)).body.reports).toHaveLength(10);
  });

  test.each(['users', 'invitations', 'groups', 'reports', 'workspaces'])('is known for %s', async (name) => {
    expect(await totalOf(`/api/${name}?count=true&limit=1`)).toMatch(/^\d+\+?$/);
    expect((await admin.get(`/api/${name}?count=1`)).status).toBe(400);
  });

  test('is known for the grants of a workspace and of a report', async () => {
    const workspace = await service.factory.workspace();
    const report = await service.factory.report(workspace);
    for (let each = 0; each < 3; each += 1)
      await service.factory.grant(await service.factory.user(), workspace, 'viewer');
    expect(await totalOf(`/api/workspaces/${workspace.id}/grants?count=true&limit=1`)).toBe('3');
    expect(await totalOf(`/api/reports/${report.id}/grants?count=true&limit=1`)).toBe('0');
  });
});

describe('a cursor', () => {
  const cursorOf = async (path: string): Promise<string> =>
    new URLSearchParams(nextOf((await admin.get(path)).headers)?.split('?')[1]).get('cursor') ?? '';

  test.each(['x', '', 'AAAA', 'WyJhIiwiYiJd', 'a'.repeat(3000), '%00'])(
    '%.20j is rejected',
    async (cursor) => {
      const response = await list(`/api/workspaces?cursor=${cursor}`);
      expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(JSON.stringify(response.body)).toContain('cursor');
    },
  );

  test('that was modified is rejected', async () => {
    const bytes = Buffer.from(await cursorOf('/api/workspaces?limit=2'), 'base64url');
    bytes[bytes.length - 3]! ^= 1;
    expect((await list(`/api/workspaces?cursor=${bytes.toString('base64url')}`)).status).toBe(400);
  });

  test.each([
    ['another list', '/api/users?'],
    ['another order', '/api/workspaces?sort=-name&'],
    ['another filter', '/api/workspaces?q=Sales&'],
  ])('of %s is rejected', async (_name, path) => {
    const cursor = await cursorOf('/api/workspaces?limit=2');
    const response = await admin.get(`${path}cursor=${cursor}`);
    expect(response).toMatchObject({ status: 400, body: { errors: [{ pointer: '/cursor' }] } });
  });

  test('is valid for another limit', async () => {
    const cursor = await cursorOf('/api/workspaces?limit=2');
    expect((await list(`/api/workspaces?limit=5&cursor=${cursor}`)).body.workspaces).toHaveLength(5);
  });

  test('AZ-10 of another user is rejected like an invalid one (L9)', async () => {
    const cursor = await cursorOf('/api/workspaces?limit=2');
    const member = await service.as(await service.factory.user());
    for (const other of [member, await service.asAdmin()]) {
      const foreign = await other.get(`/api/workspaces?cursor=${cursor}`);
      const invalid = await other.get('/api/workspaces?cursor=AAAA');
      expect([foreign.status, foreign.body.code]).toEqual([400, 'invalid_request']);
      expect(foreign.body.errors).toEqual(invalid.body.errors);
    }
  });

  test('of the same user is valid in another session (L9)', async () => {
    const ada = await service.factory.admin();
    const response = await (await service.as(ada)).get('/api/workspaces?limit=2');
    expect((await (await service.as(ada)).get(nextOf(response.headers) ?? '')).status).toBe(200);
  });

  test('reveals nothing of its row, and is short (L9)', async () => {
    const bytes = Buffer.from(await cursorOf('/api/workspaces?limit=2'), 'base64url').toString('latin1');
    const [last] = (await list('/api/workspaces?limit=2')).body.workspaces.slice(-1);
    for (const text of [last!.name, last!.id, '[']) expect(bytes).not.toContain(JSON.stringify(text));
    expect(bytes).not.toContain(last!.id);
    const workspace = await service.factory.workspace();
    for (const name of ['x'.repeat(200), 'y'.repeat(200)]) await service.factory.report(workspace, { name });
    expect((await cursorOf(`/api/reports?workspace_id=${workspace.id}&limit=1`)).length).toBeLessThan(512);
  });

  test('of another user is rejected on every list (L9)', async () => {
    const workspace = await service.factory.workspace();
    for (const name of ['first', 'second']) {
      await service.factory.grant(await service.factory.user(), workspace);
      await admin.post('/api/users/invite', { email: `${name}@example.com` });
      await admin.post('/api/service-accounts', { name });
      await admin.post('/api/groups', { name });
      await service.factory.dataset(workspace);
      await service.factory.report(workspace);
    }
    const other = await service.asAdmin();
    const lists = [
      'workspaces',
      'reports',
      'users',
      'invitations',
      'service-accounts',
      'groups',
      'datasets',
      'audit-events',
    ];
    for (const path of [...lists, `workspaces/${workspace.id}/members`]) {
      const page = `/api/${path}?limit=1`;
      const next = `${page}&cursor=${await cursorOf(page)}`;
      const statuses = [(await admin.get(next)).status, (await other.get(next)).status];
      expect([path, ...statuses]).toEqual([path, 200, 400]);
    }
  });
});
