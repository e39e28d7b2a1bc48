const suite = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  // Sources name their imports as the built files will be called.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  setupFilesAfterEnv: ['<rootDir>/test/support/retries.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
};

const browser = process.env.VITRINE_SUITE === 'browser';

export default {
  ...suite,
  testMatch: browser
    ? ['<rootDir>/test/browser/**/*.browser-spec.ts']
    : ['<rootDir>/{src,local,packages}/**/*.spec.ts', '<rootDir>/test/**/*.{spec,e2e-spec}.ts'],
  reporters: ['default', '<rootDir>/test/count-reporter.js'],
  testTimeout: 30_000,
  maxWorkers: 2,
  // Native modules are never given back within a worker: it is replaced before it has grown large.
  workerIdleMemoryLimit: '1GB',
};
