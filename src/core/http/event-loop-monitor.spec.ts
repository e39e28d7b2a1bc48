import { afterEach, expect, jest, test } from '@jest/globals';
import { EventLoopMonitor } from './event-loop-monitor.js';

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('time before start does not count as delay: a replica that has just started accepts requests', () => {
  jest.useFakeTimers({
    doNotFake: [
      'Date',
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'requestAnimationFrame',
      'cancelAnimationFrame',
      'requestIdleCallback',
      'cancelIdleCallback',
      'setImmediate',
      'clearImmediate',
      'setTimeout',
      'clearTimeout',
    ],
  });
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const pass = (ms: number): void => {
    now += ms;
    jest.advanceTimersByTime(ms);
  };
  const monitor = new EventLoopMonitor();
  pass(10_000);
  monitor.start();
  pass(250);
  expect(monitor.delayMs).toBe(0);
  // The next sample is 400 ms late.
  now += 400;
  pass(250);
  expect(monitor.delayMs).toBe(400);
  monitor.stop();
});
