import { expect, test } from '@jest/globals';
import { inRequestContext, requestId } from '../http/request-context.js';
import { Busy, Bulkhead } from './bulkhead.js';

const nextTurn = () => new Promise(setImmediate);

test('a queued task keeps the request context of its caller', async () => {
  const slots = new Bulkhead(1, 2);
  const ask = (id: string): Promise<string> =>
    inRequestContext({ requestId: id, ip: '', userAgent: '' }, () =>
      slots.run(async () => {
        await nextTurn();
        return requestId();
      }, 1000),
    );
  expect(await Promise.all(['first', 'second', 'third'].map(ask))).toEqual(['first', 'second', 'third']);
});

test('limits running tasks, queued tasks and the waiting time', async () => {
  const slots = new Bulkhead(1, 1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = slots.run(() => promise, 1000);
  const late = slots.run(() => promise, 10);
  const outcomes = Promise.allSettled([late, slots.run(() => promise, 1000)]);
  expect([slots.running, slots.queued]).toEqual([1, 1]);
  for (const outcome of await outcomes) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(Busy) });
  }
  resolve();
  await running;
  expect([slots.running, slots.queued]).toEqual([0, 0]);
});
