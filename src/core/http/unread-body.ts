import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBody } from './json-body.js';

/** How much of a refused body is read, and for how long, so that a client that still writes can read the response. */
const MAX_DISCARDED_BYTES = 1_048_576;
const LINGER_MS = 1000;

/** A response that is sent before the whole body has arrived is the last one of its connection, and soon closes it. */
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

/** Node closes the socket with the end of the response, and the reset that follows could destroy the response. */
function discardRest(request: IncomingMessage): void {
  const { socket } = request;
  const close = socket.destroySoon.bind(socket);
  let left = MAX_DISCARDED_BYTES;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
  // Without a read of our own, Node reads the rest unseen.
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
