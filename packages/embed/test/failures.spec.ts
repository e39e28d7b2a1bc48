import { describe, expect, test } from '@jest/globals';
import { settle } from './fake-environment.js';
import {
  type ResponseFactory,
  networkFailure,
  tokenResponse,
  problemResponse,
  createHarness,
} from './harness.js';

const html =
  (status: number): ResponseFactory =>
  () =>
    new Response('<!doctype html><title>Sign in</title>', {
      status,
      headers: { 'content-type': 'text/html' },
    });
const minute = { expires_in: 60, refresh_in: 40 };

describe('a permanent failure', () => {
  test.each([
    ['revoked', 403, 'embed_access_revoked'],
    ['revoked', 403, 'access_denied'],
    ['revoked', 404, 'report_not_found'],
    ['revoked', 409, 'power_bi_report_missing'],
    ['failed', 404, 'route_not_found'],
    ['failed', 400, 'invalid_request'],
    ['failed', 409, 'power_bi_identity_required'],
  ] as const)('is reported as %s: %i %s', async (kind, status, code) => {
    const { environment, calls, subscribe } = createHarness([problemResponse(status, code)]);
    const { subscription, received } = await subscribe();
    expect(received.events).toEqual([`${kind} ${code}`]);
    expect(received.problems[0]).toMatchObject({ kind, code, status, message: `Because of ${code}.` });
    await expect(subscription.token()).rejects.toBe(received.problems[0]);
    expect([environment.timers.size, environment.wakeUps.size]).toEqual([0, 0]);
    await environment.advance(600);
    expect(calls).toHaveLength(1);
  });

  test('is reported at the renewal to every subscriber of the report', async () => {
    const { environment, subscribe } = createHarness([
      tokenResponse(minute),
      problemResponse(403, 'embed_access_revoked'),
    ]);
    const both = await Promise.all([subscribe(), subscribe()]);
    await environment.advance(41);
    for (const { received } of both)
      expect(received.events).toEqual(['token', 'revoked embed_access_revoked']);
  });

  test('does not prevent a later subscription to the same report', async () => {
    const { subscribe } = createHarness([problemResponse(404, 'report_not_found'), tokenResponse()]);
    await subscribe();
    expect((await subscribe()).received.events).toEqual(['token']);
  });

  test('allows a new subscription from within its handler, shared with later subscribers', async () => {
    const { calls, subscribe } = createHarness([problemResponse(404, 'report_not_found'), tokenResponse()]);
    let again: ReturnType<typeof subscribe> | undefined;
    const onRevoked = (): void => {
      again = subscribe();
    };
    await subscribe({ onRevoked });
    expect((await again)?.received.events).toEqual(['token']);
    await subscribe();
    expect(calls).toHaveLength(2);
  });

  test('allows new subscriptions from within the handlers of several subscribers', async () => {
    const { calls, subscribe } = createHarness([problemResponse(404, 'report_not_found'), tokenResponse()]);
    const again: ReturnType<typeof subscribe>[] = [];
    const onRevoked = (): void => void again.push(subscribe());
    await Promise.all([subscribe({ onRevoked }), subscribe({ onRevoked })]);
    const renewed = await Promise.all(again);
    expect(renewed.map(({ received }) => received.events)).toEqual([['token'], ['token']]);
    expect(calls).toHaveLength(2);
  });

  test('is not reported to a subscription that the handler of another one stops', async () => {
    const { service, subscribe } = createHarness([problemResponse(404, 'report_not_found')]);
    const both: { stop: () => void }[] = [];
    const first = subscribe({ onRevoked: () => both[0]?.stop() });
    let isReported = false;
    both.push(service.keep({ reportId: '019a', onRevoked: () => (isReported = true) }));
    await first;
    expect(isReported).toBe(false);
  });
});

