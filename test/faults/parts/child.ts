import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';

export interface Exit {
  name: string;
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The signals that the scenario sent to it. */
  sentSignals: NodeJS.Signals[];
  /** It did not exit in time. */
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
  /** Its output is a pipe that is not read. */
  blocked?: boolean;
}

/** A process of the cluster. */
export class Child {
  readonly asked: NodeJS.Signals[] = [];
  private forced = false;
  private readonly exited: Promise<unknown>;

  private constructor(
    readonly name: string,
    readonly log: string,
    private readonly process: ChildProcess,
  ) {
    this.exited = once(process, 'exit').catch(() => undefined);
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
    return { name: this.name, code: null, signal: null, sentSignals: this.asked, forced: this.forced };
  }

  get output(): string {
    return readFileSync(this.log, 'utf8');
  }

  signal(name: NodeJS.Signals): void {
    if (!this.running) return;
    this.asked.push(name);
    this.process.kill(name);
  }

  async waitForExit(): Promise<Exit> {
    await this.exited;
    return this.exit ?? this.ending;
  }

  /** Sends the signal, and SIGKILL after some seconds. */
  async stop(signal: NodeJS.Signals = 'SIGTERM', seconds = 30): Promise<Exit> {
    this.signal('SIGCONT');
    this.signal(signal);
    const timer = setTimeout(() => {
      this.forced = this.running;
      this.signal('SIGKILL');
    }, seconds * 1000);
    const exit = await this.waitForExit();
    clearTimeout(timer);
    return exit;
  }
}
