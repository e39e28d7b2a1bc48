// Load time of the portal's pages in Chromium with an empty cache, on a desktop and on a slow phone.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type CDPSession, type Page } from 'playwright-core';
import { launchChromium } from '../test/support/chromium.js';
import { figuresOf, NoStart } from './page-trace.js';
import { fetchJson, type Credentials, signIn } from './parts.js';
import { type Row, row, printRows } from './rows.js';
import { startLocally } from './local-start.js';

const categories = ['toplevel', 'loading', 'devtools.timeline', 'blink.user_timing', '__metadata'];

/** Lighthouse's own: https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md */
const slowPhone = {
  network: { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_000 },
  slowdown: 4,
};

interface PageLoad {
  page: Page;
  client: CDPSession;
}

type Width = 'desktop' | 'phone';
const viewports = { desktop: { width: 1350, height: 940 }, phone: { width: 412, height: 823 } };

async function openPage(browser: Browser, width: Width): Promise<PageLoad> {
  const context = await browser.newContext({ viewport: viewports[width] });
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send('Network.enable');
  return { page, client };
}

async function slowDown({ client }: PageLoad): Promise<void> {
  await client.send('Network.emulateNetworkConditions', slowPhone.network);
  await client.send('Emulation.setCPUThrottlingRate', { rate: slowPhone.slowdown });
}

/** A renderer that starts slowly under tracing misses the start of its trace: then the page is loaded again. */
async function load(...args: Parameters<typeof loadOnce>) {
  return loadOnce(...args).catch((error: unknown) => {
    if (!(error instanceof NoStart)) throw error;
    return loadOnce(...args);
  });
}

/** One load with an empty cache, until `settled`. */
async function loadOnce(
  browser: Browser,
  { page, client }: PageLoad,
  url: string,
  settled: () => Promise<unknown>,
) {
  await client.send('Network.clearBrowserCache');
  await page.goto('about:blank');
  let transferred = 0;
  const count = ({ encodedDataLength }: { encodedDataLength: number }) => (transferred += encodedDataLength);
  client.on('Network.loadingFinished', count);
  await browser.startTracing(page, { categories });
  const began = performance.now();
  await page.goto(url);
  await settled();
  const settledAfter = performance.now() - began;
  // Waits as Lighthouse does: late elements may be the largest, and shift the layout.
  await page.waitForTimeout(1000);
  const figures = figuresOf(await browser.stopTracing(), url);
  client.off('Network.loadingFinished', count);
  return {
    ...figures,
    settled_ms: Math.round(settledAfter),
    transferred_kb: Math.round(transferred / 1000),
  };
}

async function signInOnPage(page: Page, url: string, admin: Credentials): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('Email').fill(admin.email);
  await page.getByLabel(/^Password/).fill(admin.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'Sales' }).waitFor();
}

async function measure(browser: Browser, { url, admin }: { url: string; admin: Credentials }) {
  const { reports } = await fetchJson<{ reports: { id: string }[] }>(
    `${url}/api/reports?q=Revenue%20overview`,
    await signIn(url, admin),
  );
  const rows: Row[] = [];
  for (const width of ['desktop', 'phone'] as const) {
    const tried = async (work: string, figures: Promise<Record<string, number>>) =>
      rows.push(row({ work: `portal, ${width}: ${work}`, figures: await figures }));
    const visitor = await openPage(browser, width);
    const slow = async (each: PageLoad) => width === 'phone' && (await slowDown(each));
    await slow(visitor);
    const heading = visitor.page.getByRole('heading', { name: 'Sign in' });
    await tried(
      'sign-in page',
      load(browser, visitor, `${url}/sign-in`, () => heading.waitFor()),
    );
    await visitor.page.context().close();

    const user = await openPage(browser, width);
    await signInOnPage(user.page, url, admin);
    await slow(user);
    const workspace = user.page.getByRole('link', { name: 'Sales' });
    const shown = user.page.frameLocator('iframe').getByText('Revenue by customer');
    await tried(
      'workspaces',
      load(browser, user, `${url}/workspaces`, () => workspace.waitFor()),
    );
    const report = `${url}/reports/${reports[0]?.id}`;
    await tried(
      'report',
      load(browser, user, report, () => shown.waitFor()),
    );
    await user.page.context().close();
  }
  return rows;
}

const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
// As root the database runs as somebody else, who must be able to pass.
chmodSync(folder, 0o711);
const started = await startLocally(join(folder, 'data'));
try {
  await using browser = await launchChromium();
  printRows(await measure(browser, started));
} finally {
  await started.stop();
  rmSync(folder, { recursive: true, force: true });
}
