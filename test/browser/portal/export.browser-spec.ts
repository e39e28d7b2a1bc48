import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { inside, isShown } from './embedded.js';
import { expectLayout } from './looks.js';
import { Portal } from './portal.js';
import { PowerBi } from './power-bi.js';
import { idOf, viewer } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(async () => {
  await settings({ exports_per_capacity: 500 });
  expect(portal.pageErrors).toEqual([]);
});
afterAll(() => portal.close());

async function open(page: Page, name: string): Promise<void> {
  await page.getByRole('searchbox').fill(name);
  // The rows move when the results arrive: a click before that can miss the link.
  await page.waitForURL(/[?&]q=/);
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

const settings = (change: object) => new PowerBi(portal).settings(change);

test('a report is exported, with its progress, and downloaded', async () => {
  await settings({ job_seconds: 2 });
  const page = await portal.as(portal.admin, '/reports');
  // Without a file dialog, as in browsers that have none.
  await page.evaluate("Reflect.deleteProperty(window, 'showSaveFilePicker')");
  await open(page, 'Pipeline');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: 'PDF', exact: true }).click();
  await page.getByRole('button', { name: 'Download' }).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('Pipeline.pdf');
  expect(readFileSync(await file.path(), 'latin1')).toContain('Report: Pipeline');
});

/** Holds back the second half of a downloaded file until `window.release()`. */
const HALF_A_FILE = `{
  const fetchAll = window.fetch;
  const released = new Promise((resolve) => (window.release = resolve));
  window.fetch = async (...request) => {
    const response = await fetchAll(...request);
    if (!response.url.endsWith('/file')) return response;
    const bytes = new Uint8Array(await response.arrayBuffer());
    const half = Math.floor(bytes.length / 2);
    return new Response(
      new ReadableStream({
        async start(controller) {
          controller.enqueue(bytes.slice(0, half));
          await released;
          controller.enqueue(bytes.slice(half));
          controller.close();
        },
      }),
    );
  };
}`;

test('an export shows that it waits, how far it is, and how much of the file has arrived', async () => {
  await settings({ job_seconds: 0, exports_per_capacity: 0, export_retry_seconds: 1 });
  const page = await portal.as(portal.admin, '/reports');
  await page.evaluate("Reflect.deleteProperty(window, 'showSaveFilePicker')");
  await page.evaluate(HALF_A_FILE);
  await open(page, 'Pipeline');
  await menu(page).click();
  await page.getByRole('menuitem', { name: 'PDF', exact: true }).click();
  const notice = page.getByRole('region', { name: 'Export' });
  const bar = notice.getByRole('progressbar', { name: 'Progress' });
  await notice.getByText('Waiting: Power BI is busy. The export starts by itself.').waitFor();
  // Without a width it is not visible.
  await bar.and(page.locator('[aria-valuenow="0"]')).waitFor({ state: 'attached' });
  await expectLayout(page, 'export-waiting');

  const running = { status: 'running', percent: 42, error: null };
  await page.route('**/api/exports/*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), ...running } });
  });
  await settings({ exports_per_capacity: 500 });
  await notice.getByText('Exporting: 42%').waitFor();
  await bar.and(page.locator('[aria-valuenow="42"]')).waitFor();
  await expectLayout(page, 'export-running');

  await page.unrouteAll({ behavior: 'wait' });
  await notice.getByText('Ready to download').waitFor();
  const coming = page.waitForEvent('download');
  await notice.getByRole('button', { name: 'Download' }).click();
  await bar.and(page.locator('[aria-valuenow="50"]')).waitFor();
  await page.evaluate('window.release()');
  expect((await coming).suggestedFilename()).toBe('Pipeline.pdf');
  await bar.waitFor({ state: 'detached' });
});

test('an export is still shown after a reload, until it is closed', async () => {
  await settings({ job_seconds: 4 });
  const page = await portal.as(portal.admin, `/reports/${await idOf(portal, 'reports', 'Pipeline')}`);
  await isShown(page, 'Pipeline');
  await menu(page).click();
  await page.getByRole('menuitem', { name: 'PDF', exact: true }).click();
  const notice = page.getByRole('region', { name: 'Export' });
  await notice.waitFor();
  await page.reload();
  await notice.getByText('Ready to download').waitFor();
  await notice.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await isShown(page, 'Pipeline');
  expect(await notice.count()).toBe(0);
});

