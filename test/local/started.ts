import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearLeftover } from '../../local/postgres-leftover.js';
import { endProcess, isRunning, waitForExit } from '../support/child-process.js';
import { compileCache } from '../support/program.js';
import { until } from '../support/until.js';

/** A data folder in a place that every user can pass through. `remove` also ends a database server that was left. */
export function temporaryDataDir(name = 'data'): { dataDir: string; remove: () => Promise<void> } {
  const parent = mkdtempSync(join(tmpdir(), 'vitrine-start-'));
  chmodSync(parent, 0o711);
  const dataDir = join(parent, name);
  const remove = async (): Promise<void> => {
    await clearLeftover(join(dataDir, 'postgres/data'), () => undefined);
    rmSync(parent, { recursive: true, force: true });
  };
  return { dataDir, remove };
}

/** A local start as a separate process, with only the given environment variables. */
export class Started {
  private readonly process: ChildProcess;
  private read: () => string;

  constructor(
    readonly dataDir: string,
    environment: Record<string, string> = {},
    // Built before the tests: the program of `npm start` builds what has changed, while other tests run it.
    program = 'dist/local/main.js',
  ) {
    // Not a pipe, which a process that it left could hold open.
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-output-'));
    const file = join(folder, 'output');
    const output = openSync(file, 'a');
    this.process = spawn(process.execPath, [program], {
      env: { ...compileCache, DATA_DIR: dataDir, PORT: '0', ...environment },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    this.read = () => readFileSync(file, 'utf8');
    this.process.once('exit', () => {
      const all = this.read();
      this.read = () => all;
      rmSync(folder, { recursive: true });
    });
  }

  /** What it has printed so far. */
  get output(): string {
    return this.read();
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  get running(): boolean {
    return isRunning(this.process);
  }

  async ready(): Promise<this> {
    const isUp = (): boolean => this.output.includes('Press Ctrl-C to stop');
    await until(() => isUp() || !this.running, 180).catch(() => this.signal('SIGTERM'));
    if (!isUp() || !this.running)
      throw new Error(`The start ended with ${this.process.exitCode}:\n${this.output}`);
    return this;
  }

  /** Waits for the usage that the first start generates. */
  async hasDemoData(): Promise<void> {
    const file = join(this.dataDir, 'demo-data.json');
    await until(() => readFileSync(file, 'utf8').includes('"isComplete":true'));
  }

  /** Waits for the end and gives the exit code, null after a signal that was not handled. */
  ended(): Promise<number | null> {
    return waitForExit(this.process);
  }

  /** Gives null if the signal, or the safety limit after it, ended the process. */
  signal(name: NodeJS.Signals): Promise<number | null> {
    return endProcess(this.process, name);
  }

  /** The commands that the start prints to be pasted. */
  get commands(): string[] {
    return this.output.split('\n').filter((line) => line.startsWith('curl '));
  }

  get url(): string {
    return /ready at (\S+)/.exec(this.output)?.[1] ?? '';
  }

  get admin(): { email: string; password: string } {
    const said = (what: string) => new RegExp(`admin ${what} +(\\S+)`).exec(this.output)?.[1] ?? '';
    return { email: said('email'), password: said('password') };
  }

  async signIn(): Promise<string> {
    const response = await this.post('/api/auth/token', this.admin);
    return ((await response.json()) as { access_token: string }).access_token;
  }

  post(path: string, body: object, token?: string): Promise<Response> {
    const headers = {
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
    };
    return fetch(`${this.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async get<T>(path: string, token: string): Promise<T> {
    const response = await fetch(`${this.url}${path}`, { headers: { Authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return (await response.json()) as T;
  }
}

/** The PID in the lock file of the database server. */
export async function databasePid(dataDir: string): Promise<number> {
  const file = join(dataDir, 'postgres/data/postmaster.pid');
  return until(() => existsSync(file) && (Number(readFileSync(file, 'utf8').split('\n')[0]) || null));
}
