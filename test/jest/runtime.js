// Jest's own runner and Circus, but Node itself loads the modules: the files of a worker share them, as in one process.
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { beginFile, endFile } from './globals.js';
import * as typescript from './typescript.js';

const globals = new URL('globals.js', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals'
      ? { url: globals, shortCircuit: true }
      : typescript.resolve(specifier, context, next),
  load: typescript.load,
});

/** Distinguishes the files of this process. */
let count = 0;

/** The part of `jest-runtime` that the runner and Circus call. */
export default class NativeRuntime {
  constructor(config) {
    this.setupFiles = new Set(config.setupFilesAfterEnv);
    count += 1;
  }

  /** Circus keeps the state of a file in its module, and in the global object under a symbol of that module. */
  requireInternalModule(path) {
    // A new `require` holds no reference to the module of the previous file.
    const require = createRequire(import.meta.url);
    delete require.cache[path];
    globalThis[Symbol.for('EVENT_HANDLERS')] = undefined;
    for (const key of Object.getOwnPropertySymbols(globalThis))
      if (key.description === 'JEST_STATE_SYMBOL') delete globalThis[key];
    return require(path);
  }

  requireModule = createRequire(import.meta.url);
  unstable_shouldLoadAsEsm = () => true;

  async unstable_importModule(path) {
    const url = pathToFileURL(path);
    // A setup file runs for each test file.
    if (this.setupFiles.has(path)) url.search = `file=${count}`;
    try {
      return await import(url.href);
    } catch (error) {
      typescript.mapStack(error);
      throw error;
    }
  }

  setGlobalsForRuntime = beginFile;
  getSourceMaps = () => null;
  getAllCoverageInfoCopy = () => undefined;
  enterTestCode() {}
  leaveTestCode() {}
  teardown = endFile;
}
