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

export interface RawResponse {
  /** Status of the first response; 0 without a response. */
  status: number;
  /** Number of responses. */
  responses: number;
  text: string;
  /** Whether the server ended the connection. */
  closed: boolean;
}

const parseResponses = (text: string, closed: boolean): RawResponse => {
  const lines = text.match(/HTTP\/1\.1 \d{3}(?= )/g) ?? [];
  return { status: Number(lines[0]?.slice(-3) ?? 0), responses: lines.length, text, closed };
};

/** Reads until the server closes the connection, or for the given seconds. */
export async function readAll(socket: Socket, seconds = 20): Promise<RawResponse> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise<true>((resolve) => socket.once('close', () => resolve(true)));
  const isClosed = await Promise.race([closed, sleep(seconds * 1000, false, { ref: false })]);
  socket.destroy();
  return parseResponses(Buffer.concat(chunks).toString('latin1'), isClosed);
}

/** Sends these bytes unchanged. */
export async function sendRaw(url: string, bytes: string, seconds?: number): Promise<RawResponse> {
  const socket = await openSocket(url);
  socket.write(Buffer.from(bytes, 'latin1'));
  return readAll(socket, seconds);
}

/** The status codes of all responses. */
export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
