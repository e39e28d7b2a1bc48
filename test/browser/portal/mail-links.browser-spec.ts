import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { expectLayout } from './looks.js';
import { linkFor } from './mail.js';
import { asAdmin, chosen, invite, member } from './people.js';
import { Portal, type Width } from './portal.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterAll(async () => {
  await portal.close();
  expect(portal.pageErrors).toEqual([]);
});

async function open(link: string, width?: Width): Promise<Page> {
  const page = await portal.tab(await portal.newContext(width));
  await page.goto(link);
  return page;
}

const alert = (page: Page) => page.getByRole('alert');

async function accept(page: Page, password = chosen): Promise<void> {
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Accept and sign in' }).click();
}

describe('an invitation', () => {
  test.each<Width>(['phone', 'desktop'])(
    'creates an account and shows its workspaces (%s)',
    async (width) => {
      const { link } = await invite(portal, `grete-${width}@example.com`);
      const page = await open(link, width);
      await page.getByRole('heading', { name: 'Accept your invitation' }).waitFor();
      expect(page.url()).toBe(`${portal.url}/invitation`);
      await page.getByLabel(/^Password/).fill('violet lamp');
      await page.getByText('4 more characters needed.').waitFor();
      await expectLayout(page, `invitation-${width}`);
      await page.getByLabel('Your name').fill('Grete Hermann');
      await accept(page);
      await page.getByRole('link', { name: 'Sales' }).waitFor();
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByText('Grete Hermann').waitFor();
      await page.reload();
      await page.getByRole('link', { name: 'Sales' }).waitFor();
    },
  );

  test('leaves its secret nowhere in the browser', async () => {
    const { link } = await invite(portal, 'secret@example.com');
    const page = await open(link);
    await page.getByRole('heading', { name: 'Accept your invitation' }).waitFor();
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href, document.body.innerHTML])',
    );
    expect(kept).not.toContain(new URL(link).hash.replace('#token=', ''));
    await page.reload();
    await page.getByText('This link is not complete').waitFor();
  });

  test('shows the reason of a rejected password at the field', async () => {
    const { link } = await invite(portal, 'common@example.com');
    const page = await open(link);
    await accept(page, 'passwordpassword');
    await page.getByText('This password is too common').waitFor();
    await expectLayout(page, 'invitation-refused');
    await accept(page);
    await page.getByRole('link', { name: 'Sales' }).waitFor();
  });

  test.each<[string, (email: string) => Promise<string>]>([
    [
      'was accepted already',
      async (email) => {
        const { link } = await invite(portal, email);
        const invitation_token = new URL(link).hash.replace('#token=', '');
        const grant = { grant_type: 'invitation', invitation_token, password: chosen };
        await portal.started.post('/api/auth/token', grant);
        return link;
      },
    ],
    [
      'was taken back',
      async (email) => {
        const { link, id } = await invite(portal, email);
        await asAdmin(portal, 'DELETE', `/api/invitations/${id}`);
        return link;
      },
    ],
    ['link is not valid', () => Promise.resolve(`${portal.url}/invitation#token=made-up`)],
  ])('that %s shows this', async (what, linkOf) => {
    const page = await open(await linkOf(`spent-${what.length}@example.com`));
    await accept(page);
    await alert(page).getByText(`This invitation ${what}`).waitFor();
    expect(await page.getByLabel(/^Password/).count()).toBe(0);
    await page.getByRole('link', { name: 'I have an account: sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('that has expired shows this', async () => {
    const page = await open(`${portal.url}/invitation#token=old`);
    await page.route('**/login/session', (route) =>
      route.fulfill({
        status: 400,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          code: 'invitation_expired',
          status: 400,
          title: '',
          detail: '',
          request_id: 'r',
        }),
      }),
    );
    await accept(page);
    await alert(page).getByText('Ask whoever invited you to send it once more.').waitFor();
    await expectLayout(page, 'invitation-expired');
  });

  test('opened by a signed-in user names that user', async () => {
    const { link } = await invite(portal, 'second@example.com');
    const page = await portal.as(portal.admin);
    await page.goto(link);
    await page.getByText(`(${portal.admin.email})`).waitFor();
    await expectLayout(page, 'invitation-signed-in');
    await page.getByRole('button', { name: 'Sign out and go on' }).click();
    await accept(page);
    await page.getByRole('link', { name: 'Sales' }).waitFor();
  });

  test('is accepted with the organization’s sign-in too', async () => {
    const { link } = await invite(portal, 'dora@fabrikam.example');
    const page = await open(link);
    await page.getByRole('button', { name: 'Accept with your organisation' }).click();
    await page.click('#dora');
    await page.getByRole('link', { name: 'Sales' }).waitFor();
    const again = await open(link);
    await again.getByRole('button', { name: 'Accept with your organisation' }).click();
    await again.click('#ben');
    await alert(again).getByText('This invitation was accepted already').waitFor();
  });
});

describe('a forgotten password', () => {
  async function ask(email: string): Promise<Page> {
    const page = await open(`${portal.url}/sign-in`);
    await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    // What was typed comes along.
    await page.getByRole('button', { name: 'Send the mail' }).click();
    await page.getByText(`If ${email} has an account`).waitFor();
    return page;
  }

  test('a request shows the same message for every address', async () => {
    const page = await ask('nobody@example.com');
    await expectLayout(page, 'password-reset-sent');
    await ask(portal.admin.email);
  });

  test('an invalid address is reported at the field', async () => {
    const page = await open(`${portal.url}/password-reset`);
    await page.getByRole('textbox', { name: 'E-mail' }).fill('a..b@example.com');
    await page.getByRole('button', { name: 'Send the mail' }).click();
    await page.getByText('email must be a single email address').waitFor();
  });

  test.each<Width>(['phone', 'desktop'])(
    'is replaced through the e-mailed link, once (%s)',
    async (width) => {
      const { email } = await member(portal, `forgot-${width}@example.com`);
      await ask(email);
      const link = await linkFor(portal, email, '/password-reset');
      const page = await open(link, width);
      const password = page.getByLabel(/^New password/);
      await password.fill('passwordpassword');
      expect(page.url()).toBe(`${portal.url}/password-reset`);
      await password.press('Enter');
      await page.getByText('This password is too common').waitFor();
      await expectLayout(page, `password-reset-${width}`);
      await password.fill('a wholly different phrase');
      await password.press('Enter');
      await page.getByText('Sign in with the new one.').waitFor();
      await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
      await page.getByLabel(/^Password/).fill('a wholly different phrase');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('link', { name: 'Sales' }).waitFor();
      const again = await open(link);
      await again.getByLabel(/^New password/).fill(chosen);
      await again.getByRole('button', { name: 'Change password' }).click();
      await alert(again).getByText('This link is not valid any more').waitFor();
      await again.getByRole('link', { name: 'Ask for a new link' }).click();
      await again.getByRole('button', { name: 'Send the mail' }).waitFor();
    },
  );
});
