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

test('a task that gave up leaves its place in the queue to another one', async () => {
  const slots = new Bulkhead(1, 1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = slots.run(() => promise, 1000);
  await expect(slots.run(() => promise, 10)).rejects.toBeInstanceOf(Busy);
  const canceled = new AbortController();
  const abandoned = slots.run(() => promise, 1000, canceled.signal);
  canceled.abort(new Error('gone'));
  await expect(abandoned).rejects.toThrow('gone');
  const patient = slots.run(async () => 'done', 60_000);
  expect([slots.running, slots.queued]).toEqual([1, 1]);
  resolve();
  expect(await patient).toBe('done');
  await running;
  expect([slots.running, slots.queued]).toEqual([0, 0]);
});

test('a task whose signal has aborted does not begin', async () => {
  const slots = new Bulkhead(1, 1);
  const work = async (): Promise<string> => 'done';
  await expect(slots.run(work, 1000, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  expect(await slots.run(work, 1000)).toBe('done');
});

test('a task that fails releases its slot', async () => {
  const slots = new Bulkhead(1, 1);
  await expect(slots.run(() => Promise.reject(new Error('failed')), 1000)).rejects.toThrow('failed');
  expect(slots.running).toBe(0);
});
