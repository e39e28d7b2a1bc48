import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type HelperStage, startHelperStage, type Visit } from '../embedding/embed-helper.js';
import { until } from '../support/until.js';

/** Embed tokens live as long as the Entra token behind them: seconds here, in the last third of which they are renewed. */
const lifetime = 9;

let stage: HelperStage;
let visit: Visit;

beforeAll(async () => {
  stage = await startHelperStage();
});
beforeEach(async () => {
  await stage.tokensLive(lifetime);
  visit = await stage.visit();
});
afterEach(() => visit.close());
afterAll(() => stage.close());

describe('the page that the guide of the embed helper shows', () => {
  test('stays where its viewer is across three lifetimes of its token, with a clock that is wrong', async () => {
    await visit.openReport();
    await visit.setClock(-3);
    const page = await visit.shownPage();
    await visit.pass(3 * lifetime);
    expect(visit.answers.length).toBeGreaterThanOrEqual(4);
    expect(new Set(visit.answers)).toEqual(new Set([200]));
    // Alive, not merely still painted: it draws itself anew.
    await visit.browser.call('refresh');
    expect(await visit.shownPage()).toBe(page);
    expect([await visit.countOf('loaded'), await visit.countOf('error')]).toEqual([1, 0]);
    expect(await visit.notice()).toBe('');
  }, 90_000);

  const revoke = async () =>
    (await stage.world.service.asAdmin()).post('/api/embed-grants/revoke', { user_id: visit.user.id });
  const removeGrant = async () =>
    (await stage.world.service.asAdmin()).delete(
      `/api/workspaces/${stage.revenue.workspaceId}/members/${visit.user.id}`,
    );

  test.each([
    ['embedding was revoked', revoke, 403, 'Embedding is revoked. No token is issued'],
    ['its grant was removed', removeGrant, 404, 'report'],
  ] as const)(
    'is told that %s, takes the report away and asks no more',
    async (...row) => {
      const [, end, status, words] = row;
      await visit.openReport();
      expect((await end()).status).toBeLessThan(300);
      await until(async () => (await visit.notice()).includes(words));
      expect(await visit.page.locator('iframe').count()).toBe(0);
      const { length } = visit.answers;
      expect(visit.answers.at(-1)).toBe(status);
      await visit.pass(lifetime);
      expect(visit.answers).toHaveLength(length);
    },
    60_000,
  );

  test('says that it tries again while the service is out of reach, and is back with it', async () => {
    await visit.openReport();
    await visit.page.route('**/embed-token', (route) => route.abort());
    await until(async () => (await visit.notice()) === 'Trying to reach Vitrine.');
    await until(async () => (await visit.notice()) === 'The report could not be renewed yet.');
    await until(async () => (await visit.countOf('error')) > 0);
    await visit.page.unroute('**/embed-token');
    await until(async () => (await visit.notice()) === '', 25);
    // It had run out: it is loaded again.
    await until(async () => (await visit.countOf('loaded')) === 2);
    expect(await visit.browser.text('h1')).toBe('Revenue overview');
  }, 90_000);
});

describe('two embeds of one report in a page', () => {
  test('share every call and every token', async () => {
    await visit.keepTokens(stage.world.service.url, 2);
    await visit.pass(2 * lifetime);
    // An answer is there before the page heard of it.
    await until(async () => (await visit.heard()).length === 2 * visit.answers.length, 3);
    const heard = await visit.heard();
    expect(heard.filter((_token, index) => index % 2 === 0)).toEqual(
      heard.filter((_token, index) => index % 2 === 1),
    );
    expect(visit.answers.length).toBeGreaterThanOrEqual(3);
  }, 60_000);
});
