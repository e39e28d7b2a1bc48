import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Report } from '../../src/reports/report.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { type Embedding, startEmbedding } from './embedding.js';

let embedding: Embedding;
let admin: Client;
let sales: Workspace;

beforeAll(async () => {
  embedding = await startEmbedding();
  admin = await embedding.service.asAdmin();
  sales = await embedding.workspace('Sales');
});
afterAll(() => embedding.service.close());
afterEach(async () => {
  await embedding.clearFaults();
  await embedding.settings({ tenant_switch: true, shared_capacity_quota: null });
  // Health is asked for every few seconds only.
  embedding.service.clock.advance(60);
});

interface Check {
  embeds: boolean;
  user_id: string | null;
  checks: { name: string; status: string; detail: string }[];
}

const check = async ({ id }: Report, query = '', api = admin) =>
  (await api.get<Check>(`/api/reports/${id}/embed-check${query}`)).body;

/** What is not in order, by name. */
async function troubles(name: string, query = ''): Promise<Record<string, string>> {
  const { embeds, checks } = await check(await embedding.report(name), query);
  expect(embeds).toBe(false);
  return Object.fromEntries(
    checks.filter(({ status }) => status === 'failed').map((each) => [each.name, each.detail]),
  );
}

const viewer = async (attributes: Record<string, string> = {}) => {
  const user = await embedding.service.factory.user({ attributes });
  await embedding.service.factory.grant(user, sales);
  return user;
};

