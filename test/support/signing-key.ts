import { generateKeyPairSync } from 'node:crypto';

/** A private RSA key as the file of signing keys holds it. */
export const makeSigningKey = (kid: string) => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  kid,
  alg: 'RS256',
  use: 'sig',
});
