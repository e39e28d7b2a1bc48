import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { ServerLimits } from '../config/server-limits.config.js';
import type { Config } from '../config/config.js';
import { clientErrors } from './client-error.js';
import { securityHeaders } from './security-headers.js';
import { closeOnUnreadBody } from './unread-body.js';

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
