import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  demoClient,
  type RunningIdentityProvider,
  startIdentityProvider,
} from '../../local/identity-provider.js';
import { Client } from '../support/client.js';
import { password } from '../support/factory.js';
import { type Service, startService } from '../support/service.js';
import {
  exchangeToken,
  loginUrl,
  newProof,
  person,
  portal,
  type SignIn,
  startSignIn,
} from '../support/sign-in.js';
import { HttpBrowser } from '../support/http-browser.js';
import { until } from '../support/until.js';

const publicUrl = 'https://vitrine.test';
const rules = { rules: [{ name: 'Contoso', when: { email_domains: ['vitrine.example'] }, admit: true }] };

describe('a provider that becomes unreachable', () => {
  let here: SignIn;

  beforeAll(async () => {
    here = await startSignIn([person('ada')], rules);
  });
  afterAll(() => here.service.close());

  test('fails new sign-ins with a page, and ends no existing session', async () => {
    const { body } = await here.signIn('ada');
    const list = await here.browser().open(loginUrl(newProof()));
    expect(list.status).toBe(200);
    const browser = here.browser();
    const begun = new URL((await browser.request(loginUrl(newProof()))).headers.get('location') ?? '');
    await here.provider.close();
    const back = `${publicUrl}/login/callback?code=x&iss=${encodeURIComponent(here.provider.issuer)}`;
    const page = await browser.request(`${back}&state=${begun.searchParams.get('state')}`);
    expect(page.status).toBe(503);
    expect(page.headers.get('retry-after')).toBe('10');
    expect(page.text).toContain('provider_unavailable');
    here.service.clock.advance(13 * 3600);
    const renewed = await here.service.api.post<{ access_token: string }>('/api/auth/token', {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
    });
    expect(renewed.status).toBe(200);
    const api = new Client(here.service.url, renewed.body.access_token);
    expect((await api.get('/api/users/me')).status).toBe(200);
  });
});

describe('a provider that no longer responds', () => {
  let here: SignIn;
  const connections = new Set<Socket>();
  /** Accepts connections, and sends nothing. */
  const silent = createServer((socket) => void connections.add(socket.resume().on('error', () => undefined)));

  beforeAll(async () => {
    here = await startSignIn([person('ada')], rules);
    await here.signIn('ada');
    await here.provider.close();
    await once(silent.listen(Number(new URL(here.provider.issuer).port), '127.0.0.1'), 'listening');
  });
  afterAll(async () => {
    for (const socket of connections) socket.destroy();
    silent.close();
    await here.service.close();
  });

  test('delays no link to an identity: its metadata are known', async () => {
    const { id } = await here.service.factory.user();
    let givenUp = 0;
    silent.on('connection', (socket) => socket.on('close', () => (givenUp += 1)));
    here.service.clock.advance(3601);
    const admin = await here.service.asAdmin();
    const key = { 'idempotency-key': randomUUID() };
    const linked = await admin.post(`/api/users/${id}/identities`, { subject: 'known' }, key);
    expect([linked.status, givenUp]).toEqual([201, 0]);
    await until(() => connections.size > 0);
  });

  test('is asked about a link before its transaction begins', async () => {
    const restarted = await startService({
      OIDC_ISSUER: here.provider.issuer,
      OIDC_CLIENT_ID: demoClient.clientId,
      OIDC_CLIENT_SECRET: demoClient.clientSecret,
      OIDC_RETURN_URLS: portal,
    });
    try {
      const { id } = await restarted.factory.user();
      const admin = await restarted.asAdmin();
      for (const socket of connections) socket.destroy();
      connections.clear();
      const key = { 'idempotency-key': randomUUID() };
      const linking = admin.post(`/api/users/${id}/identities`, { subject: 'unknown' }, key);
      await until(() => connections.size > 0);
      const open = await restarted.database.query<object[]>(
        `SELECT query FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'idle in transaction' AND query LIKE '%idempotency_keys%'`,
      );
      for (const socket of connections) socket.destroy();
      const { status, body } = await linking;
      expect({ status, code: body.code, open }).toEqual({
        status: 503,
        code: 'provider_unavailable',
        open: [],
      });
    } finally {
      await restarted.close();
    }
  });
});

describe('a provider that is unreachable at startup', () => {
  let service: Service;
  let provider: RunningIdentityProvider;

  beforeAll(async () => {
    const first = await startIdentityProvider({ publicUrl, people: [] });
    await first.close();
    service = await startService({
      OIDC_ISSUER: first.issuer,
      OIDC_CLIENT_ID: demoClient.clientId,
      OIDC_CLIENT_SECRET: demoClient.clientSecret,
      OIDC_RETURN_URLS: portal,
      PASSWORD_SIGN_IN: 'false',
    });
    provider = { ...first };
  });
  afterAll(async () => {
    await service.close();
    await provider.close();
  });

  test('503 until it is reachable, without a restart', async () => {
    const browser = new HttpBrowser({ [publicUrl]: service.url });
    const page = await browser.request(loginUrl(newProof()));
    expect(page.status).toBe(503);
    expect(page.headers.get('content-type')).toContain('text/html');
    const fromPortal = loginUrl(newProof(), { return_to: `${publicUrl}/signed-in` });
    const { headers } = await browser.request(fromPortal);
    expect(headers.get('location')).toContain('/signed-in?error=provider_unavailable&');
    const port = Number(new URL(provider.issuer).port);
    provider = await startIdentityProvider({ port, publicUrl, people: [] });
    expect((await browser.request(loginUrl(newProof()))).status).toBe(302);
  });

  test('PASSWORD_SIGN_IN=false: 403 for passwords, the same for every account, and no account with a password', async () => {
    const { email } = await service.factory.user();
    const bodies = [
      { email, password },
      { email: 'nobody@example.com', password },
      { grant_type: 'invitation', invitation_token: 'x', password },
    ];
    for (const body of bodies) {
      const response = await service.api.post('/api/auth/token', body);
      expect(response.status).toBe(403);
      expect(response.body).toMatchObject({ code: 'password_sign_in_disabled' });
    }
  });
});

describe('no provider', () => {
  let service: Service;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  test('404: a page, and a problem for a token exchange', async () => {
    const page = await new HttpBrowser({ [publicUrl]: service.url }).request(loginUrl(newProof()));
    expect(page.status).toBe(404);
    expect(page.text).toContain('platform_sign_in_missing');
    const response = await exchangeToken(service.api, 'x');
    expect(response.body).toMatchObject({ code: 'platform_sign_in_missing' });
  });
});
