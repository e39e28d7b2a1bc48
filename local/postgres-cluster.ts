import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Account, canEnter, serverAccount } from './account.js';
import { readIfExists, replaceFile } from '../src/core/files.js';
import { makeFolder } from './make-folder.js';
import { postgresBinaries } from './postgres-binaries.js';

const run = promisify(execFile);

/** Under root, the folder for files that an unprivileged server needs when it cannot read the checkout. */
const systemFolder = '/var/lib/vitrine';

export interface ClusterOptions {
  dataDir: string;
  log: (line: string) => void;
  sync: boolean;
}

/** An initialized database folder, with what starting a server on it requires. */
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
  /** Set when the files are outside the data folder. */
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
  // A folder gets its name after initdb has completed, so that an interrupted start runs initdb again.
  renameSync(draft, data);
}

/** Returns the database folder of a data folder, creating it if needed. */
export async function openCluster({ dataDir, log, sync }: ClusterOptions): Promise<Cluster> {
  // The server's account must be able to traverse it; files with secrets have mode 0600 or 0700.
  makeFolder(dataDir, 0o711);
  const home = realpathSync(dataDir);
  const file = join(home, 'postgres.json');
  const text = readIfExists(file);
  const known = text === null ? null : (JSON.parse(text) as Memory);
  const { folder, account, elsewhere } = chooseFolder(home, known, log);
  const memory = known ?? { password: randomBytes(24).toString('base64url'), port: 0, elsewhere };
  replaceFile(file, JSON.stringify(memory));
  makeFolder(dirname(folder), 0o755);
  makeFolder(folder, 0o700);
  if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid);
  const cluster: Cluster = {
    account,
    bin: postgresBinaries(account, process.getuid?.() === 0 ? systemFolder : home, log),
    folder,
    data: join(folder, 'data'),
    password: memory.password,
    port: memory.port,
    rememberPort: (port) => replaceFile(file, JSON.stringify({ ...memory, port })),
  };
  if (!existsSync(cluster.data)) await initialise(cluster, sync);
  return cluster;
}
