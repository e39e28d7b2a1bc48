import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../local/free-port.js';
import { startPostgres } from '../local/postgres.js';
import { openSecrets } from '../local/secrets.js';
import { bareLoop } from './bare-loop.js';
import {
  admin,
  answers,
  askJson,
  milliseconds,
  peakMemory,
  powerBiVariables,
  startProgram,
  stopProgram,
} from './parts.js';
import { startThrottlingProxy } from './throttling-proxy.js';

const workspaces = 1000;
const reportsEach = 100;
const latencyMs = 20;
const throttledEvery = 50;
/** Of the sync: eight workspaces at a time, two calls each. */
const concurrency = 16;

interface Run {
  id: string;
  status: string;
  reports_seen: number;
  changes: number;
  calls: number;
  throttled_seconds: number;
  started_at: string;
  finished_at: string | null;
}

async function sync(url: string, token: string): Promise<Run & { seconds: number }> {
  const { id } = await askJson<Run>(`${url}/api/syncs`, token, 'POST');
  for (;;) {
    const run = await askJson<Run>(`${url}/api/syncs/${id}`, token);
    if (run.finished_at !== null) {
      const seconds = (Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1000;
      return { ...run, seconds };
    }
    await sleep(200);
  }
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
const postgres = await startPostgres({ dataDir: join(folder, 'data') });
const emulatorPort = await freePort();
const emulator = startProgram('emulator/main.js', { EMULATOR_PORT: String(emulatorPort) });
const emulatorUrl = `http://127.0.0.1:${emulatorPort}`;
await answers(`${emulatorUrl}/__emulator/settings`);
const proxy = await startThrottlingProxy(emulatorUrl);
const servicePort = await freePort();
const url = `http://127.0.0.1:${servicePort}`;
const secrets = await openSecrets(folder);
const service = startProgram('src/main.js', {
  PORT: String(servicePort),
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
  ...powerBiVariables(proxy.url),
});
try {
  await answers(`${url}/readyz`);
  const control = `${emulatorUrl}/__emulator`;
  await askJson(`${control}/content`, undefined, 'POST', { workspaces, reports_per_workspace: reportsEach });
  await askJson(`${control}/settings`, undefined, 'PATCH', { latency_ms: latencyMs });
  // Content is made when it is first looked at: nobody is to pay for that here.
  await bareLoop(emulatorUrl, concurrency);
  const before = peakMemory(service);
  const { access_token: token } = await askJson<{ access_token: string }>(
    `${url}/api/auth/token`,
    undefined,
    'POST',
    admin,
  );
  const timed = async (): Promise<number> =>
    (await milliseconds(async () => void (await bareLoop(proxy.url, concurrency)))) / 1000;
  proxy.reset(throttledEvery);
  const bare = await timed();
  const bareThrottled = proxy.throttled();
  proxy.reset(throttledEvery);
  const first = await sync(url, token);
  const firstThrottled = proxy.throttled();
  proxy.reset(0);
  const bareAlone = await timed();
  const second = await sync(url, token);
  console.log(
    JSON.stringify({
      reports: first.reports_seen,
      bare_loop_seconds: rounded(bare),
      bare_loop_throttled: bareThrottled,
      first_sync_status: first.status,
      first_sync_seconds: rounded(first.seconds),
      first_sync_calls: first.calls,
      first_sync_throttled: firstThrottled,
      first_sync_changes: first.changes,
      first_to_bare: rounded(first.seconds / bare),
      unthrottled_bare_loop_seconds: rounded(bareAlone),
      unthrottled_second_sync_seconds: rounded(second.seconds),
      unthrottled_second_sync_changes: second.changes,
      unthrottled_second_to_bare: rounded(second.seconds / bareAlone),
      idle_memory_mb: before,
      peak_memory_mb: peakMemory(service),
    }),
  );
} finally {
  proxy.close();
  await stopProgram(service);
  await stopProgram(emulator);
  await postgres.stop();
  rmSync(postgres.folder, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}
