import { once } from 'node:events';
import { connect } from 'node:net';

/** What the server says to these very bytes until it closes; `end` closes our side after them. */
export async function exchange(url: string, bytes: string | Buffer, seconds = 15): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(seconds * 1000, () => socket.destroy());
  await once(socket, 'connect');
  let said = '';
  socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')));
  // A server that refuses early resets the connection while it is still being written to.
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.write(bytes);
  await closed;
  return said;
}

/** The status codes of all answers in it. */
export const statusesIn = (said: string): number[] =>
  [...said.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
