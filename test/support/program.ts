import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../local/free-port.js';
import { createDatabase } from './database.js';
import { environmentFor } from './environment.js';
import { until } from './until.js';

export interface Program {
  url: string;
  /** What it has written so far, where that is kept. */
  output: () => string;
  /** Null while it runs. */
  exitCode: () => number | null;
  close: () => Promise<void>;
}

export const built = (path: string): string => fileURLToPath(new URL(`../../dist/${path}`, import.meta.url));

/** The built service as its own process, as production runs it, on a database of its own. Power BI is not there. */
export async function startProgram(variables: Record<string, string> = {}): Promise<Program> {
  const database = await createDatabase();
  const environment = environmentFor({ databaseUrl: database.url, emulatorUrl: 'http://127.0.0.1:9' });
  try {
    const program = await startProgramOn({ ...environment, ...variables });
    const close = () => program.close().then(() => database.drop());
    return { ...program, close };
  } catch (error) {
    await database.drop();
    throw error;
  }
}

/** The same with these variables and no others, but for a free port. */
export async function startProgramOn(
  variables: Record<string, string>,
  output: 'inherit' | 'pipe' = 'inherit',
  program = built('src/main.js'),
): Promise<Program> {
  const port = String(await freePort());
  const child = spawn(process.execPath, [program], {
    env: { ...variables, PORT: port },
    stdio: ['ignore', output, output],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  try {
    await until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok, 25);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, output: () => Buffer.concat(chunks).toString(), exitCode: () => child.exitCode, close };
}
