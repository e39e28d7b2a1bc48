import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EmulatorClient, type EmbedToken, type Named } from '../support/emulator-client.js';
import { PowerBiPage } from '../support/powerbi-page.js';

interface Item extends Named {
  displayName: string;
  embedUrl: string;
  datasetId: string;
}

let emulator: EmulatorClient;
let browser: PowerBiPage;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
  browser = await PowerBiPage.open();
});

beforeEach(async () => {
  await emulator.reset();
  await emulator.set({ embed_url_base: 'https://app.powerbi.com' });
});

afterAll(async () => {
  await browser.close();
  await emulator.close();
});

async function items(path: string): Promise<Item[]> {
  return (await emulator.get<{ value: Item[] }>(path)).body.value;
}

async function dashboardOfSales(name: string): Promise<{ path: string; item: Item }> {
  const { id } = await emulator.workspace('Sales');
  const item = (await items(`/groups/${id}/dashboards`)).find(({ displayName }) => displayName === name)!;
  return { path: `/groups/${id}/dashboards/${item.id}`, item };
}

async function tokenFor(path: string, body: object = {}): Promise<string> {
  return (await emulator.post<EmbedToken>(`${path}/GenerateToken`, body)).body.token;
}

async function embed(type: 'dashboard' | 'tile', { id, embedUrl }: Item, accessToken: string, more = {}) {
  await browser.embedByRoute({ type, id, embedUrl, accessToken, ...more }, emulator.url);
}

function frame() {
  return browser.page.frameLocator('iframe');
}

describe('the official client embeds a dashboard', () => {
  test('with its tiles, and hears which one is clicked', async () => {
    const { path, item } = await dashboardOfSales('Sales at a glance');
    await embed('dashboard', item, await tokenFor(path));
    await browser.event('loaded');
    expect(await browser.text('h1')).toBe('Sales at a glance');
    expect(await frame().locator('.tile').count()).toBe(6);
    expect(await frame().locator('.tile .chart svg').count()).toBe(3);
    const [revenue] = await items(`${path}/tiles`);
    await frame().locator('.tile').first().click();
    expect((await browser.event('tileClicked')).detail).toMatchObject({
      tileId: revenue!.id,
      pageName: 'ReportSection',
      reportEmbedUrl: expect.stringContaining('https://app.powerbi.com/reportEmbed?reportId='),
    });
  });

  test('with the rows of its identities', async () => {
    const { path, item } = await dashboardOfSales('My sales');
    const tiles = await items(`${path}/tiles`);
    const username = 'ada@vitrine.example';
    const identities = [
      { username, datasets: [tiles[0]!.datasetId] },
      { username, roles: ['Europe'], datasets: [tiles[2]!.datasetId] },
    ];
    await embed('dashboard', item, await tokenFor(path, { identities }));
    await browser.event('loaded');
    // 37 rows of Ada's customers and 29 of her region, as the table in the README says.
    expect(await browser.text('footer')).toContain('3 tiles · 66 rows');
  });

  test('and gets an error for the token of another dashboard', async () => {
    const { item } = await dashboardOfSales('Sales at a glance');
    const { path: other } = await dashboardOfSales('My sales');
    const tiles = await items(`${other}/tiles`);
    const identities = tiles.slice(1).map(({ datasetId }) => ({
      username: 'ada@vitrine.example',
      roles: ['Europe'],
      datasets: [datasetId],
    }));
    await embed('dashboard', item, await tokenFor(other, { identities }));
    expect((await browser.event('error')).detail).toMatchObject({ errorCode: '403' });
    expect((await browser.events()).map(({ name }) => name)).not.toContain('loaded');
  });

  test('and gets TokenExpired while it is open', async () => {
    const { path, item } = await dashboardOfSales('Sales at a glance');
    await embed('dashboard', item, await tokenFor(path, { lifetimeInMinutes: 5 }));
    await browser.event('loaded');
    await emulator.control('POST', '/clock', { advance_seconds: 301 });
    expect((await browser.event('error')).detail).toMatchObject({
      message: 'TokenExpired',
      errorCode: '403',
    });
  });

  test('and renews its token', async () => {
    const { path, item } = await dashboardOfSales('Sales at a glance');
    await embed('dashboard', item, await tokenFor(path, { lifetimeInMinutes: 5 }));
    await browser.event('loaded');
    await browser.call('setAccessToken', await tokenFor(path));
    await emulator.control('POST', '/clock', { advance_seconds: 600 });
    // Of two checks the second was certainly sent after the clock had moved past the old token's end.
    for (let checks = 0; checks < 2; checks++) {
      const checked = await browser.page.waitForResponse((each) =>
        each.url().endsWith('/dashboardEmbed/check'),
      );
      expect(checked.status()).toBe(200);
    }
    expect((await browser.events()).map(({ name }) => name)).not.toContain('error');
  });
});

describe('the official client embeds a tile', () => {
  test('that fills the frame', async () => {
    const { path, item } = await dashboardOfSales('Sales at a glance');
    const tile = (await items(`${path}/tiles`))[3]!;
    await embed('tile', tile, await tokenFor(`${path}/tiles/${tile.id}`), { dashboardId: item.id });
    expect((await browser.event('tileLoaded')).detail).toMatchObject({ tileId: tile.id });
    expect(await frame().locator('.tile h2').allInnerTexts()).toEqual(['Product mix']);
    await frame().locator('.tile').click();
    expect((await browser.event('tileClicked')).detail).toMatchObject({ tileId: tile.id });
  });

  test('and gets an error for the token of another tile', async () => {
    const { path, item } = await dashboardOfSales('Sales at a glance');
    const [tile, other] = await items(`${path}/tiles`);
    const token = await tokenFor(`${path}/tiles/${other!.id}`);
    await embed('tile', tile!, token, { dashboardId: item.id });
    expect((await browser.event('error')).detail).toMatchObject({ errorCode: '403' });
  });
});
