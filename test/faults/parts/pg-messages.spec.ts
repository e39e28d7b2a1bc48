import { expect, test } from '@jest/globals';
import { isCommit, PgMessages } from './pg-messages.js';

const framed = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};

const ssl = Buffer.alloc(4);
ssl.writeUInt32BE(80_877_103);
const opening = [framed('', ssl), framed('', Buffer.from('\0\x03\0\0user\0ada\0\0'))];
const sent = Buffer.concat([
  ...opening,
  framed('Q', Buffer.from('SELECT 1\0')),
  framed('Q', Buffer.from('COMMIT\0')),
]);

test('messages are parsed regardless of TCP segmentation', () => {
  for (const size of [1, 3, 7, sent.length]) {
    const messages = new PgMessages();
    const found = [];
    for (let at = 0; at < sent.length; at += size) found.push(...messages.feed(sent.subarray(at, at + size)));
    expect(found.map(({ type }) => type)).toEqual(['', '', 'Q', 'Q']);
    expect(found.map(isCommit)).toEqual([false, false, false, true]);
  }
});
