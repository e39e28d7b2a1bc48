import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { SavedViewCleanupService } from '../src/reports/saved-views/saved-view-cleanup.service.js';
import type { Report } from '../src/reports/report.entity.js';
import type { User } from '../src/users/user.entity.js';
import type { Workspace } from '../src/workspaces/workspace.entity.js';
import { type Client, comparable } from './support/client.js';
import { type Service, startService } from './support/service.js';

interface View {
  id: string;
  name: string;
  scope: string;
  state: string;
  page: string | null;
  created_by: string | null;
}

let service: Service;
let sales: Workspace;
let report: Report;
let path: string;
let users: Record<'viewer' | 'editor' | 'manager', User>;
let viewer: Client;
let editor: Client;
let manager: Client;

beforeAll(async () => {
  service = await startService();
  const { factory } = service;
  sales = await factory.workspace();
  report = await factory.report(sales);
  path = `/api/reports/${report.id}/views`;
  const holder = async (role: 'viewer' | 'editor' | 'manager') => {
    const user = await factory.user();
    await factory.grant(user, sales, role);
    return user;
  };
  users = {
    viewer: await holder('viewer'),
    editor: await holder('editor'),
    manager: await holder('manager'),
  };
  [viewer, editor, manager] = [
    await service.as(users.viewer),
    await service.as(users.editor),
    await service.as(users.manager),
  ];
});
afterAll(() => service.close());

const shared = { name: 'Europe', scope: 'shared', state: 'H4sIAAAA' };
const save = async (client: Client, body: object = { name: 'Mine', state: 'H4sI' }): Promise<View> =>
  (await client.post<View>(path, body)).body;
const listed = async (client: Client, query = ''): Promise<string[]> =>
  (await client.get<{ views: View[] }>(`${path}${query}`)).body.views.map(({ id }) => id);

describe('POST /api/reports/:id/views', () => {
  test('201: private by default, with the address of the view', async () => {
    const response = await viewer.post<View>(path, { name: 'Mine', state: 'H4sI', page: 'ReportSection1' });
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe(`${path}/${response.body.id}`);
    expect(response.body).toEqual({
      id: expect.any(String),
      name: 'Mine',
      scope: 'private',
      state: 'H4sI',
      page: 'ReportSection1',
      created_by: users.viewer.id,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  test('201: shared, by an editor of the workspace or of the report alone', async () => {
    expect((await editor.post(path, shared)).status).toBe(201);
    const guest = await service.factory.user();
    await (
      await service.asAdmin()
    ).put(`/api/reports/${report.id}/grants/users/${guest.id}`, { role: 'editor' });
    expect((await (await service.as(guest)).post(path, shared)).status).toBe(201);
  });

  test('400: names the field of a state that is empty or larger than 64 KiB, and of other invalid values', async () => {
    const state = 'a'.repeat(65_536);
    expect((await viewer.post(path, { name: 'Large', state })).status).toBe(201);
    for (const [field, value] of [
      ['state', `${state}a`],
      ['state', `${'ä'.repeat(32_768)}a`],
      ['state', ''],
      ['state', 7],
      ['name', ''],
      ['scope', 'public'],
      ['page', 'a\nb'],
    ] as const) {
      const { status, body } = await viewer.post(path, { name: 'V', state: 'H4sI', [field]: value });
      expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer: `/${field}` })]]);
    }
  });

  test('403: a viewer shares nothing', async () => {
    expect(await viewer.post(path, shared)).toMatchObject({ status: 403, body: { code: 'access_denied' } });
  });

  test('404: a repeated request with the same Idempotency-Key, after the loss of the report', async () => {
    const { factory } = service;
    const user = await factory.user();
    await factory.grant(user, sales);
    const client = await service.as(user);
    const send = () => client.post(path, { name: 'Mine', state: 'H4sI' }, { 'Idempotency-Key': 'lost' });
    expect((await send()).status).toBe(201);
    const admin = await service.asAdmin();
    expect((await admin.delete(`/api/workspaces/${sales.id}/members/${user.id}`)).status).toBe(204);
    expect(await send()).toMatchObject({ status: 404, body: { code: 'report_not_found' } });
  });

  test('404: the same response for a foreign and an unknown report', async () => {
    const foreign = await service.factory.report(await service.factory.workspace());
    const responses = await Promise.all(
      [foreign.id, uuidv7()].map((id) => viewer.post(`/api/reports/${id}/views`, shared)),
    );
    expect(responses[0]).toMatchObject({ status: 404, body: { code: 'report_not_found' } });
    expect(comparable(responses[0]!)).toEqual(comparable(responses[1]!));
  });

  test('409: the 101st view of one person, also when requested at the same time', async () => {
    const user = await service.factory.user();
    await service.factory.grant(user, sales);
    const client = await service.as(user);
    await service.database.query(
      `INSERT INTO saved_views (id, report_id, name, scope, state, created_by, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'V', 'private', 'x', $2, now(), now() FROM generate_series(1, 98)`,
      [report.id, user.id],
    );
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => client.post(path, { name: 'V', state: 'x' })),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 409, 409, 409,
    ]);
    const refused = responses.find(({ status }) => status === 409);
    expect(refused?.body.code).toBe('too_many_saved_views');
  });
});

