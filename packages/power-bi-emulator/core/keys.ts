import { generateKeyPair, randomBytes, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { makeCertificate, thumbprintOf } from './certificate.js';

export interface Keys {
  /** Signs Entra's tokens; the public key and its certificate are published. */
  entra: { privateKey: KeyObject; publicKey: KeyObject; jwk: EntraJwk };
  /** Signs embed tokens, which only the emulator reads. */
  embed: Uint8Array;
}

/** A key in Entra's key set: `kid` and `x5t` are the thumbprint of the certificate in `x5c`. */
export interface EntraJwk {
  kty?: string;
  n?: string;
  e?: string;
  kid: string;
  x5t: string;
  x5c: string[];
  use: 'sig';
  alg: 'RS256';
}

const validMilliseconds = 5 * 365 * 86_400_000;

/** Generated at every start: no token is valid longer than the emulator that issued it runs. */
export async function makeKeys(): Promise<Keys> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const name = 'accounts.accesscontrol.windows.net';
  const certificate = makeCertificate({
    name,
    publicKey,
    issuer: { name, key: privateKey },
    notBefore: new Date(Date.now() - 86_400_000),
    notAfter: new Date(Date.now() + validMilliseconds),
    hosts: [],
    isAuthority: true,
  });
  const thumbprint = thumbprintOf(certificate);
  const { kty, n, e } = publicKey.export({ format: 'jwk' });
  const jwk: EntraJwk = {
    kty,
    n,
    e,
    kid: thumbprint,
    x5t: thumbprint,
    x5c: [certificate.toString('base64')],
    use: 'sig',
    alg: 'RS256',
  };
  return { entra: { privateKey, publicKey, jwk }, embed: randomBytes(32) };
}
