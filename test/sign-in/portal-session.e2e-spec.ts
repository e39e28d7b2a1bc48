import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '../support/client.js';
import { password } from '../support/factory.js';
import { newProof, person, type SignIn, startSignIn } from '../support/sign-in.js';
import type { Page, Visitor } from '../support/visitor.js';

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
  visitor: Visitor,
  path: string,
  body?: object,
  headers: Record<string, string> = own,
): Promise<Page> =>
  visitor.visit(`${origin}${path}`, {
    method: 'POST',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
const tokenOf = ({ text }: Page): string => (JSON.parse(text) as { access_token: string }).access_token;
const codeOf = ({ text }: Page): string => (JSON.parse(text) as { code: string }).code;
const status = async (token: string): Promise<number> =>
  (await new Client(here.service.url, token).get('/api/users/me')).status;

async function signedIn(): Promise<{ visitor: Visitor; page: Page }> {
  const visitor = here.visitor();
  const { email } = await here.service.factory.user();
  return { visitor, page: await post(visitor, '/login/session', { email, password }) };
}

describe('POST /login/session', () => {
  test('SES-19 200: by password; the refresh token is in a cookie only', async () => {
    const { visitor, page } = await signedIn();
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
    expect(page.text).not.toContain(visitor.cookies(origin).get(cookie) ?? 'nothing');
    expect(await status(tokenOf(page))).toBe(200);
  });

  test('200: by the code of a sign-in at the provider', async () => {
    const [visitor, proof] = [here.visitor(), newProof()];
    const code = (await here.arrive('ada', proof, visitor)).url.searchParams.get('code');
    const body = { grant_type: 'authorization_code', code, code_verifier: proof.verifier };
    expect(await status(tokenOf(await post(visitor, '/login/session', body)))).toBe(200);
  });

  test('200: by an invitation, which makes the account', async () => {
    const email = 'grete@vitrine.example';
    await (await here.service.asAdmin()).post('/api/users/invite', { email });
    const invitation_token = await here.service.mailbox.secretFor(email);
    const visitor = here.visitor();
    const body = { grant_type: 'invitation', invitation_token, password, name: 'Grete' };
    const page = await post(visitor, '/login/session', body);
    expect(await status(tokenOf(page))).toBe(200);
    expect((await post(visitor, '/login/refresh')).status).toBe(200);
    expect(codeOf(await post(here.visitor(), '/login/session', body))).toBe('invitation_accepted');
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
    const page = await post(here.visitor(), '/login/session', body);
    expect([page.status, codeOf(page)]).toEqual([expected, code]);
    expect(page.headers.getSetCookie()).toEqual([]);
  });

  test('400: a grant that no person begins a session by', async () => {
    const body = { grant_type: 'refresh_token', refresh_token: 'x' };
    expect((await post(here.visitor(), '/login/session', body)).text).toContain('unsupported_grant_type');
  });
});

describe('POST /login/refresh', () => {
  test('200: the next access token, the cookie rotated', async () => {
    const { visitor } = await signedIn();
    const before = visitor.cookies(origin).get(cookie);
    const page = await post(visitor, '/login/refresh');
    expect(await status(tokenOf(page))).toBe(200);
    expect(visitor.cookies(origin).get(cookie)).not.toBe(before);
  });

  test('401: without a cookie, and with one that is of no use, which goes', async () => {
    const visitor = here.visitor();
    expect((await post(visitor, '/login/refresh')).status).toBe(401);
    visitor.cookies(origin).set(cookie, 'A'.repeat(70));
    expect((await post(visitor, '/login/refresh')).status).toBe(401);
    expect(visitor.cookies(origin).has(cookie)).toBe(false);
  });

  test.each<[string, Record<string, string>]>([
    ['without the header', { origin }],
    ['from another origin', { ...own, origin: 'https://evil.test' }],
    ['of unknown origin', { 'x-vitrine-csrf': '1' }],
    ['from another site, as the browser says', { ...own, 'sec-fetch-site': 'cross-site' }],
    ['from a sibling host, as the browser says', { ...own, 'sec-fetch-site': 'same-site' }],
  ])('403: %s, and the session stays as it is', async (_, headers) => {
    const { visitor } = await signedIn();
    const before = visitor.cookies(origin).get(cookie);
    expect((await post(visitor, '/login/refresh', undefined, headers)).text).toContain('cross_site_request');
    expect((await post(visitor, '/logout', undefined, headers)).status).toBe(403);
    expect(visitor.cookies(origin).get(cookie)).toBe(before);
    expect((await post(visitor, '/login/refresh')).status).toBe(200);
  });
});

describe('POST /logout', () => {
  test('204: ends the session at once and takes the cookie', async () => {
    const { visitor, page } = await signedIn();
    const stolen = visitor.cookies(origin).get(cookie) as string;
    expect((await post(visitor, '/logout')).status).toBe(204);
    expect(visitor.cookies(origin).has(cookie)).toBe(false);
    expect(await status(tokenOf(page))).toBe(401);
    visitor.cookies(origin).set(cookie, stolen);
    expect((await post(visitor, '/login/refresh')).status).toBe(401);
  });

  test('SES-11 204: the same whether there was such a session, there is none any more, or there never was', async () => {
    const end = async (refreshToken?: string) => {
      const visitor = here.visitor();
      if (refreshToken !== undefined) visitor.cookies(origin).set(cookie, refreshToken);
      const { status, text, headers } = await post(visitor, '/logout');
      const told = [...headers].filter(([name]) => !/^(date|x-request-id|.*nonce.*)$/.test(name));
      return { status, text, told };
    };
    const { visitor } = await signedIn();
    const alive = visitor.cookies(origin).get(cookie) as string;
    const first = await end(alive);
    expect(first).toMatchObject({ status: 204, text: '' });
    for (const useless of [undefined, alive, 'A'.repeat(70), 'x']) expect(await end(useless)).toEqual(first);
  });
});

describe('POST /login/invitation', () => {
  test('204: kept for ten minutes in a cookie that no script reads', async () => {
    const page = await post(here.visitor(), '/login/invitation', { invitation_token: 'secret of a link' });
    expect(page.status).toBe(204);
    const [set = ''] = page.headers.getSetCookie();
    expect(set).toMatch(/^__Host-vitrine-invitation=[^;]+; Max-Age=600; .*HttpOnly; Secure; SameSite=Strict/);
    expect(set).not.toContain('secret');
  });

  test('400: another body', async () => {
    expect(codeOf(await post(here.visitor(), '/login/invitation', { token: 'x' }))).toBe('invalid_request');
  });
});
