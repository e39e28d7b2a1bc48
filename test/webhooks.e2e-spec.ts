import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HostResolverService } from '../src/events/webhooks/host-resolver.service.js';
import { comparable } from './support/client.js';
import type { Client } from './support/client.js';
import { schemaErrors, webhookSchemas } from './support/openapi-operations.js';
import { type Service, startService } from './support/service.js';
import { until } from './support/until.js';
import { type Receiver, refuse, startReceiver } from './webhooks/receiver.js';

interface Webhook {
  id: string;
  url: string;
  types: string[];
  status: string;
  disabled_reason: string | null;
  created_at: string;
  secret: string;
}

interface Delivery {
  id: string;
  event_id: string;
  kind: string;
  status: string;
  status_code: number | null;
  error: string | null;
}

let service: Service;
let admin: Client;
let receiver: Receiver;

/** Names of the test's resolver. */
const names: Record<string, string[]> = { 'hooks.example.com': ['8.8.8.8'] };

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ WEBHOOK_ALLOWED_HOSTS: receiver.host }, (testing) =>
    testing
      .overrideProvider(HostResolverService)
      .useValue({ resolve: (name: string) => Promise.resolve(names[name] ?? []) }),
  );
  admin = await service.asAdmin();
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

/** Nothing is delivered to it: no event has the type. */
const make = async (body: object = {}): Promise<Webhook> =>
  (await admin.post<Webhook>('/api/webhooks', { url: receiver.url, types: ['refresh.failed'], ...body }))
    .body;

const events = async (id: string) => {
  const { body } = await admin.get<{ audit_events: { action: string; details: object }[] }>(
    `/api/audit-events?target_type=webhook&target_id=${id}&sort=at`,
  );
  return body.audit_events;
};

describe('POST /api/webhooks', () => {
  test('201: the secret is shown once and is sealed in the database', async () => {
    const response = await admin.post<Webhook>('/api/webhooks', { url: 'https://hooks.example.com/a?b=c' });
    const { id, secret } = response.body;
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe(`/api/webhooks/${id}`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.body).toEqual({
      id,
      url: 'https://hooks.example.com/a?b=c',
      types: [],
      status: 'active',
      disabled_reason: null,
      created_at: expect.any(String),
      failing_since: null,
      next_attempt_at: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    expect(JSON.stringify((await admin.get(`/api/webhooks/${id}`)).body)).not.toContain('whsec_');
    const rows = await service.database.query('SELECT sealed FROM webhook_secrets WHERE webhook_id = $1', [
      id,
    ]);
    expect((rows[0] as { sealed: Buffer }).sealed.toString('latin1')).not.toContain(secret.slice(6));
  });

  test('201: a repeated request with the same key creates one webhook and does not repeat the secret', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = { url: receiver.url, types: ['user.invited'] };
    const first = await admin.post<Webhook>('/api/webhooks', body, key);
    const second = await admin.post<Webhook>('/api/webhooks', body, key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual({ ...first.body, secret: undefined });
  });

  test('201: with a key, a name is checked by the deliveries, so that a replay does not depend on DNS', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = { url: 'https://later.example.com/', types: ['refresh.failed'] };
    const first = await admin.post<Webhook>('/api/webhooks', body, key);
    const second = await admin.post<Webhook>('/api/webhooks', body, key);
    expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id]);
    const ping = await admin.post<Delivery>(`/api/webhooks/${first.body.id}/ping`);
    expect(ping.body).toMatchObject({ error: 'name_not_resolved' });
    const local = { ...body, url: 'https://127.0.0.1/' };
    const refused = await admin.post('/api/webhooks', local, { 'idempotency-key': randomUUID() });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/url' }] } });
  });

  test('201: a repeated roll with the same key creates one secret', async () => {
    const { id } = await make();
    const key = { 'idempotency-key': randomUUID() };
    const roll = () => admin.post<{ secret?: string }>(`/api/webhooks/${id}/secrets`, undefined, key);
    const [first, second] = [await roll(), await roll()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect([typeof first.body.secret, second.body.secret]).toEqual(['string', undefined]);
    const secrets = 'SELECT FROM webhook_secrets WHERE webhook_id = $1';
    expect(await service.database.query(secrets, [id])).toHaveLength(2);
  });

  test('201: the host, but not the path, is in the audit trail', async () => {
    const { id } = await make({ url: `${receiver.url}/token-in-path` });
    expect(await events(id)).toMatchObject([
      {
        action: 'webhook_created',
        details: { host: receiver.host, types: ['refresh.failed'], status: 'active' },
      },
    ]);
    expect(JSON.stringify(await events(id))).not.toContain('token-in-path');
  });

  test.each([
    ['types', { types: ['no.such_type'] }, '/types'],
    ['a type that is not text', { types: [1] }, '/types'],
    ['an url that is none', { url: 'hooks' }, '/url'],
    ['plain http', { url: 'http://hooks.example.com/' }, '/url'],
    ['a name that does not resolve', { url: 'https://unknown.example.com/' }, '/url'],
    ['a status', { status: 'disabled' }, '/status'],
  ])('400: %s', async (_name, body, pointer) => {
    const response = await admin.post('/api/webhooks', { url: receiver.url, ...body });
    expect(response.status).toBe(400);
    expect(response.body.errors).toMatchObject([{ pointer }]);
  });

  test('409: there can be 100', async () => {
    const { n } = (await service.database.query('SELECT count(*)::int AS n FROM webhooks'))[0] as {
      n: number;
    };
    await service.database.query(
      `INSERT INTO webhooks (id, url, types, status, created_at, position, failures, next_attempt_at)
       SELECT gen_random_uuid(), 'https://x.example.com/', '{}', 'disabled', now(), 0, 0, now() FROM generate_series(1, $1)`,
      [100 - n],
    );
    const response = await admin.post('/api/webhooks', { url: receiver.url });
    expect([response.status, response.body.code]).toEqual([409, 'too_many_webhooks']);
    await service.database.query(`DELETE FROM webhooks WHERE url = 'https://x.example.com/'`);
  });
});

