import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** The system account of the database server; empty for the account of this process. */
export interface Account {
  uid?: number;
  gid?: number;
}

const path = { PATH: '/usr/bin:/bin' };

function lookUp(name: string): Account | null {
  try {
    const ask = (flag: string) =>
      Number(execFileSync('id', [flag, name], { env: path, stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    return null;
  }
}

/** PostgreSQL refuses to run as root; it then runs as the owner of its files or as an unprivileged account. */
export function serverAccount(folder: string): Account {
  if (process.getuid?.() !== 0) return {};
  const owner = statSync(folder, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = lookUp('postgres') ?? lookUp('nobody');
  if (!account) throw new Error('PostgreSQL must not run as root. Create the user "postgres" or "nobody".');
  return account;
}

/** Tests access with the account itself, so that access lists and mount options are included. */
export function canEnter(account: Account, folder: string): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], {
    ...account,
    cwd: '/',
    env: path,
    stdio: 'ignore',
  });
  return status === 0;
}
