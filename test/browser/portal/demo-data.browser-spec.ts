import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectLayout } from './looks.js';
import { Portal, type Width } from './portal.js';
import { untilCounted } from './usage.js';

let demo: Portal;
beforeAll(async () => {
  demo = await Portal.open({ DEMO_DATA: 'true' });
  await untilCounted(demo);
}, 120_000);
afterEach(() => expect(demo.pageErrors).toEqual([]));
afterAll(() => demo.close());

const figure = (page: Page, label: string) => page.getByRole('group', { name: label, exact: true });
const row = (page: Page, name: RegExp) => page.getByRole('row', { name });

test.each<Width>(['phone', 'desktop'])('fills the overview, with a notice (%s)', async (width) => {
  const page = await demo.as(demo.admin, '/analytics', width);
  await page.getByText('Demo data', { exact: true }).waitFor();
  await page
    .getByRole('img', { name: /^Chart: Views by day/ })
    .locator('svg')
    .waitFor();
  await figure(page, 'Views')
    .getByText(/^[+-]?\d+%$/)
    .waitFor();
  expect(await page.getByText('Changes compare with the previous period.').count()).toBe(1);
  expect(await page.getByRole('group').getByText('previous period').count()).toBe(0);
  expect(await page.getByText('No views reported in this period').count()).toBe(0);
  await row(page, /^Revenue overview Sales \d+ [+-]?\d+% Views over time: highest \d+/)
    .first()
    .waitFor();
  await expectLayout(page, `analytics-demo-${width}`);
});

test.each<Width>(['phone', 'desktop'])(
  'is compared with the period before on request (%s)',
  async (width) => {
    const page = await demo.as(demo.admin, '/analytics/reports', width);
    await row(page, /^Revenue overview Sales \d+ [+-]?\d+% Views/).waitFor();
    await expectLayout(page, `analytics-demo-reports-${width}`);
    await page.getByRole('switch', { name: 'Compare with previous period' }).press('Space');
    await row(page, /^Revenue overview Sales \d+ Views over time/).waitFor();
    expect(new URL(page.url()).search).toBe('?compare=no');
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await figure(page, 'Views').waitFor();
    expect(new URL(page.url()).searchParams.get('compare')).toBe('no');
    await figure(page, 'Views').getByText(/\d/).waitFor();
    expect(await page.getByText('Changes compare with the previous period.').count()).toBe(0);
  },
);

test('leads from an unused report to its grants', async () => {
  const page = await demo.as(demo.admin, '/analytics/unused?unused=30');
  await row(page, /^Plant utilisation Operations/)
    .getByRole('link', { name: 'Review access' })
    .click();
  await page.getByRole('heading', { name: 'Access to Plant utilisation', level: 1 }).waitFor();
  await page.getByRole('tab', { name: 'Shared with', selected: true }).waitFor();
});
