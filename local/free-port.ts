import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenFailure } from '../src/core/http/listen-failure.js';

async function tryPort(port: number, host: string): Promise<number> {
  const probe = createServer().listen(port, host);
  try {
    await once(probe, 'listening');
    const address = probe.address();
    return typeof address === 'object' && address ? address.port : port;
  } finally {
    probe.close();
  }
}

/** A free loopback port: the preferred one where nobody has it, else one that the system picks. */
export async function freePort(preferred = 0): Promise<number> {
  return tryPort(preferred, '127.0.0.1').catch(() => tryPort(0, '127.0.0.1'));
}

/** Fails early and by the variable's name, before anything was started for nothing. */
export async function portFor(port: number, host: string, portVariable: string): Promise<number> {
  return tryPort(port, host).catch((error: unknown) => {
    throw listenFailure(error, { port, host, portVariable });
  });
}
