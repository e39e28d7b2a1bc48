import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { DatabaseService } from '../../src/core/database/database.service.js';
import { StartupTasks } from '../../src/core/lifecycle/startup-tasks.service.js';
import { Client } from '../support/client.js';
import { password } from '../support/factory.js';
import { until } from '../support/until.js';
import { startWatched, type Watched } from './scrape.js';

// Counts requests.
Client.warms = false;

interface Tokens {
  refresh_token: string;
}

let watched: Watched;
let admin: Client;

beforeAll(async () => {
  watched = await startWatched();
  admin = await watched.service.asAdmin();
});
afterAll(() => watched.service.close());

/** By how much a value grows while something is done. A metric is written slightly after the response. */
async function growth(
  name: string,
  labels: Record<string, string>,
  work: () => Promise<unknown>,
  atLeast = 1,
): Promise<number> {
  const before = (await watched.valueOf(name, labels)) ?? 0;
  await work();
  return until(async () => {
    const grown = ((await watched.valueOf(name, labels)) ?? 0) - before;
    return grown >= atLeast && grown;
  });
}

const signIn = (email: string, secret = password) =>
  watched.service.api.post<Tokens>('/api/auth/token', { email, password: secret });

const name = {
  requests: 'vitrine_http_request_duration_seconds_count',
  tokens: 'vitrine_token_requests_total',
};

describe('OBS-08 the metrics port', () => {
  test('serves only the metrics, which the port of the API does not serve', async () => {
    const response = await fetch(watched.url);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/plain'),
    ]);
    for (const path of ['/', '/livez', '/api/health', '/metrics/']) {
      expect((await fetch(new URL(path, watched.url))).status).toBe(404);
    }
    expect((await fetch(watched.url, { method: 'POST' })).status).toBe(404);
    expect((await watched.service.api.get('/metrics')).status).toBe(404);
  });
});

