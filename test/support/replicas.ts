import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../local/free-port.js';
import { Client } from './client.js';
import { built } from './program.js';
import type { Service } from './service.js';
import { until } from './until.js';

export interface Replica {
  url: string;
  /** As nobody. */
  api: Client;
  process: ChildProcess;
  /** Everything that it wrote to its output so far. */
  output: () => string;
}

export interface Replicas {
  all: [Replica, ...Replica[]];
  close: () => Promise<void>;
}

const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
};

/** One process of the built service with these variables, on a port of its own, when it is ready. */
export async function startReplica(environment: Record<string, string>): Promise<Replica> {
  const port = await freePort();
  const process = spawn(globalThis.process.execPath, [built('src/main.js')], {
    env: { ...environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  }
  const url = `http://127.0.0.1:${port}`;
  await until(() => isReady(url), 30);
  return { url, api: new Client(url), process, output: () => Buffer.concat(chunks).toString() };
}

/** Ends it, also one that was stopped by a signal. */
export async function stopReplica({ process }: Replica): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const exited = once(process, 'exit');
  process.kill('SIGCONT');
  process.kill('SIGTERM');
  await exited;
}

/** Started processes of the built service on the database, emulator and mailbox of this one. */
export async function startReplicas({ environment }: Service, count: number): Promise<Replicas> {
  const all = await Promise.all(Array.from({ length: count }, () => startReplica(environment)));
  const close = async (): Promise<void> => {
    await Promise.all(all.map(stopReplica));
  };
  return { all: all as [Replica, ...Replica[]], close };
}
