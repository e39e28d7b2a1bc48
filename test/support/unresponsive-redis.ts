import { createServer, type Socket } from 'node:net';

export interface UnresponsiveRedis {
  url: string;
  /** The commands received. */
  commands: string[];
  close: () => void;
}

/** Completes the handshake, so that the client is ready, and then never responds. */
export async function startUnresponsiveRedis(): Promise<UnresponsiveRedis> {
  const sockets: Socket[] = [];
  const commands: string[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.on('data', (data) => {
      const text = data.toString();
      commands.push(text);
      const greetings = text.match(/\$\d+\r\n(HELLO|CLIENT|SELECT|AUTH)\r\n/gi) ?? [];
      for (const greeting of greetings) socket.write(/HELLO/i.test(greeting) ? '%0\r\n' : '+OK\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `redis://127.0.0.1:${port}`, commands, close };
}
