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

/** The addresses that the browser requests from now on, and its request that is not recorded. */
function watched(browser: ReturnType<SignIn['browser']>) {
  const seen: string[] = [];
  const request = browser.request.bind(browser);
  browser.request = (address, init) => {
    seen.push(address);
    return request(address, init);
  };
  return { request, seen };
}

const codeOf = (url: URL): string => url.searchParams.get('code') ?? '';

describe('GET /login', () => {
  test('302: a complete sign-in with PKCE, state and nonce', async () => {
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

  test('302: sends S256, state and nonce to the provider, in an encrypted cookie', async () => {
    const browser = here.browser();
    const response = await browser.request(loginUrl(newProof()));
    const asked = new URL(response.headers.get('location') ?? '').searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('state')).toHaveLength(43);
    expect(asked.get('nonce')).toHaveLength(43);
    const [cookie = ''] = response.headers.getSetCookie().filter((text) => text.includes('-login-'));
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
  ])('400: does not return to %s', async (address) => {
    const page = await here.browser().request(loginUrl(newProof(), { return_to: address }));
    expect(page.status).toBe(400);
    expect(page.text).toContain('invalid_return_address');
    expect(page.headers.get('location')).toBeNull();
  });

  test('400: a page when the challenge is missing', async () => {
    const page = await here.browser().request('https://vitrine.test/login');
    expect(page.status).toBe(400);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.text).toContain(`<a href="${portal}">Back to the portal</a>`);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  });

  test('302: with the built-in portal as return URL', async () => {
    const address = 'https://vitrine.test/signed-in';
    const page = await here.browser().request(loginUrl(newProof(), { return_to: address }));
    expect(page.status).toBe(302);
  });
});

describe('GET /login/callback', () => {
  test('400: a state of another browser', async () => {
    const browser = here.browser();
    const stranger = here.browser();
    const begun = await stranger.request(loginUrl(newProof()));
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state');
    const page = await browser.request(`https://vitrine.test/login/callback?code=x&state=${state}`);
    expect(page.status).toBe(400);
    expect(page.text).toContain('sign_in_interrupted');
  });

  test('400: an ID token with the nonce of another attempt', async () => {
    const browser = here.browser();
    const [first, second] = [loginUrl(newProof()), loginUrl(newProof())];
    const begun = new URL((await browser.request(first)).headers.get('location') ?? '');
    const other = new URL((await browser.request(second)).headers.get('location') ?? '');
    // The provider is asked with the state of one attempt and nonce and challenge of the other one.
    begun.searchParams.set('nonce', other.searchParams.get('nonce') ?? '');
    const page = await goAs(browser, 'ada', begun.href);
    expect(page.status).toBe(400);
    expect(page.text).toContain('sign_in_interrupted');
  });

  test('400: an authorization code that was already used', async () => {
    const browser = here.browser();
    const list = await browser.open(loginUrl(newProof()));
    const before = new Map(browser.cookies('https://vitrine.test'));
    const { request, seen } = watched(browser);
    expect((await goAs(browser, 'ada', list.url.href)).url.origin).toBe('https://portal.test');
    const callback = seen.find((address) => address.includes('/login/callback')) ?? '';
    for (const [name, value] of before) browser.cookies('https://vitrine.test').set(name, value);
    const page = await request(callback);
    expect(page.status).toBe(400);
    expect(page.text).toContain('sign_in_interrupted');
  });

  test('400: an attempt that is more than ten minutes old', async () => {
    const browser = here.browser();
    const list = await browser.open(loginUrl(newProof()));
    here.service.clock.advance(601);
    const page = await goAs(browser, 'ada', list.url.href);
    expect(page.status).toBe(400);
  });

  test('403: a page after cancelling, with an audit event', async () => {
    const page = await here.arrive('cancel');
    expect(page.status).toBe(403);
    expect(page.text).toContain('The sign-in was cancelled');
  });

  test('403: a refusal that a visitor repeats does not fill the audit trail', async () => {
    const browser = here.browser();
    const list = await browser.open(loginUrl(newProof()));
    const before = new Map(browser.cookies('https://vitrine.test'));
    const { request, seen } = watched(browser);
    expect((await goAs(browser, 'cancel', list.url.href)).status).toBe(403);
    const callback = seen.find((address) => address.includes('/login/callback')) ?? '';
    const refusals = `SELECT FROM audit_events WHERE action = 'sign_in_failed' AND details ->> 'reason' = 'cancelled'`;
    const recorded = (await here.service.database.query<object[]>(refusals)).length;
    expect(recorded).toBeGreaterThan(0);
    for (let n = 0; n < 20; n += 1) {
      for (const [name, value] of before) browser.cookies('https://vitrine.test').set(name, value);
      expect((await request(callback)).status).toBe(403);
    }
    expect(await here.service.database.query(refusals)).toHaveLength(recorded);
  });

  test('403: a page for an unknown user, with an audit event', async () => {
    const page = await here.arrive('eve');
    expect(page.status).toBe(403);
    expect(page.text).toContain('Request an invitation');
    const rows = await here.service.database.query(
      `SELECT outcome, details FROM audit_events WHERE action = 'sign_in_failed' ORDER BY id DESC LIMIT 1`,
    );
    expect(rows).toEqual([{ outcome: 'denied', details: { method: 'oidc', reason: 'not_linked' } }]);
  });

  test('302: the built-in portal gets the error and its state', async () => {
    const begun = loginUrl(newProof(), { return_to: 'https://vitrine.test/signed-in' });
    const { url } = await goAs(here.browser(), 'eve', begun);
    expect(`${url.origin}${url.pathname}`).toBe('https://vitrine.test/signed-in');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      error: 'sign_in_refused',
      error_description: 'This identity has no access. Request an invitation.',
      state: 'mine',
    });
  });

  test('403: an email address that the provider has not verified', async () => {
    expect((await here.arrive('mallory')).text).toContain('sign_in_refused');
  });

  test('403: the email address of an existing account with another subject', async () => {
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

  test('403: a disabled user, whatever the provider claims', async () => {
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
  test('400: a wrong verifier, which also consumes the code', async () => {
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

  test('one of twenty concurrent exchanges gets a session', async () => {
    const proof = newProof();
    const code = codeOf((await here.arrive('dan', proof)).url);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => here.exchange(code, proof.verifier)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('400: after a minute', async () => {
    const proof = newProof();
    const code = codeOf((await here.arrive('dan', proof)).url);
    here.service.clock.advance(61);
    expect((await here.exchange(code, proof.verifier)).status).toBe(400);
  });

  test('nothing usable is stored', async () => {
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
