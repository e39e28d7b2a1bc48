import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectLayout } from './looks.js';
import { asAdmin } from './people.js';
import { Portal, type Width } from './portal.js';
import { until } from '../../support/until.js';
import { untilCounted, view } from './usage.js';
import { idOf, viewer } from './viewers.js';

let portal: Portal;
let ana: { email: string; password: string };

beforeAll(async () => {
  portal = await Portal.open();
  ana = await viewer(portal, 'ana@example.com', { Finance: 'viewer' });
  const report = await idOf(portal, 'reports', 'Cash flow');
  await view(portal, ana, { report, pages: ['Overview'], opened: 1100, visible: 10_000 });
  await untilCounted(portal, 1);
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

const figure = (page: Page, label: string) => page.getByRole('group', { name: label, exact: true });
const count = (page: Page) => page.getByRole('link', { name: /^(No|\d+) views? ·/ });

/** The page of a report whose own view is not reported, so that the figures stay as they are. */
async function open(person: { email: string; password: string }, name: string, width?: Width): Promise<Page> {
  const page = await portal.as(person, '/health', width);
  await page.route('**/api/usage/events', (route) => route.abort());
  await page.goto(`${portal.url}/reports/${await idOf(portal, 'reports', name)}`);
  return page;
}

test.each<Width>(['phone', 'desktop'])('shows its views (%s)', async (width) => {
  const page = await open(ana, 'Cash flow', width);
  await count(page).getByText('1 view ·').waitFor();
  const text = width === 'phone' ? '1 view · 1 viewer' : '1 view · 1 viewer · last 28 days';
  expect(await count(page).innerText()).toBe(text);
  await expectLayout(page, `report-count-${width}`);
  await count(page).press('Enter');
  await page.getByRole('heading', { name: 'Usage of Cash flow', level: 1 }).waitFor();
  await figure(page, 'Views').getByText('1', { exact: true }).waitFor();
  // Figures without people, and no links to pages that are not for viewers.
  await page.getByText(/^Viewers are hidden/).waitFor();
  expect(await page.getByRole('navigation', { name: 'Analytics', exact: true }).count()).toBe(0);
  await expectLayout(page, `analytics-report-viewer-${width}`);
});

test('shows that there are no views', async () => {
  const page = await open(portal.admin, 'Headcount');
  expect(await count(page).innerText()).toBe('No views · last 28 days');
});

test.each([403, 404, 503])('shows nothing where figures end with %s, and does not move', async (status) => {
  const path = `/reports/${await idOf(portal, 'reports', 'Cash flow')}`;
  const page = await portal.as(portal.admin, '/health');
  const answered = Promise.withResolvers<void>();
  await page.route('**/api/usage/reports/**', async (route) => {
    await answered.promise;
    await route.fulfill({
      status,
      json: { status, code: 'usage_hidden', title: '', detail: '', request_id: 'r' },
    });
  });
  const requested = page.waitForRequest('**/api/usage/reports/**');
  await page.goto(`${portal.url}${path}`);
  await requested;
  const top = async () => (await page.getByTitle('Report Cash flow').boundingBox())?.y;
  await page.getByTitle('Report Cash flow').waitFor();
  const before = await top();
  const response = page.waitForResponse('**/api/usage/reports/**');
  answered.resolve();
  await response;
  await page.unroute('**/api/usage/reports/**');
  expect([await count(page).count(), await top()]).toEqual([0, before]);
  expect(await page.getByRole('alert').count()).toBe(0);
  // The same page with figures has the same place for the report.
  await page.reload();
  await count(page).waitFor();
  expect(await top()).toBe(before);
});

test('USAGE_VISIBLE_TO_VIEWERS=false hides the count from viewers only; it leads to the usual period, and a custom one ends today in USAGE_TIME_ZONE', async () => {
  // UTC+14: after 10:00 in UTC it is the next day there.
  const strict = await Portal.open({
    USAGE_VISIBLE_TO_VIEWERS: 'false',
    USAGE_TIME_ZONE: 'Pacific/Kiritimati',
  });
  try {
    const eve = await viewer(strict, 'eve@example.com', { Finance: 'viewer' });
    const path = `/reports/${await idOf(strict, 'reports', 'Cash flow')}`;
    const page = await strict.as(eve, '/health');
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await page.goto(`${strict.url}${path}`);
    await page.getByTitle('Report Cash flow').waitFor();
    expect(await count(page).count()).toBe(0);
    expect(requested.filter((each) => each.startsWith('/api/usage/reports/'))).toEqual([]);
    const denied = await asAdmin(strict, 'GET', '/api/audit-events?action=access_denied');
    expect(await denied.json()).toMatchObject({ audit_events: [] });
    const admin = await strict.as(strict.admin, '/health');
    await admin.clock.setFixedTime(new Date('2026-11-24T12:00:00Z'));
    await admin.goto(`${strict.url}${path}`);
    await count(admin).click();
    const period = admin.getByRole('combobox', { name: 'Period' });
    await until(async () => (await period.inputValue()) === 'Last 28 days');
    await period.click();
    await admin.getByRole('option', { name: 'Custom range' }).click();
    await admin.waitForURL(/from=2026-10-29&to=2026-11-25/);
    expect(strict.pageErrors).toEqual([]);
  } finally {
    await strict.close();
  }
});
