type RandomSource = Pick<Crypto, 'getRandomValues'> & Partial<Pick<Crypto, 'randomUUID'>>;

/** A random UUID. Browsers offer `randomUUID` in secure contexts only, but `getRandomValues` everywhere. */
export function randomId(source: RandomSource): string {
  if (source.randomUUID !== undefined) return source.randomUUID();
  const bytes = source.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = ((bytes[8]! & 0x3f) | 0x80).toString(16);
  return hex.replace(/^(.{8})(.{4}).(.{3})..(.{2})(.{12})$/, `$1-$2-4$3-${variant}$4-$5`);
}
