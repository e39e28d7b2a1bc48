import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Report } from '../src/reports/report.entity.js';
import type { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';

let service: Service;
let admin: Client;
let revenue: string;

beforeAll(async () => {
  service = await startService();
  await service.sync();
  admin = await service.asAdmin();
  revenue = await idOf('Revenue overview');
});
afterAll(() => service.close());
afterEach(async () => {
  await service.powerBi.delete('/__emulator/faults');
  // What a refusal taught the catalogue is not true of the emulator's content.
  await service.database.query('UPDATE datasets SET identity_required = false');
});

const idOf = async (name: string) =>
  (await service.database.getRepository(Report).findOneByOrFail({ name })).id;
const embed = (id = revenue, caller = admin) => caller.post(`/api/reports/${id}/embed-token`);
const recordedFor = ({ headers }: { headers: Headers }) =>
  service.database.query<object[]>(
    'SELECT action, outcome, details FROM audit_events WHERE request_id = $1',
    [headers.get('x-request-id')],
  );
const fault = (fields: object) =>
  service.powerBi.post('/__emulator/faults', { path: 'GenerateToken', ...fields });

describe('POST /api/reports/:id/embed-token when Power BI rejects the request', () => {
  test.each([
    [
      'power_bi_identity_required',
      400,
      'Creating embed token for accessing dataset x requires effective identity',
    ],
    [
      'power_bi_identity_refused',
      400,
      "Creating embed token for accessing dataset x shouldn't have effective identity",
    ],
    ['power_bi_request_refused', 400, 'Something that nobody has seen yet'],
    ['power_bi_access_denied', 401, 'PowerBINotAuthorizedException'],
    ['power_bi_access_denied', 403, 'API is not accessible for application'],
    ['power_bi_capacity_exhausted', 403, 'Cannot generate embed token: a capacity is needed'],
    ['power_bi_report_missing', 404, 'Entity 7 is not found'],
  ])('409 %s: %d %s', async (code, status, message) => {
    await fault({ status, body: { error: { code: 'X', message } } });
    const response = await embed();
    expect(response).toMatchObject({ status: 409, body: { code } });
    expect(response.headers.get('retry-after')).toBeNull();
    expect(JSON.stringify(response.body)).not.toContain(message);
  });

  test('409: the service principal has read access only', async () => {
    expect(await embed(await idOf('Partner scorecard'))).toMatchObject({
      status: 409,
      body: { code: 'power_bi_access_denied' },
    });
  });

  test('409: the token quota of the shared capacity is used up', async () => {
    await service.powerBi.patch('/__emulator/settings', { shared_capacity_quota: 1 });
    const trial = await idOf('Trial dashboard');
    expect((await embed(trial)).status).toBe(200);
    const other = await service.asAdmin();
    expect(await other.post(`/api/reports/${trial}/embed-token`)).toMatchObject({
      status: 409,
      body: { code: 'power_bi_capacity_exhausted' },
    });
  });

  test('409: the rejection is in the audit trail', async () => {
    await fault({ status: 404 });
    expect(await recordedFor(await embed(revenue, await service.asAdmin()))).toEqual([
      { action: 'embed_token_denied', outcome: 'denied', details: { code: 'power_bi_report_missing' } },
    ]);
  });

  test('409: repeated rejections are one event, then one a minute with their number', async () => {
    await fault({ status: 404 });
    const user = await service.factory.admin();
    const caller = await service.as(user);
    for (let n = 0; n < 3; n += 1) expect((await embed(revenue, caller)).status).toBe(409);
    service.clock.advance(61);
    expect((await embed(revenue, caller)).status).toBe(409);
    const events = await service.database.query(
      `SELECT data->'repeats' AS repeats FROM events WHERE type = 'embed_token.denied' AND data->>'actor_id' = $1
       ORDER BY position`,
      [user.id],
    );
    expect(events).toEqual([{ repeats: null }, { repeats: 2 }, { repeats: null }]);
  });
});

describe('POST /api/reports/:id/embed-token when Power BI fails', () => {
  beforeEach(async () => {
    // Ends the throttle window of the test before.
    service.clock.advance(60);
    // Enough calls that succeed, so that the failures of these tests do not open the circuit breaker.
    await service.sync();
  });

  test.each([
    ['an error', { status: 500, body: 'stack trace of somebody else' }],
    ['a gateway without an upstream', { status: 503, body: '<html>' }],
    ['a reset connection', { reset: true }],
    ['a response that is not JSON', { status: 200, body: 'OK' }],
    ['a response without a token', { status: 200, body: { expiration: '2099-01-01T00:00:00Z' } }],
    ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example' } }],
  ])('503 power_bi_unavailable: %s', async (_name, fields) => {
    await fault(fields);
    const response = await embed();
    expect(response).toMatchObject({ status: 503, body: { code: 'power_bi_unavailable' } });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(JSON.stringify(response.body)).not.toMatch(/stack|html/);
  });

  test('503 power_bi_unavailable: no response within the time limit', async () => {
    await fault({ hang: true });
    // Not the 504 of the request's deadline.
    expect(await embed()).toMatchObject({ status: 503, body: { code: 'power_bi_unavailable' } });
  });

  test('503 power_bi_throttled: with the Retry-After of Power BI', async () => {
    await fault({ status: 429, retry_after: 37 });
    const response = await embed();
    expect(response).toMatchObject({ status: 503, body: { code: 'power_bi_throttled' } });
    expect(response.headers.get('retry-after')).toBe('37');
    expect(await recordedFor(response)).toEqual([]);
  });

  test('other routes are not affected', async () => {
    await fault({ path: '.', status: 503 });
    expect((await admin.get('/api/workspaces')).status).toBe(200);
    expect((await admin.get(`/api/reports/${revenue}`)).status).toBe(200);
  });
});

describe('POST /api/reports/:id/embed-token when Entra rejects the credentials', () => {
  let refused: Service;

  beforeAll(async () => {
    refused = await startService({ POWERBI_CLIENT_SECRET: 'a secret that has expired' });
  });
  afterAll(() => refused.close());

  test('409: the response does not contain the client secret', async () => {
    const { id } = await refused.factory.report(await refused.factory.workspace());
    const response = await (await refused.asAdmin()).post(`/api/reports/${id}/embed-token`);
    expect(response).toMatchObject({ status: 409, body: { code: 'power_bi_access_denied' } });
    expect(JSON.stringify(response.body)).not.toContain('a secret that has expired');
  });
});
