import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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

/** What a password manager saves with the password. */
const username = (page: Page) => page.locator('form input[autocomplete=username]').inputValue();

async function inGerman(page: Page): Promise<Page> {
  await page.evaluate("localStorage.setItem('vitrine.language', 'de')");
  return page;
}

describe('an invitation', () => {
  test('is shown in German, with the name that the inviter entered', async () => {
    const { link } = await invite(portal, 'lise@example.com', { name: 'Lise Meitner' });
    const page = await inGerman(await open(`${portal.url}/sign-in`, 'phone'));
    await page.goto(link);
    await page.getByRole('heading', { name: 'Einladung annehmen' }).waitFor();
    await page.getByText(/ hat Sie zu .+ eingeladen\.$/).waitFor();
    await page.getByRole('listitem').getByText('Sales (Betrachter)').waitFor();
    await page.getByText(/lise@example\.com/).waitFor();
    expect(await page.getByLabel('Ihr Name').inputValue()).toBe('Lise Meitner');
    await expectLayout(page, 'invitation-de');
  });

  test('can be retried after a failed request', async () => {
    const { link } = await invite(portal, 'retry@example.com');
    const page = await portal.tab(await portal.newContext());
    await page.route('**/login/invitation/preview', (route) => route.fulfill({ status: 400, body: 'oops' }));
    await page.goto(link);
    await page.getByText('Unexpected response').waitFor();
    await page.unroute('**/login/invitation/preview');
    await page.getByRole('button', { name: 'Try again' }).click();
    await accept(page);
    await page.getByRole('link', { name: 'Sales' }).waitFor();
  });

  test.each<Width>(['phone', 'desktop'])(
    'creates an account and shows its workspaces (%s)',
    async (width) => {
      const { link } = await invite(portal, `grete-${width}@example.com`);
      const page = await open(link, width);
      await page.getByRole('heading', { name: 'Accept your invitation' }).waitFor();
      expect(page.url()).toBe(`${portal.url}/invitation`);
      await page.getByLabel(/^Password/).fill('violet lamp');
      await page.getByRole('status').getByText('4 more characters required.').waitFor();
      await page.getByText(/^\S.* invited you to /).waitFor();
      await page.getByRole('listitem').getByText('Sales (Viewer)').waitFor();
      await page.getByText(`Your account will use the email address grete-${width}@example.com.`).waitFor();
      expect(await username(page)).toBe(`grete-${width}@example.com`);
      await expectLayout(page, `invitation-${width}`);
      await page.getByLabel('Your name').fill('Grete Hermann');
      await accept(page);
      await page.getByRole('link', { name: 'Sales' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/');
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
    await page.getByText('This link is incomplete').waitFor();
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
      'has already been accepted',
      async (email) => {
        const { link } = await invite(portal, email);
        const invitation_token = new URL(link).hash.replace('#token=', '');
        const grant = { grant_type: 'invitation', invitation_token, password: chosen };
        await portal.started.post('/api/auth/token', grant);
        return link;
      },
    ],
    [
      'has been revoked',
      async (email) => {
        const { link, id } = await invite(portal, email);
        await asAdmin(portal, 'DELETE', `/api/invitations/${id}`);
        return link;
      },
    ],
    ['link is not valid', () => Promise.resolve(`${portal.url}/invitation#token=made-up`)],
  ])('that %s shows this instead of the form', async (what, linkOf) => {
    const page = await open(await linkOf(`spent-${what.length}@example.com`));
    await alert(page).getByText(`This invitation ${what}`).waitFor();
    expect(await page.getByLabel(/^Password/).count()).toBe(0);
    await expectLayout(page, `invitation-spent-${what.length}`);
    await page.getByRole('link', { name: /Sign in$/ }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('that has expired shows this instead of the form', async () => {
    const page = await portal.tab(await portal.newContext());
    const problem = { code: 'invitation_expired', status: 400, title: '', detail: '', request_id: 'r' };
    await page.route('**/login/invitation/preview', (route) => route.fulfill({ status: 400, json: problem }));
    await page.goto(`${portal.url}/invitation#token=old`);
    await alert(page).getByText('Ask the user who invited you to resend the invitation.').waitFor();
    expect(await page.getByLabel(/^Password/).count()).toBe(0);
    await expectLayout(page, 'invitation-expired');
  });

  test('accepted elsewhere in the meantime shows this after the form', async () => {
    const { link } = await invite(portal, 'meanwhile@example.com');
    const [page, other] = [await open(link), await open(link)];
    await page.getByLabel(/^Password/).waitFor();
    await accept(other);
    await other.getByRole('link', { name: 'Sales' }).waitFor();
    await accept(page);
    await alert(page).getByText('This invitation has already been accepted').waitFor();
  });

  test('opened by a signed-in user names that user', async () => {
    const { link } = await invite(portal, 'second@example.com');
    const page = await portal.as(portal.admin);
    await page.goto(link);
    await page.getByText(`(${portal.admin.email})`).waitFor();
    await expectLayout(page, 'invitation-signed-in');
    await page.getByRole('button', { name: 'Sign out and continue' }).click();
    await accept(page);
    await page.getByRole('link', { name: 'Sales' }).waitFor();
  });

  test('is accepted with the organization’s sign-in too', async () => {
    const { link } = await invite(portal, 'dora@fabrikam.example');
    const [page, again] = [await open(link), await open(link)];
    await again.getByRole('button', { name: 'Accept with your organization' }).waitFor();
    await page.getByRole('button', { name: 'Accept with your organization' }).click();
    await page.click('#dora');
    await page.getByRole('link', { name: 'Sales' }).waitFor();
    await again.getByRole('button', { name: 'Accept with your organization' }).click();
    await again.click('#ben');
    await alert(again).getByText('This invitation has already been accepted').waitFor();
  });
});

describe('a forgotten password', () => {
  async function ask(email: string): Promise<Page> {
    const page = await open(`${portal.url}/sign-in`);
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    // What was typed comes along.
    await page.getByRole('button', { name: 'Send reset link' }).click();
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
    await page.getByRole('textbox', { name: 'Email' }).fill('a..b@example.com');
    await page.getByRole('button', { name: 'Send reset link' }).click();
    await page.getByText('Enter a single email address.').waitFor();
  });

  test.each<Width>(['phone', 'desktop'])('is replaced through the emailed link, once (%s)', async (width) => {
    const { email } = await member(portal, `forgot-${width}@example.com`);
    await ask(email);
    const link = await linkFor(portal, email, '/password-reset');
    const page = await open(link, width);
    const password = page.getByLabel(/^New password/);
    await password.fill('passwordpassword');
    expect(page.url()).toBe(`${portal.url}/password-reset`);
    await password.press('Enter');
    await page.getByText('This password is too common').waitFor();
    expect(await username(page)).toBe(email);
    await expectLayout(page, `password-reset-${width}`);
    await password.fill('a wholly different phrase');
    await password.press('Enter');
    await page.getByText('Sign in with your new password.').waitFor();
    expect(page.url()).toBe(`${portal.url}/sign-in`);
    expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(email);
    await page.getByLabel(/^Password/).fill('a wholly different phrase');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('link', { name: 'Sales' }).waitFor();
    const again = await open(link);
    await alert(again).getByText('This password reset link is not valid').waitFor();
    expect(await again.getByLabel(/^New password/).count()).toBe(0);
    await again.getByRole('link', { name: 'Request a new link' }).click();
    await again.getByRole('button', { name: 'Send reset link' }).waitFor();
  });
});
