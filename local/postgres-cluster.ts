import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Account, canEnter, serverAccount } from './account.js';
import { keep, kept } from './kept-file.js';
import { postgresBinaries } from './postgres-binaries.js';

const run = promisify(execFile);

/** Root's place for what an unprivileged server must reach when it cannot reach the checkout. */
const systemFolder = '/var/lib/vitrine';

export interface ClusterOptions {
  dataDir: string;
  log: (line: string) => void;
  sync: boolean;
}

/** An initialised database folder and what is needed to start a server on it. */
export interface Cluster {
  account: Account;
  bin: string;
  folder: string;
  data: string;
  password: string;
  port: number;
  rememberPort(port: number): void;
}

interface Memory {
  password: string;
  port: number;
  /** Set when the files had to go outside the data folder. */
  elsewhere?: string;
}

function chooseFolder(dataDir: string, memory: Memory | null, log: (line: string) => void) {
  const inside = join(dataDir, 'postgres');
  const folder = memory?.elsewhere ?? inside;
  const account = serverAccount(folder);
  if (memory || canEnter(account, dataDir)) return { folder, account };
  const elsewhere = join(
    systemFolder,
    `${basename(dataDir).replace(/^\.+/, '')}-${randomBytes(4).toString('hex')}`,
  );
  log(`The user that runs PostgreSQL cannot access ${dataDir}: the database is stored in ${elsewhere}`);
  return { folder: elsewhere, account, elsewhere };
}

async function initialise(cluster: Cluster, sync: boolean): Promise<void> {
  const { account, folder, data } = cluster;
  const draft = `${data}.new`;
  const passwordFile = join(folder, 'password');
  rmSync(draft, { recursive: true, force: true });
  writeFileSync(passwordFile, cluster.password, { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined)
    chownSync(passwordFile, account.uid, account.gid);
  const auth = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const args = ['-D', draft, '-U', 'postgres', '--no-locale', '--encoding=UTF8', ...auth];
  try {
    await run(join(cluster.bin, 'initdb'), sync ? args : [...args, '--no-sync'], {
      ...account,
      cwd: '/',
      env: {},
    });
  } finally {
    rmSync(passwordFile, { force: true });
  }
  // Only a finished folder gets the name: a start that was killed in initdb begins anew.
  renameSync(draft, data);
}

/** Finds the database folder of a data folder, or makes it. */
export async function openCluster({ dataDir, log, sync }: ClusterOptions): Promise<Cluster> {
  // The server's own account has to pass through; what must stay secret in there is 0600 or 0700 itself.
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const home = realpathSync(dataDir);
  const file = join(home, 'postgres.json');
  const text = kept(file);
  const known = text === null ? null : (JSON.parse(text) as Memory);
  const { folder, account, elsewhere } = chooseFolder(home, known, log);
  const memory = known ?? { password: randomBytes(24).toString('base64url'), port: 0, elsewhere };
  keep(file, JSON.stringify(memory));
  mkdirSync(dirname(folder), { recursive: true, mode: 0o755 });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid);
  const cluster: Cluster = {
    account,
    bin: postgresBinaries(account, process.getuid?.() === 0 ? systemFolder : home, log),
    folder,
    data: join(folder, 'data'),
    password: memory.password,
    port: memory.port,
    rememberPort: (port) => keep(file, JSON.stringify({ ...memory, port })),
  };
  if (!existsSync(cluster.data)) await initialise(cluster, sync);
  return cluster;
}
