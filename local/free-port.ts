import { createServer } from 'node:net';

/** A free loopback port: the preferred one where nobody has it, else one that the system picks. */
export function freePort(preferred = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => (preferred ? resolve(freePort()) : reject(error)));
    probe.listen({ port: preferred, host: '127.0.0.1' }, () => {
      const address = probe.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
