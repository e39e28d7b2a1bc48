import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Line {
  /** The same address through the line. */
  url: string;
  /** Breaks every connection and refuses new ones, as a server that went away does. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Carries nothing more, and says so to nobody: as behind a firewall that forgot. New connections too. */
  hold(): void;
  /** Carries everything again, also what was held. */
  release(): void;
}

/** A TCP line to a server, for tests that must lose it, or that change what the service says on it. */
export async function lineTo(target: string, rewrite = (said: Buffer): Buffer => said): Promise<Line> {
  const url = new URL(target);
  const sockets = new Set<Socket>();
  let held = false;
  const server = createServer((near) => {
    const far = connect(Number(url.port), url.hostname);
    if (held) for (const socket of [near, far]) process.nextTick(() => socket.pause());
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => near.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    near.on('data', (said) => far.write(rewrite(said)));
    near.on('end', () => far.end());
    far.pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const through = new URL(target);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  return {
    url: through.href,
    async cut() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    hold() {
      held = true;
      for (const socket of sockets) socket.pause();
    },
    release() {
      held = false;
      for (const socket of sockets) socket.resume();
    },
    async mend() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}
