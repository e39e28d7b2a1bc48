import { describe, expect, test } from '@jest/globals';
import { combine, isRerunUseful } from './rerun.js';

const file = (path: string, passed: number, ...titles: string[]) => ({
  path,
  passed,
  seconds: 1,
  failures: titles.map((title) => ({ title, error: 'expected 1 to be 2' })),
});
const run = (...files: ReturnType<typeof file>[]) => ({
  passed: files.reduce((sum, { passed }) => sum + passed, 0),
  failed: files.reduce((sum, { failures }) => sum + failures.length, 0),
  files,
});

describe('failed files run once more', () => {
  test('a file that passes then is flaky, and the run passes', () => {
    const first = run(file('a', 3), file('b', 1, 'one', 'two'));
    expect(isRerunUseful(first)).toBe(true);
    const result = combine(first, [run(file('b', 3))]);
    expect(result).toMatchObject({ passed: 6, failed: 0, flaky: [{ path: 'b' }] });
  });

  test('a file that fails again has failed', () => {
    const result = combine(run(file('a', 3), file('b', 1, 'one')), [run(file('b', 1, 'one'))]);
    expect(result).toMatchObject({ passed: 4, failed: 1, flaky: [] });
  });

  test('a rerun that ended early has failed', () => {
    const result = combine(run(file('b', 1, 'one')), [{ passed: 0, failed: 1, files: [] }]);
    expect(result).toMatchObject({ passed: 0, failed: 1, flaky: [] });
  });

  test('more than three flaky files fail', () => {
    const names = ['a', 'b', 'c', 'd'];
    const of = (count: number) =>
      combine(
        run(...names.slice(0, count).map((name) => file(name, 1, 'one'))),
        names.slice(0, count).map((name) => run(file(name, 2))),
      );
    expect(of(3)).toMatchObject({ passed: 6, failed: 0 });
    expect(of(4)).toMatchObject({ passed: 8, failed: 4 });
  });

  test('nothing runs again after a pass, after failures outside of a file, or after many', () => {
    expect(isRerunUseful(run(file('a', 1)))).toBe(false);
    expect(isRerunUseful({ ...run(file('a', 1, 'one')), failed: 2 })).toBe(false);
    expect(isRerunUseful(run(...Array.from({ length: 11 }, (_, n) => file(String(n), 0, 'one'))))).toBe(
      false,
    );
  });
});
