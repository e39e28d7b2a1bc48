import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { png, svg } from '../../support/images.js';
import { until } from '../../support/until.js';
import { confirm } from './admin.js';
import { expectLayout } from './looks.js';
import { asAdmin, member } from './people.js';
import { Portal, type Width } from './portal.js';
import { idOf } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
beforeEach(async () => {
  await asAdmin(portal, 'PUT', '/api/settings/branding', {});
  for (const kind of ['logo', 'logo-dark', 'favicon'])
    await asAdmin(portal, 'DELETE', `/api/settings/branding/${kind}`);
});
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const contoso = {
  product_name: 'Contoso Reports',
  primary_color: '#7b1fa2',
  sign_in_text: 'Sign in with your Contoso account.',
  support_url: 'https://help.contoso.example/',
};

async function signedOut(path: string, width?: Width): Promise<Page> {
  const page = await portal.tab(await portal.newContext(width));
  await page.goto(`${portal.url}${path}`);
  return page;
}

const upload = (page: Page, label: string, file: { name: string; mimeType: string; buffer: Buffer }) =>
  page.getByRole('group', { name: label, exact: true }).locator('input[type=file]').setInputFiles(file);

const logo = { name: 'logo.png', mimeType: 'image/png', buffer: png(120, 30) };
const isDrawn = (page: Page, selector: string) =>
  page.evaluate<boolean>(`document.querySelector(${JSON.stringify(selector)})?.naturalWidth > 0`);

