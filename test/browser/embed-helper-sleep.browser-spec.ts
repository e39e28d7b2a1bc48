import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type HelperStage, startHelperStage, type Visit } from '../embedding/embed-helper.js';
import { until } from '../support/until.js';

/** Seconds. */
const lifetime = 9;

let stage: HelperStage;
let visit: Visit;

beforeAll(async () => {
  stage = await startHelperStage();
});
beforeEach(async () => {
  visit = await stage.visit();
});
afterEach(() => visit.close());
afterAll(() => stage.close());

describe('a machine that slept', () => {
  const hours = 8;

  /** Chromium's monotonic clock and its timers stand still meanwhile, on Linux and macOS. */
  async function sleep(): Promise<void> {
    await stage.world.advance(hours * 3600);
    await visit.setClock(hours);
  }

  test('is noticed by a page that nothing tells', async () => {
    await stage.tokensLive(3600);
    await visit.keepTokens(stage.world.service.url);
    await sleep();
    await until(async () => (await visit.heard()).length === 2, 15);
    // The sign-in had run out as well.
    expect(visit.answers).toEqual([200, 401, 200]);
  }, 60_000);

  test('is noticed at once by a page that is shown again', async () => {
    await stage.tokensLive(3600);
    await visit.keepTokens(stage.world.service.url);
    await sleep();
    await visit.page.evaluate(() =>
      (globalThis as unknown as EventTarget).dispatchEvent(new Event('pageshow')),
    );
    await until(async () => (await visit.heard()).length === 2, 5);
    expect(await visit.heard()).not.toContain('expired');
  }, 60_000);

  test('has its report back, whose token had run out', async () => {
    await stage.tokensLive(3600);
    await visit.openReport();
    await sleep();
    await until(async () => (await visit.countOf('loaded')) === 2);
    expect(visit.answers).toEqual([200, 401, 200]);
    expect(await visit.browser.text('h1')).toBe('Revenue overview');
    expect(await visit.page.frameLocator('iframe').locator('.banner').isHidden()).toBe(true);
  }, 60_000);
});

describe('a page in the back/forward cache', () => {
  test('is frozen, and renews what is overdue as soon as it is shown again', async () => {
    await stage.tokensLive(lifetime);
    await visit.keepTokens(stage.world.service.url);
    await visit.page.goto('about:blank');
    await visit.pass(2 * lifetime);
    expect(visit.answers).toEqual([200]);
    // Without a load there is no end of loading to wait for.
    await visit.page.goBack({ waitUntil: 'commit' });
    await until(async () => (await visit.heard()).length === 2, 3);
    expect(visit.answers).toEqual([200, 200]);
    expect(await visit.heard()).not.toContain('expired');
  }, 60_000);
});

describe('a page without a network', () => {
  test('asks as soon as it is connected again', async () => {
    await stage.tokensLive(lifetime);
    await visit.keepTokens(stage.world.service.url);
    await visit.page.context().setOffline(true);
    await until(async () => (await visit.heard()).at(-1) === 'expired');
    await visit.pass(lifetime);
    await visit.page.context().setOffline(false);
    await until(() => visit.answers.length === 2, 3);
  }, 60_000);
});
