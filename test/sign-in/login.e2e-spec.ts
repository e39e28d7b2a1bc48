import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { Client } from '../support/client.js';
import { goAs, loginUrl, newProof, person, portal, type SignIn, startSignIn } from '../support/sign-in.js';

let here: SignIn;

beforeAll(async () => {
  const rules = { rules: [{ name: 'Contoso', when: { email_domains: ['vitrine.example'] }, admit: true }] };
  const people = ['ada', 'ben', 'cleo', 'dan'].map((sub) => person(sub));
  const others = [
    person('eve', { email: 'eve@elsewhere.example' }),
    person('mallory', { email: 'mallory@vitrine.example', email_verified: false }),
  ];
  here = await startSignIn([...people, ...others], rules);
});
afterAll(() => here.close());

const codeOf = (url: URL): string => url.searchParams.get('code') ?? '';

describe('GET /login', () => {
  test('302: the whole way, with PKCE, state and nonce, to tokens of the person', async () => {
    const { arrive, exchange, service } = here;
    const proof = newProof();
    const page = await arrive('ada', proof);
    expect(`${page.url.origin}${page.url.pathname}`).toBe(portal);
    expect(page.url.searchParams.get('state')).toBe('mine');
    const tokens = await exchange(codeOf(page.url), proof.verifier);
    expect(tokens.status).toBe(200);
    const me = await new Client(service.url, tokens.body.access_token).get('/api/users/me');
    expect(me.body).toMatchObject({ email: 'ada@vitrine.example', role: 'member', grants: [] });
  });

  test('302: asks the provider with S256, state and nonce, and keeps nothing readable in the cookie', async () => {
    const visitor = here.visitor();
    const answer = await visitor.visit(loginUrl(newProof()));
    const asked = new URL(answer.headers.get('location') ?? '').searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('state')).toHaveLength(43);
    expect(asked.get('nonce')).toHaveLength(43);
    const [cookie = ''] = answer.headers.getSetCookie().filter((text) => text.includes('-login-'));
    expect(cookie).toMatch(/^__Host-vitrine-login-.*Path=\/;.*HttpOnly; Secure; SameSite=Lax/);
    expect(cookie).not.toContain(asked.get('nonce'));
  });

  test.each([
    'https://evil.test/app',
    'https://portal.test/apple',
    'https://portal.test/app/../other',
    'https://portal.test@evil.test/app',
    'http://portal.test/app',
    'javascript:alert(1)',
    'https://portal.test/app#fragment',
  ])('400: does not lead back to %s', async (address) => {
    const page = await here.visitor().visit(loginUrl(newProof(), { return_to: address }));
    expect(page.status).toBe(400);
    expect(page.text).toContain('invalid_return_address');
    expect(page.headers.get('location')).toBeNull();
  });

  test('400: a page for a challenge that is missing', async () => {
    const page = await here.visitor().visit('https://vitrine.test/login');
    expect(page.status).toBe(400);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.text).toContain(`<a href="${portal}">Back to the portal</a>`);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  });

  test('302: back to the own portal too', async () => {
    const address = 'https://vitrine.test/signed-in';
    const page = await here.visitor().visit(loginUrl(newProof(), { return_to: address }));
    expect(page.status).toBe(302);
  });
});

