import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { deriveKeys } from '../crypto/keys.js';
import type { Principal } from '../http/principal.js';
import { InvalidRequest } from '../problems/problem.js';
import { openWith, sealWith } from '../crypto/sealer.js';

/** The caller of a list; a cursor is valid only for the caller that received it. */
export type Reader = Pick<Principal, 'id'>;

const contextOf = (reader: Reader, list: string): string => `${reader.id}\0${list}`;

/** Encrypted page positions, valid only for one reader on one list. */
@Injectable()
export class Cursors {
  private readonly keys: KeyObject[];

  constructor(config: Config) {
    this.keys = deriveKeys(config.auth.secretKeys, 'cursor');
  }

  /** `list` identifies the list, its order and its filters. */
  encode(reader: Reader, list: string, position: readonly string[]): string {
    const text = JSON.stringify(position);
    return sealWith(this.keys[0] as KeyObject, text, contextOf(reader, list)).toString('base64url');
  }

  /** Throws InvalidRequest unless `encode` created the cursor for this reader and this list. */
  decode(reader: Reader, list: string, cursor: string): string[] {
    const text = openWith(this.keys, Buffer.from(cursor, 'base64url'), contextOf(reader, list));
    if (text === undefined) {
      throw new InvalidRequest([
        { pointer: '/cursor', detail: 'cursor must come from the next link of the same list' },
      ]);
    }
    return JSON.parse(text) as string[];
  }
}
