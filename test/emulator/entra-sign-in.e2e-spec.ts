import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { demoPassword, demoTenant } from '@vitrine/power-bi-emulator';
import { EmulatorClient } from '../support/emulator-client.js';

interface Tokens {
  access_token: string;
  refresh_token?: string;
  id_token?: string;
  scope?: string;
  client_info?: string;
  error?: string;
  error_codes?: number[];
  expires_in?: unknown;
}

const { tenantId, clientId, clientSecret } = demoTenant;
const api = 'https://analysis.windows.net/powerbi/api';
const scope = `openid profile offline_access ${api}/.default`;
const dana = 'dana@vitrine.example';
const redirect_uri = 'http://localhost:5000/back';

let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

const ask = (form: Record<string, string>, path = `/${tenantId}/oauth2/v2.0/token`) =>
  emulator.send<Tokens>('POST', path, new URLSearchParams({ client_id: clientId, ...form }));
const byPassword = (change: Record<string, string> = {}, path?: string) =>
  ask({ grant_type: 'password', username: dana, password: demoPassword, scope, ...change }, path);
const groupsWith = async (token: string): Promise<string[]> => {
  const headers = { Authorization: `Bearer ${token}` };
  const { body } = await emulator.get<{ value: { name: string }[] }>('/groups', headers);
  return body.value.map(({ name }) => name);
};
const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;

