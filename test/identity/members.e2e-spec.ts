import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import { type Client, comparable } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { lockTable } from '../support/table-lock.js';

let service: Service;
let sales: Workspace;
let ada: User;
let chief: User;
let manager: Client;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  sales = await service.factory.workspace();
  ada = await service.factory.user();
  chief = await service.factory.user();
  await service.factory.grant(chief, sales, 'manager');
  manager = await service.as(chief);
});

/** Managers find people with whom they share a workspace. */
async function share(...people: User[]): Promise<Workspace> {
  const shared = await service.factory.workspace();
  for (const person of people) await service.factory.grant(person, shared);
  return shared;
}

const path = (workspace: Workspace, user?: Pick<User, 'id'>) =>
  `/api/workspaces/${workspace.id}/members${user === undefined ? '' : `/${user.id}`}`;
/** The response to a request that waits for the table of users while so many seconds pass. */
async function during<T>(seconds: number, ask: () => Promise<T>, statement = '"user"."id"'): Promise<T> {
  // The guard reads users, too. A request that reads workspaces has passed it.
  const workspaces = await lockTable(service.databaseUrl, 'workspaces');
  const asked = ask();
  try {
    await workspaces.blocks('WITH visible');
    const users = await lockTable(service.databaseUrl, 'users');
    try {
      await workspaces.release();
      await users.blocks(statement);
      service.clock.advance(seconds);
    } finally {
      await users.release();
    }
  } finally {
    await workspaces.release();
  }
  return asked;
}

const inAnHour = () => new Date(service.clock.in(3600).setMilliseconds(0));

