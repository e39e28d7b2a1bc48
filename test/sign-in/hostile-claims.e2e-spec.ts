import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoTenant } from '@vitrine/power-bi-emulator';
import { Client } from '../support/client.js';
import {
  exchangeToken,
  goAs,
  loginUrl,
  newProof,
  person,
  type SignIn,
  startSignIn,
} from '../support/sign-in.js';

let here: SignIn;

const rules = {
  rules: [
    {
      name: 'Staff',
      when: { email_domains: ['vitrine.example'] },
      admit: true,
      attributes: { department: { claim: 'department' } },
    },
  ],
};

beforeAll(async () => {
  here = await startSignIn([], rules);
});
afterAll(() => here.close());

const exchange = async (claims: Record<string, unknown>) =>
  exchangeToken(here.service.api, await here.signed(claims));

let count = 0;
/** Signs a new person in through the callback with these claims. */
async function callback(claims: Record<string, unknown>, asked: Record<string, string> = {}) {
  const id = `callback-${(count += 1)}`;
  here.provider.people.clear();
  const account = { ...person(id), ...claims };
  for (const key of [id, account.sub]) here.provider.people.set(key, account);
  const browser = here.browser();
  const list = await browser.open(loginUrl(newProof(), asked));
  return browser.open(`${list.url.href}/as/${id}`);
}

const nobodyNew = async (work: () => Promise<void>): Promise<void> => {
  const rows = async () =>
    here.service.database.query('SELECT id FROM users UNION SELECT id FROM user_identities');
  const before = await rows();
  await work();
  expect(await rows()).toEqual(before);
};

const refusal = async () => {
  const [event] = await here.service.database.query<{ outcome: string; details: object }[]>(
    `SELECT outcome, details FROM audit_events WHERE action = 'sign_in_failed' ORDER BY id DESC LIMIT 1`,
  );
  return event;
};

const tid = demoTenant.tenantId;
const fresh = () => person(`person-${(count += 1)}`);

const invalid: [string, string, Record<string, unknown>][] = [
  ['a NUL in sub', 'sub', { sub: 'a\u0000b' }],
  ['a lone surrogate in sub', 'sub', { sub: 'a\ud800b' }],
  ['an undecodable character in sub', 'sub', { sub: 'a\uFFFDb' }],
  ['a line break in sub', 'sub', { sub: 'a\r\nb' }],
  ['a bidirectional override in sub', 'sub', { sub: 'a\u202Eb' }],
  ['a sub of 256 characters', 'sub', { sub: 'x'.repeat(256) }],
  ['a sub of 5,000 characters', 'sub', { sub: 'x'.repeat(5000) }],
  ['a NUL in oid', 'oid', { tid, oid: 'a\u0000b' }],
  ['a lone surrogate in oid', 'oid', { tid, oid: '\udfff' }],
  ['an oid of 256 characters', 'oid', { tid, oid: 'x'.repeat(256) }],
  ['a NUL in tid', 'tid', { tid: 'a\u0000b', oid: 'o' }],
  ['a lone surrogate in tid', 'tid', { tid: 'a\ud800b', oid: 'o' }],
  ['a NUL in an attribute', 'department', { department: 'a\u0000b' }],
  ['a lone surrogate in an attribute', 'department', { department: 'a\udc00' }],
  ['a line break in an attribute', 'department', { department: 'a\nb' }],
  ['a bidirectional override in an attribute', 'department', { department: '\u202Ea' }],
  ['an attribute of 257 characters', 'department', { department: 'x'.repeat(257) }],
];

describe('claims that the API would reject (M3)', () => {
  test.each(invalid)('403 at token exchange, with an audit event, for %s', async (_, claim, claims) => {
    await nobodyNew(async () => {
      expect(await exchange({ ...fresh(), ...claims })).toMatchObject({
        status: 403,
        body: { code: 'sign_in_refused', detail: expect.stringContaining('invalid claim') },
      });
    });
    const details = { method: 'exchange', reason: 'invalid_claim', claim };
    expect(await refusal()).toEqual({ outcome: 'denied', details });
  });

  test.each(invalid)('403 at the callback, with an audit event, for %s', async (_, claim, claims) => {
    await nobodyNew(async () => {
      const page = await callback(claims);
      expect(page.status).toBe(403);
      expect(page.headers.get('content-type')).toContain('text/html');
      expect(page.text).toContain('invalid claim');
    });
    const details = { method: 'oidc', reason: 'invalid_claim', claim };
    expect(await refusal()).toEqual({ outcome: 'denied', details });
  });

  test('302 to the built-in portal with the problem in the URL', async () => {
    const { url } = await callback({ oid: '\u0000', tid }, { return_to: 'https://vitrine.test/signed-in' });
    expect(`${url.origin}${url.pathname}`).toBe('https://vitrine.test/signed-in');
    expect(url.searchParams.get('error')).toBe('sign_in_refused');
  });

  test('400 for a token that is not UTF-8, because different bytes could become one subject', async () => {
    const now = Math.floor(here.service.clock.now().getTime() / 1000);
    const token = { iss: here.provider.issuer, aud: 'vitrine', iat: now, exp: now + 300 };
    const template = JSON.stringify({ ...token, ...fresh(), sub: 'sub-??' });
    for (const bytes of [
      [0xff, 0xfe],
      [0xfe, 0xff],
      [0xed, 0xa0],
    ]) {
      const payload = Buffer.from(template);
      payload.set(bytes, payload.indexOf('??'));
      const response = await exchangeToken(here.service.api, await here.signedBytes(payload));
      expect(response).toMatchObject({ status: 400, body: { code: 'invalid_subject_token' } });
    }
    expect((await exchange({ ...fresh(), sub: 'x'.repeat(255) })).status).toBe(200);
  });

  test('subjects that differ in a surrogate are different accounts', async () => {
    const { sub, ...rest } = fresh();
    const known = await exchange({ ...rest, sub: `${sub}\uD83D\uDE00` });
    expect(known.status).toBe(200);
    expect((await exchange({ ...rest, sub: `${sub}\uD83D` })).status).toBe(403);
    expect((await exchange({ ...rest, sub: `${sub}\uDE00` })).status).toBe(403);
  });
});

