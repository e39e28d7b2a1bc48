import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { demoRules } from '../../local/demo-people.js';
import {
  demoClient,
  type RunningIdentityProvider,
  startIdentityProvider,
} from '../../local/identity-provider.js';
import { type ReverseProxy, startReverseProxy } from '../support/reverse-proxy.js';
import { type Service, startService } from '../support/service.js';

/** Of the page: our own sources know no DOM. */
interface PageGlobals {
  location: { assign: (url: string) => void };
  document: { cookie: string };
}

let reverseProxy: ReverseProxy;
let service: Service;
let provider: RunningIdentityProvider;
let publicUrl: string;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  reverseProxy = await startReverseProxy();
  publicUrl = `http://localhost:${reverseProxy.port}`;
  provider = await startIdentityProvider({ publicUrl });
  service = await startService({
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: demoClient.clientId,
    OIDC_CLIENT_SECRET: demoClient.clientSecret,
    OIDC_RETURN_URLS: `${publicUrl}/portal`,
    OIDC_RULES: JSON.stringify(demoRules),
  });
  reverseProxy.forwardTo(service.url);
  await service.factory.workspace({ name: 'Sales' });
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  await reverseProxy.close();
  await service.close();
  await provider.close();
});

beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
});
afterEach(() => context.close());

/** What a portal's script does: makes the proof, keeps it in the tab, leaves for the sign-in. */
async function leaveForSignIn(): Promise<void> {
  await page.goto(`${publicUrl}/portal`);
  await page.evaluate(async () => {
    const encode = (bytes: Uint8Array): string =>
      btoa(String.fromCodePoint(...bytes))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '');
    const verifier = encode(crypto.getRandomValues(new Uint8Array(32)));
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    sessionStorage.setItem('verifier', verifier);
    (globalThis as unknown as PageGlobals).location.assign(
      `/login?code_challenge=${encode(new Uint8Array(hash))}&state=mine`,
    );
  });
}

interface ApiResponse {
  status: number;
  body: { access_token?: string; grants?: unknown[]; email?: string };
}

const send = (path: string, body?: object, headers: Record<string, string> = { 'X-Vitrine-CSRF': '1' }) =>
  page.evaluate(
    async ([url, json, more]): Promise<ApiResponse> => {
      const response = await fetch(url, {
        method: 'POST',
        credentials: 'include',
        headers: { ...more, ...(json && { 'Content-Type': 'application/json' }) },
        ...(json && { body: json }),
      }).catch(() => null);
      const text = await response?.text();
      return { status: response?.status ?? 0, body: text ? JSON.parse(text) : {} };
    },
    [new URL(path, publicUrl).href, body && JSON.stringify(body), headers] as const,
  );

const me = (token = '') =>
  page.evaluate(async (bearer): Promise<ApiResponse> => {
    const response = await fetch('/api/users/me', { headers: { Authorization: `Bearer ${bearer}` } });
    return { status: response.status, body: (await response.json()) as ApiResponse['body'] };
  }, token);

async function signInAs(id: string): Promise<ApiResponse> {
  await leaveForSignIn();
  await page.click(`#${id}`);
  await page.waitForURL(`${publicUrl}/portal?*`);
  const code = new URL(page.url()).searchParams.get('code');
  const code_verifier = await page.evaluate(() => sessionStorage.getItem('verifier'));
  return send('/login/session', { grant_type: 'authorization_code', code, code_verifier });
}

describe('signing in through the provider', () => {
  test('creates a session that no script can read', async () => {
    const { status, body } = await signInAs('ada');
    expect(status).toBe(200);
    expect(new URL(page.url()).searchParams.get('state')).toBe('mine');
    expect((await me(body.access_token)).body).toMatchObject({
      email: 'ada@vitrine.example',
      grants: [{ role: 'viewer', source: 'provider' }],
    });
    expect(await page.evaluate(() => (globalThis as unknown as PageGlobals).document.cookie)).toBe('');
    const cookies = (await context.cookies(publicUrl)).filter(({ name }) => name.includes('vitrine'));
    expect(cookies).toEqual([
      expect.objectContaining({
        name: '__Host-vitrine-refresh',
        path: '/',
        httpOnly: true,
        secure: true,
        sameSite: 'Strict',
      }),
    ]);
  });

  test('continues after a reload, and ends with the logout', async () => {
    await signInAs('ben');
    await page.reload();
    const renewed = await send('/login/refresh');
    expect((await me(renewed.body.access_token)).body).toMatchObject({ email: 'ben@vitrine.example' });
    expect((await send('/logout')).status).toBe(204);
    expect((await me(renewed.body.access_token)).status).toBe(401);
    expect((await send('/login/refresh')).status).toBe(204);
  });

  test('works in two tabs concurrently', async () => {
    await leaveForSignIn();
    await page.waitForSelector('#ada');
    const first = page;
    page = await context.newPage();
    expect((await signInAs('ada')).status).toBe(200);
    page = first;
    await page.click('#ada');
    await page.waitForURL(`${publicUrl}/portal?*`);
    expect(new URL(page.url()).searchParams.get('code')).toHaveLength(43);
  });

  test('is protected: a page of another origin can neither refresh nor end the session', async () => {
    const { body } = await signInAs('ada');
    const foreign = publicUrl.replace('localhost', '127.0.0.1');
    await page.goto(`${foreign}/portal`);
    expect((await send('/login/refresh')).status).not.toBe(200);
    expect((await send('/logout', undefined, {})).status).not.toBe(204);
    await page.goto(`${publicUrl}/portal`);
    expect((await me(body.access_token)).status).toBe(200);
    expect((await send('/login/refresh')).status).toBe(200);
  });

  test('shows the reason to a user whom no rule admits, with a link back to the portal', async () => {
    await leaveForSignIn();
    await page.click('#dora');
    await page.waitForSelector('[role=alert]');
    expect(await page.textContent('[role=alert]')).toContain('Request an invitation');
    await page.click('a');
    await page.waitForURL(`${publicUrl}/portal`);
  });
});