describe('the page Branding', () => {
  test.each<Width>(['phone', 'desktop'])('saves, and the portal changes at once (%s)', async (width) => {
    const page = await portal.as(portal.admin, '/settings/branding', width);
    await page.getByLabel('Product name').fill(contoso.product_name);
    await page.getByLabel('Primary colour', { exact: true }).fill(contoso.primary_color);
    await page.getByText('White text on it has a contrast of 8.2:1').waitFor();
    await page.getByLabel('Sign-in text').fill(contoso.sign_in_text);
    await page.getByLabel('Support link').fill(contoso.support_url);
    await page
      .getByRole('figure', { name: 'Preview in dark mode' })
      .getByText(contoso.product_name)
      .waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Branding saved').waitFor();
    await page.getByRole('banner').getByText('Contoso Reports').waitFor();
    expect(await page.title()).toBe('Branding · Contoso Reports');
    const color = `getComputedStyle(document.documentElement).getPropertyValue('--mantine-color-blue-8').trim()`;
    expect(await page.evaluate(color)).toBe('#7b1fa2');
    await expectLayout(page, `branding-${width}`);
    await page.getByRole('button', { name: 'Your account' }).click();
    const support = page.getByRole('menuitem', { name: 'Get support' });
    expect(await support.getAttribute('href')).toBe(contoso.support_url);
    await page.getByRole('link', { name: 'Help' }).click();
    const link = page.getByRole('main').getByRole('link', { name: 'Get support' });
    expect(await link.getAttribute('href')).toBe(contoso.support_url);
  });

  test('shows what is wrong beside the field', async () => {
    const page = await portal.as(portal.admin, '/settings/branding');
    await page.getByLabel('Primary colour', { exact: true }).fill('#ffff00');
    await page.getByLabel('Support link').fill('http://help.example');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('white text on #ffff00 has 1.07:1').waitFor();
    await page.getByText('Enter an https: or mailto: address without credentials.').waitFor();
    await expectLayout(page, 'branding-rejected');
  });

  test('uploads, replaces and removes images; refuses a hostile file', async () => {
    const page = await portal.as(portal.admin, '/settings/branding');
    await page.getByLabel('Product name').fill('Not saved yet');
    await upload(page, 'Logo', logo);
    await page.getByText('Logo saved').waitFor();
    await until(() => isDrawn(page, 'header img'));
    expect(await page.getByLabel('Product name').inputValue()).toBe('Not saved yet');
    await upload(page, 'Favicon', { ...logo, buffer: png(32, 32) });
    await until(async () =>
      (await page.locator('link[rel=icon]').getAttribute('href'))?.includes('/branding/'),
    );
    const group = page.getByRole('group', { name: 'Logo', exact: true });
    await upload(page, 'Logo', {
      name: 'logo.svg',
      mimeType: 'image/svg+xml',
      buffer: svg('<script>alert(1)</script>'),
    });
    await group.getByText('contains the element <script>').waitFor();
    await upload(page, 'Logo', { ...logo, buffer: Buffer.concat([png(), Buffer.alloc(300_000)]) });
    await group.getByText('The file is larger than 256 kB.').waitFor();
    // Otherwise the browser would not report the same file again, once it is smaller.
    expect(await group.locator('input[type=file]').inputValue()).toBe('');
    await group.getByRole('button', { name: 'Remove' }).click();
    await group.getByRole('button', { name: 'Upload' }).waitFor();
  });

  test('resets everything', async () => {
    await asAdmin(portal, 'PUT', '/api/settings/branding', contoso);
    const page = await portal.as(portal.admin, '/settings/branding');
    await page.getByRole('banner').getByText('Contoso Reports').waitFor();
    await page.getByRole('button', { name: 'Reset to defaults' }).click();
    await confirm(page, 'Reset to defaults');
    await page.getByText('Branding reset').waitFor();
    await page.getByRole('banner').getByText('Vitrine').waitFor();
    expect(await page.getByLabel('Product name').inputValue()).toBe('Vitrine');
  });

  test('shows what a reset that failed midway has removed', async () => {
    const page = await portal.as(portal.admin, '/settings/branding');
    await upload(page, 'Logo', logo);
    await page.getByText('Logo saved').waitFor();
    const shown = page.getByRole('banner').locator('img[src*="branding/"]');
    await shown.first().waitFor();
    const problem = { status: 503, code: 'database_unavailable', title: '', detail: '', request_id: 'r-1' };
    await page.route('**/api/settings/branding', (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ status: 503, json: problem }) : route.fallback(),
    );
    await page.getByRole('button', { name: 'Reset to defaults' }).click();
    await confirm(page, 'Reset to defaults');
    await page.getByRole('alert').getByText('The database is temporarily unavailable').waitFor();
    await shown.first().waitFor({ state: 'detached' });
    await page.getByRole('group', { name: 'Logo', exact: true }).getByText('Upload').waitFor();
  });

  test('keeps what another admin has saved since', async () => {
    const page = await portal.as(portal.admin, '/settings/branding');
    await page.getByLabel('Product name').fill(contoso.product_name);
    await asAdmin(portal, 'PUT', '/api/settings/branding', {
      sign_in_text: contoso.sign_in_text,
      sender_name: 'Contoso',
    });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Branding saved').waitFor();
    expect(await page.getByLabel('Sign-in text').inputValue()).toBe(contoso.sign_in_text);
    expect(await (await asAdmin(portal, 'GET', '/api/settings/branding')).json()).toMatchObject({
      product_name: contoso.product_name,
      sign_in_text: contoso.sign_in_text,
      sender_name: 'Contoso',
    });
  });

  test('a reload after a failed reset does not undo a newer change', async () => {
    const page = await portal.as(portal.admin, '/settings/branding');
    const problem = { status: 503, code: 'database_unavailable', title: '', detail: '', request_id: 'r-1' };
    const released = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    /** What the next request is: the reset's, the reload after it, or another. */
    let step: 'reset' | 'reload' | 'other' = 'reset';
    await page.route('**/api/settings/branding', async (route) => {
      if (step === 'reset' && route.request().method() === 'PUT') {
        step = 'reload';
        return route.fulfill({ status: 503, json: problem });
      }
      if (step !== 'reload') return route.fallback();
      step = 'other';
      const response = await route.fetch();
      held.resolve();
      await released.promise;
      // The page may have given the request up.
      return route.fulfill({ response }).catch(() => undefined);
    });
    await page.getByRole('button', { name: 'Reset to defaults' }).click();
    await confirm(page, 'Reset to defaults');
    await held.promise;
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Product name').fill(contoso.product_name);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Branding saved').waitFor();
    released.resolve();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('banner').getByRole('link', { name: 'Help' }).click();
    await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor();
    await page.getByRole('banner').getByText(contoso.product_name).waitFor();
  });

  test('completes its step of the checklist', async () => {
    const page = await portal.as(portal.admin);
    const step = page.getByRole('listitem').filter({ hasText: 'Add your name, colours and logo' });
    await step.getByRole('img', { name: 'To do' }).waitFor();
    await step.getByRole('link', { name: 'Branding' }).click();
    await page.getByLabel('Product name').fill(contoso.product_name);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Branding saved').waitFor();
    await page.goBack();
    await step.getByRole('img', { name: 'Completed' }).waitFor();
  });

  test('is for administrators', async () => {
    const page = await portal.as(await member(portal, 'brand@example.com'), '/settings/branding');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
  });
});

