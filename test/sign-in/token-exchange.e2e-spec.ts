import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt, type JWTPayload } from 'jose';
import { Client } from '../support/client.js';
import { startInProcessReplica } from '../support/replicas.js';
import { exchangeToken, person, type SignIn, startSignIn } from '../support/sign-in.js';
import { until } from '../support/until.js';

let here: SignIn;

const rules = {
  rules: [
    { name: 'Contoso', when: { email_domains: ['vitrine.example'] }, admit: true },
    { name: 'Sales', when: { groups: ['sales'] }, grants: [{ workspace: 'Sales', role: 'viewer' }] },
  ],
};

beforeAll(async () => {
  here = await startSignIn([person('ada')], rules);
});
afterAll(() => here.close());

const exchange = (token: string, type?: 'access_token' | 'id_token' | 'jwt', client = here.service.api) =>
  exchangeToken(client, token, type);

const ada = { ...person('ada') };
const seconds = (): number => Math.floor(here.service.clock.now().getTime() / 1000);

describe('POST /api/auth/token token-exchange', () => {
  test('200: a session with its own method for a user whom a rule admits', async () => {
    const { status, body } = await exchange(await here.signed(ada));
    expect(status).toBe(200);
    const api = new Client(here.service.url, body.access_token);
    expect((await api.get('/api/users/me')).body).toMatchObject({ email: 'ada@vitrine.example' });
    const { body: list } = await api.get<{ sessions: { method: string }[] }>('/api/auth/sessions');
    expect(list.sessions.map(({ method }) => method)).toEqual(['exchange']);
  });

  test('200: an access token, with its token type', async () => {
    expect((await exchange(await here.signed(ada, { typ: 'at+jwt' }), 'access_token')).status).toBe(200);
  });

  test.each<[string, () => JWTPayload]>([
    ['for another audience', () => ({ ...ada, aud: 'somebody-else' })],
    ['without an audience', () => ({ ...ada, aud: undefined })],
    ['of another issuer', () => ({ ...ada, iss: 'https://evil.test' })],
    ['that has expired', () => ({ ...ada, exp: seconds() - 60 })],
    ['without an expiry', () => ({ ...ada, exp: undefined })],
    ['that is not valid yet', () => ({ ...ada, nbf: seconds() + 600 })],
    ['without a subject', () => ({ ...ada, sub: undefined })],
    [
      'that is a logout token',
      () => ({ ...ada, events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }),
    ],
  ])('400: a token %s', async (_, claims) => {
    const response = await exchange(await here.signed(claims()));
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'invalid_subject_token' });
  });

  test('400: a token signed with the public key as a secret, and an unsigned one', async () => {
    const [header = '', payload = ''] = (await here.signed(ada)).split('.');
    expect((await exchange(await here.signed(ada, { alg: 'HS256' }))).status).toBe(400);
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
    expect((await exchange(`${none}.${payload}.`)).status).toBe(400);
    expect((await exchange(`${header}.${payload}.AAAA`)).status).toBe(400);
  });

  test('400: a logout token, an access token of the service, and malformed text', async () => {
    expect((await exchange(await here.signed(ada, { typ: 'logout+jwt' }))).status).toBe(400);
    const { body } = await exchange(await here.signed(ada));
    expect((await exchange(body.access_token)).status).toBe(400);
    expect((await exchange('nonsense')).status).toBe(400);
  });

  test('403: an unknown user, with one audit event', async () => {
    const response = await exchange(await here.signed(person('zoe', { email: 'zoe@elsewhere.example' })));
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ code: 'sign_in_refused' });
    const events = await here.service.database.query(
      'SELECT action, details FROM audit_events WHERE request_id = $1',
      [response.headers.get('x-request-id')],
    );
    expect(events).toEqual([
      { action: 'sign_in_failed', details: { method: 'exchange', reason: 'not_linked' } },
    ]);
  });

  test('403: a disabled user', async () => {
    const ben = await here.signed(person('ben'));
    await exchange(ben);
    await here.service.database.query(
      `UPDATE users SET status = 'disabled' WHERE email = 'ben@vitrine.example'`,
    );
    expect((await exchange(ben)).body).toMatchObject({ code: 'sign_in_refused' });
  });

  test.each<[string, () => JWTPayload]>([
    ['issued a year ahead', () => ({ iat: seconds() + 31_536_000, exp: seconds() + 31_537_000 })],
    ['issued 40 seconds ahead', () => ({ iat: seconds() + 40 })],
    ['valid for ten years', () => ({ exp: seconds() + 315_360_000 })],
    ['valid for a day and a second', () => ({ exp: seconds() + 86_401 })],
    ['issued more than an hour ago', () => ({ iat: seconds() - 3640, exp: seconds() + 300 })],
    ['without a time of issue', () => ({ iat: undefined })],
    ['with a time of issue that is not a number', () => ({ iat: '1' as unknown as number })],
  ])('400: a token %s (L6)', async (_, claims) => {
    const response = await exchange(await here.signed({ ...ada, ...claims() }));
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_subject_token' } });
  });

  test.each<[string, () => JWTPayload]>([
    ['issued 20 seconds ahead', () => ({ iat: seconds() + 20 })],
    ['valid for a day', () => ({ exp: seconds() + 86_400 })],
    ['from the cache of a library, issued 59 minutes ago', () => ({ iat: seconds() - 3540 })],
  ])('200: a token %s (L6)', async (_, claims) => {
    expect((await exchange(await here.signed({ ...ada, ...claims() }))).status).toBe(200);
  });

  test('200: the same session for the same token within ten seconds (L6)', async () => {
    const token = await here.signed(person('dan'));
    const responses = await here.service.clock.frozen(async () => {
      const first = await Promise.all(Array.from({ length: 8 }, () => exchange(token)));
      here.service.clock.advance(5);
      return [...first, await exchange(token)];
    });
    expect(responses.map(({ status }) => status)).toEqual(Array(9).fill(200));
    expect(new Set(responses.map(({ body }) => decodeJwt(body.access_token).sid)).size).toBe(1);
    const refresh = { grant_type: 'refresh_token', refresh_token: responses[0]!.body.refresh_token };
    expect((await here.service.api.post('/api/auth/token', refresh)).status).toBe(200);
  });

  test('400: the same token later, also with another signature encoding; the session continues (L6)', async () => {
    const token = await here.signed(person('eve'));
    const { body } = await exchange(token);
    here.service.clock.advance(31);
    for (const again of [token, `${token}=`]) {
      expect(await exchange(again)).toMatchObject({ status: 400, body: { code: 'invalid_subject_token' } });
    }
    const api = new Client(here.service.url, body.access_token);
    expect((await api.get('/api/users/me')).status).toBe(200);
    expect((await exchange(await here.signed(person('eve')))).status).toBe(200);
  });

  test('400: the same token within ten seconds of a session that has ended (L6)', async () => {
    const token = await here.signed(person('fay'));
    const { body } = await exchange(token);
    await new Client(here.service.url, body.access_token).post('/api/auth/logout');
    expect((await exchange(token)).body).toMatchObject({ code: 'invalid_subject_token' });
  });

  test('exchanged tokens are stored as hashes, and deleted after their expiry (L6)', async () => {
    const token = await here.signed(person('gil'));
    await exchange(token);
    const stored = () =>
      here.service.database.query<{ row: string }[]>('SELECT x::text AS row FROM exchanged_tokens x');
    expect(JSON.stringify(await stored())).not.toContain(token.split('.')[1]!.slice(0, 20));
    here.service.clock.advance(331);
    await exchange(await here.signed(person('gil')));
    const [expired] = await here.service.database.query<{ count: number }[]>(
      'SELECT count(*)::int FROM exchanged_tokens WHERE expires_at < $1',
      [here.service.clock.now()],
    );
    expect(expired?.count).toBe(0);
  });

  test('ten concurrent first exchanges create one account', async () => {
    const cleo = await here.signed(person('cleo'));
    const responses = await Promise.all(Array.from({ length: 10 }, () => exchange(cleo)));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const rows = await here.service.database.query(`SELECT FROM users WHERE email = 'cleo@vitrine.example'`);
    expect(rows).toHaveLength(1);
  });
});

