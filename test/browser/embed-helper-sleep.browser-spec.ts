import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type HelperFixture, startHelperFixture, type PageSession } from '../embedding/embed-helper.js';
import { until } from '../support/until.js';

/** Seconds. */
const lifetime = 9;

let fixture: HelperFixture;
let session: PageSession;

beforeAll(async () => {
  fixture = await startHelperFixture();
});
beforeEach(async () => {
  session = await fixture.session();
});
afterEach(() => session.close());
afterAll(() => fixture.close());

describe('a machine that resumes from sleep', () => {
  const hours = 8;

  /** Chromium's monotonic clock and its timers stand still meanwhile, on Linux and macOS. */
  async function sleep(): Promise<void> {
    await fixture.embedding.advance(hours * 3600);
    await session.setClock(hours);
  }

  test('renews without any event', async () => {
    await fixture.setTokenLifetime(3600);
    await session.subscribe(fixture.embedding.service.url);
    await sleep();
    await until(async () => (await session.received()).length === 2);
    // The sign-in had run out as well.
    expect(session.statuses).toEqual([200, 401, 200]);
  });

  test('renews immediately when the page is shown again', async () => {
    await fixture.setTokenLifetime(3600);
    await session.subscribe(fixture.embedding.service.url);
    await sleep();
    await session.page.evaluate(() =>
      (globalThis as unknown as EventTarget).dispatchEvent(new Event('pageshow')),
    );
    await until(async () => (await session.received()).length === 2);
    expect(await session.received()).not.toContain('expired');
  });

  test('restores a report whose token has expired', async () => {
    await fixture.setTokenLifetime(3600);
    await session.openReport();
    await sleep();
    await until(async () => (await session.countOf('loaded')) === 2);
    expect(session.statuses).toEqual([200, 401, 200]);
    expect(await session.browser.text('h1')).toBe('Revenue overview');
    expect(await session.page.frameLocator('iframe').locator('.banner').isHidden()).toBe(true);
  });
});

describe('a page in the back/forward cache', () => {
  test('sends nothing while frozen, and renews an overdue token as soon as it is shown again', async () => {
    await fixture.setTokenLifetime(lifetime);
    await session.subscribe(fixture.embedding.service.url);
    await session.page.goto('about:blank');
    await session.wait(2 * lifetime);
    expect(session.statuses).toEqual([200]);
    // Without a load there is no end of loading to wait for.
    await session.page.goBack({ waitUntil: 'commit' });
    await until(async () => (await session.received()).length === 2);
    expect(session.statuses.slice(0, 2)).toEqual([200, 200]);
    expect(await session.received()).not.toContain('expired');
  });
});

describe('a page without network access', () => {
  test('renews as soon as it is online again', async () => {
    await fixture.setTokenLifetime(lifetime);
    await session.subscribe(fixture.embedding.service.url);
    await session.page.context().setOffline(true);
    await until(async () => (await session.received()).at(-1) === 'expired');
    await session.wait(lifetime);
    await session.page.context().setOffline(false);
    await until(() => session.statuses.length >= 2);
  });
});
