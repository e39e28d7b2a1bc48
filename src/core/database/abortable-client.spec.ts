import { type AddressInfo, createServer } from 'node:net';
import { Pool } from 'pg';
import { expect, test } from '@jest/globals';
import { AbortableClient } from './abortable-client.js';

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const authenticated = message('R', Buffer.alloc(4));
const ready = message('Z', Buffer.from('I'));
const terminated = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'));

test('a connection that the server ends as soon as it is open fails its query, not the process', async () => {
  // In one chunk: the error is read before any code that waits for the connection continues.
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, terminated])));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const pool = new Pool({ Client: AbortableClient, host: '127.0.0.1', port, user: 'x', database: 'x' });
  try {
    const client = await pool.connect();
    await expect(client.query('SELECT 1')).rejects.toThrow('not queryable');
    client.release();
    expect(pool.totalCount).toBe(0);
  } finally {
    await pool.end();
    server.close();
  }
});