describe('a temporary failure', () => {
  test.each<[string, string, ResponseFactory]>([
    ['rate limiting', 'rate_limited', problemResponse(429, 'rate_limited')],
    ['a Power BI outage', 'power_bi_unavailable', problemResponse(503, 'power_bi_unavailable')],
    ['an error page of a gateway', 'invalid_answer', html(502)],
    ['no connection', 'unreachable', networkFailure],
    ['no signed-in user', 'authentication_required', problemResponse(401, 'authentication_required')],
  ])('is reported once and retried until it succeeds: %s', async (_what, code, response) => {
    const { environment, subscribe } = createHarness([response, response, response, tokenResponse()]);
    const { subscription, received } = await subscribe();
    const first = subscription.token();
    expect(received.events).toEqual([`trouble ${code}`]);
    await environment.advance(10);
    expect(received.events).toEqual([`trouble ${code}`, 'token', 'recovered']);
    expect(await first).toBe(received.tokens[0]);
  });

  test('is retried with increasing pauses and random jitter', async () => {
    const pauses = async (randomValue: number) => {
      const { environment, subscribe, respondWith } = createHarness([]);
      environment.randomValue = randomValue;
      const at: number[] = [];
      respondWith(() => {
        at.push(Math.round(environment.monotonic() / 100) / 10);
        return networkFailure();
      });
      const { subscription } = await subscribe();
      await environment.advance(200);
      subscription.stop();
      return at.slice(1).map((time, index) => Math.round((time - at[index]!) * 10) / 10);
    };
    expect((await pauses(0)).slice(0, 8)).toEqual([1, 1, 2, 4, 8, 16, 30, 30]);
    expect((await pauses(1)).slice(0, 7)).toEqual([1.5, 2, 4, 8, 16, 32, 60]);
  });

  test('is not retried before Retry-After, even after a wake-up or a manual renewal', async () => {
    const wait = { 'retry-after': '30' };
    const { environment, calls, subscribe } = createHarness([
      problemResponse(503, 'power_bi_throttled', wait),
      tokenResponse(),
    ]);
    const { subscription } = await subscribe();
    await environment.advance(29);
    await environment.wake();
    subscription.renew();
    await settle();
    expect(calls).toHaveLength(1);
    await environment.advance(2);
    expect(calls).toHaveLength(2);
  });

  test('is retried immediately when the page is online again', async () => {
    const { environment, calls, subscribe } = createHarness([networkFailure]);
    await subscribe();
    await environment.advance(100);
    const before = calls.length;
    await environment.advance(2);
    await environment.wake();
    expect(calls).toHaveLength(before + 1);
  });

  test('is reported as a timeout when there is no response for 20 seconds', async () => {
    const { environment, calls, subscribe } = createHarness([
      () => new Promise(() => undefined),
      tokenResponse(),
    ]);
    const { received } = await subscribe();
    await environment.advance(22);
    expect(calls[0]?.init.signal?.aborted).toBe(true);
    expect(received.events).toEqual(['trouble timeout', 'token', 'recovered']);
  });

  test('is reported again when its code changes', async () => {
    const { environment, subscribe } = createHarness([
      networkFailure,
      problemResponse(429, 'rate_limited'),
      tokenResponse(),
    ]);
    const { received } = await subscribe();
    await environment.advance(10);
    expect(received.events).toEqual(['trouble unreachable', 'trouble rate_limited', 'token', 'recovered']);
  });

  test('is reported again when the page has no access token for another reason', async () => {
    let code = 'rate_limited';
    const accessToken = () => Promise.reject(Object.assign(new Error(code), { code }));
    const { environment, subscribe } = createHarness([], { accessToken });
    const { received } = await subscribe();
    await environment.advance(60);
    expect(received.events).toEqual(['trouble unreachable']);
    code = 'database_unavailable';
    await environment.advance(120);
    expect(received.events).toEqual(['trouble unreachable', 'trouble unreachable']);
    expect(received.problems.map(({ cause }) => (cause as Error).message)).toEqual([
      'rate_limited',
      'database_unavailable',
    ]);
  });
});

describe('the expiry of a token', () => {
  test('is reported once, on time, if no other token arrived; the next token recovers', async () => {
    const { environment, subscribe, respondWith } = createHarness([tokenResponse(minute), networkFailure]);
    const { subscription, received } = await subscribe();
    await environment.advance(59);
    expect(received.events).toEqual(['token', 'trouble unreachable']);
    await environment.advance(1);
    expect(received.events).toEqual(['token', 'trouble unreachable', 'expired']);
    await environment.advance(300);
    const late = await subscribe();
    expect(late.received.events).toEqual(['trouble unreachable', 'expired']);
    respondWith(tokenResponse());
    const next = subscription.token();
    await environment.wake();
    expect(received.events.slice(3)).toEqual(['token', 'recovered']);
    expect(await next).toBe(received.tokens[1]);
  });

  test('is reported again the next time, and the retry pauses start again', async () => {
    const { environment, calls, subscribe, respondWith } = createHarness([
      tokenResponse(minute),
      networkFailure,
    ]);
    const { received } = await subscribe();
    await environment.advance(300);
    respondWith(tokenResponse(minute), networkFailure);
    await environment.wake();
    await environment.advance(40);
    const before = calls.length;
    await environment.advance(5);
    expect(calls.length - before).toBe(3);
    await environment.advance(60);
    expect(received.events.filter((event) => event === 'expired')).toHaveLength(2);
  });

  test('is awaited before a configuration failure becomes permanent', async () => {
    const failing = problemResponse(409, 'power_bi_identity_required');
    const { environment, subscribe, respondWith } = createHarness([tokenResponse(minute), failing]);
    const { received } = await subscribe();
    await environment.advance(45);
    expect(received.events).toEqual(['token', 'trouble power_bi_identity_required']);
    respondWith(tokenResponse(minute), failing);
    await environment.advance(15);
    expect(received.events.slice(2)).toEqual(['token', 'recovered']);
    await environment.advance(120);
    expect(received.events.at(-1)).toBe('failed power_bi_identity_required');
  });
});

describe('a response that does not come from the service', () => {
  test.each([
    [
      'an HTML page',
      html(200),
      /api\/reports\/019a\/embed-token returned an invalid response with status 200.*the content type is text\/html/,
    ],
    [
      'an HTML error page',
      html(404),
      /returned an invalid response with status 404.*the content type is text\/html/,
    ],
    ['an array', () => Response.json([]), /: token is missing/],
    ['another object', () => Response.json({ ok: true }), /: token is missing/],
    ['a token without a lifetime', tokenResponse({ refresh_in: 'soon' }), /refresh_in is missing/],
    ['an expired token', tokenResponse({ expires_in: -5 }), /expires_in is missing/],
  ] as [string, ResponseFactory, RegExp][])(
    'is reported as invalid: %s',
    async (_what, response, message) => {
      const { received } = await createHarness([response]).subscribe();
      expect(received.events).toEqual(['failed invalid_answer']);
      expect(received.problems[0]?.message).toMatch(message);
    },
  );

  test('is not reported for a token response with additional fields', async () => {
    const { received } = await createHarness([tokenResponse({ watermark: { text: 'Draft' } })]).subscribe();
    expect(received.tokens[0]).toMatchObject({ watermark: { text: 'Draft' } });
  });
});