describe('GET /api/reports/:id/embed-check', () => {
  test('200: all checks pass for a manager and a user, and no token is issued', async () => {
    const user = await viewer();
    const manager = await embedding.service.asMember(sales, 'manager');
    const report = await embedding.report('Revenue overview');
    const found = await check(report, `?user_id=${user.id}`, manager);
    expect(found).toMatchObject({ embeds: true, report_id: report.id, user_id: user.id });
    expect(found.checks.map(({ name, status }) => [name, status])).toEqual([
      ['access', 'ok'],
      ['revocation', 'ok'],
      ['embed_url', 'ok'],
      ['dataset', 'ok'],
      ['identity', 'ok'],
      ['power_bi', 'ok'],
      ['service_principal', 'ok'],
      ['report', 'ok'],
      ['capacity', 'ok'],
      ['embed_token', 'ok'],
    ]);
    expect(JSON.stringify(found)).not.toContain('H4sI');
    expect((await embedding.tokenRequests()).at(-1)!.body).toMatchObject({ lifetimeInMinutes: 1 });
  });

  test('200: a user without access', async () => {
    const user = await embedding.service.factory.user();
    expect(await troubles('Pipeline', `?user_id=${user.id}`)).toEqual({
      access: 'The user has no grant on this report or its workspace.',
    });
  });

  test('200: a missing policy, and a missing attribute', async () => {
    expect(await troubles('My customers', `?user_id=${(await viewer()).id}`)).toEqual({
      identity: expect.stringContaining('identity policy'),
    });
    const policy = { username: '{{attributes.employee_id}}', roles: ['Europe'] };
    await embedding.policy(admin, 'Sales by region', policy);
    expect(await troubles('My region', `?user_id=${(await viewer()).id}`)).toEqual({
      identity: expect.stringContaining('employee_id'),
    });
    const user = await viewer({ employee_id: 'E-1' });
    const found = await check(await embedding.report('My region'), `?user_id=${user.id}`);
    expect(found).toMatchObject({ embeds: true });
    const identity = found.checks.find(({ name }) => name === 'identity');
    expect(identity?.detail).toBe('The effective identity is E-1, in the role Europe.');
    expect(await troubles('My region')).toEqual({});
  });

  test('200: missing roles', async () => {
    await embedding.policy(admin, 'Sales by region', { username: '{{email}}', roles: [] });
    expect(await troubles('My region', `?user_id=${(await viewer()).id}`)).toEqual({
      identity: expect.stringContaining('role'),
    });
  });

  test('200: the service principal has read access only, or has lost its role', async () => {
    expect(await troubles('Partner scorecard')).toEqual({ embed_token: expect.stringContaining('access') });
    await embedding.fault({ path: '/groups/[^/]+$', status: 401 });
    expect(await troubles('Pipeline')).toEqual({ service_principal: expect.stringContaining('access') });
  });

  test('200: the tenant does not allow service principals', async () => {
    await embedding.settings({ tenant_switch: false });
    const found = await troubles('Pipeline');
    expect(Object.values(found).join(' ')).toMatch(/tenant/);
  });

  test('200: the report or its dataset is missing in Power BI', async () => {
    await embedding.fault({ path: '/reports/[^/]+$', status: 404 });
    expect(await troubles('Pipeline')).toEqual({ report: expect.stringContaining('no longer') });
    await embedding.clearFaults();
    await embedding.fault({ status: 404 });
    expect(await troubles('Pipeline')).toEqual({ embed_token: expect.stringContaining('dataset') });
  });

  test('200: a shared capacity without quota, or a paused one', async () => {
    const trial = await embedding.report('Trial dashboard');
    expect((await check(trial)).checks).toContainEqual(
      expect.objectContaining({ name: 'capacity', status: 'unknown' }),
    );
    await embedding.settings({ shared_capacity_quota: 0 });
    expect(await troubles('Trial dashboard')).toEqual({ embed_token: expect.stringContaining('capacity') });
    const { value } = { value: [{ id: '00000000-0000-4000-8000-000000000000', state: 'Suspended' }] };
    const capacityId = value[0]!.id;
    await embedding.fault({
      path: '/groups/[^/]+$',
      status: 200,
      body: { id: capacityId, name: 'x', capacityId },
    });
    await embedding.fault({ path: '/capacities$', status: 200, body: { value } });
    expect(await troubles('Pipeline')).toEqual({ capacity: expect.stringContaining('paused') });
  });

  test('200: Power BI throttles, or does not respond', async () => {
    await embedding.fault({ path: 'v1.0', status: 503 });
    embedding.service.clock.advance(60);
    expect(await troubles('Pipeline')).toEqual({ power_bi: expect.any(String) });
    await embedding.clearFaults();
    embedding.service.clock.advance(60);
    await embedding.fault({ path: '/groups', retry_after: 30, times: 1 });
    const found = await check(await embedding.report('Pipeline'));
    expect(found.embeds).toBe(false);
    expect(JSON.stringify(found.checks)).toMatch(/request limit/);
  });

  test('200: an embed URL of a foreign host, and a revocation', async () => {
    const mix = await embedding.report('Product mix');
    await embedding.service.database.query(
      `UPDATE reports SET embed_url = 'https://evil.example' WHERE id = $1`,
      [mix.id],
    );
    await admin.post('/api/embed-grants/revoke', { report_id: mix.id });
    const user = await viewer();
    expect(await troubles('Product mix', `?user_id=${user.id}`)).toEqual({
      revocation: 'Embedding is blocked. An administrator can remove the block.',
      embed_url: 'The embed URL is not on a host of the Power BI cloud.',
    });
  });

  test('200: without a user only revocations for everyone count, not those of the caller', async () => {
    const user = await embedding.service.factory.admin();
    const api = await embedding.service.as(user);
    const report = await embedding.report('Revenue overview');
    const revoked = async (query = '') =>
      (await check(report, query, api)).checks.find(({ name }) => name === 'revocation')?.status;
    const own = await admin.post<{ id: string }>('/api/embed-grants/revoke', { user_id: user.id });
    expect([await revoked(), await revoked(`?user_id=${user.id}`)]).toEqual(['ok', 'failed']);
    const all = await admin.post<{ id: string }>('/api/embed-grants/revoke', { workspace_id: sales.id });
    expect(await revoked()).toBe('failed');
    for (const { body } of [own, all]) await admin.delete(`/api/embed-grants/revocations/${body.id}`);
  });

  test("403: a viewer; 404: a user without access, and a user outside the manager's workspaces", async () => {
    const { id } = await embedding.report('Pipeline');
    const path = `/api/reports/${id}/embed-check`;
    expect((await (await embedding.service.asMember(sales)).get(path)).status).toBe(403);
    expect(
      (await (await embedding.service.as(await embedding.service.factory.user())).get(path)).status,
    ).toBe(404);
    const manager = await embedding.service.asMember(sales, 'manager');
    const stranger = await embedding.service.factory.user();
    expect((await manager.get(`${path}?user_id=${stranger.id}`)).status).toBe(404);
    expect((await manager.get(`${path}?user_id=7`)).status).toBe(400);
  });
});
