import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type HelperFixture, startHelperFixture, type PageSession } from '../embedding/embed-helper.js';
import { until } from '../support/until.js';

/** Embed tokens live as long as the Entra token behind them: seconds here, in the last third of which they are renewed. */
const lifetime = 9;

let fixture: HelperFixture;
let session: PageSession;

beforeAll(async () => {
  fixture = await startHelperFixture();
});
beforeEach(async () => {
  await fixture.setTokenLifetime(lifetime);
  session = await fixture.session();
});
afterEach(() => session.close());
afterAll(() => fixture.close());

describe("the example page of the embed helper's guide", () => {
  test("keeps the viewer's state over three token lifetimes, with a wrong system clock", async () => {
    await session.openReport();
    await session.setClock(-3);
    const page = await session.shownPage();
    await session.wait(3 * lifetime);
    expect(session.statuses.length).toBeGreaterThanOrEqual(4);
    expect(new Set(session.statuses)).toEqual(new Set([200]));
    // Alive, not merely still painted: it draws itself anew.
    await session.browser.call('refresh');
    expect(await session.shownPage()).toBe(page);
    expect([await session.countOf('loaded'), await session.countOf('error')]).toEqual([1, 0]);
    expect(await session.notice()).toBe('');
  });

  const block = async () =>
    (await fixture.embedding.service.asAdmin()).post('/api/embed-grants/revoke', {
      user_id: session.user.id,
    });
  const removeGrant = async () =>
    (await fixture.embedding.service.asAdmin()).delete(
      `/api/workspaces/${fixture.revenue.workspaceId}/members/${session.user.id}`,
    );

  test.each([
    ['embedding was blocked', block, 403, 'Embedding is blocked.'],
    ['its grant was removed', removeGrant, 404, 'report'],
  ] as const)('removes the report and stops requesting when %s', async (...row) => {
    const [, end, status, words] = row;
    await session.openReport();
    expect((await end()).status).toBeLessThan(300);
    await until(async () => (await session.notice()).includes(words));
    await until(async () => (await session.page.locator('iframe').count()) === 0);
    const { length } = session.statuses;
    expect(session.statuses.at(-1)).toBe(status);
    await session.wait(lifetime);
    expect(session.statuses).toHaveLength(length);
  });

  test('shows that it retries while the service is unreachable, and recovers afterwards', async () => {
    await session.openReport();
    await session.page.route('**/embed-token', (route) => route.abort());
    await until(async () => (await session.notice()) === 'Trying to reach Vitrine.');
    await until(async () => (await session.notice()) === 'The report could not be renewed yet.');
    await until(async () => (await session.countOf('error')) > 0);
    await session.page.unroute('**/embed-token');
    await until(async () => (await session.notice()) === '');
    // It had run out: it is loaded again.
    await until(async () => (await session.countOf('loaded')) === 2);
    expect(await session.browser.text('h1')).toBe('Revenue overview');
  });
});

describe('two embeds of one report on a page', () => {
  test('share every request and every token', async () => {
    await session.subscribe(fixture.embedding.service.url, 2);
    await session.wait(2 * lifetime);
    // An answer is there before the page heard of it.
    await until(async () => (await session.received()).length === 2 * session.statuses.length);
    const received = await session.received();
    expect(received.filter((_token, index) => index % 2 === 0)).toEqual(
      received.filter((_token, index) => index % 2 === 1),
    );
    expect(session.statuses.length).toBeGreaterThanOrEqual(3);
  });
});
