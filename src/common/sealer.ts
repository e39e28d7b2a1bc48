import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { deriveKeys } from './keys.js';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts small things that must come back unread and unchanged: AES-256-GCM, one key per purpose. */
@Injectable()
export class Sealer {
  constructor(private readonly config: Config) {}

  seal(purpose: string, text: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keysFor(purpose)[0] as Buffer, iv);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]);
  }

  /** Undefined for anything that was not sealed for this purpose, or whose key was retired since. */
  open(purpose: string, sealed: Buffer): string | undefined {
    if (sealed.length < IV_BYTES + TAG_BYTES) return undefined;
    for (const key of this.keysFor(purpose)) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES));
      decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        const body = decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES));
        return Buffer.concat([body, decipher.final()]).toString('utf8');
      } catch {
        // Not this key.
      }
    }
    return undefined;
  }

  private keysFor(purpose: string): Buffer[] {
    return deriveKeys(this.config.auth.secretKeys, `seal:${purpose}`);
  }
}
