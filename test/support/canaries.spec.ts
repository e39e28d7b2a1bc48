import { expect, test } from '@jest/globals';
import { Canaries } from './canaries.js';

const secret = 'correct+horse/battery=staple é';

const places: [string, string][] = [
  ['verbatim', `x ${secret} y`],
  ['in JSON', JSON.stringify({ password: `"${secret}"` })],
  ['in a URL', `?p=${encodeURIComponent(secret)}`],
  ['in hex', Buffer.from(`a${secret}`).toString('hex')],
  ['in base64', Buffer.from(secret).toString('base64')],
  ['in base64 after one byte', Buffer.from(`:${secret}:`).toString('base64')],
  ['in base64 after two bytes', Buffer.from(`u:${secret}`).toString('base64')],
  ['in base64url', Buffer.from(`u:${secret}`).toString('base64url')],
];

test.each(places)('a canary is found %s', (_name, text) => {
  const canaries = new Canaries();
  canaries.plant('password', secret);
  expect(canaries.foundIn({ log: text })).toEqual(['password in log']);
});

test('a canary is found in folded, quoted mail', () => {
  const canaries = new Canaries();
  canaries.plant('link', 'abcdefghijklmnopqrstuvwxyz');
  const mail = Buffer.from('token=3Dabcdefghijklm=\r\nnopqrstuvwxyz');
  expect(canaries.foundIn({ mail: [mail] })).toEqual(['link in mail']);
});

test('nothing is found in a text without canaries', () => {
  const canaries = new Canaries();
  canaries.plant('password', secret);
  expect(canaries.foundIn({ log: 'correct horse', mail: [Buffer.from('staple')] })).toEqual([]);
});
