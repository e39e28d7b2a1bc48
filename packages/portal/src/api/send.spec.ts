import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { send } from './send.js';

let server: Server;
let answer: (response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  jest.useRealTimers();
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const requestOf = (headers: Record<string, string>): Request =>
  new Request(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { headers });

/** The headers have arrived, and the body goes on for more than a minute. */
async function begun(headers: Record<string, string>) {
  let end = (): void => undefined;
  answer = (response) => {
    response.write('first ');
    end = () => void response.end('last');
  };
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] });
  const response = await send(requestOf(headers), undefined);
  jest.advanceTimersByTime(61_000);
  jest.useRealTimers();
  end();
  return response.text();
}

describe('a response that takes more than a minute', () => {
  test('is complete if it is a file', async () => {
    expect(await begun({ Accept: 'text/csv' })).toBe('first last');
  });

  test('fails otherwise', async () => {
    await expect(begun({})).rejects.toThrow('No response.');
  });
});
