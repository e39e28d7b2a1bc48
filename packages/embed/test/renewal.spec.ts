import { describe, expect, test } from '@jest/globals';
import { FakeEnvironment, settle } from './fake-environment.js';
import { tokenResponse, createHarness, networkFailure, tokenOf } from './harness.js';

describe('an embed token', () => {
  test('is renewed after refresh_in seconds each time, regardless of the expiry date', async () => {
    const { environment, calls, subscribe } = createHarness([tokenResponse({ refresh_in: 100 })]);
    const { received } = await subscribe();
    expect(calls).toHaveLength(1);
    await environment.advance(99);
    expect(calls).toHaveLength(1);
    await environment.advance(2);
    expect(calls).toHaveLength(2);
    await environment.advance(300);
    expect(received.events).toEqual(['token', 'token', 'token', 'token', 'token']);
    expect(new Set(received.tokens.map(({ token }) => token)).size).toBe(5);
  });

  test('is renewed on time after a slow response: refresh_in counts from the start of the request', async () => {
    const { environment, calls, subscribe, respondWith } = createHarness([]);
    respondWith(async () => {
      await environment.advance(8);
      return Response.json(tokenOf({ refresh_in: 100 }));
    }, tokenResponse());
    await subscribe();
    await settle();
    await environment.advance(92.1);
    expect(calls).toHaveLength(2);
  });

  test('is requested at most once a second, whatever refresh_in says', async () => {
    const { environment, calls, subscribe } = createHarness([tokenResponse({ refresh_in: 0 })]);
    await subscribe();
    await environment.advance(9.9);
    expect(calls.length).toBeLessThanOrEqual(10);
  });

  test('uses timers of at most 10 s, so that sleep or throttling delays a renewal only slightly', async () => {
    const { environment, subscribe } = createHarness([tokenResponse()]);
    await subscribe();
    const ends = [...environment.timers].map(({ at }) => at - environment.monotonic());
    expect(ends).toHaveLength(1);
    expect(ends[0]).toBeLessThanOrEqual(10_000);
  });

  test('is renewed immediately on request', async () => {
    const { environment, calls, subscribe } = createHarness([tokenResponse()]);
    const { subscription } = await subscribe();
    await environment.advance(5);
    subscription.renew();
    await settle();
    expect(calls).toHaveLength(2);
  });
});

describe('two subscriptions to the same report', () => {
  test('share the request and the renewal', async () => {
    const { environment, calls, subscribe } = createHarness([tokenResponse({ refresh_in: 100 })]);
    const [one, other] = await Promise.all([subscribe(), subscribe()]);
    expect(calls).toHaveLength(1);
    await environment.advance(101);
    expect(calls).toHaveLength(2);
    expect(one.received.tokens).toEqual(other.received.tokens);
  });

  test('share the current token when the second one starts later', async () => {
    const { environment, calls, subscribe } = createHarness([tokenResponse()]);
    const first = await subscribe();
    await environment.advance(60);
    const second = await subscribe();
    expect(second.received.tokens).toEqual(first.received.tokens);
    expect(await second.subscription.token()).toBe(first.received.tokens[0]);
    expect(calls).toHaveLength(1);
  });

  test('share the current token once when the second one starts in a callback of the first', async () => {
    const { calls, subscribe } = createHarness([tokenResponse()]);
    let second: ReturnType<typeof subscribe> | undefined;
    await subscribe({ onToken: () => void (second ??= subscribe()) });
    expect((await second)?.received.events).toEqual(['token']);
    expect(calls).toHaveLength(1);
  });

  test('use separate tokens for viewing and editing', async () => {
    const { calls, subscribe } = createHarness([tokenResponse()]);
    await Promise.all([subscribe(), subscribe({ access: 'edit' })]);
    expect(calls.map(({ init }) => init.body)).toEqual(['{"access":"view"}', '{"access":"edit"}']);
  });

  test('are independent: one continues when the other stops', async () => {
    const { environment, calls, subscribe } = createHarness([tokenResponse({ refresh_in: 100 })]);
    const [one, other] = await Promise.all([subscribe(), subscribe()]);
    one.subscription.stop();
    await environment.advance(101);
    expect(calls).toHaveLength(2);
    expect([one.received.tokens.length, other.received.tokens.length]).toEqual([1, 2]);
  });

  test('are independent: one can stop before the first response', async () => {
    const { service, subscribe } = createHarness([tokenResponse()]);
    const first = service.keep({ reportId: '019a' });
    const second = subscribe();
    first.stop();
    await expect(first.token()).rejects.toThrow('Stopped');
    expect((await second).received.events).toEqual(['token']);
  });
});

