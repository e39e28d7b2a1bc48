import { describe, expect, test } from '@jest/globals';
import { randomId } from '../src/random-id.js';
import type { ServiceOptions } from '../src/types.js';
import { settle } from './fake-environment.js';
import { FakeReport } from './fake-report.js';
import {
  accepted,
  batchesOf,
  createHarness,
  networkFailure,
  problemResponse,
  type ResponseFactory,
  tokenResponse,
} from './harness.js';

async function opened(responses: ResponseFactory[] = [accepted], options: ServiceOptions = {}) {
  const harness = createHarness([tokenResponse()], options);
  harness.usage.respondWith(...responses);
  const { subscription, received } = await harness.subscribe();
  const report = new FakeReport((await subscription.token()).token);
  subscription.attach(report);
  await settle();
  const { calls } = harness.usage;
  return { ...harness, calls, subscription, received, report, batches: () => batchesOf(calls) };
}

describe('usage events', () => {
  test('are sent together, after the report had time to load, in a request that outlives the page', async () => {
    const { environment, calls, report, batches } = await opened([accepted], {
      baseUrl: 'https://vitrine.example/base/',
      accessToken: () => 'ada',
    });
    await report.raise('loaded');
    await environment.advance(4.9);
    expect(calls).toEqual([]);
    await environment.advance(0.2);
    expect(batches().map((batch) => batch.map(({ kind }) => kind))).toEqual([['opened', 'loaded']]);
    expect(calls[0]?.url).toBe('https://vitrine.example/base/api/usage/events');
    expect(calls[0]?.init).toMatchObject({ method: 'POST', keepalive: true });
    expect(new Headers(calls[0]?.init.headers).get('authorization')).toBe('Bearer ada');
  });

  test('are sent at once when the page is hidden, with the last access token', async () => {
    let isClosing = false;
    const accessToken = (): string | Promise<string> => (isClosing ? new Promise<string>(() => {}) : 'ada');
    const { environment, calls, batches } = await opened([accepted], { accessToken });
    isClosing = true;
    await environment.setVisible(false);
    expect(batches().map((batch) => batch.map(({ kind }) => kind))).toEqual([['opened', 'closed']]);
    expect(new Headers(calls[0]?.init.headers).get('authorization')).toBe('Bearer ada');
  });

  test('are sent again with a new access token after a 401', async () => {
    const { environment, calls } = await opened([problemResponse(401, 'authentication_required'), accepted], {
      accessToken: (refused) => (refused ? 'new' : 'old'),
    });
    await environment.advance(30);
    expect(calls.map(({ init }) => new Headers(init.headers).get('authorization'))).toEqual([
      'Bearer old',
      'Bearer new',
    ]);
  });

  test('of 60 page changes are sent in batches of at most 50', async () => {
    const { environment, report, batches } = await opened();
    for (let page = 0; page < 60; page += 1) await report.showPage(`p${page}`);
    await environment.advance(10);
    expect(batches().map(({ length }) => length)).toEqual([50, 11]);
    expect(
      batches()
        .flat()
        .map(({ seq }) => seq),
    ).toEqual(Array.from({ length: 61 }, (_, seq) => seq));
  });
});

