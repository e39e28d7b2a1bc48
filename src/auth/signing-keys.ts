import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { statSync } from 'node:fs';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../core/config/config.js';
import type { SigningKey } from '../core/config/keys.config.js';

const POLL_INTERVAL_MS = 1000;

interface KeySet {
  kid: string;
  privateKey: KeyObject;
  publicKeys: ReadonlyMap<string, KeyObject>;
  publicJwks: { keys: JsonWebKey[] };
}

function toKeySet(keys: readonly SigningKey[]): KeySet {
  const [first] = keys as [SigningKey];
  return {
    kid: first.kid,
    privateKey: createPrivateKey({ key: first, format: 'jwk' }),
    publicKeys: new Map(keys.map((key) => [key.kid, createPublicKey({ key, format: 'jwk' })])),
    publicJwks: {
      keys: keys.map(({ kid, n, e }) => ({ kty: 'RSA', use: 'sig', alg: 'RS256', kid, n, e })),
    },
  };
}

/**
 * The keys of JWT_KEYS_FILE: the first signs, all verify. Reloads a changed file within a second, or immediately when a
 * token has an unknown `kid` (another replica reloaded first), so that a key rotation ends no session.
 */
@Injectable()
export class SigningKeys implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(SigningKeys.name);
  private timer?: NodeJS.Timeout;
  private current: KeySet;
  private stamp: string;

  constructor(private readonly config: Config) {
    this.stamp = this.stampOfFile();
    this.current = toKeySet(config.auth.signingKeys.read());
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.reload(), POLL_INTERVAL_MS).unref();
  }

  get kid(): string {
    return this.current.kid;
  }

  get privateKey(): KeyObject {
    return this.current.privateKey;
  }

  get publicJwks(): KeySet['publicJwks'] {
    return this.current.publicJwks;
  }

  /** A new object whenever the keys change; signatures verified against an earlier one must be verified again. */
  get generation(): object {
    return this.current;
  }

  /** The public key. `kid` is untrusted input and is used only for this lookup. */
  find(kid: string): KeyObject | undefined {
    const known = this.current.publicKeys.get(kid);
    if (known !== undefined) return known;
    this.reload();
    return this.current.publicKeys.get(kid);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Keeps the current keys when the file is unreadable or invalid. */
  private reload(): void {
    const stamp = this.stampOfFile();
    if (stamp === this.stamp) return;
    this.stamp = stamp;
    try {
      this.current = toKeySet(this.config.auth.signingKeys.read());
    } catch (error) {
      this.logger.error({
        msg: 'JWT_KEYS_FILE changed but is invalid: the previous keys remain in use',
        err: error,
      });
    }
  }

  /** With the time of the last change of owner and mode, which can make an unreadable file readable. */
  private stampOfFile(): string {
    try {
      const { mtimeMs, ctimeMs, size, ino } = statSync(this.config.auth.signingKeys.file);
      return `${mtimeMs}:${ctimeMs}:${size}:${ino}`;
    } catch {
      return 'unreadable';
    }
  }
}
