import { once } from 'node:events';
import { createServer, request, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Front {
  port: number;
  /** Begins to hand on what is not the portal's. */
  leadTo: (url: string) => void;
  close: () => Promise<void>;
}

/** What stands before portal and service in production: one origin, `/portal` a page of its own, the rest handed on. */
export async function startFront(): Promise<Front> {
  let service = '';
  const handle: RequestListener = (incoming, response) => {
    if (incoming.url?.startsWith('/portal') === true) {
      response.setHeader('Content-Type', 'text/html').end('<h1>Portal</h1>');
      return;
    }
    const { method, headers } = incoming;
    const outgoing = request(new URL(incoming.url ?? '/', service), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.once('error', () => response.destroy());
    incoming.pipe(outgoing);
  };
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (url) => (service = url),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
