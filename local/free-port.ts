import { once } from 'node:events';
import { createServer } from 'node:net';

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
export async function portFor(port: number, host: string): Promise<number> {
  try {
    return await tryPort(port, host);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const taken = code === 'EADDRINUSE';
    const reason = taken
      ? `Port ${port} is taken. Set PORT to another one.`
      : `PORT and HOST do not work: ${message}`;
    throw new Error(reason, { cause: error });
  }
}
