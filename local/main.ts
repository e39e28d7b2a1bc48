import { once } from 'node:events';
import { startLocally } from './compose.js';
import { ignoreDatabaseUrl, requireOnlyChangeable } from './environment.js';
import { readSettings } from './settings.js';
import { startFailure } from './start-failure.js';

/** npm forwards the Ctrl-C that the terminal has already sent to the process group; the repeat is ignored. */
const sameKeyPressMs = 500;

const stopped = new AbortController();
let stoppedAt = 0;

function stop() {
  if (stopped.signal.aborted) {
    if (Date.now() - stoppedAt > sameKeyPressMs) process.exit(130);
    return;
  }
  stoppedAt = Date.now();
  console.log('Stopping…');
  stopped.abort();
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

const parts = new AsyncDisposableStack();
let dataDir = '';
try {
  const settings = readSettings(process.env);
  dataDir = settings.dataDir;
  ignoreDatabaseUrl(process.env, console.log);
  requireOnlyChangeable(process.env);
  await startLocally(settings, parts, stopped.signal);
  if (!stopped.signal.aborted) await once(stopped.signal, 'abort');
} catch (error) {
  if (!stopped.signal.aborted) {
    console.error(`\nVitrine did not start: ${startFailure(error, dataDir)}`);
    process.exitCode = 1;
  }
} finally {
  await parts.disposeAsync();
}
process.exit();
