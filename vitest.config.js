import { defineConfig } from 'vitest/config';

const isBrowser = process.env.VITRINE_SUITE === 'browser';

/** Each requires its own process: MSAL keeps the endpoint and the tokens of managed identities in static memory. */
const isolated = ['test/*/*credentials.e2e-spec.ts'];

const include = isBrowser
  ? ['test/browser/**/*.browser-spec.ts']
  : ['{src,local,packages}/**/*.spec.ts', 'test/**/*.{spec,e2e-spec}.ts'];
const exclude = ['**/node_modules/**', '**/dist/**', '.data/**'];

export default defineConfig({
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  test: {
    projects: [
      // The files of a worker share its modules: loading Nest for each file takes longer than most tests.
      {
        extends: true,
        test: { name: 'shared', include, exclude: [...exclude, ...isolated], isolate: false },
      },
      { extends: true, test: { name: 'isolated', include: isBrowser ? [] : isolated, exclude } },
    ],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', './test/count-reporter.js'],
  },
});
