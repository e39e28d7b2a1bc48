import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../local/free-port.js';
import { startPostgres } from '../local/postgres.js';
import { openSecrets } from '../local/secrets.js';
import { admin, answers, askJson, powerBiVariables, startProgram, stopProgram } from './parts.js';

export interface Bed {
  /** Of the service. */
  url: string;
  emulatorUrl: string;
  databaseUrl: string;
  jwtKeysFile: string;
  /** For files of the benchmark's own. */
  folder: string;
  service: ChildProcess;
  /** Of the first admin. */
  token: string;
  database: Client;
  /** Another program that goes when the bed goes. */
  start(path: string, environment: Record<string, string>): ChildProcess;
  close(): Promise<void>;
}

/** Wherever the system lets a program be bound to a core: what serves to the first, what asks and stores to the second. */
export const [SERVING, ASKING] = [0, 1];

/** The built service in production mode with a PostgreSQL and an emulator of its own, and nothing in its catalogue. */
export async function makeBed(variables: Record<string, string> = {}): Promise<Bed> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'data') });
  const programs: ChildProcess[] = [];
  const start = (path: string, environment: Record<string, string>, core?: number): ChildProcess => {
    const child = startProgram(path, environment, core);
    programs.push(child);
    return child;
  };
  const [emulatorPort, port] = [await freePort(), await freePort()];
  const emulatorUrl = `http://127.0.0.1:${emulatorPort}`;
  const url = `http://127.0.0.1:${port}`;
  const database = new Client({ connectionString: postgres.url });
  const close = async (): Promise<void> => {
    await database.end().catch(() => undefined);
    for (const child of programs.toReversed()) await stopProgram(child);
    await postgres.stop();
    rmSync(postgres.folder, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await database.connect();
    start('emulator/main.js', { EMULATOR_PORT: String(emulatorPort) }, ASKING);
    await answers(`${emulatorUrl}/__emulator/settings`);
    const { jwtKeysFile, secretKey } = await openSecrets(folder);
    const environment = {
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: url,
      DATABASE_URL: postgres.url,
      DATABASE_MIGRATION_URL: postgres.url,
      JWT_KEYS_FILE: jwtKeysFile,
      SECRET_KEY: secretKey,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      SYNC_INTERVAL_MINUTES: '0',
      // On, and high enough to be out of the way: what they cost is in the figures.
      RATE_LIMIT_API_PER_MINUTE: '1000000',
      ...powerBiVariables(emulatorUrl),
      ...variables,
    };
    const service = start('src/main.js', environment, SERVING);
    await answers(`${url}/readyz`);
    const { access_token: token } = await askJson<{ access_token: string }>(
      `${url}/api/auth/token`,
      undefined,
      'POST',
      admin,
    );
    const databaseUrl = postgres.url;
    const startServing = (path: string, own: Record<string, string>) => start(path, own, SERVING);
    return {
      url,
      emulatorUrl,
      databaseUrl,
      jwtKeysFile,
      folder,
      service,
      token,
      database,
      start: startServing,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