describe('names and email addresses of the provider (M3)', () => {
  const me = async (claims: Record<string, unknown>) => {
    const { status, body } = await exchange({ ...fresh(), ...claims });
    expect(status).toBe(200);
    const api = new Client(here.service.url, body.access_token);
    return (await api.get<{ name: string; email: string }>('/api/users/me')).body;
  };

  test.each([
    ['Ada\r\nLovelace', 'Ada Lovelace'],
    ['A\u0000da\u0007', 'Ada'],
    ['\u202EAda\u202C \u2066Lovelace\u2069', 'Ada Lovelace'],
    ['Ada\ud800 \udc00Lovelace', 'Ada Lovelace'],
    ['  Zoë \t O’Neil  ', 'Zoë O’Neil'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['x'.repeat(5000), `${'x'.repeat(199)}…`],
    ['🙂'.repeat(201), `${'🙂'.repeat(199)}…`],
  ])('the name %j is stored as %j', async (name, stored) => {
    expect((await me({ name })).name).toBe(stored);
  });

  test.each(['\u200B', '\r\n', '\ud800', 'https://evil.example', '', 7, null, ['Ada']])(
    'the name %j is replaced by the local part of the address',
    async (name) => {
      const { name: stored, email } = await me({ name });
      expect(stored).toBe(email.split('@')[0]);
    },
  );

  test.each([
    'a\u0000b@vitrine.example',
    'a\ud800b@vitrine.example',
    'a@b@vitrine.example',
    'ada@vitrine.example\r\nBcc: eve@vitrine.example',
    `${'x'.repeat(250)}@vitrine.example`,
    '0195e5a0-0000-7000-8000-000000000002@erased.invalid',
  ])('the address %j is refused', async (email) => {
    await nobodyNew(async () => {
      expect((await exchange({ ...fresh(), email })).status).toBe(403);
      expect((await callback({ email })).status).toBe(403);
    });
  });

  test('an attribute of 256 characters is stored', async () => {
    expect((await exchange({ ...fresh(), department: 'x'.repeat(256) })).status).toBe(200);
  });
});

test('identities linked by an admin follow the same rules (M3)', async () => {
  const admin = await here.service.asAdmin();
  const { id } = await here.service.factory.user();
  const link = (subject: string) => admin.post(`/api/users/${id}/identities`, { subject });
  for (const subject of ['', 'a\u0000', '\ud800', 'a\nb', '\uFFFD', 'x'.repeat(256)]) {
    expect((await link(subject)).status).toBe(400);
  }
  expect((await link('https://issuer.example/people/7')).status).toBe(201);
  expect((await link('x'.repeat(254))).status).toBe(201);
});

test('an account has at most 50 attributes (M3)', async () => {
  const claims = fresh();
  const { body } = await exchange(claims);
  const { sub } = claims;
  const api = new Client(here.service.url, body.access_token);
  const { id } = (await api.get<{ id: string }>('/api/users/me')).body;
  const full = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`a${index}`, 'x']));
  expect((await (await here.service.asAdmin()).patch(`/api/users/${id}`, { attributes: full })).status).toBe(
    200,
  );
  expect((await exchange({ ...claims, sub, department: 'Sales' })).status).toBe(403);
  expect(await refusal()).toMatchObject({ details: { reason: 'too_many_attributes' } });
  expect((await exchange(claims)).status).toBe(200);
});

test('a refresh whose claims have become invalid ends the session (M3)', async () => {
  const id = 'renewed';
  here.provider.people.set(id, person(id, { department: 'Sales' }));
  const proof = newProof();
  const page = await goAs(here.browser(), id, loginUrl(proof));
  const { body } = await here.exchange(page.url.searchParams.get('code') ?? '', proof.verifier);
  here.provider.people.set(id, person(id, { department: 'a\u0000b' }));
  here.service.clock.advance(13 * 3600);
  const renewed = await here.service.api.post('/api/auth/token', {
    grant_type: 'refresh_token',
    refresh_token: body.refresh_token,
  });
  expect(renewed).toMatchObject({ status: 401, body: { code: 'invalid_refresh_token' } });
});