describe('after sleep', () => {
  test('an overdue token is renewed as soon as the page wakes', async () => {
    const { environment, calls, subscribe } = createHarness([tokenResponse()]);
    await subscribe();
    await environment.advance(60);
    environment.sleep(8 * 3600);
    await environment.wake();
    expect(calls).toHaveLength(2);
  });

  test('an overdue token is renewed without a wake-up event', async () => {
    const { environment, calls, subscribe } = createHarness([tokenResponse()]);
    await subscribe();
    environment.sleep(8 * 3600);
    await environment.advance(10);
    expect(calls).toHaveLength(2);
  });

  test('no expiry is reported before a renewal is attempted', async () => {
    const { environment, subscribe } = createHarness([tokenResponse()]);
    const { received } = await subscribe();
    environment.sleep(8 * 3600);
    await environment.wake();
    expect(received.events).toEqual(['token', 'token']);
  });

  test('a token that is not due is not renewed, nor when the page is shown again', async () => {
    const { environment, calls, subscribe } = createHarness([tokenResponse()]);
    await subscribe();
    await environment.advance(600);
    await environment.wake();
    expect(calls).toHaveLength(1);
  });

  test('a system clock that is set back delays no renewal', async () => {
    const { environment, calls, subscribe } = createHarness([tokenResponse({ refresh_in: 100 })]);
    await subscribe();
    environment.sleep(-7200);
    await environment.advance(101);
    expect(calls).toHaveLength(2);
  });
});

describe('stopping a subscription', () => {
  const nothingIsLeft = ({ timers, wakeUps }: FakeEnvironment) =>
    expect([timers.size, wakeUps.size]).toEqual([0, 0]);

  test('leaves no timer and no listener', async () => {
    const { environment, calls, subscribe } = createHarness([tokenResponse()]);
    const { subscription } = await subscribe();
    subscription.stop();
    subscription.stop();
    subscription.renew();
    nothingIsLeft(environment);
    await environment.advance(7200);
    expect(calls).toHaveLength(1);
  });

  test('aborts the pending request and emits no more events', async () => {
    const { environment, calls, subscribe } = createHarness([() => new Promise(() => undefined)]);
    const { subscription, received } = await subscribe();
    const first = subscription.token();
    subscription.stop();
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
    expect(calls[0]?.init.signal?.aborted).toBe(true);
    await settle();
    nothingIsLeft(environment);
    expect(received.events).toEqual([]);
  });

  test('works through an AbortSignal too', async () => {
    const { environment, subscribe } = createHarness([tokenResponse()]);
    const controller = new AbortController();
    const { subscription } = await subscribe({ signal: controller.signal });
    controller.abort();
    nothingIsLeft(environment);
    await expect(subscription.token()).rejects.toMatchObject({ name: 'AbortError' });
    const late = await subscribe({ signal: controller.signal });
    expect(late.received.events).toEqual([]);
    nothingIsLeft(environment);
  });

  test('in its own callback emits no more events', async () => {
    const { environment, subscribe } = createHarness([
      tokenResponse({ expires_in: 60, refresh_in: 40 }),
      networkFailure,
    ]);
    await subscribe();
    const stopsIn = async (callback: 'onToken' | 'onTrouble') => {
      const controller = new AbortController();
      const { signal } = controller;
      const { received } = await subscribe({ signal, [callback]: () => controller.abort() });
      return received.events;
    };
    await environment.advance(50);
    expect(await stopsIn('onToken')).toEqual([]);
    await environment.advance(20);
    expect(await stopsIn('onTrouble')).toEqual([]);
  });

  test('does not affect a later subscription', async () => {
    const { calls, subscribe } = createHarness([tokenResponse()]);
    const { subscription } = await subscribe();
    subscription.stop();
    const again = await subscribe();
    subscription.stop();
    expect(calls).toHaveLength(2);
    expect(await (await subscribe()).subscription.token()).toBe(again.received.tokens[0]);
  });
});
