import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { statSync } from 'node:fs';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { validate, version } from 'uuid';
import { Clock } from '../core/clock.js';
import { Config } from '../core/config/config.js';
import type { SigningKey } from '../core/config/keys.config.js';

const POLL_INTERVAL_MS = 1000;
/**
 * Until a new key is on every replica: a Kubernetes Secret reaches the pods within two minutes, other hosts need a copy. A
 * cached JWKS expires a minute later.
 */
const HANDOVER_SECONDS = 180;

interface Signer {
  kid: string;
  privateKey: KeyObject;
}

/** The key that signs until the first one is on every replica. */
interface Handover {
  signer: Signer;
  until: Date;
}

interface KeySet {
  first: Signer;
  publicKeys: ReadonlyMap<string, KeyObject>;
  publicJwks: { keys: JsonWebKey[] };
}

const toSigner = (key: SigningKey): Signer => ({
  kid: key.kid,
  privateKey: createPrivateKey({ key, format: 'jwk' }),
});

function toKeySet(keys: readonly SigningKey[]): KeySet {
  const [first] = keys as [SigningKey];
  return {
    first: toSigner(first),
    publicKeys: new Map(keys.map((key) => [key.kid, createPublicKey({ key, format: 'jwk' })])),
    publicJwks: {
      keys: keys.map(({ kid, n, e }) => ({ kty: 'RSA', use: 'sig', alg: 'RS256', kid, n, e })),
    },
  };
}

/** `keys rotate` names a key by a UUID version 7, which contains its time. Any other key counts as old. */
const createdAt = ({ kid }: SigningKey): Date =>
  new Date(validate(kid) && version(kid) === 7 ? Number.parseInt(kid.replace('-', '').slice(0, 12), 16) : 0);

/**
 * The keys of JWT_KEYS_FILE: the first signs, all verify. Reloads a changed file within a second, or immediately when a
 * token has an unknown `kid` (another replica reloaded first), so that a key rotation ends no session. A new first key signs
 * after the handover, because a replica with a file of its own could not verify it yet; a removed key never signs.
 */
@Injectable()
export class SigningKeys implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(SigningKeys.name);
  private timer?: NodeJS.Timeout;
  private current: KeySet;
  private handover?: Handover;
  private stamp: string;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    this.stamp = this.stampOfFile();
    const keys = config.auth.signingKeys.read();
    this.current = toKeySet(keys);
    this.handover = this.handoverAtStart(keys);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.reload(), POLL_INTERVAL_MS).unref();
  }

  get signer(): Signer {
    const { handover } = this;
    return handover !== undefined && this.clock.now() < handover.until ? handover.signer : this.current.first;
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
      this.replaceBy(toKeySet(this.config.auth.signingKeys.read()));
    } catch (error) {
      this.logger.error({
        msg: 'JWT_KEYS_FILE changed but is invalid: the previous keys remain in use',
        err: error,
      });
    }
  }

  /** A replica that starts during a handover continues it, with the last key that every replica has. */
  private handoverAtStart(keys: readonly SigningKey[]): Handover | undefined {
    const isOld = (key: SigningKey): boolean => createdAt(key) <= this.clock.in(-HANDOVER_SECONDS);
    const [first] = keys as [SigningKey];
    if (isOld(first)) return undefined;
    const until = new Date(createdAt(first).getTime() + HANDOVER_SECONDS * 1000);
    return { signer: toSigner(keys.find(isOld) ?? (keys.at(-1) as SigningKey)), until };
  }

  /** The key that signs now continues for the handover, unless it was removed or exchanged. */
  private replaceBy(next: KeySet): void {
    const { signer, current } = this;
    const known = current.publicKeys.get(signer.kid) as KeyObject;
    if (next.publicKeys.get(signer.kid)?.equals(known) !== true) this.handover = undefined;
    else if (next.first.kid !== current.first.kid)
      this.handover = { signer, until: this.clock.in(HANDOVER_SECONDS) };
    this.current = next;
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
