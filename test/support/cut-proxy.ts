import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface CutProxy {
  port: number;
  /** From now on, the next connection that asks to commit loses the answer: what it did is done all the same. */
  cutNextCommit(): void;
  close(): Promise<void>;
}

const COMMIT = Buffer.from('COMMIT\0');

/** Stands between the service and its PostgreSQL and can break a connection just after COMMIT went out. */
export async function startCutProxy(target: { host: string; port: number }): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  let armed = false;
  const server = createServer((client) => {
    const upstream = connect(target);
    let isCut = false;
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
      if (armed && bytes.includes(COMMIT)) [armed, isCut] = [false, true];
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
    cutNextCommit: () => {
      armed = true;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
