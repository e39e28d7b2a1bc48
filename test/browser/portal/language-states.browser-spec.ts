import { mkdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { pathOfUser } from './admin.js';
import { misfits, openTab } from './language-checks.js';
import { folder, type Language, phone, type User, userOf, wrongTexts } from './language-openers.js';
import { collectData, visit } from './language-walk.js';
import { asAdmin, member } from './people.js';
import { allPlaces } from './places.js';
import { Portal } from './portal.js';
import { idOf, viewer } from './viewers.js';

let portal: Portal;
/** The paths of the pages, by their names. */
let paths: Record<string, string>;
let people: Record<'admin' | 'manager' | 'newcomer', { email: string; password: string }>;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  portal = await Portal.open();
  people = {
    admin: portal.admin,
    manager: await viewer(portal, 'manager@example.com', { Sales: 'manager' }),
    newcomer: await viewer(portal, 'newcomer@example.com'),
  };
  const places = await allPlaces(portal);
  const all = Object.fromEntries(places.map(({ name, path }) => [name, path]));
  paths = {
    ...all,
    'own-user': await pathOfUser(portal, portal.admin.email),
    'report-editing': `${all.report}?mode=edit`,
    'report-missing': '/reports/0195e5a0-0000-7000-8000-000000000006',
    'user-check': `${all['user-access']}&report=${await idOf(portal, 'reports', 'Headcount')}`,
    'user-linked': `${await pathOfUser(portal, (await member(portal, 'linked@example.com')).email)}?tab=sign-in`,
  };
  const identity = {
    tenant_id: 'deadbeef-0000-4000-8000-000000000001',
    object_id: '00000000-0000-4000-8000-000000000077',
  };
  const identities = `/api${paths['user-linked']?.replace(/\?.*/, '')}/identities`;
  expect((await asAdmin(portal, 'POST', identities, identity)).status).toBe(201);
}, 300_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

/** The language of a user's texts; null is that of the browser. */
async function setLocale(person: { email: string; password: string }, locale: string | null): Promise<void> {
  const signedIn = await portal.started.post('/api/auth/token', person);
  const { access_token } = (await signedIn.json()) as { access_token: string };
  const headers = { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ locale });
  const { status } = await fetch(`${portal.url}/api/users/me`, { method: 'PATCH', headers, body });
  expect(status).toBe(200);
}

/** Loads the page again as if no mail server was configured: invitations have a link, and no email. */
async function withoutMail({ page }: User): Promise<void> {
  const link = `${portal.url}/invitation#token=shown-once`;
  await page.route('**', async (route) => {
    const request = route.request();
    const isDocument = request.resourceType() === 'document';
    if (!isDocument && !/\/(invite|bulk|resend)$/.test(request.url())) return route.fallback();
    // The service sends one email per minute to an address: the invitation is read instead.
    const isResent = request.url().endsWith('/resend');
    const response = await route.fetch(
      isResent ? { url: request.url().replace('/resend', ''), method: 'GET' } : {},
    );
    const body = (await response.text())
      .replace('"mailConfigured":true', '"mailConfigured":false')
      .replaceAll(/"delivery":"\w+"/g, `"delivery":"not_configured","accept_url":"${link}"`);
    return route.fulfill({ response, body });
  });
  await visit(page, page.url());
}

/** Fills in the form of a dialog that is open, submits it, and leaves what is shown once. */
async function submitAndLeave(user: User, values: Record<string, string>, action: string, shown: string) {
  for (const [label, value] of Object.entries(values)) await user.field(label).fill(value);
  await user.press(action, user.page.getByRole('dialog'));
  await user.field(shown).waitFor();
  await user.page.keyboard.press('Escape');
}

/** Invites two users in bulk. */
async function inviteTwo(user: User): Promise<void> {
  await user.field('Email addresses').fill('ada@example.com\nwith.a.long.address.of.many.words@example.com');
  await user.press('Invite {{count}} users');
}

interface State {
  place: string;
  /** Of the dialog that is open at the end. */
  title: string;
  open: (user: User) => Promise<unknown>;
  /** Who opens it; an admin if omitted. */
  as?: keyof typeof people;
}

/** A secret that is shown once, and left before it is copied: its page, the button, the form, its action and the secret. */
const secrets = (
  [
    ['service-accounts', 'New service account', { Name: 'Monthly export' }, 'Create', 'Client secret'],
    ['new-account', 'Add secret', {}, 'Add', 'Client secret'],
    ['webhooks', 'Add webhook', { URL: 'http://127.0.0.1:9/more' }, 'Add', 'Signing secret'],
    ['webhook', 'Roll secret', {}, 'Roll secret', 'Signing secret'],
    ['provisioning', 'New provisioning token', { Name: 'Entra ID' }, 'Create', 'Token'],
  ] as const
).map(([place, button, values, action, shown]): State => {
  const open = async (user: User) => {
    await user.press(button);
    await submitAndLeave(user, values, action, shown);
  };
  return { place, title: 'Discard this secret?', open };
});

