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

/** Bytes of all headers together, and of the request line. */
const MAX_HEADER_BYTES = 16_384;
const CHECK_MS = 1000;

/** Node's server with its bounds set before it listens: some of them it reads only once. */
function createHardenedServer(bounds: ServerLimits, http: Config['http'], app: RequestListener): Server {
  const { answerClientError, cutOff } = clientErrors(securityHeaders(http));
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: bounds.headersSeconds * 1000,
      requestTimeout: bounds.requestSeconds * 1000,
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: bounds.keepAliveSeconds * 1000,
      insecureHTTPParser: false,
      // `boundRequest` refuses a request without one, as a problem.
      requireHostHeader: false,
    },
    app,
  );
  server.maxConnections = bounds.maxConnections;
  // Of a socket on which nothing moves, in or out: who reads nothing is cut off, who waits for our work is not.
  server.setTimeout(Math.max(bounds.stalledSeconds, bounds.deadlineSeconds + 1) * 1000, cutOff);
  server.on('clientError', answerClientError);
  // `boundRequest` refuses an expectation that the service cannot meet, as a problem.
  server.on('checkExpectation', app);
  return server;
}

/** Express as Nest drives it, on a bounded server. */
export class HardenedExpressAdapter extends ExpressAdapter {
  /** Asked before Express is: whether it has answered this request already. */
  turnsAway: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;

  constructor(private readonly config: Pick<Config, 'http' | 'serverLimits'>) {
    super();
  }

  override initHttpServer(): void {
    const app = this.getInstance<RequestListener>();
    const listener: RequestListener = (request, response) => {
      closeOnUnreadBody(request, response);
      if (!this.turnsAway(request, response)) app(request, response);
    };
    this.setHttpServer(createHardenedServer(this.config.serverLimits, this.config.http, listener));
  }

  /** Whoever was to be waited for was waited for; a connection that never asked anything is not idle to Node. */
  override close(): Promise<unknown> | undefined {
    const closed = super.close();
    (this.getHttpServer() as Server).closeAllConnections();
    return closed;
  }
}
