import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
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
 * created when it is missing. Throws when the existing file is not a JWKS.
 */
export function rotateKeys(file: string, keep: number): { added: string; dropped: string[] } {
  const key = newSigningKey();
  const keys = [key, ...readKeys(file)];
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify({ keys: keys.slice(0, keep) }), { mode: 0o600 });
  renameSync(temporary, file);
  return { added: key.kid, dropped: keys.slice(keep).map(({ kid }) => kid) };
}

function readKeys(file: string): SigningKey[] {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { keys: SigningKey[] }).keys;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new Error(`${file} is not a private JWKS`, { cause: error });
  }
}