describe('HTTP Basic', () => {
  const basic = (id: string, secret: string) => {
    const pair = [id, secret].map((each) => encodeURIComponent(each).replaceAll('%20', '+')).join(':');
    return { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  };
  const signIn = (headers: Record<string, string>) => {
    const form = new URLSearchParams({ grant_type: 'client_credentials', scope: `${api}/.default` });
    return emulator.send<Tokens>('POST', `/${tenantId}/oauth2/v2.0/token`, form, headers);
  };

  test('authenticates the client, with a form-encoded secret', async () => {
    expect((await signIn(basic(clientId, clientSecret))).status).toBe(200);
    const seed = await emulator.control<{ principals: { secrets: object[] }[] }>('GET', '/content');
    seed.body.principals[0]!.secrets.push({ value: 'a b+c:d/é' });
    await emulator.control('POST', '/content', seed.body);
    expect((await signIn(basic(clientId, 'a b+c:d/é'))).status).toBe(200);
  });

  test.each([
    [clientId, 'wrong', 401, 7000215],
    ['x', clientSecret, 400, 700016],
  ])('%s with %s is refused', async (id, secret, status, number) => {
    const response = await signIn(basic(id, secret));
    expect([response.status, response.body.error_codes]).toEqual([status, [number]]);
  });
});

describe('a password', () => {
  test('gives a token of the user, with the rights of the user', async () => {
    const { status, body } = await byPassword({ client_info: '1' });
    expect(status).toBe(200);
    expect(claimsOf(body.access_token)).toMatchObject({
      upn: dana,
      scp: expect.stringContaining('Report.ReadWrite.All'),
      oid: expect.any(String),
      appid: clientId,
    });
    expect(claimsOf(body.id_token!)).toMatchObject({
      aud: clientId,
      iss: `${emulator.url}/${tenantId}/v2.0`,
      preferred_username: dana,
    });
    expect(body.scope).toContain(`${api}/Report.ReadWrite.All`);
    expect(await groupsWith(body.access_token)).toContain('Board');
    const ben = await byPassword({ username: 'ben@vitrine.example' });
    expect(await groupsWith(ben.body.access_token)).toEqual(['Operations']);
  });

  test('is accepted under organizations and, by v1, under common', async () => {
    expect((await byPassword({}, '/organizations/oauth2/v2.0/token')).status).toBe(200);
    const v1 = await byPassword({ resource: api }, '/common/oauth2/token');
    expect(v1.body).toMatchObject({ expires_in: '3600', scope: 'user_impersonation' });
    expect(await groupsWith(v1.body.access_token)).toContain('Board');
  });

  test.each([
    ['a wrong password', { password: 'x' }, undefined, 'invalid_grant', 50126],
    ['an unknown user', { username: 'x@vitrine.example' }, undefined, 'invalid_grant', 50034],
    ['no password', { password: '' }, undefined, 'invalid_request', 900144],
    ['common', {}, '/common/oauth2/v2.0/token', 'invalid_request', 9001023],
    [
      'two resources',
      { scope: `${scope} https://graph.microsoft.com/User.Read` },
      undefined,
      'invalid_scope',
      28000,
    ],
    ['an unknown resource', { scope: 'https://example.com/.default' }, undefined, 'invalid_scope', 70011],
  ])('with %s is refused', async (_what, change, path, error, number) => {
    const { status, body } = await byPassword(change, path);
    expect([status, body.error, body.error_codes]).toEqual([400, error, [number]]);
  });

  test('only gives administrators the admin API', async () => {
    const groups = async (username: string) => {
      const { access_token } = (await byPassword({ username })).body;
      return (await emulator.get('/admin/groups?$top=1', { Authorization: `Bearer ${access_token}` })).status;
    };
    expect([await groups(dana), await groups('ada@vitrine.example')]).toEqual([200, 401]);
  });

  test('opens the My workspace of the user', async () => {
    const reports = async (username: string) => {
      const { access_token } = (await byPassword({ username })).body;
      return (await emulator.get('/reports', { Authorization: `Bearer ${access_token}` })).status;
    };
    expect([await reports(dana), await reports('ada@vitrine.example')]).toEqual([200, 404]);
  });

  test('does not depend on the switch for service principals', async () => {
    await emulator.set({ tenant_switch: false });
    expect(await groupsWith((await byPassword()).body.access_token)).toContain('Sales');
  });
});

describe('a refresh token', () => {
  test('gives new tokens of the same user', async () => {
    const { refresh_token = '' } = (await byPassword()).body;
    const { status, body } = await ask({ grant_type: 'refresh_token', refresh_token });
    expect(status).toBe(200);
    expect(claimsOf(body.access_token).upn).toBe(dana);
    expect(body.refresh_token).not.toBe(refresh_token);
  });

  test('is refused when it is unknown, of another client or expired', async () => {
    const { refresh_token = '' } = (await byPassword()).body;
    const refused = async (change: Record<string, string>) =>
      (await ask({ grant_type: 'refresh_token', refresh_token, ...change })).body.error_codes;
    expect(await refused({ refresh_token: 'x' })).toEqual([9002313]);
    expect(await refused({ client_id: '04b07795-8ddb-461a-bbee-02f9e1bf7b46' })).toEqual([70000]);
    await emulator.advance(91 * 86_400);
    expect(await refused({})).toEqual([700082]);
  });
});

describe('an authorization code', () => {
  const verifier = randomBytes(32).toString('base64url');
  const pkce = {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  const authorize = (change: Record<string, string> = {}, headers: Record<string, string> = {}) => {
    const fields = {
      client_id: clientId,
      response_type: 'code',
      redirect_uri,
      scope,
      state: 's&1',
      ...change,
    };
    const query = new URLSearchParams(fields);
    const init = { redirect: 'manual' as const, headers };
    return fetch(`${emulator.url}/${tenantId}/oauth2/v2.0/authorize?${query.toString()}`, init);
  };
  const resultOf = (response: Response) => new URL(response.headers.get('location') ?? '').searchParams;
  const codeFor = async (change: Record<string, string> = {}) =>
    resultOf(await authorize({ username: dana, ...pkce, ...change })).get('code') ?? '';
  const redeem = (code: string, change: Record<string, string> = {}) =>
    ask({ grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier, ...change });

  test('is issued after a page that lists the people', async () => {
    const response = await authorize(pkce);
    const html = await response.text();
    expect(response.status).toBe(200);
    for (const name of ['Dana Weiss', 'Ada Lovelace']) expect(html).toContain(name);
    const chosen = await authorize({ username: dana, nonce: 'n1', ...pkce });
    expect([chosen.status, resultOf(chosen).get('state')]).toEqual([302, 's&1']);
    const { body } = await redeem(resultOf(chosen).get('code') ?? '');
    expect(claimsOf(body.id_token!)).toMatchObject({ nonce: 'n1', preferred_username: dana });
    expect(await groupsWith(body.access_token)).toContain('Sales');
  });

  test('needs the verifier, or the secret of the client', async () => {
    expect((await redeem(await codeFor(), { code_verifier: 'x' })).body.error_codes).toEqual([501481]);
    const without = { code_challenge: '' };
    expect((await redeem(await codeFor(without))).body.error_codes).toEqual([7000218]);
    expect((await redeem(await codeFor(without), { client_secret: clientSecret })).status).toBe(200);
  });

  test('is valid once, for ten minutes and for its redirect URI', async () => {
    const code = await codeFor();
    expect((await redeem(code, { redirect_uri: 'http://localhost/x' })).body.error_codes).toEqual([500112]);
    expect((await redeem(code)).status).toBe(200);
    expect((await redeem(code)).body.error_codes).toEqual([54005]);
    expect((await redeem('x')).body.error_codes).toEqual([9002313]);
    const late = await codeFor();
    await emulator.advance(601);
    expect((await redeem(late)).body).toMatchObject({ error: 'invalid_grant', error_codes: [70008] });
  });

  test('is returned as the response mode says', async () => {
    const fragment = await authorize({ username: dana, response_mode: 'fragment' });
    expect(new URL(fragment.headers.get('location')!).hash).toContain('code=');
    const form = await authorize({
      username: dana,
      response_mode: 'form_post',
      response_type: 'code id_token',
    });
    const html = await form.text();
    expect(html).toContain(`action="${redirect_uri}"`);
    expect(html).toMatch(/name="id_token"[\s\S]*name="state" value="s&amp;1"/);
  });

  test('prompt=none needs an earlier sign-in', async () => {
    expect(resultOf(await authorize({ prompt: 'none' })).get('error')).toBe('login_required');
    const [cookie = ''] = (await authorize({ username: dana })).headers.getSetCookie();
    const headers = { Cookie: cookie.split(';')[0]! };
    expect(resultOf(await authorize({ prompt: 'none' }, headers)).get('code')).toBeTruthy();
    expect((await authorize({ prompt: 'select_account' }, headers)).status).toBe(200);
  });

  test.each([
    [{ client_id: 'x' }, 'AADSTS700016'],
    [{ redirect_uri: 'javascript:alert(1)' }, 'AADSTS50011'],
    [{ redirect_uri: ' javascript:alert(1)' }, 'AADSTS50011'],
    [{ redirect_uri: 'java\tscript:alert(1)' }, 'AADSTS50011'],
    [{ client_id: 'constructor' }, 'AADSTS700016'],
    [{ client_id: '__proto__' }, 'AADSTS700016'],
    [{ response_mode: 'telepathy' }, 'AADSTS70007'],
  ])('%o is refused without a redirect', async (change, code) => {
    const response = await authorize({ username: dana, ...change });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(code)]);
  });

  test('escapes what it shows', async () => {
    expect(await (await authorize({ state: '"><script>x' })).text()).not.toContain('<script>x');
  });
});

