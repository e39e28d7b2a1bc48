import type { Page } from 'playwright-core';
import { pathOfUser } from './admin.js';
import { isShown } from './embedded.js';
import { addWebhook, asAdmin, invite, member } from './people.js';
import type { Portal } from './portal.js';
import { createGroup, idOf } from './viewers.js';

/** A page of the portal, and what shows that it is complete. */
export interface Place {
  name: string;
  path: string;
  isComplete: (page: Page) => Promise<void>;
}

const heading = (name: string) => (page: Page) =>
  page.getByRole('heading', { name, exact: true }).first().waitFor();
const row = (name: RegExp) => (page: Page) => page.getByRole('row', { name }).first().waitFor();

/** Every page that an admin sees, with something on each of them. */
export async function allPlaces(portal: Portal): Promise<Place[]> {
  const { email } = await member(portal, 'mina@example.com');
  await invite(portal, 'pending@example.com', { name: 'Penny Pending' });
  const created = await asAdmin(portal, 'POST', '/api/service-accounts', { name: 'Nightly export' });
  const account = ((await created.json()) as { id: string }).id;
  const webhook = await addWebhook(portal, 'http://127.0.0.1:9/hooks', ['sync.failed']);
  const user = await pathOfUser(portal, email);
  await asAdmin(portal, 'PATCH', `/api${user}`, { attributes: { region: 'Europe' } });
  const sales = await idOf(portal, 'workspaces', 'Sales');
  const report = await idOf(portal, 'reports', 'Pipeline');
  const finance = await idOf(portal, 'workspaces', 'Finance');
  await asAdmin(portal, 'POST', '/api/embed-grants/revoke', {
    workspace_id: finance,
    reason: 'Under review',
  });
  const group = await createGroup(portal, 'Controllers', [email]);
  await asAdmin(portal, 'PUT', `/api/reports/${report}/grants/groups/${group}`, { role: 'editor' });
  return [
    {
      name: 'home',
      path: '/',
      isComplete: (page) => page.getByRole('link', { name: 'Sales' }).first().waitFor(),
    },
    { name: 'favourites', path: '/favourites', isComplete: heading('No favourites yet') },
    { name: 'workspaces', path: '/workspaces', isComplete: row(/^Sales/) },
    { name: 'workspace', path: `/workspaces/${sales}`, isComplete: row(/Order confirmation/) },
    { name: 'workspace-access', path: `/workspaces/${sales}?tab=access`, isComplete: row(/^Mina/) },
    { name: 'workspace-settings', path: `/workspaces/${sales}?tab=settings`, isComplete: heading('Export') },
    { name: 'reports', path: '/reports', isComplete: row(/Pipeline/) },
    { name: 'report', path: `/reports/${report}`, isComplete: (page) => isShown(page, 'Pipeline') },
    { name: 'report-access', path: `/reports/${report}/access`, isComplete: row(/Mina.*Controllers/) },
    { name: 'groups', path: '/groups', isComplete: row(/Controllers/) },
    { name: 'group', path: `/groups/${group}`, isComplete: row(/^Mina/) },
    { name: 'access-review', path: '/access-review', isComplete: row(/Mina.*Controllers/) },
    { name: 'users', path: '/users', isComplete: row(/Mina/) },
    { name: 'user', path: user, isComplete: heading('Attributes') },
    { name: 'view-as', path: `${user}/view-as`, isComplete: heading('View as Mina Member') },
    { name: 'user-access', path: `${user}?tab=access`, isComplete: row(/^Sales/) },
    { name: 'user-sign-in', path: `${user}?tab=sign-in`, isComplete: row(/127\.0\.0\.1/) },
    { name: 'invitations', path: '/invitations', isComplete: row(/Penny Pending.*Email sent/) },
    { name: 'bulk', path: '/invitations/bulk', isComplete: heading('Users') },
    { name: 'service-accounts', path: '/service-accounts', isComplete: row(/Nightly export/) },
    { name: 'service-account', path: `/service-accounts/${account}`, isComplete: heading('Secrets') },
    { name: 'syncs', path: '/syncs', isComplete: row(/Succeeded/) },
    { name: 'datasets', path: '/datasets', isComplete: row(/Set/) },
    { name: 'embedding', path: '/embedding', isComplete: heading('Select a report') },
    {
      name: 'embedding-tokens',
      path: '/embedding?tab=tokens',
      isComplete: row(/Pipeline/),
    },
    { name: 'embedding-revocations', path: '/embedding?tab=revocations', isComplete: row(/Under review/) },
    {
      name: 'analytics',
      path: '/analytics',
      isComplete: (page) => page.getByRole('img', { name: /^Chart/ }).waitFor(),
    },
    { name: 'webhooks', path: '/settings/webhooks', isComplete: row(/127\.0\.0\.1.*sync\.failed.*Active/) },
    { name: 'webhook', path: `/settings/webhooks/${webhook}`, isComplete: heading('No deliveries') },
    { name: 'provisioning', path: '/settings/provisioning', isComplete: row(/^SCIM/) },
    { name: 'audit', path: '/audit', isComplete: heading('Audit log') },
    {
      name: 'health',
      path: '/health',
      isComplete: (page) => page.getByText('All systems operational').waitFor(),
    },
    { name: 'account', path: '/account', isComplete: heading('Active sessions') },
  ];
}
