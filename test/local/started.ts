import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCache } from '../support/program.js';
import { until } from '../support/until.js';

/** A data folder in a place that every user can pass through. */
export function temporaryDataDir(): { dataDir: string; remove: () => void } {
  const parent = mkdtempSync(join(tmpdir(), 'vitrine-start-'));
  chmodSync(parent, 0o711);
  return { dataDir: join(parent, 'data'), remove: () => rmSync(parent, { recursive: true, force: true }) };
}

/** A local start as a separate process, with only the given environment variables. */
export class Started {
  output = '';
  private readonly process: ChildProcess;
  private readonly gone: Promise<unknown>;

  constructor(
    readonly dataDir: string,
    environment: Record<string, string> = {},
    program = 'local/start.js',
  ) {
    this.process = spawn(process.execPath, [program], {
      env: { ...compileCache, DATA_DIR: dataDir, PORT: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stdout?.on('data', (text) => (this.output += String(text)));
    this.process.stderr?.on('data', (text) => (this.output += String(text)));
    this.gone = once(this.process, 'close');
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  get running(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  async ready(): Promise<this> {
    await until(() => this.output.includes('Press Ctrl-C to stop') || !this.running, 60);
    if (!this.running) throw new Error(`The start ended with ${this.process.exitCode}:\n${this.output}`);
    return this;
  }

  /** Waits for the usage that the first start generates. */
  async hasDemoData(): Promise<void> {
    const file = join(this.dataDir, 'demo-data.json');
    await until(() => readFileSync(file, 'utf8').includes('"isComplete":true'), 60);
  }

  /** Waits for the end and gives the exit code, null after a signal that was not handled. */
  async ended(): Promise<number | null> {
    await this.gone;
    return this.process.exitCode;
  }

  signal(name: NodeJS.Signals): Promise<number | null> {
    this.process.kill(name);
    return this.ended();
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
    return { email: said('e-mail'), password: said('password') };
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
