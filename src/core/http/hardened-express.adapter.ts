import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { ServerLimits } from '../config/server-limits.config.js';
import type { Config } from '../config/config.js';
import { problemBody } from '../problems/problem.js';
import { problemCatalogue, type ProblemCode } from '../problems/problem-catalogue.js';
import { hasBody } from './json-body.js';
import { pathOf } from './probes.js';
import { securityHeaders } from './security-headers.js';

const known: Record<string, [ProblemCode, string]> = {
  HPE_HEADER_OVERFLOW: ['header_too_large', 'Send fewer or shorter headers, or a shorter path.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['payload_too_large', 'Send the body without chunk extensions.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'Send the complete request without delay.'],
};
const anyOther: [ProblemCode, string] = ['malformed_request', 'The request could not be read.'];

/** Without a request, whose headers could not be read, the path is `/` and the id a new one. */
function bareResponse(error: [ProblemCode, string], headers: Headers, begun?: ServerResponse | null): string {
  const [code, detail] = error;
  const { status } = problemCatalogue[code];
  const id = String(begun?.getHeader('X-Request-Id') ?? randomUUID());
  const body = JSON.stringify(problemBody({ code, detail }, begun ? pathOf(begun.req) : '/', id));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `X-Request-Id: ${id}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

type Headers = Readonly<Record<string, string>>;
type SocketWithResponse = Duplex & { _httpMessage?: ServerResponse | null };

/** Writes responses, with these headers, for errors that Node raises before a request exists. */
function clientErrors(headers: Headers) {
  /** Writes a problem response, unless a response has already begun on this socket. */
  function respondToClientError(error: NodeJS.ErrnoException, socket: SocketWithResponse): void {
    const { _httpMessage: response } = socket;
    if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent === true) {
      socket.destroy();
      return;
    }
    const text = bareResponse(known[error.code ?? ''] ?? anyOther, headers, response);
    // A client that keeps sending or reads nothing holds the socket only until this is written.
    socket.end(text, () => socket.destroy());
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

/**
 * Limits in bytes and milliseconds for reading a rejected body, so that a client that is still sending can read the
 * response.
 */
const MAX_DISCARDED_BYTES = 1_048_576;
const LINGER_MS = 1000;

/** A response that is sent before the whole body has arrived closes its connection shortly afterwards. */
function closeOnUnreadBody(request: IncomingMessage, response: ServerResponse): void {
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

/** Bytes of the request line and all headers together. */
const MAX_HEADER_BYTES = 16_384;
const CHECK_MS = 1000;

/** Sets limits before the server listens, because Node reads some of them only once. */
function createHardenedServer(bounds: ServerLimits, http: Config['http'], app: RequestListener): Server {
  const { respondToClientError, closeIdle } = clientErrors(securityHeaders(http));
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: bounds.headersSeconds * 1000,
      requestTimeout: bounds.requestSeconds * 1000,
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: bounds.keepAliveSeconds * 1000,
      insecureHTTPParser: false,
      // `enforceRequestLimits` rejects a request without a Host header with a problem response.
      requireHostHeader: false,
    },
    app,
  );
  server.maxConnections = bounds.maxConnections;
  // Socket idle timeout in both directions: closes clients that read nothing. Exceeds the deadlines of requests, so that
  // clients that wait for a response stay connected.
  const longest = Math.max(bounds.deadlineSeconds, bounds.embedDeadlineSeconds);
  server.setTimeout(Math.max(bounds.stalledSeconds, longest + 1) * 1000, closeIdle);
  server.on('clientError', respondToClientError);
  // `enforceRequestLimits` rejects an unsupported expectation with a problem response.
  server.on('checkExpectation', app);
  return server;
}

/** Nest's Express adapter on a server with connection, header and timeout limits. */
export class HardenedExpressAdapter extends ExpressAdapter {
  /** Runs before Express. Returns true if it has already written the response. */
  rejects: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;

  constructor(private readonly config: Pick<Config, 'http' | 'serverLimits'>) {
    super();
  }

  override initHttpServer(): void {
    const app = this.getInstance<RequestListener>();
    const listener: RequestListener = (request, response) => {
      closeOnUnreadBody(request, response);
      if (!this.rejects(request, response)) app(request, response);
    };
    this.setHttpServer(createHardenedServer(this.config.serverLimits, this.config.http, listener));
  }

  /**
   * `DrainService` has already waited for open requests. Node does not treat a connection that never sent a request
   * as idle, so all remaining connections are closed here.
   */
  override close(): Promise<unknown> | undefined {
    const closed = super.close();
    (this.getHttpServer() as Server).closeAllConnections();
    return closed;
  }
}
