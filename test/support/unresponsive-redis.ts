import { createServer, type Socket } from 'node:net';

export interface UnresponsiveRedis {
  url: string;
  /** The commands received. */
  commands: string[];
  /** What every greeting is refused with; undefined: it is accepted. */
  refusal: string | undefined;
  close: () => void;
}

/** Completes the handshake, so that the client is ready, and then never responds. */
export async function startUnresponsiveRedis(): Promise<UnresponsiveRedis> {
  const sockets: Socket[] = [];
  const redis: Pick<UnresponsiveRedis, 'commands' | 'refusal'> = { commands: [], refusal: undefined };
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.on('data', (data) => {
      const text = data.toString();
      redis.commands.push(text);
      const greetings = text.match(/\$\d+\r\n(HELLO|CLIENT|SELECT|AUTH)\r\n/gi) ?? [];
      const accepted = (greeting: string) => (/HELLO/i.test(greeting) ? '%0' : '+OK');
      for (const greeting of greetings) socket.write(`${redis.refusal ?? accepted(greeting)}\r\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return Object.assign(redis, { url: `redis://127.0.0.1:${port}`, close });
}
