import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { Client } from '../support/client.js';
import { person, type SignIn, startSignIn } from '../support/sign-in.js';

let here: SignIn;

beforeAll(async () => {
  const rules = { rules: [{ name: 'Contoso', when: { email_domains: ['vitrine.example'] }, admit: true }] };
  here = await startSignIn([person('ada')], rules);
});
afterAll(() => here.close());

const exchange = (subject_token: string, type = 'jwt') =>
  here.service.api.post<{ access_token: string }>('/api/auth/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token,
    subject_token_type: `urn:ietf:params:oauth:token-type:${type}`,
  });

const ada = { ...person('ada') };
const seconds = (): number => Math.floor(here.service.clock.now().getTime() / 1000);

describe('POST /api/auth/token token-exchange', () => {
  test('200: a session of its own method for somebody whom a rule admits', async () => {
    const { status, body } = await exchange(await here.signed(ada));
    expect(status).toBe(200);
    const api = new Client(here.service.url, body.access_token);
    expect((await api.get('/api/users/me')).body).toMatchObject({ email: 'ada@vitrine.example' });
    const { body: list } = await api.get<{ sessions: { method: string }[] }>('/api/auth/sessions');
    expect(list.sessions.map(({ method }) => method)).toEqual(['exchange']);
  });

  test('200: an access token by its type', async () => {
    expect((await exchange(await here.signed(ada, { typ: 'at+jwt' }), 'access_token')).status).toBe(200);
  });

  test.each<[string, () => JWTPayload]>([
    ['for another audience', () => ({ ...ada, aud: 'somebody-else' })],
    ['without an audience', () => ({ ...ada, aud: undefined })],
    ['of another issuer', () => ({ ...ada, iss: 'https://evil.test' })],
    ['that ran out', () => ({ ...ada, exp: seconds() - 60 })],
    ['that never runs out', () => ({ ...ada, exp: undefined })],
    ['that is not valid yet', () => ({ ...ada, nbf: seconds() + 600 })],
    ['without a subject', () => ({ ...ada, sub: undefined })],
    [
      'that tells of a logout',
      () => ({ ...ada, events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }),
    ],
  ])('400: a token %s', async (_, claims) => {
    const answer = await exchange(await here.signed(claims()));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_subject_token' });
  });

  test('400: a token signed with the public key as a secret, and one that nobody signed', async () => {
    const [header = '', payload = ''] = (await here.signed(ada)).split('.');
    expect((await exchange(await here.signed(ada, { alg: 'HS256' }))).status).toBe(400);
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
    expect((await exchange(`${none}.${payload}.`)).status).toBe(400);
    expect((await exchange(`${header}.${payload}.AAAA`)).status).toBe(400);
  });

  test('400: a logout token by its type, our own access token, and plain nonsense', async () => {
    expect((await exchange(await here.signed(ada, { typ: 'logout+jwt' }))).status).toBe(400);
    const { body } = await exchange(await here.signed(ada));
    expect((await exchange(body.access_token)).status).toBe(400);
    expect((await exchange('nonsense')).status).toBe(400);
  });

  test('403: somebody whom nobody knows, on record', async () => {
    const answer = await exchange(await here.signed(person('zoe', { email: 'zoe@elsewhere.example' })));
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ code: 'sign_in_refused' });
    const [event] = await here.service.database.query<{ details: unknown }[]>(
      `SELECT details FROM audit_events WHERE action = 'sign_in_failed' ORDER BY id DESC LIMIT 1`,
    );
    expect(event?.details).toEqual({ method: 'exchange', reason: 'not_linked' });
  });

  test('403: a person who was disabled here', async () => {
    const ben = await here.signed(person('ben'));
    await exchange(ben);
    await here.service.database.query(
      `UPDATE users SET status = 'disabled' WHERE email = 'ben@vitrine.example'`,
    );
    expect((await exchange(ben)).body).toMatchObject({ code: 'sign_in_refused' });
  });

  test('of ten that arrive for the first time at once, one account comes', async () => {
    const cleo = await here.signed(person('cleo'));
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(cleo)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const rows = await here.service.database.query(`SELECT FROM users WHERE email = 'cleo@vitrine.example'`);
    expect(rows).toHaveLength(1);
  });
});