describe('after a failure, usage events', () => {
  test.each([
    ['without a connection', networkFailure],
    ['429', problemResponse(429, 'rate_limited')],
    ['503', problemResponse(503, 'overloaded')],
  ])('are sent again with increasing pauses: %s', async (_name, failure) => {
    const { environment, calls, batches } = await opened([failure, failure, failure, accepted]);
    environment.randomValue = 1;
    await environment.advance(5.1);
    expect(calls).toHaveLength(1);
    await environment.advance(1);
    expect(calls).toHaveLength(2);
    await environment.advance(2);
    expect(calls).toHaveLength(3);
    await environment.advance(4);
    expect(calls).toHaveLength(4);
    await environment.advance(30);
    expect(calls).toHaveLength(4);
    expect(batches().at(-1)).toEqual(batches()[0]);
  });

  test('wait for Retry-After, even when the page is hidden meanwhile', async () => {
    const { environment, calls } = await opened([
      problemResponse(503, 'overloaded', { 'retry-after': '40' }),
      accepted,
    ]);
    await environment.advance(10);
    await environment.setVisible(false);
    await environment.advance(34);
    expect(calls).toHaveLength(1);
    await environment.advance(2);
    expect(calls).toHaveLength(2);
  });

  test('wait for a hung request at most 20 s', async () => {
    const { environment, calls } = await opened([() => new Promise<Response>(() => {}), accepted]);
    await environment.advance(24.9);
    expect(calls).toHaveLength(1);
    await environment.advance(2);
    expect(calls).toHaveLength(2);
  });

  test('are bounded: only the last visible time waits, and at most 500 events', async () => {
    const { environment, report, usage, batches } = await opened([networkFailure]);
    await environment.advance(3600);
    expect(
      batches()
        .at(-1)
        ?.map(({ kind }) => kind),
    ).toEqual(['opened', 'closed']);
    for (let page = 0; page < 600; page += 1)
      report.element.dispatchEvent(
        new CustomEvent('pageChanged', { detail: { newPage: { name: `p${page}` } } }),
      );
    const { length } = usage.calls;
    usage.respondWith(accepted);
    await environment.advance(120);
    const delivered = batchesOf(usage.calls.slice(length)).flat();
    expect(delivered.filter(({ kind }) => kind === 'page')).toHaveLength(500);
    expect(delivered.filter(({ kind }) => kind === 'page').at(-1)?.page).toBe('p599');
  });

  test('keep the visible time under a token that was replaced meanwhile', async () => {
    const { environment, usage, respondWith } = await opened([networkFailure]);
    respondWith(tokenResponse({ token_id: 'ffff' }));
    await environment.advance(3600);
    const { length } = usage.calls;
    usage.respondWith(accepted);
    await environment.advance(120);
    const delivered = batchesOf(usage.calls.slice(length)).flat();
    const closed = delivered.filter(({ kind }) => kind === 'closed');
    expect(closed.map(({ token_id }) => token_id)).toEqual(expect.arrayContaining(['0a1b', 'ffff']));
  });

  test.each([400, 403, 413])('that the service rejects with %s are dropped', async (status) => {
    const { environment, batches } = await opened([problemResponse(status, 'no'), accepted]);
    await environment.advance(61);
    await environment.advance(10);
    expect(batches().map((batch) => batch.map(({ kind }) => kind))).toEqual([['opened'], ['closed']]);
  });

  test.each([404, 405])('are no longer sent to a backend without the route: %s', async (status) => {
    const { environment, calls, report } = await opened([problemResponse(status, 'no')]);
    await environment.advance(10);
    await report.raise('loaded');
    await environment.advance(600);
    expect(calls).toHaveLength(1);
  });

  test('are dropped when the user is signed out', async () => {
    let bearer: string | null = 'ada';
    const { environment, calls } = await opened([accepted], { accessToken: () => bearer });
    bearer = null;
    await environment.advance(10);
    bearer = 'ada';
    await environment.advance(40);
    expect(calls).toEqual([]);
  });

  test('do not disturb the report', async () => {
    const fetches = (url: string): Promise<Response> => {
      if (url.endsWith('/events')) throw new Error('thrown by a page');
      return Promise.resolve(tokenResponse({ refresh_in: 100 })() as Response);
    };
    const { environment, received, report, subscription } = await opened([accepted], { fetch: fetches });
    await report.raise('rendered');
    await environment.advance(101);
    await environment.setVisible(false);
    subscription.stop();
    expect(received.events).toEqual(['token', 'token']);
    expect(report.receivedTokens).toHaveLength(1);
  });
});

describe('a random id', () => {
  const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const insecure = { getRandomValues: crypto.getRandomValues.bind(crypto) } as Crypto;

  test('is a UUID, also where a page that is not secure has no randomUUID', () => {
    expect(randomId(crypto)).toMatch(pattern);
    const ids = Array.from({ length: 100 }, () => randomId(insecure));
    for (const id of ids) expect(id).toMatch(pattern);
    expect(new Set(ids).size).toBe(100);
  });
});
