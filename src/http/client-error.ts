import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { problemCatalogue, type ProblemCode } from '../common/problem-catalogue.js';

const known: Record<string, [ProblemCode, string]> = {
  HPE_HEADER_OVERFLOW: ['header_too_large', 'Send fewer or shorter headers, or a shorter path.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['payload_too_large', 'Send the body without chunk extensions.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'Send the whole request at once.'],
};
const anyOther: [ProblemCode, string] = ['malformed_request', 'The request could not be read.'];

function bareAnswer(code: ProblemCode, detail: string): string {
  const { status, title } = problemCatalogue[code];
  const body = JSON.stringify({ type: `urn:vitrine:problem:${code}`, title, status, detail, code });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

type Answering = Duplex & { _httpMessage?: ServerResponse | null };

/** What Node could not make a request of never reaches the routes. Nothing is sent into an answer that has begun. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Answering): void {
  const { _httpMessage: answer } = socket;
  if (error.code === 'ECONNRESET' || !socket.writable || answer?.headersSent === true) {
    socket.destroy();
    return;
  }
  // Whoever goes on sending, or reads nothing, holds the socket no longer than it takes to write this.
  socket.end(bareAnswer(...(known[error.code ?? ''] ?? anyOther)), () => socket.destroy());
}

/** Nothing has moved on this socket for long: an unfinished request is told so, everybody else is cut off. */
export function cutOff(socket: Answering): void {
  const { _httpMessage: answer } = socket;
  if (answer === undefined || answer === null || answer.req.complete || socket.writableLength > 0) {
    socket.destroy();
    return;
  }
  answerClientError({ name: 'Error', message: 'timeout', code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket);
}
