import type { Readable } from 'node:stream';

export class TooLarge extends Error {}

/** The chunks of a body of at most `maxBytes`. Throws TooLarge for a longer one, whose connection is closed. */
export async function* bounded(body: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new TooLarge(`more than ${maxBytes} bytes`);
    yield chunk;
  }
}

/** Reads a body of at most `maxBytes`. Throws TooLarge. */
export async function readBounded(body: Readable, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of bounded(body, maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
