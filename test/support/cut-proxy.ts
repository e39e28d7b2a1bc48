import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface CutProxy {
  port: number;
  /**
   * The next connection that commits a transaction with this text loses the response, although the commit succeeds. Others
   * (jobs, cleanup) are not affected.
   */
  cutCommitOf(text: string): void;
  close(): Promise<void>;
}

const COMMIT = Buffer.from('COMMIT\0');

/** A proxy in front of PostgreSQL that can cut a connection after its COMMIT is sent. */
export async function startCutProxy(target: { host: string; port: number }): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  let wanted: Buffer | undefined;
  const server = createServer((client) => {
    const upstream = connect(target);
    let isCut = false;
    let hasText = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        if (socket !== upstream || !isCut) client.destroy();
        if (!isCut) upstream.destroy();
      });
    }
    client.on('data', (bytes) => {
      hasText ||= wanted !== undefined && bytes.includes(wanted);
      if (bytes.includes(COMMIT)) {
        isCut = hasText && wanted !== undefined;
        if (isCut) wanted = undefined;
        hasText = false;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      // The server has responded, so the commit is complete.
      if (isCut) for (const socket of [client, upstream]) socket.destroy();
      else client.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    cutCommitOf: (text) => {
      wanted = Buffer.from(text);
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
