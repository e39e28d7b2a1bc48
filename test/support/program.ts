import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../local/free-port.js';
import { endProcess } from './child-process.js';
import { createDatabase } from './database.js';
import { environmentFor } from './environment.js';
import { until } from './until.js';

export interface Program {
  url: string;
  process: ChildProcess;
  /** Its standard output and error so far; empty when they are inherited. */
  output: () => string;
  /** Stops it, also when a signal has paused it. */
  close: () => Promise<void>;
}

/** A start takes two seconds of CPU time. */
const START_SECONDS = 150;

/** Processes share the compiled code of the service: a tenth of the time of a start. */
export const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'compile-cache') };

export const built = (path: string): string => fileURLToPath(new URL(`../../dist/${path}`, import.meta.url));

/** The built service as a separate process with a new database. Power BI is unreachable. */
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

/** Another program took the free port before this one listened, and responds. */
class PortTaken extends Error {}

type Start = [variables: Record<string, string>, output?: 'inherit' | 'pipe', program?: string];

/** The same with these variables only, on a free port. */
export const startProgramOn = (...start: Start): Promise<Program> =>
  startOnce(...start).catch((error: unknown) => {
    if (!(error instanceof PortTaken)) throw error;
    return startOnce(...start);
  });

async function startOnce(
  ...[variables, output = 'inherit', program = built('src/main.js')]: Start
): Promise<Program> {
  const port = String(await freePort());
  const child = spawn(process.execPath, [program], {
    env: { ...compileCache, ...variables, PORT: port },
    stdio: ['ignore', output, output],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const written = (): string => Buffer.concat(chunks).toString();
  const url = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    await endProcess(child);
  };
  try {
    await until(async () => {
      const response = await fetch(`${url}/readyz`).catch(() => undefined);
      if (child.exitCode === null) return response?.ok;
      const failed = `${program} exited with ${child.exitCode}: ${written()}`;
      throw response === undefined ? new Error(failed) : new PortTaken(failed);
    }, START_SECONDS);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, output: written, process: child, close };
}
