import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBody } from './json-body.js';

/**
 * Limits in bytes and milliseconds for reading a rejected body, so that a client that is still sending can read the
 * response.
 */
const MAX_DISCARDED_BYTES = 1_048_576;
const LINGER_MS = 1000;

/** A response that is sent before the whole body has arrived closes its connection shortly afterwards. */
export function closeOnUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return;
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]): ServerResponse => {
    if (!request.complete) {
      response.setHeader('Connection', 'close');
      discardRest(request);
    }
    return writeHead(...args);
  };
}

/** Node closes the socket at the end of the response, and the reset that follows could destroy the response in transit. */
function discardRest(request: IncomingMessage): void {
  const { socket } = request;
  const close = socket.destroySoon.bind(socket);
  let left = MAX_DISCARDED_BYTES;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
  // Marks the request as consumed: otherwise Node drains the rest itself, without this byte limit.
  request.read(0);
  socket.destroySoon = () => {
    if (request.complete) {
      close();
      return;
    }
    socket.end();
    request.once('end', close);
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
}