describe('GET /api/reports/:id/views', () => {
  test('200: own and shared views by name, without their state, in pages', async () => {
    const { factory } = service;
    const other = await factory.report(sales);
    const views = `/api/reports/${other.id}/views`;
    const names = async (client: Client, query = '') => {
      const { body, headers } = await client.get<{ views: View[] }>(`${views}${query}`);
      return { names: body.views.map(({ name }) => name), views: body.views, link: headers.get('link') };
    };
    await viewer.post(views, { name: 'b mine', state: 'x' });
    await editor.post(views, { name: 'A shared', scope: 'shared', state: 'x' });
    await editor.post(views, { name: 'C private', state: 'x' });
    const found = await names(viewer);
    expect(found.names).toEqual(['A shared', 'b mine']);
    expect(found.views[0]).not.toHaveProperty('state');
    expect((await names(viewer, '?q=mine')).names).toEqual(['b mine']);
    const page = await names(viewer, '?limit=1&sort=-name');
    expect(page.names).toEqual(['b mine']);
    const next = /<(.+)>/.exec(page.link ?? '')?.[1] ?? '';
    expect((await viewer.get<{ views: View[] }>(next)).body.views.map(({ name }) => name)).toEqual([
      'A shared',
    ]);
  });
});

describe('GET /api/reports/:id/views/:view_id', () => {
  test('200: with its state', async () => {
    const { id } = await save(editor, shared);
    expect(await viewer.get(`${path}/${id}`)).toMatchObject({ status: 200, body: { ...shared, page: null } });
  });

  test("404: the same response for another person's private view, one of another report and an unknown one", async () => {
    const { id } = await save(editor);
    const other = await service.factory.report(sales);
    const mine = await save(viewer);
    const admin = await service.asAdmin();
    const responses = [
      await viewer.get(`${path}/${id}`),
      await manager.get(`${path}/${id}`),
      await admin.get(`${path}/${id}`),
      await viewer.get(`/api/reports/${other.id}/views/${mine.id}`),
      await viewer.get(`${path}/${uuidv7()}`),
    ];
    expect(responses[0]).toMatchObject({ status: 404, body: { code: 'saved_view_not_found' } });
    for (const response of responses) expect(comparable(response)).toEqual(comparable(responses[0]!));
    for (const method of ['patch', 'delete'] as const) {
      expect((await viewer[method](`${path}/${id}`, {})).body.code).toBe('saved_view_not_found');
    }
  });
});

describe('PATCH /api/reports/:id/views/:view_id', () => {
  test('200: the owner changes name, state and page', async () => {
    const { id, ...view } = await save(viewer, { name: 'Mine', state: 'x', page: 'p' });
    const { status, body } = await viewer.patch<View>(`${path}/${id}`, {
      name: 'Ours',
      state: 'y',
      page: null,
    });
    expect([status, body]).toEqual([
      200,
      { ...view, id, name: 'Ours', state: 'y', page: null, updated_at: expect.any(String) },
    ]);
    expect((await viewer.get<View>(`${path}/${id}`)).body).toEqual(body);
  });

  test('200: a manager changes a shared view of another person', async () => {
    const { id } = await save(editor, shared);
    expect((await manager.patch(`${path}/${id}`, { name: 'Asia' })).status).toBe(200);
  });

  test('403: neither another editor changes it, nor a viewer shares, nor a manager makes it private', async () => {
    const { id } = await save(editor, shared);
    const other = await service.asMember(sales, 'editor');
    expect((await other.patch(`${path}/${id}`, { name: 'Asia' })).status).toBe(403);
    expect((await manager.patch(`${path}/${id}`, { scope: 'private' })).status).toBe(403);
    const mine = await save(viewer);
    expect((await viewer.patch(`${path}/${mine.id}`, { scope: 'shared' })).status).toBe(403);
  });

  test('an owner who is no longer an editor withdraws a shared view, but does not change it', async () => {
    const user = await service.factory.user();
    await service.factory.grant(user, sales, 'editor');
    const client = await service.as(user);
    const { id } = await save(client, shared);
    await service.factory.grant(user, sales, 'viewer');
    expect((await client.patch(`${path}/${id}`, { name: 'Asia' })).status).toBe(403);
    expect((await client.patch(`${path}/${id}`, { name: 'Asia', scope: 'private' })).status).toBe(200);
    expect(await listed(viewer)).not.toContain(id);
  });
});

