/** DER, the encoding of X.509: only the types that a certificate contains. */
export type Der = Buffer;

export function der(tag: number, ...parts: Buffer[]): Der {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const digits = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.from([0x80 | digits.length, ...digits]);
}

export const sequence = (...parts: Buffer[]): Der => der(0x30, ...parts);
export const set = (...parts: Buffer[]): Der => der(0x31, ...parts);
export const octets = (content: Buffer): Der => der(0x04, content);
export const text = (value: string): Der => der(0x0c, Buffer.from(value));
export const yes: Der = der(0x01, Buffer.from([0xff]));

/** A bit string; `unused` bits at the end do not count. */
export const bits = (content: Buffer, unused = 0): Der => der(0x03, Buffer.from([unused]), content);

/** A positive integer from its big-endian bytes. */
export function integer(bytes: Buffer): Der {
  return der(0x02, bytes[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

export function time(at: Date): Der {
  const digits = at.toISOString().replace(/[-:T]|\.\d+/g, '');
  // Years before 2050 have two digits.
  return digits < '2050' ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

/** An object identifier in dotted notation. */
export function oid(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}
