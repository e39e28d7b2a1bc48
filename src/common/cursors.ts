import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { deriveKeys, mac, sameBytes } from './keys.js';
import { InvalidRequest } from './problem.js';

const MAC_BYTES = 16;

/** Opaque, authenticated page positions: nobody can make one up, nor use one on another list. */
@Injectable()
export class Cursors {
  private readonly keys: Buffer[];

  constructor(config: Config) {
    this.keys = deriveKeys(config.auth.secretKeys, 'cursor');
  }

  /** `list` names the list, its order and its filters; the cursor is good for that one only. */
  encode(list: string, position: readonly string[]): string {
    const body = Buffer.from(JSON.stringify(position));
    return Buffer.concat([this.sign(this.keys[0] as Buffer, list, body), body]).toString('base64url');
  }

  /** Throws InvalidRequest for anything that `encode` did not make for this list. */
  decode(list: string, cursor: string): string[] {
    const bytes = Buffer.from(cursor, 'base64url');
    const [given, body] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)];
    if (!this.keys.some((key) => sameBytes(this.sign(key, list, body), given))) {
      throw new InvalidRequest([
        { pointer: '/cursor', detail: 'cursor must come from the next link of this very list' },
      ]);
    }
    return JSON.parse(body.toString()) as string[];
  }

  private sign(key: Buffer, list: string, body: Buffer): Buffer {
    return mac(key, Buffer.from(`${list}\0`), body).subarray(0, MAC_BYTES);
  }
}
