import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '../support/client.js';
import { password } from '../support/factory.js';
import { newProof, person, type SignIn, startSignIn } from '../support/sign-in.js';
import type { Page, HttpBrowser } from '../support/http-browser.js';

const origin = 'https://vitrine.test';
const cookie = '__Host-vitrine-refresh';
const own = { 'x-vitrine-csrf': '1', origin };

let here: SignIn;

beforeAll(async () => {
  const rules = { rules: [{ name: 'Contoso', when: { email_domains: ['vitrine.example'] }, admit: true }] };
  here = await startSignIn([person('ada')], rules);
});
afterAll(() => here.close());

const post = (
  browser: HttpBrowser,
  path: string,
  body?: object,
  headers: Record<string, string> = own,
): Promise<Page> =>
  browser.request(`${origin}${path}`, {
    method: 'POST',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
const tokenOf = ({ text }: Page): string => (JSON.parse(text) as { access_token: string }).access_token;
const codeOf = ({ text }: Page): string => (JSON.parse(text) as { code: string }).code;
const status = async (token: string): Promise<number> =>
  (await new Client(here.service.url, token).get('/api/users/me')).status;

async function signedIn(): Promise<{ browser: HttpBrowser; page: Page }> {
  const browser = here.browser();
  const { email } = await here.service.factory.user();
  return { browser, page: await post(browser, '/login/session', { email, password }) };
}

describe('POST /login/session', () => {
  test('SES-19 200: by password; the refresh token is only in a cookie', async () => {
    const { browser, page } = await signedIn();
    expect(page.status).toBe(200);
    expect(Object.keys(JSON.parse(page.text) as object)).toEqual([
      'access_token',
      'expires_in',
      'token_type',
    ]);
    expect(page.headers.get('cache-control')).toBe('no-store');
    const [set = ''] = page.headers.getSetCookie();
    expect(set).toMatch(
      /^__Host-vitrine-refresh=[\w-]{70}; Max-Age=604800; Path=\/; .*HttpOnly; Secure; SameSite=Strict/,
    );
    expect(page.text).not.toContain(browser.cookies(origin).get(cookie) ?? 'nothing');
    expect(await status(tokenOf(page))).toBe(200);
  });

  test('200: by the authorization code of a provider sign-in', async () => {
    const [browser, proof] = [here.browser(), newProof()];
    const code = (await here.arrive('ada', proof, browser)).url.searchParams.get('code');
    const body = { grant_type: 'authorization_code', code, code_verifier: proof.verifier };
    expect(await status(tokenOf(await post(browser, '/login/session', body)))).toBe(200);
  });

  test('200: by an invitation, which creates the account', async () => {
    const email = 'grete@vitrine.example';
    await (await here.service.asAdmin()).post('/api/users/invite', { email });
    const invitation_token = await here.service.mailbox.secretFor(email);
    const browser = here.browser();
    const body = { grant_type: 'invitation', invitation_token, password, name: 'Grete' };
    const page = await post(browser, '/login/session', body);
    expect(await status(tokenOf(page))).toBe(200);
    expect((await post(browser, '/login/refresh')).status).toBe(200);
    expect(codeOf(await post(here.browser(), '/login/session', body))).toBe('invitation_accepted');
  });

  test.each<[number, string, object]>([
    [400, 'invalid_request', { email: 'ada' }],
    [
      400,
      'invalid_login_code',
      { grant_type: 'authorization_code', code: 'x', code_verifier: 'v'.repeat(43) },
    ],
    [400, 'invalid_invitation', { grant_type: 'invitation', invitation_token: 'x', password }],
    [401, 'invalid_credentials', { email: 'nobody@vitrine.example', password }],
  ])('%d %s, and no cookie', async (expected, code, body) => {
    const page = await post(here.browser(), '/login/session', body);
    expect([page.status, codeOf(page)]).toEqual([expected, code]);
    expect(page.headers.getSetCookie()).toEqual([]);
  });

  test('400: a grant type that does not start a browser session', async () => {
    const body = { grant_type: 'refresh_token', refresh_token: 'x' };
    expect((await post(here.browser(), '/login/session', body)).text).toContain('unsupported_grant_type');
  });
});

describe('POST /login/refresh', () => {
  test('200: the next access token, with a rotated cookie', async () => {
    const { browser } = await signedIn();
    const before = browser.cookies(origin).get(cookie);
    const page = await post(browser, '/login/refresh');
    expect(await status(tokenOf(page))).toBe(200);
    expect(browser.cookies(origin).get(cookie)).not.toBe(before);
  });

  test('204: without a cookie, which is not audited', async () => {
    const denied = async (): Promise<unknown[]> =>
      (
        await (
          await here.service.asAdmin()
        ).get<{ audit_events: unknown[] }>('/api/audit-events?action=token_refresh_failed')
      ).body.audit_events;
    const before = await denied();
    const anonymous = await post(here.browser(), '/login/refresh');
    expect([anonymous.status, anonymous.text]).toEqual([204, '']);
    expect(await denied()).toEqual(before);
  });

  test('401: with an invalid cookie, which is removed', async () => {
    const browser = here.browser();
    browser.cookies(origin).set(cookie, 'A'.repeat(70));
    expect((await post(browser, '/login/refresh')).status).toBe(401);
    expect(browser.cookies(origin).has(cookie)).toBe(false);
  });

  test.each<[string, Record<string, string>]>([
    ['without the header', { origin }],
    ['from another origin', { ...own, origin: 'https://evil.test' }],
    ['of unknown origin', { 'x-vitrine-csrf': '1' }],
    ['from another site, by Sec-Fetch-Site', { ...own, 'sec-fetch-site': 'cross-site' }],
    ['from a sibling host, by Sec-Fetch-Site', { ...own, 'sec-fetch-site': 'same-site' }],
  ])('403: %s, and the session is unchanged', async (_, headers) => {
    const { browser } = await signedIn();
    const before = browser.cookies(origin).get(cookie);
    expect((await post(browser, '/login/refresh', undefined, headers)).text).toContain('cross_site_request');
    expect((await post(browser, '/logout', undefined, headers)).status).toBe(403);
    expect(browser.cookies(origin).get(cookie)).toBe(before);
    expect((await post(browser, '/login/refresh')).status).toBe(200);
  });
});

describe('POST /logout', () => {
  test('204: ends the session immediately and removes the cookie', async () => {
    const { browser, page } = await signedIn();
    const stolen = browser.cookies(origin).get(cookie) as string;
    expect((await post(browser, '/logout')).status).toBe(204);
    expect(browser.cookies(origin).has(cookie)).toBe(false);
    expect(await status(tokenOf(page))).toBe(401);
    browser.cookies(origin).set(cookie, stolen);
    expect((await post(browser, '/login/refresh')).status).toBe(401);
  });

  test('204: also after so many renewals that the next one is rejected', async () => {
    const { browser } = await signedIn();
    let page = await post(browser, '/login/refresh');
    let token = '';
    for (; page.status === 200; page = await post(browser, '/login/refresh')) token = tokenOf(page);
    expect(page.status).toBe(429);
    expect((await post(browser, '/logout')).status).toBe(204);
    expect(browser.cookies(origin).has(cookie)).toBe(false);
    expect(await status(token)).toBe(401);
  });

  test('keeps the cookie when the end cannot be stored, so that the next attempt ends the session', async () => {
    const { browser, page } = await signedIn();
    const { database } = here.service;
    await database.query('ALTER TABLE sessions RENAME TO hidden_sessions');
    try {
      const failed = await post(browser, '/logout');
      expect(failed.status).toBe(500);
      expect(failed.headers.getSetCookie()).toEqual([]);
    } finally {
      await database.query('ALTER TABLE hidden_sessions RENAME TO sessions');
    }
    expect((await post(browser, '/logout')).status).toBe(204);
    expect(await status(tokenOf(page))).toBe(401);
  });

  test('SES-11 204: the same response for an active, an ended and an unknown session', async () => {
    const end = async (refreshToken?: string) => {
      const browser = here.browser();
      if (refreshToken !== undefined) browser.cookies(origin).set(cookie, refreshToken);
      const { status, text, headers } = await post(browser, '/logout');
      const told = [...headers].filter(([name]) => !/^(date|x-request-id|.*nonce.*)$/.test(name));
      return { status, text, told };
    };
    const { browser } = await signedIn();
    const alive = browser.cookies(origin).get(cookie) as string;
    const first = await end(alive);
    expect(first).toMatchObject({ status: 204, text: '' });
    for (const useless of [undefined, alive, 'A'.repeat(70), 'x']) expect(await end(useless)).toEqual(first);
  });
});

describe('POST /login/invitation', () => {
  test('204: stored for ten minutes in an HttpOnly cookie', async () => {
    const page = await post(here.browser(), '/login/invitation', { invitation_token: 'secret of a link' });
    expect(page.status).toBe(204);
    const [set = ''] = page.headers.getSetCookie();
    expect(set).toMatch(/^__Host-vitrine-invitation=[^;]+; Max-Age=600; .*HttpOnly; Secure; SameSite=Strict/);
    expect(set).not.toContain('secret');
  });

  test('400: an invalid body', async () => {
    expect(codeOf(await post(here.browser(), '/login/invitation', { token: 'x' }))).toBe('invalid_request');
  });
});
