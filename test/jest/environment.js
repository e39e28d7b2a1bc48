import { Worker } from 'node:worker_threads';
import { mapStack } from './typescript.js';

const { stackTraceLimit } = Error;
const watchdog = new Worker(new URL('watchdog.js', import.meta.url));
watchdog.unref();

/** Tests run in the process itself; nothing is added to its global object. */
export default class NativeEnvironment {
  global = {};
  getVmContext = () => null;

  constructor(_config, { testPath }) {
    this.testPath = testPath;
  }

  async setup() {
    // Jest would map every stack that is read, and pg reads one for each query: failures are mapped below.
    Error.prepareStackTrace = undefined;
    Error.stackTraceLimit = stackTraceLimit;
    watchdog.postMessage(this.testPath, []);
  }

  handleTestEvent({ error, test, hook }) {
    if (error === undefined) return;
    // An error without a stack, such as an exceeded limit, is shown at the place of the test or hook.
    for (const each of [error, test?.asyncError, hook?.asyncError]) mapStack(each);
  }

  async teardown() {
    watchdog.postMessage(undefined, []);
  }
}