describe('invitations of an address whose owner signs in without the link', () => {
  const statusesOf = async (email: string): Promise<string[]> => {
    const admin = await here.service.asAdmin();
    const { body } = await admin.get<{ invitations: { status: string }[] }>(`/api/invitations?q=${email}`);
    return body.invitations.map(({ status }) => status);
  };

  test('all are accepted once, with their workspaces, reports, groups and role', async () => {
    const { factory, database, asAdmin, asMember, mailbox, api } = here.service;
    const [sales, finance] = [await factory.workspace({ name: 'Sales' }), await factory.workspace()];
    const [report, group] = [await factory.report(finance), await factory.group()];
    const email = 'ivy@vitrine.example';
    await (
      await asAdmin()
    ).post('/api/users/invite', {
      email,
      role: 'admin',
      reports: [{ report_id: report.id, role: 'editor' }],
      groups: [group.id],
    });
    for (const role of ['viewer', 'editor']) {
      const manager = await asMember(sales, 'manager');
      await manager.post('/api/users/invite', { email, workspaces: [{ workspace_id: sales.id, role }] });
    }
    const secret = await mailbox.secretFor(email);

    const claims = person('ivy', { groups: ['sales'] });
    const { status, body } = await exchange(await here.signed({ ...claims }));
    expect(status).toBe(200);
    const me = (await new Client(here.service.url, body.access_token).get('/api/users/me')).body;
    expect(me).toMatchObject({ role: 'admin', email });
    const id = (me as { id: string }).id;
    const held = await database.query(
      `SELECT coalesce(report_id, workspace_id) AS target, role, source FROM grants WHERE user_id = $1
       UNION ALL SELECT group_id, NULL, source FROM group_edges WHERE user_id = $1`,
      [id],
    );
    const expected = [
      { target: sales.id, role: 'editor', source: 'manual' },
      { target: report.id, role: 'editor', source: 'manual' },
      { target: group.id, role: null, source: 'manual' },
      { target: sales.id, role: 'viewer', source: 'provider' },
    ];
    expect(held).toHaveLength(expected.length);
    expect(held).toEqual(expect.arrayContaining(expected));
    expect(await statusesOf(email)).toEqual(['accepted', 'accepted', 'accepted']);

    const link = { grant_type: 'invitation', invitation_token: secret, password: 'violet lamp drinks tea' };
    expect((await api.post('/api/auth/token', link)).body).toMatchObject({ code: 'invitation_accepted' });
    await exchange(await here.signed({ ...claims, jti: 'again' }));
    const events = await database.query(
      `SELECT FROM audit_events WHERE actor_id = $1 AND action = 'invitation_accepted'`,
      [id],
    );
    expect(events).toHaveLength(3);
  });

  test('an unverified address takes none; the same person with a verified one takes them', async () => {
    const { factory, asAdmin } = here.service;
    const [admin, finance] = [await asAdmin(), await factory.workspace()];
    const email = 'uma@vitrine.example';
    await admin.post('/api/users/invite', {
      email,
      workspaces: [{ workspace_id: finance.id, role: 'viewer' }],
    });
    const { id } = await factory.user({ email });
    await admin.post(`/api/users/${id}/identities`, { subject: 'uma' });
    const grantsOf = () =>
      here.service.database.query('SELECT workspace_id FROM grants WHERE user_id = $1', [id]);

    const unverified = person('uma', { email_verified: false });
    expect((await exchange(await here.signed({ ...unverified }))).status).toBe(200);
    expect(await grantsOf()).toEqual([]);
    expect(await statusesOf(email)).toEqual(['pending']);

    expect((await exchange(await here.signed({ ...person('uma') }))).status).toBe(200);
    expect(await grantsOf()).toEqual([{ workspace_id: finance.id }]);
    expect(await statusesOf(email)).toEqual(['accepted']);
  });

  test('a new password through the link in an email takes them', async () => {
    const { factory, asAdmin, mailbox, api } = here.service;
    const [admin, finance] = [await asAdmin(), await factory.workspace()];
    const email = 'reset@vitrine.example';
    await admin.post('/api/users/invite', {
      email,
      workspaces: [{ workspace_id: finance.id, role: 'viewer' }],
    });
    await mailbox.secretFor(email);
    const user = await factory.user({ email });
    await api.post('/api/auth/token', { grant_type: 'password_reset_request', email });
    const isReset = ({ text }: { text?: string }): boolean => text?.includes('/password-reset#') === true;
    const mail = await until(async () => (await mailbox.mailsTo(email)).find(isReset));
    const reset_token = /token=([\w-]{43})/.exec(mail.text ?? '')?.[1];
    const password = 'violet lamp drinks tea';
    const changed = await api.post('/api/auth/token', {
      grant_type: 'password_reset',
      reset_token,
      password,
    });
    expect(changed.status).toBe(204);
    expect((await api.post('/api/auth/token', { email, password })).status).toBe(200);
    const grants = await here.service.database.query('SELECT workspace_id FROM grants WHERE user_id = $1', [
      user.id,
    ]);
    expect(grants).toEqual([{ workspace_id: finance.id }]);
  });
});

