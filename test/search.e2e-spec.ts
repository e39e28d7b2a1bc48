import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client as Connection } from 'pg';
import { fillCatalogue } from '../bench/catalogue-rows.js';
import type { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';
import { issue } from './usage/usage-api.js';

interface Results {
  results: { type: string; id: string; name: string; workspace_id?: string }[];
}

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function search(client: Client, q: string, more = ''): Promise<Results['results']> {
  const { status, body } = await client.get<Results>(`/api/search?q=${encodeURIComponent(q)}${more}`);
  expect(status).toBe(200);
  return body.results;
}

const namesOf = (results: Results['results']): string[] => results.map(({ name }) => name);

describe('GET /api/search', () => {
  test('200: reports with their workspace, workspaces, and users for admins', async () => {
    const { factory } = service;
    const workspace = await factory.workspace({ name: 'Kestrel' });
    const report = await factory.report(workspace, { name: 'Kestrel figures' });
    const person = await factory.user({ name: 'Ada Kestrel', email: 'ada@kestrel.example' });
    expect(await search(await service.asAdmin(), 'kestrel')).toEqual([
      { type: 'workspace', id: workspace.id, name: 'Kestrel' },
      {
        type: 'report',
        id: report.id,
        name: 'Kestrel figures',
        workspace_id: workspace.id,
        workspace_name: 'Kestrel',
      },
      { type: 'user', id: person.id, name: 'Ada Kestrel', email: 'ada@kestrel.example' },
    ]);
    expect(await search(await service.asMember(workspace), 'kestrel')).toEqual([
      { type: 'workspace', id: workspace.id, name: 'Kestrel' },
      {
        type: 'report',
        id: report.id,
        name: 'Kestrel figures',
        workspace_id: workspace.id,
        workspace_name: 'Kestrel',
      },
    ]);
  });

  test('200: best match first: the whole name, its beginning, a word, any part', async () => {
    const { factory } = service;
    const workspace = await factory.workspace();
    for (const name of ['Aapresalting', 'Aa salt', 'Saltire', 'Salt', 'Zz (salt)', 'Salt & more'])
      await factory.report(workspace, { name });
    const expected = ['Salt', 'Salt & more', 'Saltire', 'Aa salt', 'Zz (salt)', 'Aapresalting'];
    for (const client of [await service.asAdmin(), await service.asMember(workspace)]) {
      expect(namesOf(await search(client, 'salt'))).toEqual(expected);
      expect(namesOf(await search(client, ' SALT ', '&limit=3'))).toEqual(expected.slice(0, 3));
    }
  });

  test('200: types take turns, so that many reports do not hide a workspace', async () => {
    const { factory } = service;
    const workspace = await factory.workspace({ name: 'Onyx Z' });
    for (let n = 0; n < 25; n += 1) await factory.report(workspace, { name: `Onyx ${n}` });
    const results = await search(await service.asMember(workspace), 'onyx', '&limit=4');
    expect(results.map(({ type }) => type)).toEqual(['workspace', 'report', 'report', 'report']);
    expect(await search(await service.asAdmin(), 'onyx')).toHaveLength(20);
  });

  test.each(['%', '_', '\\', '(', '[x', '.*', '+?', '^$', '{2}', "o'", 'a-', '日', '\\d', '/'])(
    '200: %s has no special meaning',
    async (q) => {
      const { factory } = service;
      const workspace = await factory.workspace();
      const report = await factory.report(workspace, { name: `odd ${q}` });
      await factory.report(workspace, { name: 'plain' });
      for (const client of [await service.asAdmin(), await service.asMember(workspace)])
        expect((await search(client, `odd ${q}`)).map(({ id }) => id)).toEqual([report.id]);
      expect((await search(await service.asMember(workspace), q)).map(({ id }) => id)).toContain(report.id);
    },
  );

  test('200: nothing of other workspaces, nothing retired, nothing expired; a shared report', async () => {
    const { factory, as } = service;
    const [own, foreign, expired] = [
      await factory.workspace({ name: 'Velvet own' }),
      await factory.workspace({ name: 'Velvet foreign' }),
      await factory.workspace({ name: 'Velvet expired' }),
    ];
    await factory.report(own, { name: 'Velvet retired', retiredAt: new Date() });
    await factory.report(foreign, { name: 'Velvet hidden' });
    await factory.report(expired, { name: 'Velvet late' });
    const shared = await factory.report(foreign, { name: 'Velvet shared' });
    const ada = await factory.user({ name: 'Velvet Ada' });
    await factory.grant(ada, own);
    await factory.grant(ada, expired, 'viewer', new Date(Date.now() - 1000));
    const admin = await service.asAdmin();
    await admin.put(`/api/reports/${shared.id}/grants/users/${ada.id}`, { role: 'viewer' });
    expect(namesOf(await search(await as(ada), 'velvet')).toSorted()).toEqual([
      'Velvet foreign',
      'Velvet own',
      'Velvet shared',
    ]);
  });

  test('200: users by email address; erased ones and service accounts are not found', async () => {
    const { factory } = service;
    const person = await factory.user({ name: 'Grace', email: 'grace.opal@example.com' });
    await factory.user({
      name: 'Erased opal',
      status: 'disabled',
      passwordHash: null,
      removedAt: new Date(),
    });
    await (await service.asAdmin()).post('/api/service-accounts', { name: 'Opal bot' });
    expect((await search(await service.asAdmin(), 'opal')).map(({ id }) => id)).toEqual([person.id]);
  });

  test('200: an empty search lists workspaces by name', async () => {
    const { factory, as } = service;
    const ada = await factory.user();
    for (const name of ['Beta', 'Alpha']) await factory.grant(ada, await factory.workspace({ name }));
    const client = await as(ada);
    for (const q of ['', '  ']) expect(namesOf(await search(client, q))).toEqual(['Alpha', 'Beta']);
    expect((await client.get<Results>('/api/search')).body.results).toHaveLength(2);
  });

  test('200: an empty search lists recently opened reports first', async () => {
    const { factory, as } = service;
    const ada = await factory.user();
    const workspace = await factory.workspace({ name: 'Alpha' });
    await factory.grant(ada, workspace);
    const reports = [];
    for (const name of ['First', 'Second']) {
      const report = await factory.report(workspace, { name });
      service.clock.advance(1);
      await issue(service, ada, report);
      reports.push(report);
    }
    const client = await as(ada);
    expect(namesOf(await search(client, ''))).toEqual(['Second', 'First', 'Alpha']);
    expect(namesOf(await search(client, '', '&limit=1'))).toEqual(['Second']);
  });

  test.each([
    ['q', `q=${'x'.repeat(101)}`],
    ['q', 'q=%00'],
    ['q', 'q=a&q=b'],
    ['limit', 'limit=21'],
    ['limit', 'limit=0'],
    ['limit', 'limit=1e1'],
    ['kind', 'kind=report'],
  ])('400: names the field %s of %s', async (field, query) => {
    const { status, body } = await (await service.asAdmin()).get(`/api/search?${query}`);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(field);
  });
});

describe('among 100,000 reports', () => {
  test('finds the best matches of frequent and of rare terms first', async () => {
    const connection = new Connection({ connectionString: service.databaseUrl });
    await connection.connect();
    await fillCatalogue(connection, { workspaces: 1000, reportsEach: 100 });
    await connection.query('VACUUM ANALYZE reports');
    await connection.end();
    const { factory } = service;
    const workspace = await factory.workspace({ name: 'Busy' });
    await factory.report(workspace, { name: 'Zzq report' });
    await factory.report(workspace, { name: 'Workspac' });
    const admin = await service.asAdmin();
    for (const [q, first] of [
      ['workspac', 'Workspac'],
      ['zzq rep', 'Zzq report'],
      ['zzq', 'Zzq report'],
    ] as const)
      expect(namesOf(await search(admin, q))[0]).toBe(first);
  });
});
