import { createServer, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Bounds } from '../config/bounds.config.js';
import { answerClientError } from './client-error.js';

/** Bytes of all headers together, and of the request line. */
const MAX_HEADER_BYTES = 16_384;
const CHECK_MS = 1000;

type App = Parameters<typeof createServer>[1];

/** Node's server with its bounds set before it listens: some of them it reads only once. */
function boundedServer(bounds: Bounds, app: App): Server {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: bounds.headersSeconds * 1000,
      requestTimeout: bounds.requestSeconds * 1000,
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: bounds.keepAliveSeconds * 1000,
      insecureHTTPParser: false,
      requireHostHeader: true,
    },
    app,
  );
  server.maxConnections = bounds.maxConnections;
  // Of a socket on which nothing moves, in or out, while a request is at work: who reads nothing is cut off.
  server.setTimeout(bounds.stalledSeconds * 1000);
  server.on('clientError', answerClientError);
  return server;
}

/** Express as Nest drives it, on a bounded server. */
export class BoundedExpress extends ExpressAdapter {
  constructor(private readonly bounds: Bounds) {
    super();
  }

  override initHttpServer(): void {
    this.setHttpServer(boundedServer(this.bounds, this.getInstance<App>()));
  }
}
