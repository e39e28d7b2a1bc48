import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { problemCatalogue, type ProblemCode } from '../problems/problem-catalogue.js';

const known: Record<string, [ProblemCode, string]> = {
  HPE_HEADER_OVERFLOW: ['header_too_large', 'Send fewer or shorter headers, or a shorter path.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['payload_too_large', 'Send the body without chunk extensions.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'Send the complete request without delay.'],
};
const anyOther: [ProblemCode, string] = ['malformed_request', 'The request could not be read.'];

function bareResponse(code: ProblemCode, detail: string, headers: Headers): string {
  const { status, title } = problemCatalogue[code];
  const body = JSON.stringify({ type: `urn:vitrine:problem:${code}`, title, status, detail, code });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

type Headers = Readonly<Record<string, string>>;
type SocketWithResponse = Duplex & { _httpMessage?: ServerResponse | null };

/** Writes responses, with these headers, for errors that Node raises before a request exists. */
export function clientErrors(headers: Headers): {
  respondToClientError: (error: NodeJS.ErrnoException, socket: SocketWithResponse) => void;
  closeIdle: (socket: SocketWithResponse) => void;
} {
  /** Writes a problem response, unless a response has already begun on this socket. */
  function respondToClientError(error: NodeJS.ErrnoException, socket: SocketWithResponse): void {
    const { _httpMessage: response } = socket;
    if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent === true) {
      socket.destroy();
      return;
    }
    const [code, detail] = known[error.code ?? ''] ?? anyOther;
    // A client that keeps sending or reads nothing holds the socket only until this is written.
    socket.end(bareResponse(code, detail, headers), () => socket.destroy());
  }

  /** Handles an idle socket: an unfinished request gets a 408, any other connection is closed. */
  function closeIdle(socket: SocketWithResponse): void {
    const { _httpMessage: response } = socket;
    if (response === undefined || response === null || response.req.complete || socket.writableLength > 0) {
      socket.destroy();
      return;
    }
    respondToClientError({ name: 'Error', message: 'timeout', code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket);
  }

  return { respondToClientError, closeIdle };
}
