import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { deriveKeys, mac, sameBytes } from '../../core/crypto/keys.js';
import { Config } from '../../core/config/config.js';

const ID_BYTES = 16;
const COUNTER_BYTES = 4;
const TOKEN_BYTES = ID_BYTES + COUNTER_BYTES + 32;
const TOKEN = /^[A-Za-z0-9_-]{70}$/;

export interface RefreshTokenParts {
  sessionId: string;
  counter: number;
  proof: Buffer;
}

/**
 * base64url(session id ‖ counter ‖ HMAC-SHA256(server key, salt ‖ session id ‖ counter)). The salt stays in the
 * database: neither a leaked key nor a leaked database alone can produce a token, and no stored value can be replayed.
 */
@Injectable()
export class RefreshTokensService {
  /** For how long a replaced token returns its successor, in seconds. */
  readonly graceSeconds: number;
  private readonly keys: KeyObject[];

  constructor(config: Config) {
    this.graceSeconds = config.limits.refreshGraceSeconds;
    this.keys = deriveKeys(config.auth.secretKeys, 'refresh-token');
  }

  /** Deterministic for the same session, counter and key. */
  encode(sessionId: string, counter: number, salt: Buffer): string {
    const head = headOf(sessionId, counter);
    return Buffer.concat([head, mac(this.keys[0] as KeyObject, salt, head)]).toString('base64url');
  }

  /** Parses a token without verifying it; undefined when the format is invalid. */
  decode(token: string): RefreshTokenParts | undefined {
    if (!TOKEN.test(token)) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== TOKEN_BYTES || bytes.toString('base64url') !== token) return undefined;
    return {
      sessionId: uuidOf(bytes.subarray(0, ID_BYTES)),
      counter: bytes.readUInt32BE(ID_BYTES),
      proof: bytes.subarray(ID_BYTES + COUNTER_BYTES),
    };
  }

  /** Whether one of the server keys issued it for the session with this salt. */
  isGenuine({ sessionId, counter, proof }: RefreshTokenParts, salt: Buffer): boolean {
    const head = headOf(sessionId, counter);
    return this.keys.some((key) => sameBytes(mac(key, salt, head), proof));
  }
}

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

function headOf(sessionId: string, counter: number): Buffer {
  const head = Buffer.alloc(ID_BYTES + COUNTER_BYTES);
  head.write(sessionId.replaceAll('-', ''), 'hex');
  head.writeUInt32BE(counter, ID_BYTES);
  return head;
}
