import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { untilPasses } from '../../support/until.js';
import { expectLayout } from './looks.js';
import { Portal } from './portal.js';
import { PowerBi } from './power-bi.js';
import { idOf } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterEach(() => expect(portal.pageErrors).toEqual([]));
afterAll(() => portal.close());

/** A dialog that chooses a real file, which it creates as the dialog of the system does, in the private files of the origin. */
const DIALOG = `window.showSaveFilePicker = async ({ suggestedName }) =>
  (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true });`;

/** The names of the chosen files that exist, with their sizes. */
const savedFiles = (page: Page): Promise<[string, number][]> =>
  page.evaluate<[string, number][]>(`(async () => {
    const found = [];
    for await (const [name, file] of (await navigator.storage.getDirectory()).entries())
      found.push([name, (await file.getFile()).size]);
    return found;
  })()`);

async function open(path: string): Promise<Page> {
  const page = await portal.as(portal.admin, path);
  await page.evaluate(DIALOG);
  return page;
}

const isFile = (route: Route): boolean => route.request().headers().accept === 'text/csv';

/** Exports a list; what happens to the request for its file, `respond` decides. */
async function exportList(respond: (route: Route) => unknown): Promise<Page> {
  const page = await open('/audit?action=signed_in');
  await page.route('**/api/audit-events?*', (route) => (isFile(route) ? respond(route) : route.continue()));
  const sent = page.waitForRequest((request) => request.headers().accept === 'text/csv');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: /^CSV/ }).click();
  await sent;
  return page;
}

const notice = (page: Page) => page.getByRole('region', { name: 'Export' });

async function startExport(page: Page, format: string, seconds: number): Promise<void> {
  await new PowerBi(portal).settings({ job_seconds: seconds });
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: format, exact: true }).click();
}

/** A report whose export has a file. */
async function openExported(): Promise<Page> {
  const page = await open(`/reports/${await idOf(portal, 'reports', 'Pipeline')}`);
  await startExport(page, 'PDF', 0);
  await notice(page).getByText('Ready to download').waitFor();
  return page;
}

const download = (page: Page) => notice(page).getByRole('button', { name: 'Download' }).click();

/** The file of an export breaks off after its first byte. */
const BREAKS_OFF = `{
  const fetchAll = window.fetch;
  window.fetch = async (...request) => {
    const response = await fetchAll(...request);
    if (!response.url.endsWith('/file')) return response;
    let sent = 0;
    const pull = (controller) => {
      if (sent > 0) controller.error(new TypeError('network error'));
      else controller.enqueue(new Uint8Array(1));
      sent += 1;
    };
    return new Response(new ReadableStream({ pull }));
  };
}`;

describe('the chosen file', () => {
  test('has the exported list', async () => {
    const page = await exportList((route) => route.continue());
    await page.getByText('Export complete').waitFor();
    const [file, ...others] = await savedFiles(page);
    expect(file?.[0]).toMatch(/^audit-events-.*\.csv$/);
    expect(file?.[1]).toBeGreaterThan(0);
    expect(others).toEqual([]);
  });

  test('is removed if the request fails', async () => {
    const page = await exportList((route) => route.abort());
    await page.getByRole('alert').waitFor();
    expect(await savedFiles(page)).toEqual([]);
  });

  test('is removed if the export is cancelled', async () => {
    const page = await exportList(() => undefined);
    expect(await savedFiles(page)).toHaveLength(1);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Exporting:').waitFor({ state: 'detached' });
    expect(await savedFiles(page)).toEqual([]);
  });

  test('is removed if the download of an exported report breaks off', async () => {
    const page = await openExported();
    await page.evaluate(BREAKS_OFF);
    await download(page);
    await page.getByText("Can't reach the server").waitFor();
    expect(await savedFiles(page)).toEqual([]);
  });
});

test('a second export of a report loses neither the file nor the progress of another', async () => {
  const page = await openExported();
  await startExport(page, 'PowerPoint', 600);
  const cancel = notice(page).getByRole('button', { name: 'Cancel' });
  await cancel.waitFor();
  await expectLayout(page, 'exports');
  await page.reload();
  await page.evaluate(DIALOG);
  await cancel.click();
  await notice(page).getByText('Export cancelled').waitFor();
  await download(page);
  await untilPasses(async () =>
    expect(await savedFiles(page)).toEqual([['Pipeline.pdf', expect.any(Number)]]),
  );
  const first = notice(page).getByRole('group', { name: 'Pipeline.pdf' });
  await first.getByRole('button', { name: 'Close' }).click();
  await first.waitFor({ state: 'detached' });
  await notice(page).getByRole('group', { name: 'Pipeline.pptx' }).waitFor();
});

async function leave(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Help', exact: true }).click();
  await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor();
}

describe('a download that fails after its page is left says so', () => {
  test('of a list', async () => {
    const left = Promise.withResolvers<void>();
    const page = await exportList((route) => left.promise.then(() => route.abort()));
    await leave(page);
    left.resolve();
    await page.getByText(/^The export failed\. audit-events-.*\.csv was not saved\.$/).waitFor();
  });

  test('of an exported report', async () => {
    const page = await openExported();
    const left = Promise.withResolvers<void>();
    await page.route('**/api/exports/*/file', (route) => left.promise.then(() => route.abort()));
    const sent = page.waitForRequest('**/api/exports/*/file');
    await download(page);
    await sent;
    await leave(page);
    left.resolve();
    await page.getByText("Can't reach the server").waitFor();
  });
});

test('a list whose page is left is exported, and says when it is complete', async () => {
  const left = Promise.withResolvers<void>();
  const page = await exportList((route) => left.promise.then(() => route.continue()));
  await leave(page);
  left.resolve();
  await page.getByText(/^Export complete: audit-events-.*\.csv$/).waitFor();
});

test('an exported report is downloaded with a renewed token if the service refuses the first', async () => {
  const page = await openExported();
  const refusal = {
    status: 401,
    json: { status: 401, code: 'authentication_required', title: '', detail: '' },
  };
  await page.route('**/api/exports/*/file', (route) => route.fulfill(refusal), { times: 1 });
  await download(page);
  await untilPasses(async () => expect((await savedFiles(page))[0]?.[1]).toBeGreaterThan(0));
});
