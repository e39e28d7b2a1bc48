import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { expectLayout } from './looks.js';
import { asAdmin, member } from './people.js';
import { Portal, type Width } from './portal.js';

const rules = [
  { name: 'Readers', when: { groups: ['readers'] }, grants: [{ workspace: 'Sales', role: 'viewer' }] },
  {
    name: 'Planners',
    when: { groups: ['planners'] },
    grants: [
      { workspace: 'Nowhere', role: 'viewer' },
      { workspace: 'Sales', report: 'No such report', role: 'viewer' },
    ],
    member_of: ['Night shift'],
  },
];

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open({ OIDC_RULES: JSON.stringify({ rules }) });
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const title = 'Sign-in rules name what cannot be found';

test.each<Width>(['phone', 'desktop'])(
  'admins see which names of sign-in rules cannot be found (%s)',
  async (width) => {
    const page = await portal.as(portal.admin, '/health', width);
    const notice = page.getByRole('alert', { name: title });
    await notice.getByText("Rule 2 (Planners) names the workspace “Nowhere”, which doesn't exist.").waitFor();
    expect(await notice.getByRole('listitem').allTextContents()).toEqual([
      "Rule 2 (Planners) names the workspace “Nowhere”, which doesn't exist.",
      "Rule 2 (Planners) names the report “Sales / No such report”, which doesn't exist.",
      "Rule 2 (Planners) names the group “Night shift”, which doesn't exist.",
    ]);
    await notice.getByText(/add and remove nothing/).waitFor();
    await expectLayout(page, `sign-in-rules-${width}`);
  },
);

test('in German', async () => {
  await asAdmin(portal, 'PATCH', '/api/users/me', { locale: 'de' });
  const page = await portal.tab(await portal.session(portal.admin));
  await page.goto(`${portal.url}/health`);
  await page
    .getByText('Regel 2 (Planners) nennt den Arbeitsbereich „Nowhere“, der nicht vorhanden ist.')
    .waitFor();
  await asAdmin(portal, 'PATCH', '/api/users/me', { locale: null });
});

test('what is found, or created later, is not listed, and members see none of it', async () => {
  await asAdmin(portal, 'POST', '/api/groups', { name: 'Night shift' });
  const page = await portal.as(portal.admin, '/health');
  const notice = page.getByRole('alert', { name: title });
  await notice.getByText(/Nowhere/).waitFor();
  expect(await notice.getByRole('listitem').count()).toBe(2);
  const reader = await portal.as(await member(portal, 'reader@example.com'), '/health');
  await reader.getByText('All systems operational').waitFor();
  expect(await reader.getByRole('alert', { name: title }).count()).toBe(0);
});
