import { createServer, type Socket } from 'node:net';

export interface MuteRedis {
  url: string;
  /** What it was told. */
  commands: string[];
  close: () => void;
}

/** Greets as Redis does, so that the client takes it for ready, and never says anything again. */
export async function startMuteRedis(): Promise<MuteRedis> {
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
