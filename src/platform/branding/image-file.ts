import { checkSvg } from './svg.js';
import { SvgRejected } from './xml.js';

/** Bytes of a file. */
export const MAX_IMAGE_BYTES = 262_144;
/** Pixels in each direction: a small file can decode to gigabytes. */
export const MAX_PIXELS = 2048;

interface Format {
  mediaType: string;
  matches: (content: Buffer) => boolean;
  /** Width and height of the largest picture in the file, from its header; undefined if it is damaged. */
  size: (content: Buffer) => readonly [number, number] | undefined;
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const isPng = (content: Buffer): boolean => content.subarray(0, 8).equals(PNG_SIGNATURE);
const ascii = (content: Buffer, from: number, to: number): string => content.toString('latin1', from, to);

const pngSize = (content: Buffer): readonly [number, number] | undefined =>
  content.length >= 33 && ascii(content, 12, 16) === 'IHDR'
    ? [content.readUInt32BE(16), content.readUInt32BE(20)]
    : undefined;

/** Markers of a frame header; C4, C8 and CC are others. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function jpegSize(content: Buffer): readonly [number, number] | undefined {
  for (let at = 2; at + 9 <= content.length && content[at] === 0xff;) {
    const marker = content[at + 1] as number;
    if (isFrame(marker)) return [content.readUInt16BE(at + 7), content.readUInt16BE(at + 5)];
    // Fill bytes may precede a marker.
    at += marker === 0xff ? 1 : 2 + content.readUInt16BE(at + 2);
  }
  return undefined;
}

function webpSize(content: Buffer): readonly [number, number] | undefined {
  if (content.length < 30) return undefined;
  const chunk = ascii(content, 12, 16);
  if (chunk === 'VP8X') return [content.readUIntLE(24, 3) + 1, content.readUIntLE(27, 3) + 1];
  if (chunk === 'VP8 ') return [content.readUInt16LE(26) % 16_384, content.readUInt16LE(28) % 16_384];
  if (chunk !== 'VP8L' || content[20] !== 0x2f) return undefined;
  const bits = content.readUInt32LE(21);
  return [(bits % 16_384) + 1, ((bits >>> 14) % 16_384) + 1];
}

const MAX_ICONS = 20;

function iconEntrySize(content: Buffer, entry: number): readonly [number, number] | undefined {
  const [length, offset] = [content.readUInt32LE(entry + 8), content.readUInt32LE(entry + 12)];
  const picture = content.subarray(offset, offset + length);
  if (picture.length < 16 || picture.length !== length) return undefined;
  if (isPng(picture)) return pngSize(picture);
  // A bitmap; its height includes the mask.
  return [Math.abs(picture.readInt32LE(4)), Math.ceil(Math.abs(picture.readInt32LE(8)) / 2)];
}

function iconSize(content: Buffer): readonly [number, number] | undefined {
  const count = content.readUInt16LE(4);
  if (count === 0 || count > MAX_ICONS || content.length < 6 + 16 * count) return undefined;
  const sizes = Array.from({ length: count }, (_, index) => iconEntrySize(content, 6 + 16 * index));
  if (sizes.includes(undefined)) return undefined;
  const known = sizes.filter((size) => size !== undefined);
  return [Math.max(...known.map(([width]) => width)), Math.max(...known.map(([, height]) => height))];
}

const formats: Format[] = [
  { mediaType: 'image/png', matches: isPng, size: pngSize },
  { mediaType: 'image/jpeg', matches: (content) => content.readUIntBE(0, 3) === 0xff_d8_ff, size: jpegSize },
  {
    mediaType: 'image/webp',
    matches: (content) => ascii(content, 0, 4) === 'RIFF' && ascii(content, 8, 12) === 'WEBP',
    size: webpSize,
  },
  {
    mediaType: 'image/x-icon',
    matches: (content) => content.readUInt32BE(0) === 0x00_00_01_00,
    size: iconSize,
  },
];

const looksLikeSvg = (content: Buffer): boolean =>
  /^(?:\u00ef\u00bb\u00bf)?\s*</.test(ascii(content, 0, 100));

function svgProblem(content: Buffer): string | undefined {
  try {
    checkSvg(content);
    return undefined;
  } catch (error) {
    if (error instanceof SvgRejected) return `the SVG file ${error.message}`;
    throw error;
  }
}

function pixelProblem(size: readonly [number, number] | undefined): string | undefined {
  if (size === undefined || Math.min(...size) < 1) return 'the file is damaged';
  if (Math.max(...size) <= MAX_PIXELS) return undefined;
  return `the image has ${size.join(' × ')} pixels; at most ${MAX_PIXELS} × ${MAX_PIXELS} are allowed`;
}

const UNKNOWN = 'the file must be a PNG, SVG, JPEG, WebP or ICO image, sent as the body of the request';

/** Type of an image by its content, whatever the client calls it, or why it is not accepted. Decodes nothing. */
export function examineImage(content: Buffer): { mediaType: string } | { problem: string } {
  if (content.length < 16) return { problem: UNKNOWN };
  if (looksLikeSvg(content)) {
    const problem = svgProblem(content);
    return problem === undefined ? { mediaType: 'image/svg+xml' } : { problem };
  }
  const format = formats.find(({ matches }) => matches(content));
  if (format === undefined) return { problem: UNKNOWN };
  const problem = pixelProblem(format.size(content));
  return problem === undefined ? { mediaType: format.mediaType } : { problem };
}
