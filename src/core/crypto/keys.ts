import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';

/**
 * Derives one 32-byte key per SECRET_KEY for a purpose, in the same order (the first signs, all verify), so that no key serves two
 * purposes.
 */
export const deriveKeys = (secretKeys: readonly Buffer[], purpose: string): KeyObject[] =>
  secretKeys.map((key) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `vitrine:${purpose}`, 32))),
  );

export const mac = (key: KeyObject, ...parts: Buffer[]): Buffer => {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
};

export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
