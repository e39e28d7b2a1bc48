// How fast the portal's pages come up in Chromium with an empty cache: as they are, and as on a slow phone.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { figuresOf, NoStart } from './page-trace.js';
import { askJson, type Credentials, signIn } from './parts.js';
import { type Row, row, tell } from './rows.js';
import { startLocally } from './local-start.js';

const categories = ['toplevel', 'loading', 'devtools.timeline', 'blink.user_timing', '__metadata'];

/** Lighthouse's own: https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md */
const slowPhone = {
  network: { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_000 },
  slowdown: 4,
};

interface Visit {
  page: Page;
  client: CDPSession;
}

type Width = 'desktop' | 'phone';
const viewports = { desktop: { width: 1350, height: 940 }, phone: { width: 412, height: 823 } };

async function visit(browser: Browser, width: Width): Promise<Visit> {
  const context = await browser.newContext({ viewport: viewports[width] });
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send('Network.enable');
  return { page, client };
}

async function slowDown({ client }: Visit): Promise<void> {
  await client.send('Network.emulateNetworkConditions', slowPhone.network);
  await client.send('Emulation.setCPUThrottlingRate', { rate: slowPhone.slowdown });
}

/** A renderer that is slow to start under tracing misses the beginning of its trace: then it is loaded once more. */
async function load(...args: Parameters<typeof loadOnce>) {
  return loadOnce(...args).catch((error: unknown) => {
    if (!(error instanceof NoStart)) throw error;
    return loadOnce(...args);
  });
}

/** One load with an empty cache, until `settled`. */
async function loadOnce(
  browser: Browser,
  { page, client }: Visit,
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
  // Lighthouse too looks on for a while: what is drawn last may be the largest, and shift the rest.
  await page.waitForTimeout(1000);
  const figures = figuresOf(await browser.stopTracing(), url);
  client.off('Network.loadingFinished', count);
  return {
    ...figures,
    settled_ms: Math.round(settledAfter),
    transferred_kb: Math.round(transferred / 1000),
  };
}

async function enter(page: Page, url: string, admin: Credentials): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('E-mail').fill(admin.email);
  await page.getByLabel(/^Password/).fill(admin.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'Sales' }).waitFor();
}

async function measure(browser: Browser, { url, admin }: { url: string; admin: Credentials }) {
  const { reports } = await askJson<{ reports: { id: string }[] }>(
    `${url}/api/reports?q=Revenue%20overview`,
    await signIn(url, admin),
  );
  const rows: Row[] = [];
  for (const width of ['desktop', 'phone'] as const) {
    const tried = async (work: string, figures: Promise<Record<string, number>>) =>
      rows.push(row({ work: `portal, ${width}: ${work}`, figures: await figures }));
    const visitor = await visit(browser, width);
    const slow = async (each: Visit) => width === 'phone' && (await slowDown(each));
    await slow(visitor);
    const heading = visitor.page.getByRole('heading', { name: 'Sign in' });
    await tried(
      'sign-in page',
      load(browser, visitor, `${url}/sign-in`, () => heading.waitFor()),
    );
    await visitor.page.context().close();

    const person = await visit(browser, width);
    await enter(person.page, url, admin);
    await slow(person);
    const workspace = person.page.getByRole('link', { name: 'Sales' });
    const shown = person.page.frameLocator('iframe').getByText('Revenue by customer');
    await tried(
      'workspaces',
      load(browser, person, `${url}/workspaces`, () => workspace.waitFor()),
    );
    const report = `${url}/reports/${reports[0]?.id}`;
    await tried(
      'report',
      load(browser, person, report, () => shown.waitFor()),
    );
    await person.page.context().close();
  }
  return rows;
}

const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
// As root the database runs as somebody else, who must be able to pass.
chmodSync(folder, 0o711);
const started = await startLocally(join(folder, 'data'));
try {
  await using browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  tell(await measure(browser, started));
} finally {
  await started.stop();
  rmSync(folder, { recursive: true, force: true });
}
