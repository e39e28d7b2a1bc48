import { createHash, type KeyObject, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { deriveKeys, mac, sameBytes } from './keys.js';

interface StoredSecret {
  salt: Buffer;
  hash: Buffer;
}

/** Hash for looking up a presented secret. */
export const hashOfSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/**
 * The 256-bit secrets of links in mail. Only salt and SHA-256 are stored; the mail job derives the secret again from
 * salt and server key, so that no queue contains it and a leaked database opens no link.
 */
@Injectable()
export class LinkSecrets {
  private readonly keys: KeyObject[];

  constructor(config: Config) {
    this.keys = deriveKeys(config.auth.secretKeys, 'link');
  }

  create(): StoredSecret & { secret: string } {
    const salt = randomBytes(32);
    const secret = this.secretOf(this.keys[0] as KeyObject, salt);
    return { salt, secret, hash: hashOfSecret(secret) };
  }

  /** Returns the secret of a stored hash; undefined if its server key has been retired. */
  restore({ salt, hash }: StoredSecret): string | undefined {
    return this.keys
      .map((key) => this.secretOf(key, salt))
      .find((secret) => sameBytes(hashOfSecret(secret), hash));
  }

  private secretOf(key: KeyObject, salt: Buffer): string {
    return mac(key, salt).toString('base64url');
  }
}
