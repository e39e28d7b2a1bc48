import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { deriveKeys } from './keys.js';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM. `context` is authenticated but not part of the result; opening requires the same value. */
export function sealWith(key: KeyObject, content: string | Buffer, context = ''): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const body = Buffer.concat([
    cipher.update(typeof content === 'string' ? Buffer.from(content) : content),
    cipher.final(),
  ]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** Returns undefined if none of the keys sealed the value in this context. */
export const openWith = (keys: readonly KeyObject[], sealed: Buffer, context = ''): string | undefined =>
  openBytesWith(keys, sealed, context)?.toString('utf8');

function openBytesWith(keys: readonly KeyObject[], sealed: Buffer, context: string): Buffer | undefined {
  if (sealed.length < IV_BYTES + TAG_BYTES) return undefined;
  for (const key of keys) {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES));
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    try {
      const body = decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES));
      return Buffer.concat([body, decipher.final()]);
    } catch {
      // Authentication failed: try the next key.
    }
  }
  return undefined;
}

/** Encrypts and authenticates small values: AES-256-GCM, one key per purpose. */
@Injectable()
export class Sealer {
  constructor(private readonly config: Config) {}

  /** `context` is the place of a part of a file, so that parts cannot be exchanged. */
  seal(purpose: string, content: string | Buffer, context = ''): Buffer {
    return sealWith(this.keysFor(purpose)[0] as KeyObject, content, context);
  }

  /** Returns undefined if the value was not sealed for this purpose or its key has been retired. */
  open(purpose: string, sealed: Buffer): string | undefined {
    return openWith(this.keysFor(purpose), sealed);
  }

  openBytes(purpose: string, sealed: Buffer, context: string): Buffer | undefined {
    return openBytesWith(this.keysFor(purpose), sealed, context);
  }

  private keysFor(purpose: string): KeyObject[] {
    return deriveKeys(this.config.auth.secretKeys, `seal:${purpose}`);
  }
}
