import { type ChildProcess, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../local/free-port.js';
import { type Postgres, startPostgres } from '../local/postgres.js';
import { openSecrets, type Secrets } from '../local/secrets.js';
import {
  admin,
  waitUntilReady,
  bindThisProgram,
  powerBiVariables,
  signIn,
  startProgram,
  stopProgram,
} from './parts.js';

export interface TestBed {
  /** URL of the service. */
  url: string;
  emulatorUrl: string;
  databaseUrl: string;
  jwtKeysFile: string;
  /** Temporary folder. */
  folder: string;
  service: ChildProcess;
  /** The environment of the service. */
  environment: Record<string, string>;
  /** Access token of the first admin. */
  token: string;
  database: Client;
  /** Starts another server, which is stopped by `close`. */
  start(path: string, environment: Record<string, string>, args?: readonly string[]): ChildProcess;
  close(): Promise<void>;
}

interface Options {
  /** Additional environment variables of the service. */
  variables?: Record<string, string>;
  /**
   * `apart`: servers run on the first core; this program, the database and its other programs on the second. `shared`:
   * all run on all cores.
   */
  cores?: 'apart' | 'shared';
  emulatorPort?: number;
}

/** Used where programs can be bound to cores. */
const [SERVER_CORE, CLIENT_CORE] = [0, 1];

/** Stops everything when a benchmark ends early: the database server has its own process group. */
function cleanUpOnExit(
  folder: string,
  programs: readonly ChildProcess[],
  postgres: () => Postgres | undefined,
) {
  const clear = (): void => {
    for (const child of programs) child.kill('SIGKILL');
    postgres()?.kill();
    // The database server may still write into the folder.
    for (let tries = 0; existsSync(folder) && tries < 50; tries += 1) {
      spawnSync('rm', ['-rf', folder]);
    }
  };
  const exit = (): never => process.exit(130);
  process.once('exit', clear).once('SIGINT', exit).once('SIGTERM', exit);
  return () => void process.off('exit', clear).off('SIGINT', exit).off('SIGTERM', exit);
}

const environmentFor = (
  port: number,
  databaseUrl: string,
  { jwtKeysFile, secretKey }: Secrets,
): Record<string, string> => ({
  NODE_ENV: 'production',
  // As in the image and the systemd unit.
  MALLOC_ARENA_MAX: '2',
  PORT: String(port),
  HOST: '127.0.0.1',
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  DATABASE_URL: databaseUrl,
  DATABASE_MIGRATION_URL: databaseUrl,
  JWT_KEYS_FILE: jwtKeysFile,
  SECRET_KEY: secretKey,
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  SYNC_INTERVAL_MINUTES: '0',
  SHUTDOWN_DELAY_SECONDS: '0',
  // Enabled, so that its cost is measured, but never reached.
  RATE_LIMIT_API_PER_MINUTE: '1000000',
});

/** The built service in production mode with its own PostgreSQL and emulator, and an empty catalogue. */
export async function startTestBed({
  variables,
  cores = 'apart',
  emulatorPort,
}: Options = {}): Promise<TestBed> {
  if (cores === 'apart') bindThisProgram(CLIENT_CORE);
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  // As root the database runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711);
  const programs: ChildProcess[] = [];
  let postgres: Postgres | undefined;
  let database: Client | undefined;
  const cancelCleanUp = cleanUpOnExit(folder, programs, () => postgres);
  const start: TestBed['start'] = (path, environment, args) => {
    const child = startProgram(path, environment, cores === 'apart' ? SERVER_CORE : undefined, args);
    programs.push(child);
    return child;
  };
  const close = async (): Promise<void> => {
    await database?.end().catch(() => undefined);
    await Promise.all(programs.map(stopProgram));
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
    cancelCleanUp();
  };
  try {
    postgres = await startPostgres({ dataDir: join(folder, 'data'), log: console.error });
    const databaseUrl = postgres.url;
    database = new Client({ connectionString: databaseUrl });
    await database.connect();
    const emulatorUrl = `http://127.0.0.1:${emulatorPort ?? (await freePort())}`;
    programs.push(
      startProgram('packages/power-bi-emulator/main.js', { EMULATOR_PORT: new URL(emulatorUrl).port }),
    );
    await waitUntilReady(`${emulatorUrl}/__emulator/settings`);
    const secrets = await openSecrets(folder);
    const { jwtKeysFile } = secrets;
    const own = environmentFor(await freePort(), databaseUrl, secrets);
    const environment = { ...own, ...powerBiVariables(emulatorUrl), ...variables };
    const url = environment.PUBLIC_URL ?? '';
    const service = start('src/main.js', environment);
    await waitUntilReady(`${url}/readyz`);
    const token = await signIn(url, admin);
    return {
      url,
      emulatorUrl,
      databaseUrl,
      jwtKeysFile,
      folder,
      service,
      environment,
      token,
      database,
      start,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
