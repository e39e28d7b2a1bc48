import { notRun } from './test/requirements.js';

const suite = process.env.VITRINE_SUITE ?? '';

/** Each requires its own process: MSAL keeps the endpoint and the tokens of managed identities in static memory. */
const isolated = '**/test/*/*credentials.e2e-spec.ts';

const files = {
  roots: ['<rootDir>/src', '<rootDir>/local', '<rootDir>/packages', '<rootDir>/test'],
  moduleFileExtensions: ['js', 'ts', 'tsx', 'json'],
  modulePathIgnorePatterns: ['/dist/'],
};

/** Node loads the modules, and the files of a worker share them: docs/decisions/tests.md. */
const native = {
  ...files,
  runtime: '<rootDir>/test/jest/runtime.js',
  testEnvironment: '<rootDir>/test/jest/environment.js',
  injectGlobals: false,
  transform: {},
};

/** Jest as it comes, for a few files: what a Jest without our runtime would run. */
const defaultRunner = {
  ...files,
  injectGlobals: false,
  transform: { '\\.tsx?$': '<rootDir>/test/jest/transformer.js' },
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: {
    '^@vitrine/power-bi-emulator$': '<rootDir>/packages/power-bi-emulator/index.ts',
    '^#openapi$': '<rootDir>/src/core/http/openapi-decorators.ts',
    '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.tsx', '$1.js'],
  },
};

const suites = {
  '': [
    {
      ...native,
      displayName: 'shared',
      testMatch: [
        '<rootDir>/{src,local,packages}/**/*.spec.ts',
        '<rootDir>/test/**/*.{spec,e2e-spec}.ts',
        `!${isolated}`,
      ],
      testPathIgnorePatterns: ['/node_modules/', ...notRun().map(({ file }) => `<rootDir>/${file}$`)],
    },
    {
      ...native,
      displayName: 'isolated',
      testMatch: [isolated],
      runner: '<rootDir>/test/jest/fresh-process-runner.js',
    },
  ],
  browser: [
    {
      ...native,
      displayName: 'browser',
      testMatch: ['<rootDir>/test/browser/**/*.browser-spec.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/browser/setup.ts'],
    },
  ],
  clients: [
    {
      ...native,
      displayName: 'clients',
      testMatch: ['<rootDir>/test/emulator/clients/*.client-spec.ts'],
    },
  ],
  'default-runner': [
    {
      ...defaultRunner,
      displayName: 'default runner',
      testMatch: [
        '<rootDir>/src/core/**/*.spec.ts',
        '<rootDir>/test/{health,workspaces,embed,atomic,power-bi/outbound-time}.e2e-spec.ts',
      ],
    },
  ],
};

export default {
  projects: suites[suite],
  reporters: ['default', '<rootDir>/test/count-reporter.js'],
  testSequencer: '<rootDir>/test/jest/sequencer.js',
  // Of a test and of a hook; a safety net.
  testTimeout: suite === 'browser' ? 600_000 : 120_000,
  maxWorkers: 2,
  // A worker that has grown is replaced. Also for few files: without it Jest would run them in its own process.
  workerIdleMemoryLimit: '3GB',
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  // A program that a test left running keeps the pipe of its worker open.
  forceExit: true,
};
