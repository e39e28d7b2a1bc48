import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair, type CryptoKey, type JWK } from 'jose';

export interface Keys {
  /** Signs Entra's access tokens; the public key is published. */
  entra: { privateKey: CryptoKey; publicKey: CryptoKey; jwk: JWK };
  /** Signs embed tokens, which only the emulator reads. */
  embed: Uint8Array;
}

/** Generated at every start: no token is valid longer than the emulator that issued it runs. */
export async function makeKeys(): Promise<Keys> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'emulator', use: 'sig', alg: 'RS256' };
  return { entra: { privateKey, publicKey, jwk }, embed: randomBytes(32) };
}
