import { describe, expect, test } from '@jest/globals';
import type { EmbedToken, ServiceOptions } from '../src/types.js';
import { settle } from './fake-environment.js';
import { FakeReport } from './fake-report.js';
import { batchesOf, createHarness, tokenResponse } from './harness.js';

/** The clock of the service when the first token arrives: `expires_at` minus `expires_in` of the token. */
const serverTime = Date.UTC(2100, 0, 1);

async function viewed(token: Partial<EmbedToken> = {}, options: ServiceOptions = {}) {
  const harness = createHarness([tokenResponse(token)], options);
  const { subscription } = await harness.subscribe();
  const report = new FakeReport((await subscription.token()).token);
  const detach = subscription.attach(report);
  const events = () => batchesOf(harness.usage.calls).flat();
  return {
    ...harness,
    subscription,
    report,
    detach,
    events,
    kinds: () => events().map(({ kind }) => kind),
    visibleMs: () =>
      events()
        .filter(({ kind }) => kind === 'closed')
        .at(-1)?.ms,
  };
}

async function read(report: FakeReport): Promise<void> {
  await report.raise('loaded');
  await report.raise('rendered');
}

describe('a view', () => {
  test('is reported from opening to closing', async () => {
    const { environment, report, detach, events } = await viewed();
    await environment.advance(2);
    await report.raise('loaded');
    await environment.advance(1);
    await report.raise('rendered');
    await report.showPage('Products');
    await report.raise('error', 'QueryUserError');
    await environment.advance(27);
    detach();
    await settle();
    const view = { view_id: 'view-1', token_id: '0a1b' };
    expect(events()).toEqual([
      { ...view, seq: 0, kind: 'opened', at_ms: serverTime },
      { ...view, seq: 1, kind: 'loaded', at_ms: serverTime + 2000, ms: 2000 },
      { ...view, seq: 2, kind: 'rendered', at_ms: serverTime + 3000, ms: 3000 },
      {
        ...view,
        seq: 3,
        kind: 'page',
        at_ms: serverTime + 3000,
        page: 'Overview',
        page_name: 'Page Overview',
      },
      {
        ...view,
        seq: 4,
        kind: 'page',
        at_ms: serverTime + 3000,
        page: 'Products',
        page_name: 'Page Products',
      },
      { ...view, seq: 5, kind: 'error', at_ms: serverTime + 3000, code: 'QueryUserError' },
      { ...view, seq: 6, kind: 'closed', at_ms: serverTime + 30_000, ms: 30_000 },
    ]);
  });

  test('continues with a renewed token, whose id its further events have', async () => {
    const { environment, report, respondWith, detach, events } = await viewed({ refresh_in: 100 });
    await read(report);
    respondWith(tokenResponse({ token_id: 'ffff' }));
    await environment.advance(110);
    detach();
    await settle();
    expect(new Set(events().map(({ view_id }) => view_id))).toEqual(new Set(['view-1']));
    expect(events().map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(events().at(-2)).toMatchObject({ kind: 'closed', token_id: '0a1b', ms: 60_000 });
    expect(events().at(-1)).toMatchObject({ kind: 'closed', token_id: 'ffff', ms: 110_000 });
  });

  test('counts the first rendering only, and a page that is shown again only once', async () => {
    const { report, detach, kinds } = await viewed();
    await read(report);
    await report.showPage('Overview');
    await report.reload();
    await read(report);
    detach();
    await settle();
    expect(kinds()).toEqual(['opened', 'loaded', 'rendered', 'page', 'closed']);
  });

  test('is timed from the request for the report, not from its embedding', async () => {
    const { environment, usage, subscribe } = createHarness([tokenResponse()]);
    const { subscription } = await subscribe();
    await environment.advance(4);
    const report = new FakeReport((await subscription.token()).token);
    subscription.attach(report);
    await environment.advance(1);
    await report.raise('loaded');
    await environment.advance(5);
    expect(batchesOf(usage.calls).flat()).toMatchObject([
      { kind: 'opened', at_ms: serverTime + 4000 },
      { kind: 'loaded', ms: 5000 },
    ]);
  });

  test('has no opening time if the page was hidden meanwhile', async () => {
    const { environment, report, detach, kinds } = await viewed();
    await environment.setVisible(false);
    await environment.advance(300);
    await environment.setVisible(true);
    await read(report);
    detach();
    await settle();
    expect(kinds()).toEqual(['opened', 'closed', 'page']);
  });

  test.each([
    ['LoadReportFailed', undefined, 'LoadReportFailed'],
    ['Invalid parameters', '403', '403'],
    ['no code at all', undefined, undefined],
  ])('reports an error %s %s with the code %s', async (message, errorCode, code) => {
    const { report, detach, events } = await viewed();
    report.element.dispatchEvent(new CustomEvent('error', { detail: { message, errorCode } }));
    report.element.dispatchEvent(new Event('error'));
    detach();
    await settle();
    const errors = events().filter(({ kind }) => kind === 'error');
    expect(errors.map((error) => error.code)).toEqual([code, undefined]);
  });

  test('of a report without pages has none', async () => {
    const { report, detach, kinds } = await viewed();
    report.getActivePage = () => Promise.reject(new Error('not supported'));
    await read(report);
    detach();
    await settle();
    expect(kinds()).toEqual(['opened', 'loaded', 'rendered', 'closed']);
  });

  test('is one for a report that is attached twice, and another for each report', async () => {
    const { subscription, usage, report, events } = await viewed();
    subscription.attach(report);
    subscription.attach(new FakeReport('other'));
    subscription.attach(Object.assign(new FakeReport('replacement'), { element: report.element }));
    subscription.stop();
    await settle();
    const all = events().map(({ view_id, kind }) => `${view_id} ${kind}`);
    const views = ['view-1', 'view-2', 'view-3'];
    expect(all).toHaveLength(6);
    expect(new Set(all)).toEqual(new Set(views.flatMap((view) => [`${view} opened`, `${view} closed`])));
    expect(usage.calls).toHaveLength(1);
  });

  test('is not reported when reporting is off', async () => {
    const { environment, report, usage, subscription } = await viewed({}, { reportUsage: false });
    await read(report);
    await environment.setVisible(false);
    await environment.advance(120);
    subscription.stop();
    await settle();
    expect(usage.calls).toEqual([]);
  });

  test('is not reported without a usable time of the service', async () => {
    const { report, usage, detach } = await viewed({ expires_at: 'soon' });
    await read(report);
    detach();
    await settle();
    expect(usage.calls).toEqual([]);
  });
});

describe('the visible time', () => {
  test('is reported every minute, and once at the end', async () => {
    const { environment, detach, events } = await viewed();
    await environment.advance(150);
    detach();
    await settle();
    await environment.advance(300);
    const closed = events().filter(({ kind }) => kind === 'closed');
    expect(closed.map(({ ms }) => ms)).toEqual([60_000, 120_000, 150_000]);
    expect(environment.visibilityListeners.size).toBe(0);
  });

  test('does not include hidden tabs, and is sent when the page is hidden', async () => {
    const { environment, usage, detach, visibleMs } = await viewed();
    await environment.advance(30);
    await environment.setVisible(false);
    expect(visibleMs()).toBe(30_000);
    const { length } = usage.calls;
    await environment.advance(600);
    expect(usage.calls).toHaveLength(length);
    await environment.setVisible(true);
    await environment.advance(10);
    detach();
    await settle();
    expect(visibleMs()).toBe(40_000);
  });

  test('is zero for a report that was opened in the background', async () => {
    const harness = createHarness([tokenResponse()]);
    await harness.environment.setVisible(false);
    const { subscription } = await harness.subscribe();
    subscription.attach(new FakeReport('any'));
    await harness.environment.advance(600);
    subscription.stop();
    await settle();
    expect(batchesOf(harness.usage.calls).flat()).toMatchObject([
      { kind: 'opened' },
      { kind: 'closed', ms: 0 },
    ]);
  });

  test('does not include sleep of the machine', async () => {
    const { environment, detach, visibleMs } = await viewed();
    await environment.advance(30);
    environment.sleep(8 * 3600);
    await environment.wake();
    await environment.advance(30);
    detach();
    await settle();
    expect(visibleMs()).toBe(60_000);
  });

  test('ends when the page removes the report without detaching it', async () => {
    const { environment, report, visibleMs } = await viewed();
    await environment.advance(70);
    report.iframe.isConnected = false;
    await environment.advance(600);
    expect(visibleMs()).toBe(120_000);
    expect(environment.visibilityListeners.size).toBe(0);
  });
});
