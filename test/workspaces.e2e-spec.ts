import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { comparable } from './support/client.js';
import { type Service, startService } from './support/service.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

interface Workspaces {
  workspaces: { id: string; name: string }[];
}

describe('GET /api/workspaces', () => {
  test('AZ-08 200: exactly the four fields, under the key workspaces', async () => {
    const { factory, asMember } = service;
    const sales = await factory.workspace({ name: 'Sales' });
    await factory.report(sales);
    const response = await (await asMember(sales)).get('/api/workspaces');
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      workspaces: [{ id: sales.id, name: 'Sales', pbi_workspace_id: sales.pbiWorkspaceId, report_count: 1 }],
    });
  });

  test("AZ-10 200: the caller's workspaces while the grant is active, without retired ones", async () => {
    const { factory, as, clock } = service;
    const ada = await factory.user();
    const [own, lasting, over, gone] = [
      await factory.workspace({ name: 'A own' }),
      await factory.workspace({ name: 'B lasting' }),
      await factory.workspace(),
      await factory.workspace({ retiredAt: new Date() }),
    ];
    await factory.workspace({ name: 'Nobody gave this' });
    await factory.grant(ada, own);
    await factory.grant(ada, lasting, 'viewer', clock.in(60));
    await factory.grant(ada, over, 'manager', clock.in(-1));
    await factory.grant(ada, gone);
    const names = async () => {
      const { body } = await (await as(ada)).get<Workspaces>('/api/workspaces');
      return body.workspaces.map(({ name }) => name);
    };
    expect(await names()).toEqual(['A own', 'B lasting']);
    clock.advance(61);
    expect(await names()).toEqual(['A own']);
  });

  test('200: all workspaces for an admin, none without grants', async () => {
    const { factory, as, asAdmin } = service;
    const { id } = await factory.workspace();
    const all = await (await asAdmin()).get<Workspaces>('/api/workspaces');
    expect(all.body.workspaces.map((workspace) => workspace.id)).toContain(id);
    const none = await (await as(await factory.user())).get('/api/workspaces');
    expect(none).toMatchObject({ status: 200, body: { workspaces: [] } });
  });

  test('AZ-01 401: without a token', async () => {
    expect((await service.api.get('/api/workspaces')).status).toBe(401);
  });
});

describe('GET /api/workspaces/:id', () => {
  test('200: exactly the four fields', async () => {
    const sales = await service.factory.workspace({ name: 'Sales' });
    const response = await (await service.asMember(sales)).get(`/api/workspaces/${sales.id}`);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      id: sales.id,
      name: 'Sales',
      pbi_workspace_id: sales.pbiWorkspaceId,
      report_count: 0,
    });
  });

  test.each(['7', 'null', '%00', "'; DROP TABLE users --"])('400: the id %s', async (id) => {
    const admin = await service.asAdmin();
    expect(await admin.get(`/api/workspaces/${id}`)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/id', detail: 'id must be a UUID' }] },
    });
  });

  test('AZ-03 404: the same response for a foreign, a retired and an unknown workspace', async () => {
    const { factory, asMember } = service;
    const [own, foreign, gone] = [
      await factory.workspace(),
      await factory.workspace(),
      await factory.workspace({ retiredAt: new Date() }),
    ];
    const member = await asMember(own);
    const ids = [foreign.id, gone.id, uuidv7()];
    const responses = await Promise.all(ids.map((id) => member.get(`/api/workspaces/${id}`)));
    expect(responses[0]).toMatchObject({ status: 404, body: { code: 'workspace_not_found' } });
    for (const response of responses) expect(comparable(response)).toEqual(comparable(responses[0]!));
  });
});

describe('GET /api/workspaces/:id/settings', () => {
  test('200: the defaults', async () => {
    const sales = await service.factory.workspace();
    const response = await (await service.asMember(sales)).get(`/api/workspaces/${sales.id}/settings`);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ viewers_can_export: false, contact_url: null });
  });

  test('404: the same response for the workspace of another user and an unknown one', async () => {
    const { factory, asMember } = service;
    const member = await asMember(await factory.workspace());
    const foreign = await factory.workspace();
    const [first, second] = await Promise.all(
      [foreign.id, uuidv7()].map((id) => member.get(`/api/workspaces/${id}/settings`)),
    );
    expect(first).toMatchObject({ status: 404, body: { code: 'workspace_not_found' } });
    expect(comparable(second!)).toEqual(comparable(first!));
  });
});

describe('PATCH /api/workspaces/:id/settings', () => {
  test('200: a manager sets and removes the contact, which readers of a report see', async () => {
    const { factory, as, asMember, asAdmin } = service;
    const sales = await factory.workspace();
    const reader = await factory.user();
    const report = await factory.report(sales);
    const manager = await asMember(sales, 'manager');
    await (await asAdmin()).put(`/api/reports/${report.id}/grants/users/${reader.id}`, { role: 'viewer' });
    const path = `/api/workspaces/${sales.id}/settings`;
    const contact_url = 'mailto:sales-reports@example.com';
    const changed = await manager.patch(path, { contact_url });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({ contact_url, viewers_can_export: false });
    expect((await (await as(reader)).get(path)).body).toEqual(changed.body);
    expect((await manager.patch(path, { viewers_can_export: true })).body).toMatchObject({ contact_url });
    expect((await manager.patch(path, { contact_url: null })).body).toMatchObject({ contact_url: null });
    const { body } = await (
      await asAdmin()
    ).get<{ audit_events: { details: object }[] }>(
      `/api/audit-events?action=workspace_changed&target_id=${sales.id}`,
    );
    expect(JSON.stringify(body)).not.toContain('sales-reports@example.com');
    expect(body.audit_events.map(({ details }) => details)).toEqual([
      { changed: ['contact_url'] },
      { diff: { viewers_can_export: { from: false, to: true } } },
      { changed: ['contact_url'] },
    ]);
  });

  test.each([
    '',
    'help@example.com',
    'http://example.com',
    'javascript:alert(1)',
    'mailto:a@b.c?bcc=x@y.z',
    7,
  ])('400: the contact %j', async (contact_url) => {
    const sales = await service.factory.workspace();
    const manager = await service.asMember(sales, 'manager');
    expect(await manager.patch(`/api/workspaces/${sales.id}/settings`, { contact_url })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/contact_url' }] },
    });
  });

  test('403: an editor', async () => {
    const sales = await service.factory.workspace();
    const editor = await service.asMember(sales, 'editor');
    const changes = { contact_url: 'https://example.com/' };
    expect((await editor.patch(`/api/workspaces/${sales.id}/settings`, changes)).status).toBe(403);
  });

  test('404: the same response for the workspace of another user and an unknown one', async () => {
    const { factory, asMember } = service;
    const manager = await asMember(await factory.workspace(), 'manager');
    const foreign = await factory.workspace();
    const [first, second] = await Promise.all(
      [foreign.id, uuidv7()].map((id) =>
        manager.patch(`/api/workspaces/${id}/settings`, { contact_url: null }),
      ),
    );
    expect(first).toMatchObject({ status: 404, body: { code: 'workspace_not_found' } });
    expect(comparable(second!)).toEqual(comparable(first!));
  });
});