describe('GET /api/workspaces/:id/members', () => {
  test('200: every user with an active grant, sorted by address', async () => {
    const end = inAnHour();
    await service.factory.grant(ada, sales, 'editor', end);
    await service.factory.grant(await service.factory.user(), sales, 'viewer', service.clock.in(-60));
    const { status, body } = await manager.get<{ members: object[] }>(path(sales));
    expect(status).toBe(200);
    expect(body.members).toHaveLength(2);
    expect(body.members).toContainEqual({
      user_id: ada.id,
      email: ada.email,
      name: ada.name,
      role: 'editor',
      source: 'manual',
      expires_at: end.toISOString(),
    });
  });

  test('200: in pages, without gaps or repeats', async () => {
    for (let count = 0; count < 4; count += 1)
      await service.factory.grant(await service.factory.user(), sales);
    const seen: string[] = [];
    let next: string | undefined = `${path(sales)}?limit=2`;
    while (next !== undefined) {
      const response: Awaited<ReturnType<typeof manager.get<{ members: { email: string }[] }>>> =
        await manager.get(next);
      seen.push(...response.body.members.map(({ email }) => email));
      next = /<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual([...new Set(seen)].toSorted());
    expect(seen).toHaveLength(5);
  });

  test('200: a grant that expires during the request is listed as at its start (M1)', async () => {
    await service.factory.grant(ada, sales, 'viewer', service.clock.in(60));
    // Sent once: the client of a TEST_WARM run would send it twice, the second time after the end.
    const listed = await during(61, () =>
      manager.send<{ members: { user_id: string }[] }>('GET', path(sales), {}),
    );
    expect(listed.status).toBe(200);
    expect(listed.body.members.map(({ user_id }) => user_id)).toContain(ada.id);
  });

  test('200: a user whose grant is removed concurrently is omitted (M1)', async () => {
    for (let round = 0; round < 20; round += 1) {
      await service.factory.grant(ada, sales);
      const lists = Array.from({ length: 4 }, () => manager.get(path(sales)));
      const removed = manager.delete(path(sales, ada));
      for (const { status } of await Promise.all(lists)) expect(status).toBe(200);
      expect((await removed).status).toBe(204);
    }
  });

  test('403 for viewers and editors; the same 404 for users without access as for an unknown workspace', async () => {
    const viewer = await service.asMember(sales, 'editor');
    expect((await viewer.get(path(sales))).status).toBe(403);
    const stranger = await service.as(ada);
    const foreign = await stranger.get(path(sales));
    const unknown = await stranger.get(`/api/workspaces/${uuidv7()}/members`);
    expect([foreign.status, foreign.body.code, foreign.body.detail]).toEqual([
      404,
      unknown.body.code,
      unknown.body.detail,
    ]);
  });
});

describe('PUT /api/workspaces/:id/members/:user_id', () => {
  test('200: a manager grants up to manager, effective immediately', async () => {
    await share(chief, ada);
    const api = await service.as(ada);
    expect((await api.get(`/api/workspaces/${sales.id}`)).status).toBe(404);
    const response = await manager.put(path(sales, ada), { role: 'manager' });
    expect(response).toMatchObject({
      status: 200,
      body: { user_id: ada.id, role: 'manager', expires_at: null },
    });
    expect((await api.get(path(sales))).status).toBe(200);
    await manager.put(path(sales, ada), { role: 'viewer' });
    expect((await api.get(path(sales))).status).toBe(403);
  });

  test('404: a manager cannot add a person whom they cannot find, as for an unknown one', async () => {
    const responses = [
      await manager.put(path(sales, ada), { role: 'viewer' }),
      await manager.put(path(sales, { id: uuidv7() }), { role: 'viewer' }),
    ];
    const [hidden, unknown] = responses.map(comparable);
    expect(responses[0]).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
    expect(hidden).toEqual(unknown);
    await share(chief, ada);
    expect((await manager.put(path(sales, ada), { role: 'viewer' })).status).toBe(200);
  });

  test('200: access expires automatically', async () => {
    const shared = await share(chief, ada);
    const api = await service.as(ada);
    const report = await service.factory.report(sales);
    await manager.put(path(sales, ada), { role: 'viewer', expires_at: service.clock.in(600).toISOString() });
    expect((await api.get(`/api/reports/${report.id}`)).status).toBe(200);
    service.clock.advance(601);
    expect((await api.get(`/api/reports/${report.id}`)).status).toBe(404);
    expect((await api.get('/api/workspaces')).body).toMatchObject({ workspaces: [{ id: shared.id }] });
  });

  test('200: the response is the written grant, even if it expires in the meantime (M1)', async () => {
    await share(chief, ada);
    const body = { role: 'viewer', expires_at: new Date(service.clock.in(60)).toISOString() };
    const response = await during(61, () => manager.put(path(sales, ada), body), 'for key share');
    expect(response).toMatchObject({ status: 200, body: { user_id: ada.id, ...body, source: 'manual' } });
  });

  test('403: a manager whose own grant expires in the meantime cannot grant (M1)', async () => {
    const leaving = await service.factory.user();
    await service.factory.grant(leaving, sales, 'manager', service.clock.in(60));
    await share(leaving, ada);
    const api = await service.as(leaving);
    const response = await during(61, () => api.put(path(sales, ada), { role: 'viewer' }), 'for key share');
    expect(response).toMatchObject({ status: 403, body: { code: 'access_denied' } });
  });

  test('400: names the invalid field', async () => {
    const wrong = [
      {},
      { role: 'owner' },
      { role: 'viewer', source: 'provider' },
      { role: 'viewer', expires_at: 'soon' },
    ];
    const responses = await Promise.all(wrong.map((body) => manager.put(path(sales, ada), body)));
    expect(
      responses.map(({ status, body }) => [status, (body.errors as { pointer: string }[])[0]!.pointer]),
    ).toEqual([
      [400, '/role'],
      [400, '/role'],
      [400, '/source'],
      [400, '/expires_at'],
    ]);
    const past = { role: 'viewer', expires_at: service.clock.in(-1).toISOString() };
    expect((await manager.put(path(sales, ada), past)).status).toBe(400);
  });

  test('AZ-09 403 and 404: no user can raise their own role or grant outside their workspaces', async () => {
    const editor = await service.factory.user();
    await service.factory.grant(editor, sales, 'editor');
    const other = await service.factory.workspace();
    expect((await (await service.as(editor)).put(path(sales, editor), { role: 'manager' })).status).toBe(403);
    expect((await manager.put(path(other, ada), { role: 'viewer' })).status).toBe(404);
    expect((await manager.put(path(sales, { id: uuidv7() }), { role: 'viewer' })).body.code).toBe(
      'user_not_found',
    );
  });
});

describe('DELETE /api/workspaces/:id/members/:user_id', () => {
  test('204: effective immediately, and in the audit trail', async () => {
    await service.factory.grant(ada, sales);
    const api = await service.as(ada);
    expect((await manager.delete(path(sales, ada))).status).toBe(204);
    expect((await api.get(`/api/workspaces/${sales.id}`)).status).toBe(404);
    const [event] = await service.database.query(
      `SELECT details FROM audit_events WHERE action = 'grant_removed' AND target_id = $1`,
      [ada.id],
    );
    expect(event.details).toMatchObject({ workspace_id: sales.id });
  });

  test('404: a grant from the identity provider cannot be removed', async () => {
    await service.factory.grant(ada, sales);
    await service.database.query(`UPDATE grants SET source = 'provider' WHERE user_id = $1`, [ada.id]);
    expect((await manager.delete(path(sales, ada))).body.code).toBe('member_not_found');
  });

  test('RACE-08: two managers who remove each other concurrently cause no deadlock and no 5xx', async () => {
    const [grace, joan] = [await service.factory.user(), await service.factory.user()];
    await service.factory.grant(grace, sales, 'manager');
    await service.factory.grant(joan, sales, 'manager');
    const [asGrace, asJoan] = [await service.as(grace), await service.as(joan)];
    const responses = await Promise.all([
      asGrace.delete(path(sales, joan)),
      asJoan.delete(path(sales, grace)),
    ]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404]);
  });
});
