import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, type Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { until } from '../support/until.js';
import { type Service, startService } from '../support/service.js';

const chosen = 'violet lamp drinks tea';

let service: Service;
let browser: Browser;

beforeAll(async () => {
  service = await startService({ PORTAL_ENABLED: 'false' });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

interface Opened {
  page: Page;
  /** What the browser complained of: a broken content security policy shows here. */
  complaints: string[];
}

async function open(path: string): Promise<Opened> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(new URL(path, service.url).href);
  return { page, complaints };
}

const statusOf = (page: Page): Promise<string> =>
  until(async () => (await page.innerText('[role=status]')) || undefined);

const username = (page: Page): Promise<string> => page.inputValue('[autocomplete=username]');

async function choose(page: Page, password: string, again = password): Promise<string> {
  await page.fill('[name=password]', password);
  await page.fill('[name=again]', again);
  await page.click('button');
  return statusOf(page);
}

const signIn = (email: string) => service.api.post('/api/auth/token', { email, password: chosen });

async function invite(email: string): Promise<string> {
  const admin = await service.asAdmin();
  await admin.post('/api/users/invite', { email });
  return service.mailbox.secretFor(email);
}

describe('/invitation', () => {
  test('creates the account, clears the secret and leaves no open session', async () => {
    const email = 'grete@example.com';
    const { page, complaints } = await open(`/invitation#token=${await invite(email)}`);
    expect(await choose(page, chosen)).toBe('Your account is ready. You can now sign in.');
    expect(await username(page)).toBe(email);
    expect(page.url()).toBe(`${service.url}/invitation`);
    expect(await page.isVisible('form')).toBe(false);
    expect(complaints).toEqual([]);
    const sessions = await service.database.query<object[]>(
      `SELECT FROM sessions JOIN users ON users.id = user_id WHERE email = $1 AND ended_at IS NULL`,
      [email],
    );
    expect(sessions).toEqual([]);
    expect((await signIn(email)).status).toBe(200);
    await page.close();
  });

  test('explains what is wrong', async () => {
    const secret = await invite('karl@example.com');
    const { page } = await open(`/invitation#token=${secret}`);
    expect(await choose(page, chosen, 'something else')).toBe('The passwords do not match.');
    expect(await choose(page, 'too short')).toMatch(/15 to 128 characters/);
    expect(await choose(page, 'passwordpassword')).toMatch(/too common/);
    expect(await choose(page, chosen)).toMatch(/account is ready/);
    const { page: later } = await open(`/invitation#token=${secret}`);
    expect(await statusOf(later)).toMatch(/already been accepted/);
    expect(await later.isVisible('form')).toBe(false);
    await Promise.all([page.close(), later.close()]);
  });

  test('reports an incomplete link', async () => {
    const { page, complaints } = await open('/invitation');
    expect(await statusOf(page)).toMatch(/incomplete/);
    expect(await page.isVisible('form')).toBe(false);
    expect(complaints).toEqual([]);
    await page.close();
  });
});

describe('/password-reset', () => {
  test('changes the password', async () => {
    const { email } = await service.factory.user();
    await service.api.post('/api/auth/token', { grant_type: 'password_reset_request', email });
    const secret = await service.mailbox.secretFor(email);
    const { page, complaints } = await open(`/password-reset#token=${secret}`);
    expect(await choose(page, chosen)).toBe('Your password was changed. You can now sign in with it.');
    expect(await username(page)).toBe(email);
    expect(complaints).toEqual([]);
    expect((await signIn(email)).status).toBe(200);
    await page.close();
  });

  test('rejects an invalid token without executing it', async () => {
    const { page } = await open(
      `/password-reset#token=${encodeURIComponent('<img src=x onerror=alert(1)>')}`,
    );
    expect(await statusOf(page)).toBe('This password reset link is not valid. Request a new link.');
    expect(await page.isVisible('form')).toBe(false);
    expect(await page.locator('img').count()).toBe(0);
    await page.close();
  });
});

test('the pages run only their own script and cannot be framed', async () => {
  for (const path of ['/invitation', '/password-reset']) {
    const { status, headers } = await fetch(new URL(path, service.url));
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  }
});
