import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openSocket, type RawResponse, readAll, sendRaw } from '../support/raw.js';
import { type Service, startService } from '../support/service.js';

/** More than the service discards of a refused body, and what its buffers and ours can hold. */
const ENDLESS_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 65_536;

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const head = (path: string, ...lines: string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...lines, '', ''].join('\r\n');

function expectTooLarge({ text, closed, ...response }: RawResponse): void {
  expect({ ...response, text: undefined, closed }).toEqual({
    status: 413,
    responses: 1,
    text: undefined,
    closed: true,
  });
  expect(text).toMatch(/^connection: close\r$/im);
  expect(text).toMatch(/^content-type: application\/problem\+json/im);
  expect(text).toContain('"code":"payload_too_large"');
}

/** Writes chunks until the service closes the connection, and says how much it took. */
async function sendEndless(path: string): Promise<{ response: RawResponse; written: number }> {
  const socket = await openSocket(service.url);
  const chunk = Buffer.from(`${CHUNK_BYTES.toString(16)}\r\n${' '.repeat(CHUNK_BYTES)}\r\n`);
  socket.write(head(path, 'Transfer-Encoding: chunked'));
  const fill = (): void => {
    while (socket.writable && socket.bytesWritten < ENDLESS_BYTES && socket.write(chunk));
  };
  socket.on('drain', fill);
  fill();
  const response = await readAll(socket);
  return { response, written: socket.bytesWritten };
}

describe('a body over the limit', () => {
  test.each(['/api/auth/token', '/API/AUTH/token', '/api/users/invite'])(
    'with a Content-Length gets 413 before it is sent: %s (M4)',
    async (path) => {
      expectTooLarge(await sendRaw(service.url, `${head(path, 'Content-Length: 200000')}{"a":"`));
    },
  );

  test.each(['/api/auth/token', '/API/AUTH/token', '/api/users/invite'])(
    'in chunks gets 413 as soon as it is too large: %s (M4)',
    async (path) => {
      const large = 120_000;
      const chunk = `${large.toString(16)}\r\n${' '.repeat(large)}\r\n`;
      const bytes = head(path, 'Transfer-Encoding: chunked') + chunk;
      expectTooLarge(await sendRaw(service.url, bytes));
    },
  );

  test.each(['/api/auth/token', '/API/AUTH/token'])(
    'without an end is read up to a limit only: %s (M4)',
    async (path) => {
      const { response, written } = await sendEndless(path);
      expectTooLarge(response);
      expect(written).toBeLessThan(ENDLESS_BYTES / 2);
    },
  );

  test('that is sent completely before the response is read still gets its 413 (M4)', async () => {
    const body = JSON.stringify({ email: 'x'.repeat(500_000) });
    const response = await service.api.post('/api/auth/token', body);
    expect(response).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  });
});

test('a response sent before the end of a body closes its connection (M4)', async () => {
  const unread = [
    ['415', 'POST /api/auth/token HTTP/1.1', 'Content-Type: text/plain', 'Content-Length: 100000'],
    ['417', 'POST /api/auth/token HTTP/1.1', 'Expect: 200-ok', 'Content-Length: 100000'],
  ] as const;
  for (const [status, line, ...lines] of unread) {
    const bytes = [line, 'Host: x', ...lines, '', '{'].join('\r\n');
    const response = await sendRaw(service.url, bytes);
    expect(response).toMatchObject({ status: Number(status), responses: 1, closed: true });
    expect(response.text).toMatch(/^connection: close\r$/im);
  }
});

test('a body within the limit keeps its connection (M4)', async () => {
  const bytes = `${head('/api/auth/token', 'Content-Length: 2')}{}`;
  const { text, status } = await sendRaw(service.url, bytes, /\r\n\r\n\{.*\}/s);
  expect(status).toBe(400);
  expect(text).toMatch(/^connection: keep-alive\r$/im);
});