test('replicas share which tokens were exchanged (L6)', async () => {
  const replica = await startInProcessReplica(here.service);
  try {
    const token = await here.signed(person('hal'));
    const there = replica.as(here.service.api);
    const clients = [here.service.api, there, here.service.api, there];
    const responses = await Promise.all(clients.map((client) => exchange(token, 'jwt', client)));
    expect(new Set(responses.map(({ body }) => decodeJwt(body.access_token).sid)).size).toBe(1);
    here.service.clock.advance(31);
    expect((await exchange(token, 'jwt', there)).status).toBe(400);
  } finally {
    await replica.close();
  }
});

describe('with OIDC_TOKEN_EXCHANGE_REUSE=true and a longer maximum age', () => {
  let lenient: SignIn;

  beforeAll(async () => {
    lenient = await startSignIn([person('ada')], rules, {
      OIDC_TOKEN_EXCHANGE_REUSE: 'true',
      OIDC_TOKEN_EXCHANGE_MAX_AGE_MINUTES: '120',
    });
  });
  afterAll(() => lenient.close());

  test('200: the same token repeatedly, with a session each, until its maximum age (L6)', async () => {
    const now = Math.floor(lenient.service.clock.now().getTime() / 1000);
    const life = { iat: now, exp: now + 20_000 };
    const token = await lenient.signed({ ...ada, ...life });
    const first = await exchange(token, 'jwt', lenient.service.api);
    lenient.service.clock.advance(7000);
    const second = await exchange(token, 'jwt', lenient.service.api);
    expect([first.status, second.status]).toEqual([200, 200]);
    const sessions = [first, second].map(({ body }) => decodeJwt(body.access_token).sid);
    expect(new Set(sessions).size).toBe(2);
    lenient.service.clock.advance(300);
    expect((await exchange(token, 'jwt', lenient.service.api)).status).toBe(400);
  });

  test('SES-16 200: the sessions of 51 exchanges end none of the portal', async () => {
    const { service } = lenient;
    const portal = await lenient.signIn('ada');
    const now = Math.floor(service.clock.now().getTime() / 1000);
    const token = await lenient.signed({ ...ada, iat: now, exp: now + 300 });
    const first = await exchange(token, 'jwt', service.api);
    await service.database.query(
      `INSERT INTO sessions SELECT gen_random_uuid(), user_id, method, salt, counter, ip, user_agent, created_at,
         rotated_at, last_used_at + n * interval '1 millisecond', expires_at
       FROM sessions, generate_series(1, 49) n WHERE id = $1`,
      [decodeJwt(first.body.access_token).sid],
    );
    const last = await exchange(token, 'jwt', service.api);
    for (const { body } of [portal, last]) {
      const api = new Client(service.url, body.access_token);
      const { status, body: list } = await api.get<{ sessions: object[] }>('/api/auth/sessions');
      expect(status).toBe(200);
      expect(list.sessions).toHaveLength(50);
    }
  });
});