describe('GET /login/callback', () => {
  test('400: a state that this browser did not begin with', async () => {
    const visitor = here.visitor();
    const stranger = here.visitor();
    const begun = await stranger.visit(loginUrl(newProof()));
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state');
    const page = await visitor.visit(`https://vitrine.test/login/callback?code=x&state=${state}`);
    expect(page.status).toBe(400);
    expect(page.text).toContain('sign_in_interrupted');
  });

  test('400: an ID token with the nonce of another attempt', async () => {
    const visitor = here.visitor();
    const [first, second] = [loginUrl(newProof()), loginUrl(newProof())];
    const begun = new URL((await visitor.visit(first)).headers.get('location') ?? '');
    const other = new URL((await visitor.visit(second)).headers.get('location') ?? '');
    // The provider is asked with the state of one attempt and nonce and challenge of the other one.
    begun.searchParams.set('nonce', other.searchParams.get('nonce') ?? '');
    const page = await goAs(visitor, 'ada', begun.href);
    expect(page.status).toBe(400);
    expect(page.text).toContain('sign_in_interrupted');
  });

  test('400: a code of the provider that was used already', async () => {
    const visitor = here.visitor();
    const list = await visitor.open(loginUrl(newProof()));
    const before = new Map(visitor.cookies('https://vitrine.test'));
    const seen: string[] = [];
    const visit = visitor.visit.bind(visitor);
    visitor.visit = (address, init) => {
      seen.push(address);
      return visit(address, init);
    };
    expect((await goAs(visitor, 'ada', list.url.href)).url.origin).toBe('https://portal.test');
    const callback = seen.find((address) => address.includes('/login/callback')) ?? '';
    for (const [name, value] of before) visitor.cookies('https://vitrine.test').set(name, value);
    const page = await visit(callback);
    expect(page.status).toBe(400);
    expect(page.text).toContain('sign_in_interrupted');
  });

  test('400: an attempt that is more than ten minutes old', async () => {
    const visitor = here.visitor();
    const list = await visitor.open(loginUrl(newProof()));
    here.service.clock.advance(601);
    const page = await goAs(visitor, 'ada', list.url.href);
    expect(page.status).toBe(400);
  });

  test('403: a page for who cancels, on record', async () => {
    const page = await here.arrive('cancel');
    expect(page.status).toBe(403);
    expect(page.text).toContain('The sign-in was canceled');
  });

  test('403: a page for somebody whom nobody knows, on record', async () => {
    const page = await here.arrive('eve');
    expect(page.status).toBe(403);
    expect(page.text).toContain('Request an invitation');
    const rows = await here.service.database.query(
      `SELECT outcome, details FROM audit_events WHERE action = 'sign_in_failed' ORDER BY id DESC LIMIT 1`,
    );
    expect(rows).toEqual([{ outcome: 'denied', details: { method: 'oidc', reason: 'not_linked' } }]);
  });

  test('302: the own portal tells people itself, and knows them by its state', async () => {
    const begun = loginUrl(newProof(), { return_to: 'https://vitrine.test/signed-in' });
    const { url } = await goAs(here.visitor(), 'eve', begun);
    expect(`${url.origin}${url.pathname}`).toBe('https://vitrine.test/signed-in');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      error: 'sign_in_refused',
      error_description: 'This identity has no access. Request an invitation.',
      state: 'mine',
    });
  });

  test('403: an e-mail that the provider does not vouch for admits nobody', async () => {
    expect((await here.arrive('mallory')).text).toContain('sign_in_refused');
  });

  test('403: the same e-mail from another subject is not the same person', async () => {
    const { factory } = here.service;
    const known = await factory.user({ email: 'ben@vitrine.example' });
    const page = await here.arrive('ben');
    expect(page.status).toBe(403);
    expect(page.text).toContain('An account with your email address already exists');
    const identities = await here.service.database.query('SELECT FROM user_identities WHERE user_id = $1', [
      known.id,
    ]);
    expect(identities).toEqual([]);
  });

  test('403: a person who was disabled here stays out, whatever the provider says', async () => {
    await here.signIn('cleo');
    await here.service.database.query(
      `UPDATE users SET status = 'disabled' WHERE email = 'cleo@vitrine.example'`,
    );
    const page = await here.arrive('cleo');
    expect(page.status).toBe(403);
    expect(page.text).toContain('Your account is disabled');
  });
});

describe('POST /api/auth/token authorization_code', () => {
  test('400: a verifier that is not the portal’s; the code is used up by it', async () => {
    const proof = newProof();
    const code = codeOf((await here.arrive('dan', proof)).url);
    expect((await here.exchange(code, newProof().verifier)).body).toMatchObject({
      code: 'invalid_login_code',
    });
    expect((await here.exchange(code, proof.verifier)).status).toBe(400);
  });

  test('OBS-01 400: a second use, which also ends the session of the first', async () => {
    const proof = newProof();
    const code = codeOf((await here.arrive('dan', proof)).url);
    const { body } = await here.exchange(code, proof.verifier);
    expect((await here.exchange(code, proof.verifier)).status).toBe(400);
    expect((await new Client(here.service.url, body.access_token).get('/api/users/me')).status).toBe(401);
    const { sid } = decodeJwt(body.access_token);
    const [event] = await here.service.database.query<{ details: object }[]>(
      `SELECT details FROM audit_events WHERE action = 'signed_out' AND target_id = $1`,
      [sid],
    );
    expect(event?.details).toEqual({ reason: 'login_code_reused', sessions: 1 });
    expect((await here.exchange(code, proof.verifier)).status).toBe(400);
  });

  test('of twenty that try at once one gets a session', async () => {
    const proof = newProof();
    const code = codeOf((await here.arrive('dan', proof)).url);
    const answers = await Promise.all(Array.from({ length: 20 }, () => here.exchange(code, proof.verifier)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('400: a minute later', async () => {
    const proof = newProof();
    const code = codeOf((await here.arrive('dan', proof)).url);
    here.service.clock.advance(61);
    expect((await here.exchange(code, proof.verifier)).status).toBe(400);
  });

  test('nothing that could be used is stored', async () => {
    const proof = newProof();
    const code = codeOf((await here.arrive('dan', proof)).url);
    const rows = await here.service.database.query<{ row: string }[]>(
      `SELECT row_to_json(c)::text AS row FROM login_codes c UNION ALL SELECT row_to_json(i)::text FROM user_identities i`,
    );
    const stored = rows.map(({ row }) => row).join('\n');
    expect(stored).not.toContain(code);
    expect(stored).not.toContain(Buffer.from(code).toString('hex'));
  });
});
