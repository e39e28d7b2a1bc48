import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** The target URL through the proxy. */
  url: string;
  /** Closes all connections and refuses new ones. */
  disconnect(): Promise<void>;
  reconnect(): Promise<void>;
  /** Forwards nothing on open and new connections, as when a firewall drops packets. */
  stall(): void;
  /** Forwards nothing on open connections, and everything on new ones, as after a failover to another host. */
  vanish(): void;
  /** Forwards again, including the data held back. */
  resume(): void;
}

/** A TCP proxy to a server, for network failures and modified requests. */
export async function startTcpProxy(
  target: string,
  rewrite = (bytes: Buffer): Buffer => bytes,
): Promise<TcpProxy> {
  const url = new URL(target);
  const sockets = new Set<Socket>();
  let isStalled = false;
  const server = createServer((client) => {
    const upstream = connect(Number(url.port), url.hostname);
    if (isStalled) for (const socket of [client, upstream]) process.nextTick(() => socket.pause());
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => client.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', (bytes) => upstream.write(rewrite(bytes)));
    client.on('end', () => upstream.end());
    upstream.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxied = new URL(target);
  proxied.hostname = '127.0.0.1';
  proxied.port = String(port);
  return {
    url: proxied.href,
    async disconnect() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    stall() {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    vanish() {
      for (const socket of sockets) socket.pause();
    },
    resume() {
      isStalled = false;
      for (const socket of sockets) socket.resume();
    },
    async reconnect() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}
