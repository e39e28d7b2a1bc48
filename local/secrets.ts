import { createHash, generateKeyPair, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readIfExists, replaceFile } from '../src/core/files.js';

export interface Secrets {
  jwtKeysFile: string;
  secretKey: string;
}

export interface Credentials {
  email: string;
  password: string;
}

async function makeSigningKeys(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ format: 'jwk' });
  const kid = createHash('sha256').update(String(key.n)).digest('base64url').slice(0, 16);
  return JSON.stringify({ keys: [{ ...key, kid, alg: 'RS256', use: 'sig' }] });
}

async function keptOrMade(file: string, make: () => string | Promise<string>): Promise<string> {
  const known = readIfExists(file);
  if (known !== null) return known;
  const made = await make();
  replaceFile(file, made);
  return made;
}

/** The service's keys, created at the first start and then kept. */
export async function openSecrets(dataDir: string): Promise<Secrets> {
  const jwtKeysFile = join(dataDir, 'jwt-keys.json');
  await keptOrMade(jwtKeysFile, makeSigningKeys);
  const secretKey = await keptOrMade(join(dataDir, 'secret-key'), () =>
    randomBytes(32).toString('base64url'),
  );
  return { jwtKeysFile, secretKey };
}

const adminFile = (dataDir: string) => join(dataDir, 'admin.json');

function keptAdmin(dataDir: string): Credentials | null {
  const text = readIfExists(adminFile(dataDir));
  return text === null ? null : (JSON.parse(text) as Credentials);
}

/**
 * Possible credentials of the first admin, most likely first. A given password is stored only after a successful
 * sign-in (`keepAdmin`), because the service may reject it.
 */
export function adminCandidates(
  dataDir: string,
  wanted: Partial<Credentials>,
): [Credentials, ...Credentials[]] {
  const known = keptAdmin(dataDir);
  const email = wanted.email ?? known?.email ?? 'admin@vitrine.example';
  if (wanted.password === undefined && known === null) {
    const made = { email, password: randomBytes(18).toString('base64url') };
    keepAdmin(dataDir, made);
    return [made];
  }
  const first = { email, password: wanted.password ?? known?.password ?? '' };
  // A repeated sign-in that fails would count twice.
  const isKnown = first.email === known?.email && first.password === known.password;
  return known === null || isKnown ? [first] : [first, known];
}

export function keepAdmin(dataDir: string, admin: Credentials): void {
  replaceFile(adminFile(dataDir), JSON.stringify(admin));
}
