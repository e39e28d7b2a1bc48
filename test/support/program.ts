import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../local/free-port.js';
import { createDatabase } from './database.js';
import { environmentFor } from './environment.js';
import { until } from './until.js';

export interface Program {
  url: string;
  close: () => Promise<void>;
}

export const built = (path: string): string => fileURLToPath(new URL(`../../dist/${path}`, import.meta.url));

/** The built service as its own process, as production runs it. Power BI is not there. */
export async function startProgram(variables: Record<string, string> = {}): Promise<Program> {
  const database = await createDatabase();
  const port = await freePort();
  const environment = environmentFor({ databaseUrl: database.url, emulatorUrl: 'http://127.0.0.1:9' });
  const child = spawn(process.execPath, [built('src/main.js')], {
    env: { ...environment, PORT: String(port), ...variables },
    stdio: 'inherit',
  });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    child.kill();
    await ended;
    await database.drop();
  };
  try {
    await until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok, 25);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close };
}
