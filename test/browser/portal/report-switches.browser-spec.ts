import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CDPSession, Page } from 'playwright-core';
import { isShown } from './embedded.js';
import { Portal } from './portal.js';
import { idOf } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterAll(() => portal.close());

const names = ['Revenue overview', 'Pipeline'];
const SWITCHES = 30;
/** What is left of each switch would be at least 30; a document that is not collected yet is not growth. */
const limits = {
  Documents: 5,
  Frames: 5,
  JSEventListeners: SWITCHES,
  // A detached report page has more than 100 nodes.
  Nodes: 20 * SWITCHES,
  JSHeapUsedSize: 50_000 * SWITCHES,
};
/** Switches after which caches and lazily loaded code are in memory. */
const WARM_UP = 4;

async function show(page: Page, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const name = names[index % names.length] ?? '';
    await page.getByRole('link', { name, exact: true }).click();
    await isShown(page, name);
    await page.getByRole('link', { name: 'Sales', exact: true }).click();
    await page.getByRole('tab', { name: 'Access' }).waitFor();
  }
}

/** What is left after garbage collection, in the page and the frames that it made. */
async function measure(client: CDPSession): Promise<Record<string, number>> {
  await client.send('HeapProfiler.collectGarbage');
  await client.send('HeapProfiler.collectGarbage');
  const { metrics } = await client.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

test(`${SWITCHES} switches of the report leave no documents, listeners, elements or memory`, async () => {
  const page = await portal.as(portal.admin, `/workspaces/${await idOf(portal, 'workspaces', 'Sales')}`);
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  await show(page, WARM_UP);
  const before = await measure(client);
  await show(page, SWITCHES);
  const after = await measure(client);
  const grown = Object.entries(limits).map(
    ([name, limit]) => [name, (after[name] ?? NaN) - (before[name] ?? NaN), limit] as const,
  );
  expect(grown.filter(([, growth, limit]) => !(growth < limit))).toEqual([]);
}, 180_000);
