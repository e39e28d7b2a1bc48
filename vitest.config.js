import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const suite = process.env.VITRINE_SUITE ?? '';

/** Each requires its own process: MSAL keeps the endpoint and the tokens of managed identities in static memory. */
const isolated = ['test/*/*credentials.e2e-spec.ts'];

const suites = {
  '': ['{src,local,packages}/**/*.spec.ts', 'test/**/*.{spec,e2e-spec}.ts'],
  browser: ['test/browser/**/*.browser-spec.ts'],
  clients: ['test/emulator/clients/*.client-spec.ts'],
};
const include = suites[suite];
const exclude = ['**/node_modules/**', '**/dist/**', '.data/**'];

/** The sources of the package, so that a test needs no other build. `test/emulator/clients/` tests the packed package. */
const alias = {
  '@vitrine/power-bi-emulator': fileURLToPath(
    new URL('packages/power-bi-emulator/index.ts', import.meta.url),
  ),
};

export default defineConfig({
  resolve: { alias },
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  test: {
    projects: [
      // The files of a worker share its modules: loading Nest for each file takes longer than most tests.
      {
        extends: true,
        test: { name: 'shared', include, exclude: [...exclude, ...isolated], isolate: false },
      },
      { extends: true, test: { name: 'isolated', include: suite === '' ? isolated : [], exclude } },
    ],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/count-reporter.js'],
  },
});
