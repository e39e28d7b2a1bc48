import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectProblem, sendRaw } from '../support/raw.js';
import { type Service, startService } from '../support/service.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const headers = (lines: readonly string[]): string =>
  ['GET /livez HTTP/1.1', 'Host: x', 'Connection: close', ...lines, '', ''].join('\r\n');

describe('oversized headers', () => {
  test('IN-17: more than 16 kB of headers get 431', async () => {
    const { status, text, closed } = await sendRaw(service.url, headers([`X-Large: ${'a'.repeat(20_000)}`]));
    expect({ status, closed }).toEqual({ status: 431, closed: true });
    expectProblem(text, 'header_too_large', '/');
  });

  test('IN-17: a megabyte of headers gets 431, or a closed connection', async () => {
    const { status, closed } = await sendRaw(service.url, headers([`X-Large: ${'a'.repeat(1_000_000)}`]));
    expect([0, 431]).toContain(status);
    expect(closed).toBe(true);
  });

  test('IN-17: more than 100 headers get 431, and none is dropped silently', async () => {
    const many = Array.from({ length: 120 }, (_, index) => `X-${index}: 1`);
    const { status, text } = await sendRaw(service.url, headers(many));
    expect(status).toBe(431);
    expectProblem(text, 'header_too_large', '/livez');
    expect((await sendRaw(service.url, headers(many.slice(0, 90)))).status).toBe(200);
  });

  test('IN-17: more than 4 kB of path and query get 414', async () => {
    const long = `/livez?q=${'a'.repeat(5000)}`;
    const { status, text } = await sendRaw(
      service.url,
      `GET ${long} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(status).toBe(414);
    expectProblem(text, 'uri_too_long', '/livez');
  });

  test('IN-17: after twenty thousand of them the service responds normally', async () => {
    const many = Array.from({ length: 50 }, () =>
      sendRaw(service.url, headers(Array.from({ length: 400 }, () => 'a: b'))),
    );
    for (const { status } of await Promise.all(many)) expect(status).toBe(431);
    expect((await service.api.get('/livez')).status).toBe(200);
  });
});

describe('ambiguous requests', () => {
  const hidden = 'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n';
  const post = (lines: readonly string[], body: string): string =>
    ['POST /api/auth/token HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...lines, '', body].join(
      '\r\n',
    );

  test.each([
    ['a length and chunks', post(['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`)],
    [
      'chunks and a length',
      post(['Transfer-Encoding: chunked', 'Content-Length: 100'], `0\r\n\r\n${hidden}`),
    ],
    ['two lengths', post(['Content-Length: 2', 'Content-Length: 40'], `{}${hidden}`)],
    ['a list of lengths', post(['Content-Length: 2, 40'], `{}${hidden}`)],
    ['a negative length', post(['Content-Length: -1'], hidden)],
    ['a length that is not a number', post(['Content-Length: 0x10'], hidden)],
    ['chunks that are not the last coding', post(['Transfer-Encoding: chunked, identity'], hidden)],
    ['chunks behind a control character', post(['Transfer-Encoding: \x0bchunked'], `0\r\n\r\n${hidden}`)],
    ['an unknown coding', post(['Transfer-Encoding: xchunked'], `0\r\n\r\n${hidden}`)],
    ['a header name that ends with a blank', post(['Transfer-Encoding : chunked'], `0\r\n\r\n${hidden}`)],
    ['a folded header', post(['X-One: 1', ' Transfer-Encoding: chunked'], hidden)],
    ['a chunk size that overflows', post(['Transfer-Encoding: chunked'], `ffffffffffffffffff\r\n{}\r\n`)],
    ['a chunk size that is not a number', post(['Transfer-Encoding: chunked'], `0x2\r\n{}\r\n0\r\n\r\n`)],
    ['a NUL in a header', post(['X-One: a\0b', 'Content-Length: 0'], '')],
    ['lines that end with LF only', `GET /livez HTTP/1.1\nHost: x\n\n${hidden}`],
    ['no host', 'GET /livez HTTP/1.1\r\n\r\n'],
    ['another protocol', 'GET /livez HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['no HTTP at all', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n'],
  ])('IN-19: %s: rejected and closed, and nothing after it is processed', async (_name, bytes) => {
    const { status, responses, text, closed } = await sendRaw(service.url, bytes);
    expect(closed).toBe(true);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(responses).toBe(1);
    expect(text).not.toContain('"status":"ok"');
  });

  test('IN-19: two pipelined requests get two responses, in order', async () => {
    const first = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
    const last = 'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const { responses, text } = await sendRaw(service.url, first + last);
    expect(responses).toBe(2);
    expect(text.indexOf('200 OK')).toBeLessThan(text.indexOf('404 Not Found'));
  });

  test('IN-19: a rejected body is not processed as a request', async () => {
    const response = await sendRaw(
      service.url,
      post([`Content-Length: ${hidden.length}`, 'Connection: close'], hidden),
    );
    expect(response).toMatchObject({ status: 400, responses: 1 });
  });
});

describe('headers that must not be repeated', () => {
  const get = (...lines: string[]): string =>
    ['GET /api/workspaces HTTP/1.1', ...lines, 'Connection: close', '', ''].join('\r\n');

  test.each([
    ['two hosts', get('Host: x', 'Host: y'), 400, 'malformed_request'],
    ['the same host twice', get('Host: x', 'HOST: x'), 400, 'malformed_request'],
    ['no host', get(), 400, 'malformed_request'],
    ['two tokens', get('Host: x', 'Authorization: a', 'authorization: b'), 400, 'malformed_request'],
    ['two types', get('Host: x', 'Content-Type: a/b', 'Content-Type: c/d'), 400, 'malformed_request'],
    ['an unknown expectation', get('Host: x', 'Expect: 200-ok'), 417, 'expectation_failed'],
  ])('%s is a problem with a request id (L8)', async (_name, bytes, status, code) => {
    const response = await sendRaw(service.url, bytes);
    expect(response).toMatchObject({ status, responses: 1, closed: true });
    expectProblem(response.text, code, '/api/workspaces');
  });

  test('Expect: 100-continue is supported (L8)', async () => {
    const body = '{}';
    const lines = ['Host: x', 'Content-Type: application/json', 'Content-Length: 2', 'Expect: 100-continue'];
    const bytes = ['POST /api/auth/token HTTP/1.1', ...lines, 'Connection: close', '', body].join('\r\n');
    const { text } = await sendRaw(service.url, bytes);
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
  });
});
