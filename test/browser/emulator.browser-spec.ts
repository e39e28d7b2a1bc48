import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EmulatorClient, type EmbedToken, type Report } from '../support/emulator-client.js';
import { PowerBiPage } from '../support/powerbi-page.js';

let emulator: EmulatorClient;
let browser: PowerBiPage;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
  browser = await PowerBiPage.open();
});

beforeEach(() => emulator.reset());

afterAll(async () => {
  await browser.close();
  await emulator.close();
});

async function tokenFor(report: Report, more: object = {}): Promise<string> {
  const datasets = report.datasetId ? [{ id: report.datasetId }] : [];
  const { body } = await emulator.post<EmbedToken>('/GenerateToken', {
    reports: [{ id: report.id }],
    datasets,
    ...more,
  });
  return body.token;
}

function configOf(report: Report, accessToken: string) {
  return { id: report.id, embedUrl: report.embedUrl, accessToken };
}

describe('the official client on the embed page', () => {
  test('loads and renders a report', async () => {
    const report = await emulator.report('Sales', 'Revenue overview');
    await browser.embed(configOf(report, await tokenFor(report)));
    await browser.event('rendered');
    const names = (await browser.events()).map(({ name }) => name);
    expect(names).toEqual(['loaded', 'rendered']);
    expect(await browser.text('h1')).toBe('Revenue overview');
    expect(await browser.page.frameLocator('iframe').locator('.chart svg').count()).toBe(4);
  });

  test("is rendered by powerbi.embed itself when Microsoft's host resolves to the emulator", async () => {
    await emulator.set({ embed_url_base: 'https://app.powerbi.com' });
    const report = await emulator.report('Sales', 'Revenue overview');
    expect(report.embedUrl).toMatch(/^https:\/\/app\.powerbi\.com\//);
    await browser.embedByRoute(configOf(report, await tokenFor(report)), emulator.url);
    await browser.event('rendered');
    expect((await browser.events()).map(({ name }) => name)).toEqual(['loaded', 'rendered']);
  });

  test('renders a paginated report', async () => {
    const report = await emulator.report('Finance', 'Invoice register');
    expect(report.embedUrl).toContain('/rdlEmbed?');
    await browser.embed(configOf(report, await tokenFor(report)));
    await browser.event('rendered');
    expect(await browser.text('.paper h1')).toBe('Invoice register');
  });

  test('raises an error for the token of another report', async () => {
    const [report, other] = [
      await emulator.report('Sales', 'Revenue overview'),
      await emulator.report('Sales', 'Pipeline'),
    ];
    await browser.embed(configOf(report, await tokenFor(other)));
    const { detail } = await browser.event('error');
    expect(detail).toMatchObject({
      message: 'LoadReportFailed',
      detailedMessage: 'Get report failed',
      errorCode: '403',
    });
    expect((await browser.events()).map(({ name }) => name)).not.toContain('loaded');
  });

  test('raises an error for an invalid token', async () => {
    const report = await emulator.report('Sales', 'Pipeline');
    await browser.embed(configOf(report, 'no-token'));
    expect((await browser.event('error')).detail).toMatchObject({
      detailedMessage: "Fail to initialize - Couldn't resolve cluster",
    });
  });

  test('assumes an Entra token when the page sets no token type', async () => {
    const report = await emulator.report('Sales', 'Pipeline');
    await browser.embed({ ...configOf(report, await tokenFor(report)), tokenType: 0 });
    expect((await browser.event('error')).detail).toMatchObject({
      message: 'LoadReportFailed',
      errorCode: '403',
    });
  });
});

describe('row-level security', () => {
  async function rowsShown(name: string, identity: object) {
    const report = await emulator.report('Sales', name);
    const identities = [{ ...identity, datasets: [report.datasetId] }];
    await browser.embed(configOf(report, await tokenFor(report, { identities })));
    await browser.event('rendered');
    return browser.text('footer');
  }

  test('shows the user of the token and only their rows', async () => {
    expect(await rowsShown('My customers', { username: 'ada@vitrine.example' })).toMatch(
      /^Effective identity: ada@vitrine.example · [1-9]\d* rows of Sales by representative/,
    );
    await browser.call('setPage', 'ReportSection1');
    const people = browser.page.frameLocator('iframe').locator('tbody td:nth-child(5)');
    await people.first().waitFor();
    expect(new Set(await people.allInnerTexts())).toEqual(new Set(['ada@vitrine.example']));
  });

  test('applies roles', async () => {
    const identity = { username: 'ben@vitrine.example', roles: ['Americas'] };
    expect(await rowsShown('My region', identity)).toContain('ben@vitrine.example · roles Americas · ');
    await browser.call('setPage', 'ReportSection1');
    const regions = browser.page.frameLocator('iframe').locator('tbody td:nth-child(2)');
    await regions.first().waitFor();
    expect(new Set(await regions.allInnerTexts())).toEqual(new Set(['Americas']));
  });

  test('reports a role that the model does not have when it queries', async () => {
    const report = await emulator.report('Sales', 'My region');
    const identities = [{ username: 'ada', roles: ['Nowhere'], datasets: [report.datasetId] }];
    await browser.embed(configOf(report, await tokenFor(report, { identities })));
    expect((await browser.event('error')).detail).toMatchObject({ message: 'QueryUserError' });
  });

  test('shows no rows to an unknown user', async () => {
    expect(await rowsShown('My customers', { username: 'eve@elsewhere.example' })).toContain(' · 0 rows of ');
    expect(await browser.text('main')).toContain('No rows');
  });
});

describe('the expiry of a token', () => {
  test('raises a TokenExpired error while the report is open', async () => {
    const report = await emulator.report('Sales', 'Pipeline');
    await browser.embed(configOf(report, await tokenFor(report, { lifetimeInMinutes: 5 })));
    await browser.event('rendered');
    await emulator.control('POST', '/clock', { advance_seconds: 301 });
    expect((await browser.event('error')).detail).toMatchObject({
      message: 'TokenExpired',
      detailedMessage: 'Access token has expired, resubmit with a new access token',
      errorCode: '403',
    });
  });

  test('is postponed by setAccessToken, without a reload', async () => {
    const report = await emulator.report('Sales', 'Pipeline');
    await browser.embed(configOf(report, await tokenFor(report, { lifetimeInMinutes: 5 })));
    await browser.event('rendered');
    await browser.call('setAccessToken', await tokenFor(report, { lifetimeInMinutes: 50 }));
    await emulator.control('POST', '/clock', { advance_seconds: 600 });
    // Of two checks the second was certainly sent after the clock had moved past the old token's end.
    for (let checks = 0; checks < 2; checks++) {
      const checked = await browser.page.waitForResponse((each) => each.url().endsWith('/reportEmbed/check'));
      expect(checked.status()).toBe(200);
    }
    expect((await browser.events()).map(({ name }) => name)).toEqual(['loaded', 'rendered']);
  });

  test('is not postponed by the token of another report', async () => {
    const report = await emulator.report('Sales', 'Pipeline');
    await browser.embed(configOf(report, await tokenFor(report)));
    await browser.event('rendered');
    await browser.call('setAccessToken', await tokenFor(await emulator.report('Sales', 'Product mix')));
    expect((await browser.event('error')).detail).toMatchObject({
      message: 'LoadReportFailed',
      errorCode: '403',
    });
  });

  test('is not reported when the server is only unreachable', async () => {
    const report = await emulator.report('Sales', 'Pipeline');
    await browser.embed(configOf(report, await tokenFor(report)));
    await browser.event('rendered');
    let refused = 0;
    await browser.page.route('**/reportEmbed/check', (route) => {
      refused += 1;
      return route.abort();
    });
    for (let checks = 0; checks < 2; checks++) await browser.page.waitForEvent('requestfailed');
    await browser.page.unroute('**/reportEmbed/check');
    expect(refused).toBeGreaterThanOrEqual(2);
    expect((await browser.events()).map(({ name }) => name)).toEqual(['loaded', 'rendered']);
  });

  test('requires a reload in addition to a new token', async () => {
    const report = await emulator.report('Sales', 'Pipeline');
    await browser.embed(configOf(report, await tokenFor(report, { lifetimeInMinutes: 5 })));
    await browser.event('rendered');
    await emulator.control('POST', '/clock', { advance_seconds: 301 });
    await browser.event('error');
    await browser.call('setAccessToken', await tokenFor(report));
    expect(await browser.text('.banner')).toContain('TokenExpired');
    await browser.call('reload');
    await browser.page.frameLocator('iframe').locator('.banner').waitFor({ state: 'hidden' });
  });
});
