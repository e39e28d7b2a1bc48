import { generateKeyPairSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { SigningKey } from '../core/config/keys.config.js';
import { readIfExists, replaceFile } from '../core/files.js';

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
  replaceFile(file, JSON.stringify({ keys: keys.slice(0, keep) }));
  return { added: key.kid, dropped: keys.slice(keep).map(({ kid }) => kid) };
}

function readKeys(file: string): SigningKey[] {
  const text = read(file);
  if (text === null) return [];
  let cause: unknown;
  try {
    const { keys } = JSON.parse(text) as { keys: unknown };
    if (Array.isArray(keys)) return keys as SigningKey[];
  } catch (error) {
    cause = error;
  }
  throw new Error(`${file} is not a private JWKS`, { cause });
}

/** Null if the file does not exist. */
function read(file: string): string | null {
  try {
    return readIfExists(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const advice = code === 'EACCES' ? ': run the command as the user of the service' : '';
    throw new Error(`${file} cannot be read (${code})${advice}`, { cause: error });
  }
}
