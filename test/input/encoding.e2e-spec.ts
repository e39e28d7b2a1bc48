import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
});
afterAll(() => service.close());

async function invite(body: Buffer, type = 'application/json'): Promise<{ status: number; body: object }> {
  const response = await fetch(`${service.url}/api/users/invite`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': type },
    body: new Uint8Array(body),
  });
  expect(response.headers.get('content-type')).toContain('json');
  return { status: response.status, body: (await response.json()) as object };
}

const json = (email: string): string => JSON.stringify({ email, name: 'Grace' });
const refused = { status: 400, body: { code: 'malformed_json', status: 400 } };

test.each([
  ['an invalid UTF-8 byte', Buffer.from('{"email":"a@example.com","name":"\xff"}', 'latin1')],
  ['an overlong sequence', Buffer.from('{"email":"a@example.com","name":"\xc0\xaf"}', 'latin1')],
  ['half of a surrogate pair', Buffer.from('{"email":"a@example.com","name":"\xed\xa0\x80"}', 'latin1')],
  ['a truncated sequence', Buffer.from('{"email":"a@example.com","name":"\xe2\x82"}', 'latin1')],
  ['UTF-16', Buffer.from(json('a@example.com'), 'utf16le')],
  ['UTF-16 with its byte order mark', Buffer.from(`\ufeff${json('a@example.com')}`, 'utf16le')],
])('400: %s (L3)', async (_, body) => {
  expect(await invite(body)).toMatchObject(refused);
});

test.each([
  ['utf-16', Buffer.from(json('a@example.com'), 'utf16le')],
  ['utf-16le', Buffer.from(json('a@example.com'), 'utf16le')],
  ['"UTF-32"', Buffer.from(json('a@example.com'))],
  ['utf-7', Buffer.from('+AHsAIgBlAG0AYQBpAGwAIg-:"a@example.com"}')],
  ['UTF-7', Buffer.from(json('a@example.com'))],
])('400: a body declared as %s (L3)', async (charset, body) => {
  expect(await invite(body, `application/json; charset=${charset}`)).toMatchObject(refused);
});

test('a UTF-8 byte order mark is removed (L3)', async () => {
  const body = Buffer.from(`\ufeff${json('bom@example.com')}`);
  expect(await invite(body)).toMatchObject({ status: 201, body: { email: 'bom@example.com' } });
});

test.each(['application/json; charset="utf-8"', 'application/json;charset=UTF8'])(
  '%j is accepted as UTF-8 (L3)',
  async (type) => {
    const body = Buffer.from(JSON.stringify({ email: `${type.length}@example.com`, name: 'Grüße' }));
    expect(await invite(body, type)).toMatchObject({ status: 201 });
  },
);