describe('a device code', () => {
  interface Device {
    user_code: string;
    device_code: string;
    verification_uri: string;
  }
  const start = async () => {
    const form = new URLSearchParams({ client_id: clientId, scope });
    return (await emulator.send<Device>('POST', `/${tenantId}/oauth2/v2.0/devicecode`, form)).body;
  };
  const poll = ({ device_code }: Device) =>
    ask({ grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code });

  test('is pending until the page is used', async () => {
    const device = await start();
    expect((await poll(device)).body).toMatchObject({ error: 'authorization_pending', error_codes: [70016] });
    expect(await (await fetch(device.verification_uri)).text()).toContain('Dana Weiss');
    const body = new URLSearchParams({ user_code: device.user_code.toLowerCase(), username: dana });
    expect((await fetch(device.verification_uri, { method: 'POST', body })).status).toBe(200);
    const { access_token } = (await poll(device)).body;
    expect(claimsOf(access_token).upn).toBe(dana);
    expect((await poll(device)).body.error).toBe('bad_verification_code');
  });

  test('is approved and declined by the control API', async () => {
    const [one, other] = [await start(), await start()];
    const decide = (body: object) => emulator.control('POST', '/device-codes', body);
    expect((await decide({ user_code: one.user_code, username: dana })).status).toBe(204);
    expect((await decide({ user_code: other.user_code, decline: true })).status).toBe(204);
    expect((await decide({ user_code: 'x', username: dana })).status).toBe(400);
    expect((await poll(one)).status).toBe(200);
    expect((await poll(other)).body.error).toBe('authorization_declined');
  });

  test('expires', async () => {
    const device = await start();
    await emulator.advance(901);
    expect((await poll(device)).body).toMatchObject({ error: 'expired_token', error_codes: [70020] });
  });
});
