import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { until } from '../../support/until.js';
import { expectLayout } from './looks.js';
import { chosen, disable, member } from './people.js';
import { Portal } from './portal.js';
import { idOf } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterAll(async () => {
  await portal.close();
  expect(portal.pageErrors).toEqual([]);
});

const arrived = (page: Page) => page.getByRole('button', { name: 'Your account' }).waitFor();
const signInHeading = (page: Page) => page.getByRole('heading', { name: 'Sign in' });

async function another(page: Page, path = '/workspaces'): Promise<Page> {
  const tab = await portal.tab(page.context());
  await tab.goto(`${portal.url}${path}`);
  return tab;
}

/** Paths of what is asked from now on. */
function asked(from: Page | BrowserContext): string[] {
  const paths: string[] = [];
  const note = (request: Request): void => void paths.push(new URL(request.url()).pathname);
  if ('pages' in from) from.on('request', note);
  else from.on('request', note);
  return paths;
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

async function openAccount(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Account' }).click();
}

/** Follows a link in the page, without loading it anew. */
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();

describe('a session', () => {
  test('continues after a reload and in further tabs, with no token readable by scripts', async () => {
    const page = await portal.as(portal.admin, '/reports');
    await page.reload();
    await page.getByRole('heading', { name: 'Reports' }).waitFor();
    await Promise.all([
      another(page).then(arrived),
      page.reload().then(() => arrived(page)),
      another(page).then(arrived),
    ]);
    const found = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(found).not.toMatch(/eyJ|token|refresh/);
  });

  test('renews a rejected access token once for all concurrent requests', async () => {
    const page = await portal.as(portal.admin, '/workspaces');
    const refused = new Set<string>();
    await page.route('**/api/**', async (route) => {
      const path = new URL(route.request().url()).pathname;
      if (refused.has(path)) return route.fallback();
      refused.add(path);
      const problem = {
        code: 'authentication_required',
        status: 401,
        title: '',
        detail: '',
        request_id: 'r',
      };
      return route.fulfill({ status: 401, json: problem });
    });
    const paths = asked(page);
    await openAccount(page);
    await page.getByRole('heading', { name: 'Active sessions' }).waitFor();
    await page.getByText('This device').waitFor();
    expect(paths.filter((path) => path === '/login/refresh').length).toBeLessThanOrEqual(2);
    expect(await signInHeading(page).count()).toBe(0);
  });

  test('renews the access token before it expires, and after sleep', async () => {
    const context = await portal.newContext();
    await context.clock.install();
    const page = await portal.tab(context);
    await page.goto(`${portal.url}/workspaces`);
    await page.getByRole('textbox', { name: 'Email' }).fill(portal.admin.email);
    await page.getByLabel(/^Password/).fill(portal.admin.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('link', { name: 'Sales' }).waitFor();
    const paths = asked(page);
    await context.clock.fastForward(3_000_000);
    await follow(page, 'Reports');
    await page.getByRole('heading', { name: 'Reports' }).waitFor();
    expect(paths).not.toContain('/login/refresh');
    await context.clock.fastForward(570_000);
    await follow(page, 'Workspaces');
    await page.getByRole('heading', { name: 'Workspaces' }).waitFor();
    await page.getByRole('link', { name: 'Sales' }).waitFor();
    await expect(page.waitForRequest('**/login/refresh', { timeout: 1 })).rejects.toThrow('Timeout');
    expect(paths.filter((path) => path === '/login/refresh')).toHaveLength(1);
  });
});

describe('signing out', () => {
  test('signs out every tab, and leaves nothing for the next user', async () => {
    const page = await portal.as(portal.admin, '/users');
    const tab = await another(page, '/reports');
    await arrived(tab);
    await signOut(page);
    await page.getByText('You signed out.').waitFor();
    await page.reload();
    await signInHeading(page).waitFor();
    await tab.getByText('You signed out in another tab.').waitFor();
    await expectLayout(tab, 'signed-out');
    await tab.getByRole('button', { name: 'Sign in with your organization' }).click();
    await tab.click('#ada');
    await tab.getByRole('heading', { name: 'Workspaces' }).waitFor();
    // The other tab is signed in with it.
    await arrived(page);
  });

  test('reports when the service is not reached', async () => {
    const page = await portal.as(portal.admin);
    await page.context().setOffline(true);
    await signOut(page);
    await page.getByText("Can't reach the server").waitFor();
    await page.context().setOffline(false);
    await signOut(page);
    await page.getByText('You signed out.').waitFor();
  });
});

describe('another user who signs in in another tab', () => {
  test('becomes the user of all tabs, and sees no data of the previous user', async () => {
    const page = await portal.as(portal.admin, '/users');
    const tab = await another(page, '/reports/0195e5a0-0000-7000-8000-000000000006');
    await tab
      .getByRole('alert')
      .getByText(/report_not_found/)
      .waitFor();
    await follow(tab, 'Workspaces');
    await tab.getByRole('heading', { name: 'Workspaces' }).waitFor();
    const ben = await portal.tab(page.context());
    await ben.goto(`${portal.url}/sign-in`);
    await arrived(ben);
    const email = (await member(portal, 'other@example.com')).email;
    await ben.evaluate(
      `fetch('/login/session', { method: 'POST', headers: { 'X-Vitrine-CSRF': '1', 'Content-Type': 'application/json' },
        body: ${JSON.stringify(JSON.stringify({ email, password: chosen }))} })
        .then(() => new BroadcastChannel('vitrine-session').postMessage('signed_in'))`,
    );
    // What only an admin sees goes when the person does. A menu opened before that closes.
    await tab.getByRole('link', { name: 'Admin' }).waitFor({ state: 'detached' });
    const menu = tab.getByRole('menu');
    await until(async () => {
      if (!(await menu.isVisible())) await tab.getByRole('button', { name: 'Your account' }).click();
      return menu.getByText(email).isVisible();
    });
    await menu.getByRole('menuitem', { name: 'Report a problem' }).click();
    const details = await tab.getByRole('dialog').getByRole('region', { name: 'Details' }).innerText();
    expect(details).not.toContain('report_not_found');
  });
});

describe('a session that is ended elsewhere', () => {
  test.each<[string, (email: string) => Promise<void>]>([
    [
      'a new password',
      async (email) => {
        const { started } = portal;
        const response = await started.post('/api/auth/token', { email, password: chosen });
        const { access_token } = (await response.json()) as { access_token: string };
        const body = JSON.stringify({ current_password: chosen, new_password: 'a wholly different phrase' });
        const headers = { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' };
        await fetch(`${portal.url}/api/users/me/password`, { method: 'PUT', headers, body });
      },
    ],
    ['disabling the user', (email) => disable(portal, email)],
  ])('by %s: reported once, with a link to sign in', async (what, end) => {
    const person = await member(portal, `ended-${what.length}@example.com`);
    const page = await portal.as(person, '/workspaces');
    await end(person.email);
    await openAccount(page);
    await page.getByText('Your session has ended').waitFor();
    expect(await page.getByText('Your session has ended').count()).toBe(1);
    await expectLayout(page, 'session-ended');
    await page.getByRole('textbox', { name: 'Email' }).fill(portal.admin.email);
    await page.getByLabel(/^Password/).fill(portal.admin.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Account' }).waitFor();
  });
});

describe('an unreachable service', () => {
  const unavailable = {
    code: 'database_unavailable',
    status: 503,
    title: '',
    detail: '',
    request_id: 'r',
  };

  test('at the start: a message, and an automatic retry', async () => {
    const page = await portal.as(portal.admin, '/reports');
    await page.route('**/login/refresh', (route) =>
      route.fulfill({ status: 503, headers: { 'Retry-After': '2' }, json: unavailable }),
    );
    await page.reload();
    await page.getByText('The database is temporarily unavailable').waitFor();
    await expectLayout(page, 'unreachable');
    await page.unroute('**/login/refresh');
    await page.getByRole('heading', { name: 'Reports' }).waitFor();
  });

  test('at the renewal for a report: the same message', async () => {
    const report = await idOf(portal, 'reports', 'Pipeline');
    const page = await portal.as(portal.admin, '/health');
    await page.route('**/embed-token', async (route) => {
      await page.route('**/login/refresh', (renewal) => renewal.fulfill({ status: 503, json: unavailable }));
      await route.fulfill({ status: 401 });
    });
    await page.goto(`${portal.url}/reports/${report}`);
    await page.getByRole('alert').getByText('The database is temporarily unavailable').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('at the start: a click retries immediately', async () => {
    const page = await portal.as(portal.admin, '/reports');
    await page.route('**/login/refresh', (route) => route.abort());
    await page.reload();
    await page.getByText("Can't reach the server").waitFor();
    await page.unroute('**/login/refresh');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Reports' }).waitFor();
  });

  test('later: a message, and a retry on click', async () => {
    const page = await portal.as(portal.admin, '/workspaces');
    await page.getByRole('link', { name: 'Sales' }).waitFor();
    await page.route('**/api/**', (route) => route.abort());
    await follow(page, 'Reports');
    await page.getByText("Can't reach the server").waitFor();
    await page.unroute('**/api/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Pipeline' }).waitFor();
  });
});
