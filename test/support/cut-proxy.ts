import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface CutProxy {
  port: number;
  /**
   * The next connection that commits what has this text in it loses the answer: what it did is done all the same. Others
   * (jobs, upkeep) are left in peace.
   */
  cutCommitOf(text: string): void;
  close(): Promise<void>;
}

const COMMIT = Buffer.from('COMMIT\0');

/** Stands between the service and its PostgreSQL and can break a connection just after COMMIT went out. */
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
      // The server has answered: it is done there, and nobody hears of it.
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
