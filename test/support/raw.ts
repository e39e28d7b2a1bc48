import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from '@jest/globals';

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

/** A server that keeps a connection open for longer is not going to close it. */
const LIMIT_MS = 60_000;

/** Reads until the server closes the connection, or until the text is `enough`. */
export async function readAll(socket: Socket, enough?: RegExp): Promise<RawResponse> {
  const chunks: Buffer[] = [];
  const text = (): string => Buffer.concat(chunks).toString('latin1');
  const isClosed = await new Promise<boolean>((resolve) => {
    const limit = setTimeout(() => resolve(false), LIMIT_MS);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (enough?.test(text()) === true) resolve(false);
    });
    socket.once('close', () => {
      clearTimeout(limit);
      resolve(true);
    });
  });
  socket.destroy();
  return parseResponses(text(), isClosed);
}

/** Sends these bytes unchanged. */
export async function sendRaw(url: string, bytes: string, enough?: RegExp): Promise<RawResponse> {
  const socket = await openSocket(url);
  socket.write(Buffer.from(bytes, 'latin1'));
  return readAll(socket, enough);
}

/** Expects a whole problem as the only response, with the request id of its header. */
export function expectProblem(text: string, code: string, instance: string): void {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(/^content-type: application\/problem\+json/im);
  const [, id] = /^x-request-id: (\S+)\r?$/im.exec(head) ?? [];
  expect(JSON.parse(body)).toEqual({
    type: `urn:vitrine:problem:${code}`,
    title: expect.any(String),
    status: statusesIn(head)[0],
    detail: expect.any(String),
    instance,
    code,
    request_id: id,
  });
}

/** The status codes of all responses. */
export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
