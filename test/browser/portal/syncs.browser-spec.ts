import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { violationsByScheme, fitsWindow, Portal, type Width } from './portal.js';
import { PowerBi } from './power-bi.js';
import { viewer } from './viewers.js';

let portal: Portal;
let powerBi: PowerBi;

beforeAll(async () => {
  portal = await Portal.open();
  powerBi = new PowerBi(portal);
}, 120_000);
afterAll(() => portal.close());
afterEach(async () => {
  await powerBi.clearFaults();
  await powerBi.settings({ latency_ms: 0 });
  expect(portal.pageErrors).toEqual([]);
});

interface Run {
  id: string;
  status: string;
}

const newest = async (): Promise<Run> => {
  const { syncs } = await portal.started.get<{ syncs: [Run] }>(
    '/api/syncs?limit=1',
    await portal.started.signIn(),
  );
  return syncs[0];
};

/** What Power BI calls a workspace. */
async function pbiIdOf(name: string): Promise<string> {
  const token = await portal.started.signIn();
  const path = `/api/workspaces?q=${encodeURIComponent(name)}`;
  const { workspaces } = await portal.started.get<{ workspaces: { pbi_workspace_id: string }[] }>(
    path,
    token,
  );
  return workspaces[0]?.pbi_workspace_id ?? '';
}

test.each<Width>(['phone', 'desktop'])('runs are listed, and one is requested (%s)', async (width) => {
  const page = await portal.as(portal.admin, '/syncs', width);
  await page.getByRole('row', { name: /Succeeded.*Startup/ }).waitFor();
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.getByText('Sync started.').waitFor();
  await page
    .getByRole('row', { name: /Succeeded.*Manual/ })
    .first()
    .waitFor();
  expect(await violationsByScheme(page, `syncs-${width}`)).toEqual([]);
  expect(await fitsWindow(page)).toBe(true);
});

describe('a run that failed', () => {
  test.each<Width>(['phone', 'desktop'])(
    'in some workspaces shows which ones, and why (%s)',
    async (width) => {
      await powerBi.fault({ path: `/groups/${await pbiIdOf('Finance')}/reports`, status: 401 });
      await powerBi.fault({ path: `/groups/${await pbiIdOf('Operations')}/datasets`, status: 500 });
      const page = await portal.as(portal.admin, '/syncs', width);
      await page.getByRole('button', { name: 'Sync now' }).click();
      const row = page.getByRole('row', { name: /Partially succeeded/ }).first();
      await row.getByRole('link').click();
      const details = page.getByRole('dialog', { name: 'Sync' });
      await details.getByText(/2 of 7 workspaces couldn't be read/).waitFor();
      await details
        .getByRole('alert')
        .filter({ hasText: 'Power BI denied access' })
        .getByText('Finance')
        .waitFor();
      await details
        .getByRole('alert')
        .filter({ hasText: 'Power BI did not respond' })
        .getByText('Operations')
        .waitFor();
      expect(await violationsByScheme(page, `sync-partial-${width}`)).toEqual([]);
      await page.reload();
      await details.getByText('Finance').waitFor();
      await page.keyboard.press('Escape');
      await details.waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('');
      // Back does not open it again.
      await page.goBack();
      await row.waitFor();
      expect(new URL(page.url()).search).toBe('');
    },
  );

  test('completely shows that nothing was removed', async () => {
    await powerBi.settings({ tenant_switch: false });
    const page = await portal.as(portal.admin, '/syncs');
    await page.getByRole('button', { name: 'Sync now' }).click();
    const row = page.getByRole('row', { name: /Failed/ }).first();
    await row.waitFor();
    await powerBi.settings({ tenant_switch: true });
    await row.getByRole('link').click();
    await page.getByText(/it didn't reach are unchanged/).waitFor();
    await page.getByRole('dialog').getByRole('alert').getByText('Power BI denied access').waitFor();
  });
});

test('progress is shown while a run lasts, and at most one more is queued', async () => {
  const page = await portal.as(portal.admin, '/syncs');
  await fetch(`${powerBi.url}/__emulator/content`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ workspaces: 60, reports_per_workspace: 2 }),
  });
  // A minute, so that it lasts however slow the portal is; at the end it is let go.
  await powerBi.settings({ latency_ms: 3000 });
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.getByText('Sync in progress', { exact: true }).waitFor();
  const bar = page.getByRole('progressbar', { name: 'Sync progress' });
  await bar.waitFor();
  const done = async () => Number(await bar.getAttribute('aria-valuenow'));
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.getByText('Sync queued. It starts when the current one finishes.').waitFor();
  await page
    .getByText('Another sync is queued and starts when this one finishes.', { exact: true })
    .waitFor();
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.getByText('A sync is already queued.').waitFor();
  await page.waitForFunction(`document.querySelector('[role=progressbar]').ariaValueNow > 0`);
  expect(await done()).toBeLessThan(100);
  expect(await violationsByScheme(page, 'sync-running')).toEqual([]);
  await powerBi.settings({ latency_ms: 0 });
  await bar.waitFor({ state: 'detached' });
  expect(await newest()).toMatchObject({ status: 'succeeded' });
});

test.each([
  [700, '700 of about 1,400 reports'],
  [2400, '2,400 reports'],
])('a run that has read %i reports after one of 1,400 shows “%s”', async (reports_seen, text) => {
  const page = await portal.as(portal.admin, '/health');
  const last = { ...(await newest()), status: 'succeeded', reports_seen: 1400 };
  const id = '018f3a9c-0000-7000-8000-000000000000';
  const running = { ...last, id, status: 'running', finished_at: null, reports_seen };
  await page.route('**/api/syncs?*', (route) => route.fulfill({ json: { syncs: [running, last] } }));
  await page.getByRole('link', { name: 'Syncs' }).click();
  await page.getByText(text, { exact: true }).waitFor();
  expect(Number(await page.getByRole('progressbar').getAttribute('aria-valuenow'))).toBeLessThan(100);
});

test('a member has no access', async () => {
  const page = await portal.as(await viewer(portal, 'mina@example.com'), '/syncs');
  await page.getByText('Only administrators can view this page').waitFor();
  expect(await page.getByRole('button', { name: 'Sync now' }).count()).toBe(0);
});

test('an unknown run is reported', async () => {
  const page = await portal.as(portal.admin, '/syncs?run=018f3a9c-0000-7000-8000-000000000000');
  await page.getByRole('alert').getByText('Sync run not found').waitFor();
});

test('a list that cannot be loaded shows the reason and offers a retry', async () => {
  const page = await portal.as(portal.admin, '/health');
  await page.route('**/api/syncs**', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        status: 503,
        code: 'database_unavailable',
        title: '',
        detail: '',
        request_id: 'r-1',
      }),
    }),
  );
  await page.getByRole('link', { name: 'Syncs' }).click();
  await page.getByRole('alert').getByText('The database is temporarily unavailable').waitFor();
  await page.unroute('**/api/syncs**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('row', { name: /Startup/ }).waitFor();
});

test('without runs there is an empty state', async () => {
  const page = await portal.as(portal.admin, '/health');
  await page.route('**/api/syncs**', (route) => route.fulfill({ json: { syncs: [] } }));
  await page.getByRole('link', { name: 'Syncs' }).click();
  await page.getByText('No syncs yet').waitFor();
});
