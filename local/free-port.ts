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

/** A free loopback port: the preferred one if it is free, otherwise one that the system chooses. */
export async function freePort(preferred = 0): Promise<number> {
  return tryPort(preferred, '127.0.0.1').catch(() => tryPort(0, '127.0.0.1'));
}

/** Fails with the variable's name before anything is started. */
export async function portFor(port: number, host: string, portVariable: string): Promise<number> {
  return tryPort(port, host).catch((error: unknown) => {
    throw listenFailure(error, { port, host, portVariable });
  });
}
