import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../support/client.js';
import { expectProblem, sendRaw, statusesIn } from '../support/raw.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
});
afterAll(() => service.close());

/** What comes back for these very bytes. */
const exchange = async (url: string, bytes: string): Promise<string> => (await sendRaw(url, bytes)).text;

const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`;

const bearer = (): string => `Authorization: Bearer ${admin.token}`;

describe('IN-04 content type', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data',
    '',
  ])('%j is a 415', async (type) => {
    const body = '{"email":"a@example.com","password":"x"}';
    const answer = await service.api.post('/api/auth/token', body, { 'content-type': type });
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });

  test('charset and case are ignored', async () => {
    const answer = await admin.post('/api/users/invite', '{"email":"in04@example.com"}', {
      'content-type': 'Application/JSON; charset=UTF-8',
    });
    expect(answer.status).toBe(201);
  });
});

describe('IN-05 body limit', () => {
  test.each([
    ['/api/users/invite', 100 * 1024],
    ['/api/auth/token', 16 * 1024],
  ])('%s accepts at most %i bytes', async (path, most) => {
    const bodyOf = (bytes: number) => {
      const [head, tail] = ['{"email":"', '"}'];
      return head + 'x'.repeat(bytes - head.length - tail.length) + tail;
    };
    expect((await admin.post(path, bodyOf(most))).status).toBe(400);
    const answer = await admin.post(path, bodyOf(most + 1));
    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  });

  test('applies to chunked bodies', async () => {
    const chunk = `${(8192).toString(16)}\r\n${' '.repeat(8192)}\r\n`;
    const said = await exchange(
      service.url,
      lines(
        'POST /api/auth/token HTTP/1.1',
        'Host: x',
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        'Connection: close',
      ) +
        chunk.repeat(4) +
        '0\r\n\r\n',
    );
    expect(statusesIn(said)).toEqual([413]);
  });
});

describe('IN-06 decompression', () => {
  test.each(['gzip', 'deflate', 'br', 'x'])(
    'a body with Content-Encoding %s is not inflated',
    async (encoding) => {
      const response = await fetch(`${service.url}/api/auth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': encoding },
        body: gzipSync(Buffer.alloc(5_000_000, ' ')),
      });
      expect(response.status).toBe(415);
    },
  );
});

describe('IN-17 oversized headers and URLs', () => {
  test.each([
    ['one header of 20 kB', ['X: ' + 'a'.repeat(20_000)]],
    ['headers of 20 kB in total', Array.from({ length: 80 }, (_, index) => `X-${index}: ${'a'.repeat(256)}`)],
  ])('%s', async (_, headers) => {
    const said = await exchange(service.url, lines('GET /livez HTTP/1.1', 'Host: x', ...headers));
    expect(statusesIn(said)).toEqual([431]);
    expectProblem(said, 'header_too_large', '/');
  });

  test('a thousand small headers', async () => {
    const headers = Array.from({ length: 1000 }, (_, index) => `X${index}:`);
    const said = await exchange(
      service.url,
      lines('GET /livez HTTP/1.1', 'Host: x', 'Connection: close', ...headers),
    );
    expect(statusesIn(said)).toHaveLength(1);
    expect(statusesIn(said)[0]).toBeLessThan(500);
  });

  test('a URL of 30 kB', async () => {
    const said = await exchange(
      service.url,
      lines(`GET /api/workspaces?q=${'a'.repeat(30_000)} HTTP/1.1`, 'Host: x', 'Connection: close'),
    );
    expect([414, 431]).toContain(statusesIn(said)[0]);
  });
});

describe('IN-18 percent-encoding', () => {
  test.each([
    '/api/reports/%',
    '/api/reports/%zz',
    '/%C3%28',
    '/api/workspaces?q=%E0%A4%A',
    '/api/reports/%2e%2e%2fusers',
    '/api/reports/%252e',
    '/%00',
  ])('%s is a 4xx', async (path) => {
    const said = await exchange(
      service.url,
      lines(`GET ${path} HTTP/1.1`, 'Host: x', bearer(), 'Connection: close'),
    );
    expect(statusesIn(said)).toHaveLength(1);
    expect(Math.floor((statusesIn(said)[0] ?? 0) / 100)).toBe(4);
    expect(said).toContain('application/problem+json');
    expect(said).not.toMatch(/URIError|\.js:\d/);
  });
});

describe('IN-19 request smuggling', () => {
  const inner = lines('GET /api/users/me HTTP/1.1', 'Host: x');

  test.each([
    ['two lengths', ['Content-Length: 5', 'Content-Length: 6']],
    ['length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
    ['chunks twice', ['Transfer-Encoding: chunked, chunked']],
    ['chunks that are not last', ['Transfer-Encoding: chunked, identity']],
    ['a blank before the colon', ['Transfer-Encoding : chunked']],
    ['a folded header', ['Transfer-Encoding:\r\n chunked']],
    ['a length with a sign', ['Content-Length: +5']],
    ['a length in hexadecimal', ['Content-Length: 0x5']],
    ['a NUL in a header', ['X: a\u0000b']],
    ['a bare line feed', ['X: a\nTransfer-Encoding: chunked']],
  ])('%s: rejected, and nothing after it is processed', async (_, headers) => {
    const said = await exchange(
      service.url,
      lines('POST /api/auth/token HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...headers) +
        `0\r\n\r\n${inner}`,
    );
    expect(statusesIn(said)).toEqual([400]);
    expectProblem(said, 'malformed_request', '/');
    expect(said).not.toContain('authentication_required');
  });

  test('malformed chunks', async () => {
    const said = await exchange(
      service.url,
      lines(
        'POST /api/auth/token HTTP/1.1',
        'Host: x',
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      ) + `zz\r\n{}\r\n0\r\n\r\n${inner}`,
    );
    expect(said).not.toContain('authentication_required');
    expect(statusesIn(said).every((status) => status === 400)).toBe(true);
  });
});

describe('IN-20 methods', () => {
  // Node hangs up on CONNECT; what it cannot read as a method is a 400.
  test.each([
    ['TRACE', [405]],
    ['CONNECT', []],
    ['PROPFIND', [405]],
    ['PURGE', [405]],
    ['FOO', [400]],
  ])('%s is rejected', async (method, statuses) => {
    const said = await exchange(
      service.url,
      lines(`${method} /api/workspaces HTTP/1.1`, 'Host: x', bearer(), 'Connection: close'),
    );
    expect(statusesIn(said)).toEqual(statuses);
    expect(said).not.toContain('"workspaces"');
  });

  test.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])(
    '%s is ignored',
    async (name) => {
      const answer = await admin.post('/api/workspaces', {}, { [name]: 'GET' });
      expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    },
  );
});