/** Dialogs that need more than a press of a button. */
const states: State[] = [
  {
    place: 'report-editing',
    title: 'Discard unsaved changes?',
    open: (user) => user.press('Stop editing'),
  },
  {
    place: 'bulk',
    title: 'Stop inviting?',
    open: async (user) => {
      // Without a response, the invitations are under way.
      await user.page.route('**/api/invitations/bulk', () => undefined);
      await inviteTwo(user);
      await user.press('css=.way-back a');
    },
  },
  {
    place: 'bulk',
    title: 'Discard these links?',
    open: async (user) => {
      await withoutMail(user);
      await inviteTwo(user);
      await user.press('Invite more users');
    },
  },
  ...secrets,
  {
    place: 'invitations',
    title: 'Discard this link?',
    open: async (user) => {
      await withoutMail(user);
      await user.press('Invite user');
      const email = `link-${user.language}@example.com`;
      await submitAndLeave(user, { Email: email }, 'Invite', 'Invitation link');
    },
  },
  {
    place: 'invitations',
    title: 'Invite user',
    open: async (user) => {
      await user.press('Invite user');
      await user.field('Email').fill(`mail-${user.language}@example.com`);
      await user.press('Invite', user.page.getByRole('dialog'));
      await user.text('They receive an email with a link. The link is valid for 72 hours.').waitFor();
    },
  },
  {
    place: 'invitations',
    title: 'New link for {{email}}',
    open: async (user) => {
      await withoutMail(user);
      await user.press('Resend invitation to {{email}}');
      await user.field('Invitation link').waitFor();
    },
  },
  {
    place: 'report-missing',
    title: 'Request access',
    open: async (user) => {
      await withoutMail(user);
      await user.press('Request access');
    },
  },
  {
    place: 'account',
    title: 'Request access',
    as: 'newcomer',
    open: async (user) => {
      await user.press('Request access');
      await user.field('Link to the report or workspace').fill('no link');
      await user.press('Send request');
      await user.text('Enter a link to a report or workspace of this portal: {{example}}').waitFor();
    },
  },
  {
    place: 'own-user',
    title: 'Remove your administrator role?',
    open: async (user) => {
      await user.picker('Role').click();
      await user.page.locator('[role=option][aria-selected=false]').click();
      await user.press('Save', user.page.locator('form').first());
    },
  },
  {
    place: 'user',
    title: 'Change the address to {{email}}?',
    open: async (user) => {
      await user.field('Email').fill('mina.new@example.com');
      await user.press('Change address');
    },
  },
  {
    place: 'workspace-access',
    title: 'Remove {{name}} from {{target}}?',
    as: 'manager',
    open: async (user) => {
      const own = user.page.locator('tr', { hasText: people.manager.email });
      await user.press('Remove {{name}}', own);
      await user.text("You're removing your own access and can't restore it yourself.").waitFor();
    },
  },
  {
    place: 'user-check',
    title: 'Grant access to {{name}}',
    // The first one is that of the list.
    open: (user) => user.button('Grant workspace access').nth(1).click(),
  },
  {
    place: 'user-sign-in',
    title: 'Link identity to {{name}}',
    open: async (user) => {
      await user.press('Link identity');
      await user.page.locator('.mantine-SegmentedControl-label').last().click();
      await user.field('Subject').waitFor();
    },
  },
  { place: 'user-linked', title: 'Unlink {{identity}}?', open: (user) => user.press('Unlink') },
  {
    place: 'home',
    title: 'Search',
    open: async (user) => {
      await user.page.keyboard.press('Control+k');
      await user.page.getByRole('option').first().waitFor();
    },
  },
  {
    place: 'reports',
    title: 'Search',
    open: async (user) => {
      await user.page.keyboard.press('Control+k');
      await user.picker('Search reports, workspaces, and pages').fill('zzzz');
      await user.text('No results for “{{q}}”').waitFor();
    },
  },
];

const languages: Language[] = ['en-XA', 'de'];

describe.each(languages)('in %s', (language) => {
  beforeAll(async () => {
    const locale = language === 'de' ? 'de' : null;
    for (const person of Object.values(people)) await setLocale(person, locale);
    const account = await asAdmin(portal, 'POST', '/api/service-accounts', { name: `Of ${language}` });
    paths['new-account'] = `/service-accounts/${((await account.json()) as { id: string }).id}`;
  });

  test.each(states)(
    '$place: "$title" is translated and fits a phone',
    async ({ place, title, open, as = 'admin' }) => {
      const page = await openTab(portal, language, phone, people[as]);
      const data = collectData(page);
      const user = userOf(page, language);
      await visit(page, `${portal.url}${paths[place]}`);
      await open(user);
      await user.dialog(title).waitFor();
      await page.waitForLoadState('networkidle');
      const index = states.findIndex((state) => state.place === place && state.title === title);
      await page.screenshot({ path: `${folder}/${language}-state-${index}.png` });
      expect(await misfits(page)).toEqual([]);
      expect(await wrongTexts(page, language, data)).toEqual([]);
    },
    120_000,
  );
});
