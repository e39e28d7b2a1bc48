import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';

/** The keys of JWT_KEYS_FILE: the first signs, all verify. */
@Injectable()
export class SigningKeys {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicJwks: { keys: JsonWebKey[] };
  private readonly publicKeys: ReadonlyMap<string, KeyObject>;

  constructor(config: Config) {
    const { signingKeys } = config.auth;
    const [first] = signingKeys;
    if (first === undefined) throw new TypeError('No signing key');
    this.kid = first.kid;
    this.privateKey = createPrivateKey({ key: first, format: 'jwk' });
    this.publicKeys = new Map(signingKeys.map((key) => [key.kid, createPublicKey({ key, format: 'jwk' })]));
    this.publicJwks = {
      keys: signingKeys.map(({ kid, n, e }) => ({ kty: 'RSA', use: 'sig', alg: 'RS256', kid, n, e })),
    };
  }

  /** A `kid` is looked up here and used for nothing else. */
  find(kid: string): KeyObject | undefined {
    return this.publicKeys.get(kid);
  }
}
