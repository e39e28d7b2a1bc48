import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ThrottlingProxy {
  url: string;
  calls(): number;
  throttled(): number;
  /** Restarts the count and throttles every nth call, none for 0. */
  reset(every: number): void;
  close(): void;
}

/** A proxy in front of the emulator that throttles REST calls with 429 and Retry-After: 1. */
export async function startThrottlingProxy(target: string): Promise<ThrottlingProxy> {
  const { hostname, port } = new URL(target);
  let calls = 0;
  let throttled = 0;
  let every = 0;
  const server = createServer((incoming, outgoing) => {
    if (incoming.url?.startsWith('/v1.0/') === true) {
      calls += 1;
      if (every > 0 && calls % every === 0) {
        throttled += 1;
        outgoing.writeHead(429, { 'retry-after': '1' }).end();
        return;
      }
    }
    const headers = { ...incoming.headers, host: `${hostname}:${port}` };
    const { method, url: path } = incoming;
    const onward = request({ hostname, port, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    throttled: () => throttled,
    reset: (next) => {
      every = next;
      calls = 0;
      throttled = 0;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
