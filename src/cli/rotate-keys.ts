import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { v7 as uuidv7 } from 'uuid';
import type { SigningKey } from '../core/config/keys.config.js';

const newSigningKey = (): SigningKey => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  kid: uuidv7(),
  alg: 'RS256',
  use: 'sig',
});

/**
 * Prepends a new key to the private JWKS and drops keys beyond `keep`. The file (mode 0600) is replaced atomically, and
 * created when it is missing. Throws when the existing file cannot be read or is not a JWKS.
 */
export function rotateKeys(file: string, keep: number): { added: string; dropped: string[] } {
  const key = newSigningKey();
  const keys = [key, ...readKeys(file)];
  replace(file, JSON.stringify({ keys: keys.slice(0, keep) }));
  return { added: key.kid, dropped: keys.slice(keep).map(({ kid }) => kid) };
}

/** A crash leaves either the old or the new content; a failure leaves no copy of the private keys. */
function replace(file: string, content: string): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flush: true });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function readKeys(file: string): SigningKey[] {
  const text = read(file);
  if (text === undefined) return [];
  let cause: unknown;
  try {
    const { keys } = JSON.parse(text) as { keys: unknown };
    if (Array.isArray(keys)) return keys as SigningKey[];
  } catch (error) {
    cause = error;
  }
  throw new Error(`${file} is not a private JWKS`, { cause });
}

/** Undefined if the file does not exist. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    const advice = code === 'EACCES' ? ': run the command as the user of the service' : '';
    throw new Error(`${file} cannot be read (${code})${advice}`, { cause: error });
  }
}