describe('OBS-07 metrics', () => {
  test('of requests: by route template, never by path', async () => {
    const labels = { method: 'GET', route: '/api/reports/:id', status: '4xx' };
    const ids = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002'];
    const ask = () => Promise.all(ids.map((id) => admin.get(`/api/reports/${id}`)));
    expect(await growth(name.requests, labels, ask, 2)).toBe(2);
    const made = { method: 'GET', status: '4xx' };
    expect(await growth(name.requests, made, () => admin.get('/api/no/such/route-7'))).toBe(1);
    const text = await (await fetch(watched.url)).text();
    expect(text).not.toMatch(/01900000|route-7/);
  });

  test('of requests and problems without the probes of a replica that is not ready', async () => {
    const { api, app } = watched.service;
    const refused = () => watched.valueOf('vitrine_problems_total', { code: 'service_unavailable' });
    const before = await refused();
    const isComplete = jest.spyOn(app.get(StartupTasks), 'isComplete', 'get').mockReturnValue(false);
    const statuses = [(await api.get('/readyz')).status, (await api.get('/livez')).status];
    isComplete.mockRestore();
    expect(statuses).toEqual([503, 200]);
    // Written after those of the probes.
    expect(await growth(name.requests, { route: '/api/users/me' }, () => admin.get('/api/users/me'))).toBe(1);
    expect(await refused()).toBe(before);
    const text = await (await fetch(watched.url)).text();
    expect(text).not.toMatch(/livez|readyz/);
  });

  test('of sign-ins by outcome, of locks and of reused refresh tokens', async () => {
    const { email } = await watched.service.factory.user();
    const issued = { grant: 'password', outcome: 'issued' };
    expect(await growth(name.tokens, issued, () => signIn(email))).toBe(1);
    const { body } = await signIn(email);
    const refused = { grant: 'password', outcome: 'invalid_credentials' };
    const guess = async () => {
      for (let count = 0; count < 5; count += 1) await signIn(email, `not it ${count}`);
    };
    const locks = (await watched.valueOf('vitrine_account_locks_total')) ?? 0;
    expect(await growth(name.tokens, refused, guess, 5)).toBe(5);
    expect(await watched.valueOf('vitrine_account_locks_total')).toBe(locks + 1);
    const blocked = { grant: 'password', outcome: 'rate_limited' };
    expect(await growth(name.tokens, blocked, () => signIn(email))).toBe(1);
    expect(await watched.valueOf('vitrine_problems_total', { code: 'rate_limited' })).toBeGreaterThan(0);
    const refresh = () =>
      watched.service.api.post('/api/auth/token', {
        grant_type: 'refresh_token',
        refresh_token: body.refresh_token,
      });
    await refresh();
    watched.service.clock.advance(60);
    expect(await growth('vitrine_refresh_token_reuses_total', {}, refresh)).toBe(1);
    expect(await watched.valueOf('vitrine_audit_events_total', { action: 'sign_in_failed' })).toBeGreaterThan(
      4,
    );
  });

  test('of hashing, the pool and the event loop', async () => {
    const { email } = await watched.service.factory.user();
    const done = { outcome: 'done' };
    expect(await growth('vitrine_password_hashes_total', done, () => signIn(email))).toBe(1);
    expect(await watched.valueOf('vitrine_password_hashes_running')).toBe(0);
    expect(await watched.valueOf('vitrine_password_hashes_queued')).toBe(0);
    expect(await watched.valueOf('vitrine_ready')).toBe(1);
    const size = (await watched.valueOf('vitrine_database_pool_size')) as number;
    expect(await watched.valueOf('vitrine_database_pool_connections')).toBeGreaterThan(0);
    const database = watched.service.app.get(DatabaseService);
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = Array.from({ length: size }, () => database.transaction(() => promise));
    const late = admin.get('/api/workspaces');
    const waited = async () => (await watched.valueOf('vitrine_database_pool_waiting')) ?? 0;
    let waiting = 0;
    for (let look = 0; look < 100 && waiting === 0; look += 1) waiting = await waited();
    resolve();
    await Promise.all(held);
    expect((await late).status).toBe(200);
    expect(waiting).toBeGreaterThan(0);
    const sampled = (await watched.scrape()).map((sample) => sample.name);
    expect(sampled).toEqual(
      expect.arrayContaining(['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes']),
    );
  });

  test('of emails by outcome: sent, rejected permanently, failed', async () => {
    const { mailbox } = watched.service;
    const invite = (email: string) => () => admin.post('/api/users/invite', { email });
    const mails = 'vitrine_mails_total';
    expect(await growth(mails, { outcome: 'sent' }, invite('mails-1@example.com'))).toBe(1);
    mailbox.refuseWith({ responseCode: 550, message: 'No such user' });
    expect(await growth(mails, { outcome: 'rejected' }, invite('mails-2@example.com'))).toBe(1);
    const { email } = await watched.service.factory.user();
    const reset = () =>
      watched.service.api.post('/api/auth/token', { grant_type: 'password_reset_request', email });
    expect(await growth(mails, { outcome: 'rejected' }, reset)).toBe(1);
    mailbox.refuseWith({ responseCode: 451, message: 'Try again later' });
    expect(await growth(mails, { outcome: 'failed' }, invite('mails-3@example.com'))).toBe(1);
    mailbox.refuseWith();
  });

  test('of audit events that cannot be written', async () => {
    const { email } = await watched.service.factory.user();
    await watched.service.database.query('ALTER TABLE audit_events RENAME TO hidden_events');
    try {
      const failed = await growth('vitrine_audit_failures_total', {}, () => signIn(email));
      expect(failed).toBeGreaterThan(0);
    } finally {
      await watched.service.database.query('ALTER TABLE hidden_events RENAME TO audit_events');
    }
    expect(await watched.valueOf('vitrine_problems_total', { code: 'internal_error' })).toBeGreaterThan(0);
  });
});
