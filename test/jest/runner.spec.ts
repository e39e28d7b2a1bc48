import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

interface Report {
  passed: number;
  failed: number;
  files: { path: string; seconds: number; passed: number; failures: { title: string; error: string }[] }[];
}

const oneState = `
      const symbols = Object.getOwnPropertySymbols(globalThis);
      expect(symbols.filter(({ description }) => description === 'JEST_STATE_SYMBOL')).toHaveLength(1);`;
const header = "import { beforeAll, describe, expect, jest, test } from '@jest/globals';\n";
/** Each is a test file. */
const files = {
  'passes.spec.ts': `
    import { idOf } from '@vitrine/power-bi-emulator';
    test.each([[1, 2]])('%i is below %i', (a: number, b: number) => expect(a).toBeLessThan(b));
    test('knows the sources of the emulator', () => expect(idOf('report', 1, 1)).toMatch(/-/));`,
  'fails.spec.ts': `
    describe('a sum', () => {
      test('is right', () => expect(1 + 1).toBe(3));
      test('is checked', () => expect(1 + 1).toBe(2));
    });`,
  'hook.spec.ts': `
    beforeAll(() => { throw new Error('no service'); });
    test('needs the hook', () => undefined);`,
  'limit.spec.ts': `test('never ends', () => new Promise(() => undefined), 100);`,
  'rejection.spec.ts': `
    test('loses a rejection', async () => {
      void Promise.reject(new Error('lost'));
      await new Promise((resolve) => setTimeout(resolve, 100));
    });`,
  'load.spec.ts': `import './missing.js';\ntest('is not reached', () => undefined);`,
  'blocks.spec.ts': `
    test('blocks its process', () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`,
  'module-mocks.spec.ts': `test('mocks a module', () => jest.mock('node:fs'));`,
  // The second one must not see what the first one has left; the larger file runs first.
  'leaves-1.spec.ts': `
    jest.setTimeout(100);
    test('fakes the time', () => {
      jest.useFakeTimers({ now: 0 });
      jest.spyOn(Math, 'random').mockReturnValue(2);
      expect([Date.now(), Math.random()]).toEqual([0, 2]);
      expect(new Intl.DateTimeFormat('en', { timeZone: 'Asia/Tokyo' }).format(0)).toBe('1/1/1970');
      ${oneState}
    });`,
  'leaves-2.spec.ts': `
    test('has the time of the process', async () => {
      expect([Date.now() > 0, Math.random() < 2]).toEqual([true, true]);
      ${oneState}
      await new Promise((resolve) => setTimeout(resolve, 300));
    });`,
};

const folder = mkdtempSync(join(tmpdir(), 'vitrine-jest-'));
let report: Report;
let output: string;

/** The configuration of `npm test`, for the files of the folder. */
async function configuration(): Promise<object> {
  const { default: own } = (await import(resolve('jest.config.js'))) as {
    default: { projects: Record<string, unknown>[] };
  };
  const [shared] = own.projects;
  const project = { ...shared, roots: ['<rootDir>'], testMatch: ['<rootDir>/*.spec.ts'] };
  const here = JSON.stringify({ ...own, projects: undefined, ...project })
    .replaceAll('<rootDir>/test/', `${resolve('test')}/`)
    .replaceAll('<rootDir>/node_modules/', `${folder}/`);
  return { ...(JSON.parse(here) as object), rootDir: folder, maxWorkers: 1 };
}

beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), header + text);
  writeFileSync(join(folder, 'jest.config.json'), JSON.stringify(await configuration()));
  const run = spawnSync(
    process.execPath,
    ['node_modules/jest/bin/jest.js', '-c', `${folder}/jest.config.json`],
    {
      env: { ...process.env, TEST_REPORT: join(folder, 'report.json'), TEST_FILE_SECONDS: '10' },
      encoding: 'utf8',
    },
  );
  output = run.stdout + run.stderr;
  report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report;
});
afterAll(() => rmSync(folder, { recursive: true }));

const failuresOf = (name: string) => report.files.find(({ path }) => path === name)?.failures;

describe('a run of Jest', () => {
  test('counts tests and files', () => {
    const { passed, failed } = report;
    expect({ passed, failed, files: report.files.length }).toEqual({
      passed: 5,
      failed: 7,
      files: Object.keys(files).length,
    });
  });

  test.each([
    ['a failed test', 'fails.spec.ts', 'a sum is right', 'Expected: 3 Received: 2'],
    ['a failed hook', 'hook.spec.ts', 'needs the hook', 'no service'],
    ['a test that exceeds its limit', 'limit.spec.ts', 'never ends', 'Exceeded timeout of 100 ms'],
    ['an unhandled rejection', 'rejection.spec.ts', 'loses a rejection', 'lost'],
    ['a file that cannot be loaded', 'load.spec.ts', '(file)', 'missing.js'],
    ['a file that blocks its process', 'blocks.spec.ts', '(file)', 'terminated'],
    ['a mock of a module', 'module-mocks.spec.ts', 'mocks a module', 'docs/decisions/tests.md'],
  ])('reports %s', (_what, name, title, error) => {
    expect(failuresOf(name)).toEqual([{ title, error: expect.stringContaining(error) }]);
  });

  test('has run a file after the one that leaves something', () => {
    const order = report.files.map(({ path }) => path);
    expect(order.indexOf('leaves-2.spec.ts')).toBeGreaterThan(order.indexOf('leaves-1.spec.ts'));
  });

  test('shows the place in the source', () => {
    expect(output).toMatch(/at .*fails\.spec\.ts:4:\d+/);
    // An exceeded limit has no place of its own.
    expect(output).toMatch(/at .*limit\.spec\.ts:2:\d+/);
  });

  test.each(['passes.spec.ts', 'leaves-1.spec.ts', 'leaves-2.spec.ts'])('passes %s', (name) => {
    expect(failuresOf(name)).toEqual([]);
  });
});
