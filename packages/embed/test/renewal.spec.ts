import { describe, expect, test } from '@jest/globals';
import { FakeWorld, settled } from './fake-environment.js';
import { gives, stage, tokenOf } from './stage.js';

describe('an embed token', () => {
  test('is renewed after refresh_in, again and again, whatever its date says', async () => {
    const { world, calls, keep } = stage([gives({ refresh_in: 100 })]);
    const { heard } = await keep();
    expect(calls).toHaveLength(1);
    await world.pass(99);
    expect(calls).toHaveLength(1);
    await world.pass(2);
    expect(calls).toHaveLength(2);
    await world.pass(300);
    expect(heard.events).toEqual(['token', 'token', 'token', 'token', 'token']);
    expect(new Set(heard.tokens.map(({ token }) => token)).size).toBe(5);
  });

  test('is counted from before the question: a slow answer does not renew it late', async () => {
    const { world, calls, keep, answerWith } = stage([]);
    answerWith(async () => {
      await world.pass(8);
      return Response.json(tokenOf({ refresh_in: 100 }));
    }, gives());
    await keep();
    await settled();
    await world.pass(92.1);
    expect(calls).toHaveLength(2);
  });

  test('is not asked for more than once a second, whatever the answer says', async () => {
    const { world, calls, keep } = stage([gives({ refresh_in: 0 })]);
    await keep();
    await world.pass(9.9);
    expect(calls.length).toBeLessThanOrEqual(10);
  });

  test('is looked after by no timer that sleep or throttling could make late by much', async () => {
    const { world, keep } = stage([gives()]);
    await keep();
    const ends = [...world.timers].map(({ at }) => at - world.monotonic());
    expect(ends).toHaveLength(1);
    expect(ends[0]).toBeLessThanOrEqual(10_000);
  });

  test('is renewed at once when asked to', async () => {
    const { world, calls, keep } = stage([gives()]);
    const { kept } = await keep();
    await world.pass(5);
    kept.renew();
    await settled();
    expect(calls).toHaveLength(2);
  });
});

describe('whoever keeps the same report', () => {
  test('shares the call and the renewal', async () => {
    const { world, calls, keep } = stage([gives({ refresh_in: 100 })]);
    const [one, other] = await Promise.all([keep(), keep()]);
    expect(calls).toHaveLength(1);
    await world.pass(101);
    expect(calls).toHaveLength(2);
    expect(one.heard.tokens).toEqual(other.heard.tokens);
  });

  test('and comes later, is given the token that is there', async () => {
    const { world, calls, keep } = stage([gives()]);
    const first = await keep();
    await world.pass(60);
    const second = await keep();
    expect(second.heard.tokens).toEqual(first.heard.tokens);
    expect(await second.kept.token()).toBe(first.heard.tokens[0]);
    expect(calls).toHaveLength(1);
  });

  test('for editing has a token of its own', async () => {
    const { calls, keep } = stage([gives()]);
    await Promise.all([keep(), keep({ access: 'edit' })]);
    expect(calls.map(({ init }) => init.body)).toEqual(['{"access":"view"}', '{"access":"edit"}']);
  });

  test('goes on when the other stops', async () => {
    const { world, calls, keep } = stage([gives({ refresh_in: 100 })]);
    const [one, other] = await Promise.all([keep(), keep()]);
    one.kept.stop();
    await world.pass(101);
    expect(calls).toHaveLength(2);
    expect([one.heard.tokens.length, other.heard.tokens.length]).toEqual([1, 2]);
  });

  test('can stop the other before either was answered', async () => {
    const { service, keep } = stage([gives()]);
    const first = service.keep({ reportId: '019a' });
    const second = keep();
    first.stop();
    await expect(first.token()).rejects.toThrow('Stopped');
    expect((await second).heard.events).toEqual(['token']);
  });
});

describe('after sleep', () => {
  test('what is overdue is renewed as soon as the page wakes', async () => {
    const { world, calls, keep } = stage([gives()]);
    await keep();
    await world.pass(60);
    world.sleep(8 * 3600);
    await world.wake();
    expect(calls).toHaveLength(2);
  });

  test('even when nobody says that it woke', async () => {
    const { world, calls, keep } = stage([gives()]);
    await keep();
    world.sleep(8 * 3600);
    await world.pass(10);
    expect(calls).toHaveLength(2);
  });

  test('nothing is told to have expired before the renewal was tried', async () => {
    const { world, keep } = stage([gives()]);
    const { heard } = await keep();
    world.sleep(8 * 3600);
    await world.wake();
    expect(heard.events).toEqual(['token', 'token']);
  });

  test('or when merely shown again, what is not due is left alone', async () => {
    const { world, calls, keep } = stage([gives()]);
    await keep();
    await world.pass(600);
    await world.wake();
    expect(calls).toHaveLength(1);
  });

  test('a clock that was put back delays nothing', async () => {
    const { world, calls, keep } = stage([gives({ refresh_in: 100 })]);
    await keep();
    world.sleep(-7200);
    await world.pass(101);
    expect(calls).toHaveLength(2);
  });
});

describe('stopping', () => {
  const nothingIsLeft = ({ timers, wakeUps }: FakeWorld) =>
    expect([timers.size, wakeUps.size]).toEqual([0, 0]);

  test('leaves no timer and no listener', async () => {
    const { world, calls, keep } = stage([gives()]);
    const { kept } = await keep();
    kept.stop();
    kept.stop();
    kept.renew();
    nothingIsLeft(world);
    await world.pass(7200);
    expect(calls).toHaveLength(1);
  });

  test('aborts the call that is under way, and tells nothing any more', async () => {
    const { world, calls, keep } = stage([() => new Promise(() => undefined)]);
    const { kept, heard } = await keep();
    const first = kept.token();
    kept.stop();
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
    expect(calls[0]?.init.signal?.aborted).toBe(true);
    await settled();
    nothingIsLeft(world);
    expect(heard.events).toEqual([]);
  });

  test('is what an AbortSignal does, too', async () => {
    const { world, keep } = stage([gives()]);
    const controller = new AbortController();
    const { kept } = await keep({ signal: controller.signal });
    controller.abort();
    nothingIsLeft(world);
    await expect(kept.token()).rejects.toMatchObject({ name: 'AbortError' });
    const late = await keep({ signal: controller.signal });
    expect(late.heard.events).toEqual([]);
    nothingIsLeft(world);
  });

  test('and keeping again begins anew', async () => {
    const { calls, keep } = stage([gives()]);
    const { kept } = await keep();
    kept.stop();
    const again = await keep();
    kept.stop();
    expect(calls).toHaveLength(2);
    expect(await (await keep()).kept.token()).toBe(again.heard.tokens[0]);
  });
});