test('an export can be cancelled, and a failure is explained', async () => {
  await settings({ job_seconds: 600 });
  const page = await portal.as(portal.admin, '/reports');
  await open(page, 'Pipeline');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: 'PowerPoint', exact: true }).click();
  const close = page.getByRole('region', { name: 'Export' }).getByRole('button', { name: 'Close' });
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  expect(await close.count()).toBe(0);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Export cancelled').waitFor();
  await close.waitFor();
  await settings({ job_seconds: 0, jobs_fail: true });
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: 'PDF', exact: true }).click();
  await page.getByRole('alert').getByText('Power BI could not export the report').waitFor();
  await settings({ job_seconds: 2, jobs_fail: false });
});

test('a cancelled export shows its cause', async () => {
  await settings({ job_seconds: 600 });
  const page = await portal.as(portal.admin, `/reports/${await idOf(portal, 'reports', 'Pipeline')}`);
  const detail = 'The data that you can see has changed since the export. Request a new export.';
  const cancelled = { status: 'cancelled', error: { code: 'export_expired', detail } };
  await page.route('**/api/exports/*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), ...cancelled } });
  });
  await menu(page).click();
  await page.getByRole('menuitem', { name: 'PDF', exact: true }).click();
  const notice = page.getByRole('region', { name: 'Export' });
  await notice.getByText('Export cancelled', { exact: true }).waitFor();
  await notice.getByRole('alert').getByText(detail).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await settings({ job_seconds: 2 });
});

const REFUSAL = "Viewers can't export reports of this workspace. A manager of the workspace can allow it.";

test('a viewer learns by keyboard why there is no export while the workspace does not allow it', async () => {
  const page = await portal.as(await viewer(portal, 'vio@example.com', { Sales: 'viewer' }), '/reports');
  await open(page, 'Pipeline');
  await menu(page).press('Enter');
  const reason = page.getByRole('menuitem', { name: REFUSAL, disabled: true });
  await reason.and(page.locator(':focus')).waitFor();
  expect(await page.getByRole('menuitem').count()).toBe(1);
  await expectLayout(page, 'export-refused');
  await reason.click({ force: true });
  await reason.waitFor();
  await page.keyboard.press('Escape');
  await menu(page).and(page.locator(':focus')).waitFor();
});

test('formats that a type of report does not have are explained', async () => {
  const page = await portal.as(portal.admin, `/reports/${await idOf(portal, 'reports', 'Pipeline')}`);
  await menu(page).press('Enter');
  await page.locator('[role^=menuitem]:focus').waitFor();
  await page.keyboard.press('End');
  const hint = { name: 'Excel, Word and CSV: paginated reports only', disabled: true };
  await page.getByRole('menuitem', hint).and(page.locator(':focus')).waitFor();
});

/** The text of the exported PDF. */
async function exported(page: Page): Promise<string> {
  await page.getByRole('menuitem', { name: 'PDF', exact: true }).click();
  const notice = page.getByRole('region', { name: 'Export' });
  await notice.getByText('Ready to download').waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    notice.getByRole('button', { name: 'Download' }).click(),
  ]);
  const text = readFileSync(await file.path(), 'latin1');
  await notice.getByRole('button', { name: 'Close' }).click();
  return text;
}

const menu = (page: Page): Locator => page.getByRole('button', { name: 'Export', exact: true });

test('the current view is exported, or the default view', async () => {
  await settings({ job_seconds: 0 });
  const page = await portal.as(portal.admin, '/reports');
  // A policy that forbids the file dialog.
  await page.evaluate(
    "window.showSaveFilePicker = () => Promise.reject(new DOMException('', 'SecurityError'))",
  );
  await open(page, 'Revenue overview');
  await isShown(page, 'Revenue overview');
  await inside(page).getByLabel('Region').selectOption('Europe');
  await menu(page).press('Enter');
  const current = page.getByRole('menuitemradio', { name: 'Current view' });
  await current.and(page.locator('[aria-checked=true]:focus')).waitFor();
  await expectLayout(page, 'export-menu');
  const [, state = ''] = /View: ([^)\r\n]+)/.exec(await exported(page)) ?? [];
  expect(state.length).toBeGreaterThan('default'.length);

  await menu(page).click();
  await page.getByRole('menuitemradio', { name: 'Default view' }).click();
  await page.getByRole('menuitemradio', { name: 'Default view', checked: true }).waitFor();
  expect(await exported(page)).toContain('View: default');
});

