import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';
import { type Cluster, openCluster } from './postgres-cluster.js';
import { clearLeftover, lockFile } from './postgres-leftover.js';

export interface PostgresOptions {
  dataDir: string;
  log?: (line: string) => void;
  /** Server settings, such as `{ fsync: 'off' }` for a temporary database. */
  settings?: Record<string, string>;
}

export interface Postgres {
  /** URL of the superuser for the database `postgres`. */
  url: string;
  /** Changes when the server is restarted after a crash. */
  readonly pid: number;
  /** Folder of the database's files; not always inside `dataDir`. */
  folder: string;
  /** Performs a fast shutdown and waits for it. */
  stop(): Promise<void>;
  /** Ends the server without waiting. Committed data is safe; the next start recovers. */
  kill(): void;
}

/** Temporary errors of a restart after a crash: a port in use, or backends that still hold the shared memory. */
const passing = /could not bind|shared memory block|lock file .* already exists/;
const giveUpAfterMs = 20_000;
const largestLog = 10_000_000;

function spawnServer(cluster: Cluster, port: number, settings: Record<string, string>): ChildProcess {
  const file = join(cluster.folder, 'server.log');
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const logFile = openSync(file, size > largestLog ? 'w' : 'a', 0o600);
  // Not pg_ctl: it uses a shell, which would misread a path with a quote or a dollar sign.
  // Loopback only, because the path of a Unix socket is limited to 107 bytes.
  const own = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) };
  const flags = Object.entries({ ...settings, ...own }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  try {
    // Detached, so that Ctrl-C does not reach the database, which stops last.
    return spawn(join(cluster.bin, 'postgres'), ['-D', cluster.data, ...flags], {
      ...cluster.account,
      cwd: '/',
      env: {},
      detached: true,
      stdio: ['ignore', logFile, logFile],
    });
  } finally {
    closeSync(logFile);
  }
}

function tailOfLog(cluster: Cluster): string {
  return readFileSync(join(cluster.folder, 'server.log'), 'utf8').trimEnd().split('\n').slice(-12).join('\n');
}

async function isReady(cluster: Cluster, server: ChildProcess): Promise<boolean> {
  while (server.exitCode === null && server.signalCode === null) {
    const lines = lockFile(cluster.data);
    if (Number(lines[0]) === server.pid && lines[7]?.trim() === 'ready') return true;
    await sleep(10);
  }
  return false;
}

async function launch(cluster: Cluster, settings: Record<string, string>, keepPort: boolean) {
  const patience = Date.now() + giveUpAfterMs;
  for (;;) {
    const port = keepPort ? cluster.port : await freePort(cluster.port);
    const server = spawnServer(cluster, port, settings);
    await once(server, 'spawn');
    if (await isReady(cluster, server)) {
      cluster.port = port;
      return server;
    }
    const reason = tailOfLog(cluster);
    if (!passing.test(reason) || Date.now() > patience) {
      throw new Error(`The database server did not start:\n${reason}`);
    }
    await sleep(100);
  }
}

/** Starts PostgreSQL on the database of a data folder and restarts it after a crash. */
export async function startPostgres({
  dataDir,
  log = console.log,
  settings = {},
}: PostgresOptions): Promise<Postgres> {
  const cluster = await openCluster({ dataDir, log, sync: settings.fsync !== 'off' });
  await clearLeftover(cluster.data, log);
  let server = await launch(cluster, settings, false);
  cluster.rememberPort(cluster.port);
  let stopping = false;
  let restarting: Promise<void> = Promise.resolve();

  const restart = async () => {
    log('The database server stopped unexpectedly; restarting it');
    server = await launch(cluster, settings, true);
    watch();
  };
  const watch = () =>
    server.once('exit', () => {
      if (!stopping) restarting = restart().catch((error: unknown) => log(String(error)));
    });
  watch();

  return {
    url: `postgres://postgres:${cluster.password}@127.0.0.1:${cluster.port}/postgres`,
    get pid() {
      return server.pid ?? 0;
    },
    folder: cluster.folder,
    kill: () => server.kill('SIGQUIT'),
    async stop() {
      stopping = true;
      await restarting;
      if (server.exitCode !== null || server.signalCode !== null) return;
      const gone = once(server, 'exit');
      server.kill('SIGINT');
      // A paused server receives no signal but SIGKILL.
      server.kill('SIGCONT');
      const force = setTimeout(() => server.kill('SIGQUIT'), giveUpAfterMs);
      const end = setTimeout(() => server.kill('SIGKILL'), 2 * giveUpAfterMs);
      await gone;
      clearTimeout(end);
      clearTimeout(force);
    },
  };
}