describe('before sign-in', () => {
  test.each<Width>(['phone', 'desktop'])(
    'the sign-in page is branded, in dark mode too (%s)',
    async (width) => {
      await asAdmin(portal, 'PUT', '/api/settings/branding', contoso);
      const admin = await portal.as(portal.admin, '/settings/branding');
      await upload(admin, 'Logo', logo);
      await admin.getByText('Logo saved').waitFor();
      await upload(admin, 'Logo for dark mode', { ...logo, buffer: png(120, 30, [255, 255, 255]) });
      await admin.getByText('Logo for dark mode saved').waitFor();
      const page = await signedOut('/sign-in', width);
      await page.getByText(contoso.sign_in_text).waitFor();
      await page.getByText('Contoso Reports').waitFor();
      expect(await page.title()).toBe('Sign in · Contoso Reports');
      expect(await page.getByRole('link', { name: 'Get support' }).getAttribute('href')).toBe(
        contoso.support_url,
      );
      await expectLayout(page, `branding-sign-in-${width}`);
      const [light, dark] = [page.locator('main img').first(), page.locator('main img').last()];
      await Promise.all([light.waitFor(), dark.waitFor({ state: 'hidden' })]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await Promise.all([dark.waitFor(), light.waitFor({ state: 'hidden' })]);
    },
  );

  test('an error page names the support link', async () => {
    await asAdmin(portal, 'PUT', '/api/settings/branding', contoso);
    const page = await signedOut('/no/such/page');
    await page.getByRole('link', { name: 'Get support' }).waitFor();
    expect(await page.title()).toContain('Contoso Reports');
  });
});

describe('Report a problem', () => {
  const open = async (page: Page) => {
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Report a problem' }).click();
    return page.getByRole('dialog', { name: 'Report a problem' });
  };

  test.each<Width>(['phone', 'desktop'])('shows the page and the last error (%s)', async (width) => {
    const page = await portal.as(portal.admin, '/reports/0195e5a0-0000-7000-8000-000000000006?page=2', width);
    const code = await page
      .getByRole('alert')
      .getByText(/report_not_found · /)
      .innerText();
    const dialog = await open(page);
    await dialog.getByText('Describe to your administrator what happened').waitFor();
    const details = await dialog.getByRole('region', { name: 'Details' }).innerText();
    expect(details).toContain(`Page: ${page.url()}`);
    expect(details).toContain('Last error: report_not_found (');
    expect(details).toContain(`Request ID: ${code.split(' · ')[1]}`);
    await expectLayout(page, `report-problem-${width}`);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Your account' }).and(page.locator(':focus')).waitFor();
  });

  test('opens an email with the details, or the page of support', async () => {
    await asAdmin(portal, 'PUT', '/api/settings/branding', { support_url: 'mailto:help@example.com' });
    const page = await portal.as(portal.admin, '/workspaces');
    const mail = (await open(page)).getByRole('link', { name: 'Write email' });
    const url = new URL((await mail.getAttribute('href')) ?? '');
    expect([url.protocol, url.pathname]).toEqual(['mailto:', 'help@example.com']);
    expect(url.searchParams.get('subject')).toBe('Problem with Vitrine');
    expect(url.searchParams.get('body')).toContain(`Page: ${page.url()}\r\n`);
    await asAdmin(portal, 'PUT', '/api/settings/branding', { support_url: contoso.support_url });
    await page.reload();
    const link = (await open(page)).getByRole('link', { name: 'Get support' });
    expect(await link.getAttribute('href')).toBe(contoso.support_url);
  });

  test.each([
    ['a page', '**/api/reports?*'],
    ['a report', '**/embed-token'],
    ['a session', '**/login/refresh'],
  ])('is offered below a failure of the service, for %s', async (what, failing) => {
    const report = await idOf(portal, 'reports', 'Pipeline');
    const page = await portal.as(portal.admin, '/workspaces');
    await page.route(failing, (route) =>
      route.fulfill({
        status: 500,
        json: { status: 500, code: 'internal_error', title: '', detail: '', request_id: 'request-17' },
      }),
    );
    await page.goto(`${portal.url}/reports${what === 'a report' ? `/${report}` : ''}`);
    await page.getByRole('alert').getByRole('button', { name: 'Report a problem' }).click();
    await page.getByRole('dialog').getByText('Request ID: request-17').waitFor();
  });
});