test('a current view that Power BI cannot capture, or that is too large, starts no export', async () => {
  const page = await portal.as(portal.admin, `/reports/${await idOf(portal, 'reports', 'Revenue overview')}`);
  await isShown(page, 'Revenue overview');
  const stub = (body: string) =>
    page.evaluate(
      `window.powerbi.get(document.querySelector('.report-frame')).bookmarksManager.capture = async () => { ${body} }`,
    );
  await stub("return { state: 'x'.repeat(65_537) }");
  await menu(page).click();
  await page.getByRole('menuitem', { name: 'PDF', exact: true }).click();
  await page.getByText('The current view is too large to export').waitFor();
  await stub("throw new Error('none')");
  await menu(page).click();
  await page.getByRole('menuitem', { name: 'PDF', exact: true }).click();
  await page.getByText('Power BI could not capture the current view').waitFor();
  expect(await page.getByRole('region', { name: 'Export' }).count()).toBe(0);
});

test('an export whose view takes long to capture shows this, and is started once', async () => {
  await settings({ job_seconds: 0 });
  const page = await portal.as(portal.admin, `/reports/${await idOf(portal, 'reports', 'Revenue overview')}`);
  await isShown(page, 'Revenue overview');
  await page.evaluate(`{
    window.captured = [];
    window.powerbi.get(document.querySelector('.report-frame')).bookmarksManager.capture = () =>
      new Promise((resolve) => window.captured.push(() => resolve({ state: 'state' })));
  }`);
  let started = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/exports')) started += 1;
  });
  await menu(page).click();
  await page.getByRole('menuitem', { name: 'PDF', exact: true }).click();
  await menu(page).and(page.locator('[aria-busy=true]:focus')).waitFor();
  await menu(page).click();
  await page.getByText('Preparing the export…').waitFor();
  await page
    .getByRole('menuitem', { name: 'PowerPoint', exact: true, disabled: true })
    .click({ force: true });
  await page.evaluate('window.captured.forEach((resolve) => resolve())');
  await page.getByRole('region', { name: 'Export' }).waitFor();
  await menu(page).and(page.locator('[aria-busy=false]')).waitFor();
  await page.getByRole('menuitem', { name: 'PowerPoint', exact: true, disabled: false }).waitFor();
  expect(started).toBe(1);
});

/** A file on a disk without space. */
const FULL_DISK = `window.showSaveFilePicker = async () => ({
  createWritable: async () =>
    new WritableStream({
      write() {
        throw new DOMException('', 'QuotaExceededError');
      },
    }),
});`;

test('a file for which the disk has no space ends with a message', async () => {
  await settings({ job_seconds: 0 });
  const page = await portal.as(portal.admin, '/reports');
  await page.evaluate(FULL_DISK);
  await open(page, 'Pipeline');
  await menu(page).click();
  await page.getByRole('menuitem', { name: 'PDF', exact: true }).click();
  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByText('The file could not be saved. The disk may be full.').waitFor();
});

test('a manager allows viewers to export, and takes it back', async () => {
  const sales = `/workspaces/${await idOf(portal, 'workspaces', 'Sales')}`;
  const person = await viewer(portal, 'vera@example.com', { Sales: 'viewer' });
  const manager = await viewer(portal, 'mark@example.com', { Sales: 'manager' });
  const page = await portal.as(manager, sales);
  await page.getByRole('tab', { name: 'Settings' }).click();
  const toggle = page.getByRole('switch', { name: 'Viewers can export reports' });
  await expectLayout(page, 'workspace-settings');
  for (const isAllowed of [true, false]) {
    await toggle.press('Space');
    // The switch shows the change before it is saved.
    await page.getByText('Changes saved').waitFor();
    await page.reload();
    await page.getByRole('switch', { checked: isAllowed }).waitFor();
    const reader = await portal.as(person, `/reports/${await idOf(portal, 'reports', 'Pipeline')}`);
    await isShown(reader, 'Pipeline');
    await menu(reader).click();
    await reader.getByRole('menuitem', { name: isAllowed ? 'PDF' : REFUSAL, exact: true }).waitFor();
    expect(await reader.getByRole('menuitem', { name: 'PDF', exact: true }).count()).toBe(isAllowed ? 1 : 0);
  }
  const reader = await portal.as(person, `${sales}?tab=settings`);
  await reader.getByRole('link', { name: 'Pipeline' }).waitFor();
  expect(await reader.getByRole('switch').count()).toBe(0);
});
