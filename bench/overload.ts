import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../local/free-port.js';
import { startPostgres } from '../local/postgres.js';
import { openSecrets } from '../local/secrets.js';
import { Load } from './load.js';
import { admin, answers, askJson, powerBiVariables, startProgram, stopProgram } from './parts.js';

/** Callers at once, of which one gives the knee. */
const concurrencies = [8, 32, 128];
const KNEE_SECONDS = 5;
const OVERLOAD = 5;
const OVERLOAD_SECONDS = 20;
const RECOVERED = 0.99;

const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
const postgres = await startPostgres({ dataDir: join(folder, 'data') });
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const secrets = await openSecrets(folder);
const service = startProgram('src/main.js', {
  PORT: String(port),
  HOST: '127.0.0.1',
  PUBLIC_URL: url,
  DATABASE_URL: postgres.url,
  DATABASE_MIGRATION_URL: postgres.url,
  JWT_KEYS_FILE: secrets.jwtKeysFile,
  SECRET_KEY: secrets.secretKey,
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  SYNC_INTERVAL_MINUTES: '0',
  RATE_LIMIT_API_PER_MINUTE: '0',
  SHUTDOWN_DELAY_SECONDS: '0',
  LOG_LEVEL: 'fatal',
  ...powerBiVariables('http://127.0.0.1:9'),
});
try {
  await answers(`${url}/readyz`);
  const signIn = `${url}/api/auth/token`;
  const { access_token } = await askJson<{ access_token: string }>(signIn, undefined, 'POST', admin);
  const load = new Load(`${url}/api/workspaces`, access_token);
  await load.closedLoop(16, 3);
  let knee = 0;
  for (const concurrency of concurrencies) {
    knee = Math.max(knee, (await load.closedLoop(concurrency, KNEE_SECONDS)).goodput);
  }
  const overload = await load.openLoop(OVERLOAD * knee, OVERLOAD_SECONDS);
  const half = Math.round(knee / 2);
  let recoverySeconds = 0;
  while (recoverySeconds < 60) {
    const { goodput } = await load.openLoop(half, 1);
    if (goodput >= RECOVERED * half) break;
    recoverySeconds += 1;
  }
  load.close();
  console.log(
    JSON.stringify({
      knee_per_second: knee,
      offered_per_second: OVERLOAD * knee,
      goodput_per_second: overload.goodput,
      goodput_to_knee: Math.round((overload.goodput / knee) * 100) / 100,
      refused: overload.refused,
      late: overload.late,
      given_up_by_the_caller: overload.failed,
      recovery_seconds: recoverySeconds,
    }),
  );
} finally {
  await stopProgram(service);
  await postgres.stop();
  rmSync(postgres.folder, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}
