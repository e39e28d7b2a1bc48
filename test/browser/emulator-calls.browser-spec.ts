import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EmulatorClient, type EmbedToken } from '../support/emulator-client.js';
import { PowerBiPage } from '../support/powerbi-page.js';

let emulator: EmulatorClient;
let browser: PowerBiPage;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
  browser = await PowerBiPage.open();
});

beforeEach(async () => {
  const { id, datasetId, embedUrl } = await emulator.report('Sales', 'Revenue overview');
  const request = { reports: [{ id }], datasets: [{ id: datasetId }] };
  const { body } = await emulator.post<EmbedToken>('/GenerateToken', request);
  await browser.embed({ id, embedUrl, accessToken: body.token });
  await browser.event('rendered');
});

afterAll(async () => {
  await browser.close();
  await emulator.close();
});

/** The client wraps pages and visuals in objects that cannot leave the browser, so it is asked inside. */
function inside<T>(code: string): Promise<T> {
  return browser.page.evaluate(`(async () => { ${code} })()`);
}

describe('methods of the official client', () => {
  test('setPage and updateFilters work', async () => {
    await browser.call('setPage', 'ReportSection1');
    await browser.event('pageChanged');
    const filter = {
      target: { table: 'Data', column: 'Region' },
      operator: 'In',
      values: ['Europe'],
    };
    await browser.call('updateFilters', 1, [filter]);
    await browser.event('filtersApplied');
    expect(await browser.call('getFilters')).toEqual([filter]);
    const regions = browser.page.frameLocator('iframe').locator('tbody td:nth-child(2)');
    expect(new Set(await regions.allInnerTexts())).toEqual(new Set(['Europe']));
  });

  test('getPages, getVisuals and exportData return the content', async () => {
    const data = await inside<string>(`
      const pages = await report.getPages();
      const visuals = await pages[0].getVisuals();
      const table = await visuals.find(({ name }) => name === 'by-category').exportData();
      return [pages.length, visuals.length, table.data].join('|');
    `);
    expect(data).toMatch(/^2\|9\|Region,Revenue\r\n(Americas|Europe),\d+\r\n(Americas|Europe),\d+$/);
  });

  test('addPage, setDisplayName and deletePage work', async () => {
    const names = () => inside<string[]>('return (await report.getPages()).map((page) => page.displayName)');
    await inside("await report.addPage('Mine')");
    expect(await names()).toEqual(['Overview', 'Products', 'Mine']);
    await inside("await (await report.getPages())[2].setDisplayName('Yours')");
    expect(await names()).toEqual(['Overview', 'Products', 'Yours']);
    await inside('await report.deletePage((await report.getPages())[2].name)');
    expect(await names()).toEqual(['Overview', 'Products']);
  });

  test('a visual has its own filters and sort order', async () => {
    const data = await inside<string[]>(`
      const [page] = await report.getPages();
      const visuals = await page.getVisuals();
      const [regions, customers] = ['by-category', 'by-detail'].map((name) => visuals.find((each) => each.name === name));
      const target = { table: 'Data', column: 'Region' };
      await regions.updateFilters(1, [{ target, operator: 'In', values: ['Europe'] }]);
      const before = (await customers.exportData()).data;
      await customers.sortBy({ orderBy: { table: 'Data', measure: 'Revenue' }, direction: 1 });
      return [(await regions.exportData()).data, before, (await customers.exportData()).data];
    `);
    const [regions, before, after] = data.map((csv) => csv.split('\r\n').slice(1));
    expect(regions).toEqual([expect.stringMatching(/^Europe,/)]);
    expect(before).toHaveLength(6);
    expect(after).toEqual(before!.toReversed());
  });

  test('a bookmark restores the page', async () => {
    await inside(`
      const { state } = await report.bookmarksManager.capture();
      await report.setPage('ReportSection1');
      await report.bookmarksManager.applyState(state);
    `);
    await browser.event('bookmarkApplied');
    await browser.page
      .frameLocator('iframe')
      .locator('nav button[aria-current=page]', { hasText: 'Overview' })
      .waitFor();
  });

  test('refresh renders again; a missing method is a 404', async () => {
    await browser.call('refresh');
    await browser.page.waitForFunction(
      () =>
        (globalThis as unknown as { embedEvents: { name: string }[] }).embedEvents.filter(
          ({ name }) => name === 'rendered',
        ).length === 2,
    );
    const visual = '(await (await report.getActivePage()).getVisuals())[0]';
    expect(await inside(`return (${visual}).clone().catch((error) => error)`)).toContain('Not Found. Url: ');
  });
});
