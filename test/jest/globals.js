// What a test file imports from `@jest/globals`. Files of a worker share this module, but each file has its own Circus.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { ModuleMocker } = require('jest-mock');
const { ModernFakeTimers } = require('@jest/fake-timers');

const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

let framework = {};

const ofCurrentFile = (name) =>
  new Proxy(() => undefined, {
    apply: (_target, _self, parameters) => framework[name](...parameters),
    get: (_target, property) => framework[name][property],
  });

export const describe = ofCurrentFile('describe');
export const test = ofCurrentFile('test');
export const it = test;
export const beforeAll = ofCurrentFile('beforeAll');
export const beforeEach = ofCurrentFile('beforeEach');
export const afterAll = ofCurrentFile('afterAll');
export const afterEach = ofCurrentFile('afterEach');
export const expect = ofCurrentFile('expect');

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({
  config: { fakeTimers: {}, rootDir: process.cwd() },
  global: globalThis,
});

const own = {
  setTimeout(limit) {
    globalThis[TEST_TIMEOUT] = limit;
    return jest;
  },
  // The fake Intl knows no time zones.
  useFakeTimers({ doNotFake = [], ...options } = {}) {
    timers.useFakeTimers({ ...options, doNotFake: [...doNotFake, 'Intl'] });
    return jest;
  },
};

/** Mocks, spies and fake timers. There are no mocks of modules. */
export const jest = new Proxy(own, {
  get(_target, name) {
    const owner = [own, mocker, timers].find((each) => typeof each[name] === 'function');
    if (owner !== undefined) return owner[name].bind(owner);
    throw new Error(`jest.${String(name)} does not exist here: see docs/decisions/tests.md`);
  },
});

/** Removes what the previous file has left. */
export function beginFile(globals) {
  framework = globals;
  globalThis[TEST_TIMEOUT] = undefined;
}

/** Removes what a file has left. */
export function endFile() {
  mocker.restoreAllMocks();
  mocker.clearAllMocks();
  timers.useRealTimers();
}
