import { once } from 'node:events';
import { createServer, request, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReverseProxy {
  port: number;
  /** Sets the service to forward to. */
  forwardTo: (url: string) => void;
  close: () => Promise<void>;
}

/** One origin for portal and service, as in production: serves `/portal` and forwards the rest. */
export async function startReverseProxy(): Promise<ReverseProxy> {
  let service = '';
  const handle: RequestListener = (incoming, response) => {
    if (incoming.url?.startsWith('/portal') === true) {
      response.setHeader('Content-Type', 'text/html').end('<h1>Portal</h1>');
      return;
    }
    const { method, headers } = incoming;
    const outgoing = request(new URL(incoming.url ?? '/', service), { method, headers }, (upstream) => {
      response.writeHead(upstream.statusCode ?? 502, upstream.headers);
      upstream.pipe(response);
    });
    outgoing.once('error', () => response.destroy());
    incoming.pipe(outgoing);
  };
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    forwardTo: (url) => (service = url),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
