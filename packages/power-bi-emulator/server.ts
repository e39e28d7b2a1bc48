import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.js';
import { demoContent } from './content/demo.js';
import { contentFrom } from './control/content-from.js';
import { Emulator } from './emulator.js';

export interface EmulatorOptions {
  /** 0, the default: a free one. */
  port?: number;
  host?: string;
  /** Names besides the loopback ones that it answers to, e.g. its name in a container network. */
  allowedHosts?: string[];
  /** Where browsers reach it, when that is not where it listens. */
  publicUrl?: string;
  /** PEM; with it the emulator speaks https only. */
  tls?: { key: string; cert: string };
  /** A size or a seed document, as `POST /__emulator/content` takes it; the demo tenant when absent. */
  content?: unknown;
}

export interface RunningEmulator {
  url: string;
  close(): Promise<void>;
}

/** A Power BI and Entra stand-in, listening. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<RunningEmulator> {
  const { port = 0, host = '127.0.0.1', allowedHosts = [] } = options;
  const { content } = options;
  const emulator = await Emulator.create(content === undefined ? demoContent : () => contentFrom(content));
  const app = createApp(emulator, allowedHosts);
  const server = options.tls ? createTlsServer(options.tls, app) : createServer(app);
  server.listen(port, host);
  await once(server, 'listening');
  const url = `${options.tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  emulator.url = options.publicUrl ?? url;
  return {
    url,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