describe('DELETE /api/reports/:id/views/:view_id', () => {
  test('204: by the owner, and a shared view by a manager', async () => {
    const [mine, theirs] = [await save(viewer), await save(editor, shared)];
    expect((await viewer.delete(`${path}/${mine.id}`)).status).toBe(204);
    expect((await viewer.delete(`${path}/${mine.id}`)).status).toBe(404);
    expect((await manager.delete(`${path}/${theirs.id}`)).status).toBe(204);
  });

  test('403: a shared view by another editor', async () => {
    const { id } = await save(editor, shared);
    expect((await (await service.asMember(sales, 'editor')).delete(`${path}/${id}`)).status).toBe(403);
  });
});

test('shared views are audited without their state, private ones are not', async () => {
  const { id } = await save(editor, { ...shared, scope: 'private' });
  await editor.patch(`${path}/${id}`, { name: 'Secret' });
  await editor.patch(`${path}/${id}`, { scope: 'shared' });
  await editor.patch(`${path}/${id}`, { name: 'Asia', state: 'changed' });
  await editor.delete(`${path}/${id}`);
  const rows = await service.database.query<{ action: string; details: { view_id: string } }[]>(
    `SELECT action, details FROM audit_events WHERE target_type = 'report' AND target_id = $1 ORDER BY at, id`,
    [report.id],
  );
  expect(rows.filter(({ details }) => details.view_id === id)).toEqual([
    { action: 'saved_view_shared', details: { view_id: id, name: 'Secret' } },
    {
      action: 'saved_view_changed',
      details: {
        view_id: id,
        name: 'Asia',
        diff: { name: { from: 'Secret', to: 'Asia' } },
        state_changed: true,
      },
    },
    { action: 'saved_view_deleted', details: { view_id: id, name: 'Asia' } },
  ]);
});

test('erasing a user deletes their private views; shared ones stay without an owner', async () => {
  const eva = await service.factory.user();
  await service.factory.grant(eva, sales, 'editor');
  const client = await service.as(eva);
  const [own, kept] = [await save(client), await save(client, shared)];
  const admin = await service.asAdmin();
  await admin.patch(`/api/users/${eva.id}`, { status: 'disabled' });
  expect((await admin.post(`/api/users/${eva.id}/erase`)).status).toBe(204);
  expect(await service.database.query('SELECT FROM saved_views WHERE id = $1', [own.id])).toEqual([]);
  expect((await viewer.get<View>(`${path}/${kept.id}`)).body.created_by).toBeNull();
  expect((await editor.patch(`${path}/${kept.id}`, { name: 'X' })).status).toBe(403);
  expect((await manager.delete(`${path}/${kept.id}`)).status).toBe(204);
});

test('the views of a report that was retired 30 days ago are deleted', async () => {
  const { factory, app, clock, database } = service;
  const gone = await factory.report(sales);
  const { body } = await viewer.post<View>(`/api/reports/${gone.id}/views`, { name: 'V', state: 'x' });
  await database.query('UPDATE reports SET retired_at = $2 WHERE id = $1', [gone.id, clock.now()]);
  const exists = async (): Promise<boolean> =>
    (await database.query<object[]>('SELECT FROM saved_views WHERE id = $1', [body.id])).length === 1;
  await app.get(SavedViewCleanupService).removeOld();
  expect(await exists()).toBe(true);
  clock.advance(31 * 86_400);
  await app.get(SavedViewCleanupService).removeOld();
  expect(await exists()).toBe(false);
});
