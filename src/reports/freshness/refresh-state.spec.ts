import { describe, expect, test } from '@jest/globals';
import type { PbiRefresh } from '../../power-bi/power-bi.types.js';
import { endsInNewFailure, needsHistory, type RefreshState, stateOf, unknownState } from './refresh-state.js';

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
  ])('%s after %j, before the check: %s', (status, previous, expected) => {
    expect(needsHistory(refresh(status, 5), { ...previous, checkedAt: at(6) })).toBe(expected);
  });

  test('a failure after the check of a failed dataset: true', () => {
    expect(needsHistory(refresh('failed', 5), { ...failed, checkedAt: at(4) })).toBe(true);
  });
});

describe('endsInNewFailure', () => {
  const running: RefreshState = { ...succeeded, status: 'running' };
  test.each<[string, PbiRefresh[], RefreshState, number | null, boolean]>([
    ['before the first check', [refresh('failed', 5)], unknownState, null, false],
    ['after the check of a failed dataset', [refresh('failed', 5)], failed, 4, true],
    ['before the check of a failed dataset', [refresh('failed', 5)], failed, 6, false],
    ['after an unknown check', [refresh('failed', 5)], unknownState, 4, true],
    ['before an unknown check', [refresh('failed', 5)], unknownState, 6, false],
    ['after a success, also by a clock that is behind', [refresh('failed', 5)], succeeded, 6, true],
    ['of a running refresh', [refresh('failed', 7)], running, 6, true],
    [
      'that is known, before a running refresh that is cancelled',
      [refresh('cancelled', 31), refresh('failed', 5)],
      running,
      30,
      false,
    ],
    ['before a cancelled refresh', [refresh('cancelled', 6), refresh('failed', 5)], failed, 4, true],
    ['before a success', [refresh('succeeded', 6), refresh('failed', 5)], failed, 4, false],
    ['before a running refresh', [refresh('running', 6), refresh('failed', 5)], failed, 4, false],
  ])('a failure %s', (_case, history, previous, checked, expected) => {
    const checkedAt = checked === null ? null : at(checked);
    expect(endsInNewFailure(history, { ...previous, checkedAt })).toBe(expected);
  });
});
