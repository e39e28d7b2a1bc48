import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { FaultProxy } from './fault-proxy.js';

let server: Server;
let proxy: FaultProxy;
let got: string;

beforeEach(async () => {
  got = '';
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      got += bytes.toString();
      socket.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await FaultProxy.start((server.address() as AddressInfo).port);
});

afterEach(async () => {
  await proxy.down();
  server.close();
});

interface Echo {
  text: string;
  pieces: number;
  /** Whether the line was closed. */
  closed: boolean;
  ms: number;
}

/** Sends a text and gives what came back until all of it did, the line was closed, or nothing more happens. */
async function echo(text: string, patience = 2_000): Promise<Echo> {
  const began = Date.now();
  const found = { text: '', pieces: 0, closed: false };
  const socket: Socket = connect(proxy.port, '127.0.0.1');
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on('error', () => undefined);
  socket.on('close', () => {
    found.closed = true;
    resolve();
  });
  socket.on('data', (bytes) => {
    found.text += bytes.toString();
    found.pieces += 1;
    if (found.text.length >= text.length) resolve();
  });
  socket.write(text);
  const timer = setTimeout(resolve, patience);
  await promise;
  clearTimeout(timer);
  const response = { ...found, ms: Date.now() - began };
  socket.destroy();
  return response;
}

describe('the fault proxy', () => {
  test('forwards everything', async () => {
    expect(await echo('hello')).toMatchObject({ text: 'hello', closed: false });
  });

  test('adds latency', async () => {
    proxy.toxics = { latency: 150 };
    expect((await echo('hello')).ms).toBeGreaterThanOrEqual(280);
  });

  test('limits bandwidth', async () => {
    proxy.toxics = { bandwidth: 100 };
    expect((await echo('x'.repeat(20))).ms).toBeGreaterThanOrEqual(380);
  });

  test('slices data', async () => {
    proxy.toxics = { slicer: 1, latency: 5 };
    const response = await echo('hello');
    expect(response.text).toBe('hello');
    expect(response.pieces).toBeGreaterThan(1);
  });

  test('drops all data, without an end', async () => {
    proxy.toxics = { timeout: 0 };
    expect(await echo('hello', 300)).toMatchObject({ text: '', closed: false });
    expect(got).toBe('');
  });

  test('closes the connection after a timeout', async () => {
    proxy.toxics = { timeout: 100 };
    expect(await echo('hello')).toMatchObject({ text: '', closed: true });
  });

  test('resets the connection', async () => {
    proxy.toxics = { resetPeer: 0 };
    expect(await echo('hello')).toMatchObject({ text: '', closed: true });
  });

  test('closes in the middle of a response', async () => {
    proxy.toxics = { slicer: 2, limitData: 3 };
    const { text, closed } = await echo('hello');
    expect(closed).toBe(true);
    expect(text.length).toBeLessThan(5);
  });

  test('refuses connections until it is up again', async () => {
    await proxy.down();
    expect(await echo('hello')).toMatchObject({ text: '', closed: true });
    await proxy.up();
    expect(await echo('hello')).toMatchObject({ text: 'hello' });
  });
});

describe('the fault proxy that cuts at a message', () => {
  const fits = ({ type }: { type: string }): boolean => type === 'Q';
  const opening = '\0\0\0\x0aabcdef';
  const query = 'Q\0\0\0\x08DOIT';

  test('before: the server does not receive it', async () => {
    proxy.toxics = { cut: { fits, every: 1, side: 'before' } };
    expect(await echo(opening + query)).toMatchObject({ text: '', closed: true });
    expect(got).toBe('');
    expect(proxy.cuts).toBe(1);
  });

  test('after: the server executes it, and the client gets no response', async () => {
    proxy.toxics = { cut: { fits, every: 1, side: 'after' } };
    expect(await echo(opening + query)).toMatchObject({ text: '', closed: true });
    expect(got).toContain('DOIT');
  });

  test('every nth time only', async () => {
    proxy.toxics = { cut: { fits, every: 2, side: 'before' } };
    expect(await echo(opening + query)).toMatchObject({ closed: false });
    expect(await echo(opening + query)).toMatchObject({ closed: true });
  });
});
