import { randomInt } from 'node:crypto';
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

/**
 * Below the ranges from which Linux, macOS and Windows take the ports of outgoing connections: a port from those can be
 * taken between this check and its use.
 */
const FIRST_PORT = 15_000;
const LAST_PORT = 32_000;
const ATTEMPTS = 100;

/** A free loopback port: the preferred one if it is free, otherwise a random one. */
export async function freePort(preferred = 0): Promise<number> {
  let port = preferred || randomInt(FIRST_PORT, LAST_PORT);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryPort(port, '127.0.0.1');
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      port = randomInt(FIRST_PORT, LAST_PORT);
    }
  }
}

/** The port, or a free one for 0. Fails with the variable's name before anything is started. */
export async function portFor(port: number, host: string, portVariable: string): Promise<number> {
  if (port === 0) return freePort();
  return tryPort(port, host).catch((error: unknown) => {
    throw listenFailure(error, { port, host, portVariable });
  });
}
