import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Environment } from './environment.js';

export interface SigningKey extends JsonWebKey {
  kid: string;
}

const signingKeysShape =
  'must hold {"keys": [...]} of private RSA keys of 2048 bits or more, each with a kid';

/** Throws when it is not such a file. */
function parseSigningKeys(text: string): SigningKey[] {
  const { keys } = JSON.parse(text) as { keys: SigningKey[] };
  if (keys.length === 0 || !keys.every(isSigningKey))
    throw new TypeError(`JWT_KEYS_FILE ${signingKeysShape}`);
  return keys;
}

/** The keys at start, and where to look for those that come later. */
export function readSigningKeys(env: Environment): { file: string; read: () => SigningKey[] } {
  const file = env.string(
    'JWT_KEYS_FILE',
    'Private JWKS of RSA keys: the first signs, all verify; read again when it changes',
  );
  const read = (): SigningKey[] => parseSigningKeys(readFileSync(file, 'utf8'));
  try {
    if (file !== '') read();
  } catch {
    env.fail(`JWT_KEYS_FILE ${signingKeysShape}`);
  }
  return { file, read };
}

function isSigningKey(key: SigningKey): boolean {
  const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey({ key, format: 'jwk' });
  return (
    typeof key.kid === 'string' &&
    asymmetricKeyType === 'rsa' &&
    (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
  );
}

export function readSecretKeys(env: Environment): Buffer[] {
  const text = env.secret('SECRET_KEY', 'Base64url of 32 or more random bytes; `new,old` while rotating');
  const keys = text.split(',').map((key) => Buffer.from(key.trim(), 'base64url'));
  if (text !== '' && keys.some((key) => key.length < 32)) {
    env.fail('SECRET_KEY must be base64url of at least 32 random bytes (several separated by commas)');
  }
  return keys;
}

/** For commands that need this file and nothing else of the configuration. */
export const signingKeysFile = (): string | undefined => process.env.JWT_KEYS_FILE;
