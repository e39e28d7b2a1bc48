import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { QueueOutage } from './queue-outage.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('an outage is one line with its cause, one a minute with the number of failures, and one at its end', () => {
  const logger = new Logger('Test');
  const lines: object[] = [];
  for (const level of ['warn', 'log'] as const)
    jest.spyOn(logger, level).mockImplementation((line: object) => void lines.push({ level, ...line }));
  let isFailing = true;
  const outage = new QueueOutage(logger, () => isFailing);
  const cause = new Error('read-only');
  for (let second = 0; second < 150; second += 1) {
    for (let worker = 0; worker < 27; worker += 1) outage.record(cause);
    jest.advanceTimersByTime(1000);
  }
  expect(outage.seconds).toBe(150);
  isFailing = false;
  jest.advanceTimersByTime(1000);
  expect(outage.seconds).toBeUndefined();
  const counted = { seconds: expect.any(Number), failures: expect.any(Number) };
  expect(lines).toEqual([
    { level: 'warn', msg: expect.stringContaining('check the database'), err: cause },
    { level: 'warn', msg: expect.stringContaining('still fails'), seconds: 60, failures: 60 * 27 },
    { level: 'warn', msg: expect.stringContaining('still fails'), ...counted },
    { level: 'log', msg: expect.stringContaining('recovered'), seconds: 151, failures: 150 * 27 },
  ]);
});

test('a failure while the workers fetch jobs is a line of its own, and no outage', () => {
  const logger = new Logger('Test');
  const warn = jest.spyOn(logger, 'warn').mockReturnValue();
  const outage = new QueueOutage(logger, () => false);
  outage.record(new Error('maintenance'));
  expect([warn.mock.calls.length, outage.seconds]).toEqual([1, undefined]);
});
