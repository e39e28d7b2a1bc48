import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

export interface RawAnswer {
  /** Of the first answer; 0 when there was none. */
  status: number;
  /** How many answers came. */
  answers: number;
  text: string;
  /** Whether the server ended the connection. */
  closed: boolean;
}

const answerOf = (text: string, closed: boolean): RawAnswer => {
  const lines = text.match(/HTTP\/1\.1 \d{3}(?= )/g) ?? [];
  return { status: Number(lines[0]?.slice(-3) ?? 0), answers: lines.length, text, closed };
};

/** Everything that comes back until the server ends the connection, or for so many seconds. */
export async function readAll(socket: Socket, seconds = 20): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise<true>((resolve) => socket.once('close', () => resolve(true)));
  const isClosed = await Promise.race([closed, sleep(seconds * 1000, false, { ref: false })]);
  socket.destroy();
  return answerOf(Buffer.concat(chunks).toString('latin1'), isClosed);
}

/** Sends these very bytes, as no HTTP client would. */
export async function sendRaw(url: string, bytes: string, seconds?: number): Promise<RawAnswer> {
  const socket = await openSocket(url);
  socket.write(Buffer.from(bytes, 'latin1'));
  return readAll(socket, seconds);
}

/** The status codes of all answers in it. */
export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