describe('GET /api/webhooks', () => {
  test('200: pages by time of creation', async () => {
    const ids = [(await make()).id, (await make()).id, (await make()).id];
    const { body, headers } = await admin.get<{ webhooks: Webhook[] }>(
      '/api/webhooks?limit=2&sort=-created_at',
    );
    expect(body.webhooks.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
    const second = await admin.get<{ webhooks: Webhook[] }>(next);
    expect(second.body.webhooks[0]?.id).toBe(ids[0]);
    expect(JSON.stringify(second.body)).not.toContain('whsec_');
  });

  test('200: filtered by status', async () => {
    const { id } = await make();
    await admin.patch(`/api/webhooks/${id}`, { status: 'disabled' });
    const { body } = await admin.get<{ webhooks: Webhook[] }>('/api/webhooks?status=disabled');
    expect(body.webhooks.map((webhook) => webhook.id)).toEqual([id]);
  });
});

describe('PATCH /api/webhooks/:id', () => {
  test('200: changes url, types and status, with one audit event for each', async () => {
    const { id } = await make();
    const path = `/api/webhooks/${id}`;
    const changes = { url: 'https://hooks.example.com/', types: ['user.invited', 'user.invited'] };
    expect((await admin.patch<Webhook>(path, changes)).body).toMatchObject({
      url: 'https://hooks.example.com/',
      types: ['user.invited'],
    });
    expect((await admin.patch(path, { status: 'disabled' })).body).toMatchObject({
      status: 'disabled',
      disabled_reason: 'admin',
    });
    expect((await admin.patch(path, { status: 'active' })).body).toMatchObject({ disabled_reason: null });
    expect((await admin.patch(path, {})).status).toBe(200);
    expect((await events(id)).map(({ action }) => action)).toEqual([
      'webhook_created',
      ...Array.from({ length: 3 }, () => 'webhook_changed'),
    ]);
  });

  test('200: audit and event name a changed URL, also if only its path changes', async () => {
    const { id } = await make();
    const path = `/api/webhooks/${id}`;
    const host = 'hooks.example.com';
    await admin.patch(path, { url: `https://${host}/` });
    await admin.patch(path, { url: `https://${host}/secret`, types: ['user.invited'] });
    const changes = await events(id);
    expect(changes.slice(1).map(({ details }) => details)).toEqual([
      { host, former_host: receiver.host, changed: ['url'], diff: {} },
      { host, changed: ['url'], diff: { types: { from: ['refresh.failed'], to: ['user.invited'] } } },
    ]);
    const published = await until(async () => {
      type Events = { events: { subject: string; data: { changed: string[] } }[] };
      const { body } = await admin.get<Events>('/api/events?type=webhook.updated');
      const ofWebhook = body.events.filter(({ subject }) => subject === `webhook/${id}`);
      return ofWebhook.length === 2 && ofWebhook;
    });
    expect(published.map(({ data }) => data.changed)).toEqual([['url'], ['types', 'url']]);
  });

  test('400: an address that is not public changes nothing', async () => {
    const { id } = await make();
    const response = await admin.patch(`/api/webhooks/${id}`, { url: 'https://10.0.0.1/', types: [] });
    expect(response.body.errors).toMatchObject([
      {
        pointer: '/url',
        detail: 'url must have a public address, unless WEBHOOK_ALLOWED_HOSTS contains the host',
      },
    ]);
    expect((await admin.get(`/api/webhooks/${id}`)).body).toMatchObject({
      url: receiver.url,
      types: ['refresh.failed'],
    });
  });
});

describe('DELETE /api/webhooks/:id', () => {
  test('204: with its secrets and deliveries', async () => {
    const { id } = await make();
    await admin.post(`/api/webhooks/${id}/ping`);
    expect((await admin.delete(`/api/webhooks/${id}`)).status).toBe(204);
    expect((await admin.delete(`/api/webhooks/${id}`)).status).toBe(404);
    for (const table of ['webhook_secrets', 'webhook_deliveries'])
      expect(await service.database.query(`SELECT FROM ${table} WHERE webhook_id = $1`, [id])).toEqual([]);
    expect((await events(id)).at(-1)?.action).toBe('webhook_deleted');
  });
});

describe('404', () => {
  test('every route with an id, in the same words', async () => {
    const path = `/api/webhooks/${randomUUID()}`;
    const responses = await Promise.all([
      admin.get(path),
      admin.patch(path, { types: [] }),
      admin.delete(path),
      admin.get(`${path}/deliveries`),
      admin.post(`${path}/ping`),
      admin.post(`${path}/secrets`),
      admin.post(`${path}/redeliver`, { from: '2026-01-01', to: '2026-01-02' }),
      admin.post(`${path}/deliveries/${randomUUID()}/redeliver`),
    ]);
    const [first, ...others] = responses.map(comparable);
    expect(responses[0]?.status).toBe(404);
    for (const other of others) expect(other).toEqual(first);
  });

  test('a delivery of another webhook, and an unknown one', async () => {
    const [one, other] = [await make(), await make()];
    const { body } = await admin.post<Delivery>(`/api/webhooks/${other.id}/ping`);
    const path = (id: string) => `/api/webhooks/${one.id}/deliveries/${id}/redeliver`;
    const [foreign, unknown] = [await admin.post(path(body.id)), await admin.post(path(randomUUID()))];
    expect(foreign.body.code).toBe('webhook_delivery_not_found');
    expect(comparable(foreign)).toEqual({ ...comparable(unknown) });
  });
});

describe('POST /api/webhooks/:id/ping', () => {
  test('200: sends a signed message at once, and lists it', async () => {
    const { id } = await make();
    const before = receiver.received.length;
    const { status, body } = await admin.post<Delivery>(`/api/webhooks/${id}/ping`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ kind: 'ping', status: 'succeeded', status_code: 204, error: null });
    expect(receiver.received.slice(before)).toMatchObject([
      { id: body.event_id, body: { type: 'webhook.ping', data: { webhook_id: id } } },
    ]);
    const sent = receiver.received.at(-1)?.body;
    expect(schemaErrors(webhookSchemas['webhook.ping'] ?? {}, sent)).toBeNull();
    const list = await admin.get<{ deliveries: Delivery[] }>(`/api/webhooks/${id}/deliveries`);
    expect(list.body.deliveries).toEqual([body]);
    expect((await events(id)).at(-1)?.action).toBe('webhook_pinged');
  });

  test('200: a failed ping states the status, and nothing that the receiver returned', async () => {
    const { id } = await make();
    receiver.react(refuse(503));
    const { body } = await admin.post<Delivery>(`/api/webhooks/${id}/ping`);
    receiver.react((response) => void response.writeHead(204).end());
    expect(body).toMatchObject({ status: 'failed', status_code: 503, error: 'status' });
    const failed = await admin.get<{ deliveries: Delivery[] }>(
      `/api/webhooks/${id}/deliveries?status=failed`,
    );
    expect(failed.body.deliveries).toHaveLength(1);
    const other = await admin.get<{ deliveries: Delivery[] }>(
      `/api/webhooks/${id}/deliveries?status=succeeded`,
    );
    expect(other.body.deliveries).toEqual([]);
  });
});

