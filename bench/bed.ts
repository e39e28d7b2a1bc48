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
  answers,
  bindThisProgram,
  powerBiVariables,
  signIn,
  startProgram,
  stopProgram,
} from './parts.js';

export interface Bed {
  /** Of the service. */
  url: string;
  emulatorUrl: string;
  databaseUrl: string;
  jwtKeysFile: string;
  /** For files of the benchmark's own. */
  folder: string;
  service: ChildProcess;
  /** What the service was started with. */
  environment: Record<string, string>;
  /** Of the first admin. */
  token: string;
  database: Client;
  /** Another program that serves, and goes when the bed goes. */
  start(path: string, environment: Record<string, string>, args?: readonly string[]): ChildProcess;
  close(): Promise<void>;
}

interface Options {
  /** Of the service, beside those that it has here anyway. */
  variables?: Record<string, string>;
  /**
   * `apart`: what serves has the first core; what asks and stores has the second: this program, and all that it starts
   * otherwise. `shared`: everybody has all of them.
   */
  cores?: 'apart' | 'shared';
  emulatorPort?: number;
}

/** Wherever the system lets a program be bound to a core. */
const [SERVING, ASKING] = [0, 1];

/** What would outlive a benchmark that ends early: the database server is a process group of its own. */
function leaveNothing(
  folder: string,
  programs: readonly ChildProcess[],
  postgres: () => Postgres | undefined,
) {
  const clear = (): void => {
    for (const child of programs) child.kill('SIGKILL');
    postgres()?.kill();
    // The database server may still be writing into it.
    for (let tries = 0; existsSync(folder) && tries < 50; tries += 1) {
      spawnSync('rm', ['-rf', folder]);
    }
  };
  const leave = (): never => process.exit(130);
  process.once('exit', clear).once('SIGINT', leave).once('SIGTERM', leave);
  return () => void process.off('exit', clear).off('SIGINT', leave).off('SIGTERM', leave);
}

const environmentFor = (
  port: number,
  databaseUrl: string,
  { jwtKeysFile, secretKey }: Secrets,
): Record<string, string> => ({
  NODE_ENV: 'production',
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
  // On, and high enough to be out of the way: what they cost is in the figures.
  RATE_LIMIT_API_PER_MINUTE: '1000000',
});

/** The built service in production mode with a PostgreSQL and an emulator of its own, and nothing in its catalogue. */
export async function makeBed({ variables, cores = 'apart', emulatorPort }: Options = {}): Promise<Bed> {
  if (cores === 'apart') bindThisProgram(ASKING);
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  // As root the database runs as somebody else, who must be able to pass.
  chmodSync(folder, 0o711);
  const programs: ChildProcess[] = [];
  let postgres: Postgres | undefined;
  let database: Client | undefined;
  const isAllLeft = leaveNothing(folder, programs, () => postgres);
  const start: Bed['start'] = (path, environment, args) => {
    const child = startProgram(path, environment, cores === 'apart' ? SERVING : undefined, args);
    programs.push(child);
    return child;
  };
  const close = async (): Promise<void> => {
    await database?.end().catch(() => undefined);
    await Promise.all(programs.map(stopProgram));
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
    isAllLeft();
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
    await answers(`${emulatorUrl}/__emulator/settings`);
    const secrets = await openSecrets(folder);
    const { jwtKeysFile } = secrets;
    const own = environmentFor(await freePort(), databaseUrl, secrets);
    const environment = { ...own, ...powerBiVariables(emulatorUrl), ...variables };
    const url = environment.PUBLIC_URL ?? '';
    const service = start('src/main.js', environment);
    await answers(`${url}/readyz`);
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
