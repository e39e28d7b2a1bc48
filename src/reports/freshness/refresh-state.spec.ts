import { describe, expect, test } from '@jest/globals';
import type { PbiRefresh } from '../../power-bi/power-bi.types.js';
import { needsHistory, type RefreshState, stateOf, unknownState } from './refresh-state.js';

const at = (hour: number): Date => new Date(Date.UTC(2026, 0, 1, hour));
const refresh = (status: PbiRefresh['status'], hour: number): PbiRefresh => ({ status, at: at(hour) });
const succeeded: RefreshState = { status: 'succeeded', dataAsOf: at(1), failedSince: null };
const failed: RefreshState = { status: 'failed', dataAsOf: at(1), failedSince: at(2) };

describe('stateOf', () => {
  test('a success is the age of the data', () => {
    expect(stateOf([refresh('succeeded', 5)], failed)).toEqual({ ...succeeded, dataAsOf: at(5) });
  });

  test('fails since the first failure after the last success', () => {
    const history = [
      refresh('failed', 5),
      refresh('failed', 4),
      refresh('succeeded', 3),
      refresh('failed', 2),
    ];
    expect(stateOf(history, unknownState)).toEqual({
      status: 'failed',
      dataAsOf: at(3),
      failedSince: at(4),
    });
  });

  test('a further failure keeps what is known', () => {
    expect(stateOf([refresh('failed', 7)], failed)).toEqual(failed);
    expect(stateOf([refresh('failed', 7)], unknownState)).toEqual({
      status: 'failed',
      dataAsOf: null,
      failedSince: at(7),
    });
  });

  test('while a refresh runs, the data is that of the last success', () => {
    const running = { status: 'running', dataAsOf: at(1), failedSince: null };
    expect(stateOf([refresh('running', 5)], succeeded)).toEqual(running);
    expect(
      stateOf([refresh('running', 5), refresh('failed', 4), refresh('succeeded', 1)], unknownState),
    ).toEqual(running);
  });

  test('a cancelled refresh changes nothing', () => {
    expect(stateOf([refresh('cancelled', 5), refresh('succeeded', 1)], unknownState)).toEqual(succeeded);
    expect(stateOf([refresh('cancelled', 5)], unknownState)).toEqual(unknownState);
    expect(stateOf([refresh('cancelled', 5)], succeeded)).toEqual(succeeded);
  });
});

describe('needsHistory', () => {
  test.each<[PbiRefresh['status'], RefreshState, boolean]>([
    ['succeeded', unknownState, false],
    ['succeeded', failed, false],
    ['failed', unknownState, true],
    ['failed', succeeded, true],
    ['failed', failed, false],
    ['running', unknownState, true],
    ['running', succeeded, false],
    ['running', { ...unknownState, status: 'live' }, true],
    ['cancelled', succeeded, true],
  ])('%s after %j: %s', (status, previous, expected) => {
    expect(needsHistory(refresh(status, 5), previous)).toBe(expected);
  });
});