describe('POST /api/webhooks/:id/redeliver', () => {
  test('202: with an audit event', async () => {
    const { id } = await make();
    const response = await admin.post(`/api/webhooks/${id}/redeliver`, {
      from: '2026-01-01',
      to: '2026-01-02',
    });
    expect(response.status).toBe(202);
    expect((await events(id)).at(-1)?.action).toBe('webhook_redelivery_requested');
  });

  test('400: a period that ends before it begins; 409: a disabled webhook, and a ping', async () => {
    const { id } = await make();
    const wrong = await admin.post(`/api/webhooks/${id}/redeliver`, { from: '2026-01-02', to: '2026-01-01' });
    expect([wrong.status, wrong.body.errors]).toMatchObject([400, [{ pointer: '/to' }]]);
    const { body: ping } = await admin.post<Delivery>(`/api/webhooks/${id}/ping`);
    const path = `/api/webhooks/${id}/deliveries/${ping.id}/redeliver`;
    expect((await admin.post(path)).body.code).toBe('event_not_retained');
    await admin.patch(`/api/webhooks/${id}`, { status: 'disabled' });
    const period = { from: '2026-01-01', to: '2026-01-02' };
    expect((await admin.post(`/api/webhooks/${id}/redeliver`, period)).body.code).toBe('webhook_disabled');
  });
});
