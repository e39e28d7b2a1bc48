import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cleanAddress, isEmailAddress } from '../validation/email-address.js';
import type { Environment } from './environment.js';
import { isGuessable } from './key-strength.js';
import { isSample } from './placeholder.js';

export interface SigningKey extends JsonWebKey {
  kid: string;
}

const signingKeysShape =
  'must contain {"keys": [...]} with private RSA keys of 2048 bits or more, each with a kid';

/** Throws if the text is not a valid signing key file. */
function parseSigningKeys(text: string): SigningKey[] {
  const { keys } = JSON.parse(text) as { keys: SigningKey[] };
  if (keys.length === 0 || !keys.every(isSigningKey))
    throw new TypeError(`JWT_KEYS_FILE ${signingKeysShape}`);
  return keys;
}

/** Validates the signing keys at startup. Returns the file and a function that reads it again after a rotation. */
function readSigningKeys(env: Environment): { file: string; read: () => SigningKey[] } {
  const file = env.string(
    'JWT_KEYS_FILE',
    'Private JWKS of RSA keys. The first key signs, all keys verify. The file is reloaded when it changes; a new first key signs after 3 minutes',
    undefined,
    'file path',
  );
  const read = (): SigningKey[] => parseSigningKeys(readFileSync(file, 'utf8'));
  try {
    if (file !== '') read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isUnreadable = code !== undefined && /^E[A-Z]+$/.test(code);
    env.fail(
      isUnreadable
        ? `JWT_KEYS_FILE refers to a file that cannot be read (${code})`
        : `JWT_KEYS_FILE ${signingKeysShape}`,
    );
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

function readSecretKeys(env: Environment): Buffer[] {
  const text = env.secret(
    'SECRET_KEY',
    'Key that signs refresh tokens and encrypts stored secrets. Of several, separated by commas, the first signs, all verify: see [changing it](operations.md#changing-secrets)',
    '32 or more random bytes in base64url',
  );
  const texts = text.split(',').map((key) => key.trim());
  const keys = texts.map((key) => Buffer.from(key, 'base64url'));
  if (text !== '' && keys.some((key) => key.length < 32)) {
    env.fail('SECRET_KEY must be at least 32 random bytes in base64url (several keys separated by commas)');
  } else if (env.isProduction && !isSample(text) && texts.some((key) => key !== '' && isGuessable(key))) {
    env.fail(
      'SECRET_KEY is not random: generate one with node deploy/make-keys.js or openssl rand -base64 32',
    );
  }
  return keys;
}

function readAdmin(env: Environment): { email: string; password: string } | undefined {
  const email = env.optional(
    'ADMIN_EMAIL',
    'Email address of the first admin, created if no user exists',
    'email address',
    { holds: (text) => isEmailAddress(cleanAddress(text)), problem: 'must be a single email address' },
  );
  const password = env.optionalSecret('ADMIN_PASSWORD', 'Password of the first admin, 15 to 128 characters');
  if ((email === undefined) !== !env.isGiven('ADMIN_PASSWORD')) {
    env.fail(
      `${email === undefined ? 'ADMIN_EMAIL' : 'ADMIN_PASSWORD'} is missing: the first admin requires both`,
    );
  }
  return email !== undefined && password !== undefined ? { email: cleanAddress(email), password } : undefined;
}

export function readAuth(root: Environment) {
  const env = root.group('Keys and the first admin');
  return { signingKeys: readSigningKeys(env), secretKeys: readSecretKeys(env), firstAdmin: readAdmin(env) };
}
