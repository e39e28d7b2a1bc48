import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';

export interface Exit {
  name: string;
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Whether we ended it, and so how it may end. */
  asked: NodeJS.Signals[];
  /** It did not end in time when it was asked to. */
  forced: boolean;
}

export interface Command {
  name: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
  uid?: number;
  gid?: number;
  cwd?: string;
  log: string;
  /** Its output goes into a pipe that nobody reads. */
  blocked?: boolean;
}

/** A process that we started, known by its pid only. */
export class Child {
  readonly asked: NodeJS.Signals[] = [];
  private forced = false;
  private readonly gone: Promise<unknown>;

  private constructor(
    readonly name: string,
    readonly log: string,
    private readonly process: ChildProcess,
  ) {
    this.gone = once(process, 'exit').catch(() => undefined);
  }

  static start({ name, command, args, log, blocked = false, ...options }: Command): Child {
    const file = openSync(log, 'a');
    const output = blocked ? 'pipe' : file;
    const child = spawn(command, args, { ...options, stdio: ['ignore', output, blocked ? 'pipe' : file] });
    return new Child(name, log, child);
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  get running(): boolean {
    return (
      this.process.pid !== undefined && this.process.exitCode === null && this.process.signalCode === null
    );
  }

  get exit(): Exit | null {
    if (this.running) return null;
    const { exitCode, signalCode } = this.process;
    return { ...this.ending, code: exitCode, signal: signalCode };
  }

  private get ending(): Exit {
    return { name: this.name, code: null, signal: null, asked: this.asked, forced: this.forced };
  }

  get output(): string {
    return readFileSync(this.log, 'utf8');
  }

  signal(name: NodeJS.Signals): void {
    if (!this.running) return;
    this.asked.push(name);
    this.process.kill(name);
  }

  async ended(): Promise<Exit> {
    await this.gone;
    return this.exit ?? this.ending;
  }

  /** Asks it to end and, after so many seconds, ends it. */
  async stop(signal: NodeJS.Signals = 'SIGTERM', seconds = 30): Promise<Exit> {
    this.signal('SIGCONT');
    this.signal(signal);
    const timer = setTimeout(() => {
      this.forced = this.running;
      this.signal('SIGKILL');
    }, seconds * 1000);
    const exit = await this.ended();
    clearTimeout(timer);
    return exit;
  }
}
