import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { isIPv6, type AddressInfo } from 'node:net';
import { createApp } from './app.js';
import { demoContent } from './content/demo.js';
import { contentFrom } from './control/content-from.js';
import { certifyRealNames, realNames } from './core/real-names.js';
import { Emulator } from './emulator.js';

export interface EmulatorOptions {
  /** Default 0: a free port. */
  port?: number;
  host?: string;
  /** Accepted host names besides loopback, e.g. the name in a container network. */
  allowedHosts?: string[];
  /** URL for browsers, when it differs from the listening address. */
  publicUrl?: string;
  /** PEM; if set, the emulator serves https only. */
  tls?: { key: string; cert: string };
  /**
   * Serves https under Microsoft's host names. `caFolder` keeps the certificate authority that clients trust; it is
   * created if needed.
   */
  realNames?: { caFolder: string };
  /** A size or a seed document, as in `POST /__emulator/content`; default: the demo tenant. */
  content?: unknown;
}

export interface RunningEmulator {
  url: string;
  /** With `realNames`: the certificate that clients must trust. */
  caFile?: string;
  close(): Promise<void>;
}

const loopback: Readonly<Record<string, string>> = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The host of a URL that reaches an emulator on this address from this computer. */
function ownHostOf(address: string): string {
  const reached = loopback[address] ?? address;
  return isIPv6(reached) ? `[${reached}]` : reached;
}

/** Starts the Power BI and Entra emulator. Resolves when it listens. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<RunningEmulator> {
  const { port = 0, host = '127.0.0.1', allowedHosts = [] } = options;
  const { content } = options;
  const emulator = await Emulator.create(content === undefined ? demoContent : () => contentFrom(content));
  const real = options.realNames && (await certifyRealNames(options.realNames.caFolder));
  const tls = real ?? options.tls;
  const ownHost = ownHostOf(host);
  const app = createApp(emulator, [...allowedHosts, ownHost, ...(real ? realNames : [])]);
  const server = tls ? createTlsServer({ key: tls.key, cert: tls.cert }, app) : createServer(app);
  server.listen(port, host);
  await once(server, 'listening');
  const listening = (server.address() as AddressInfo).port;
  const url = `${tls ? 'https' : 'http'}://${ownHost}:${listening}`;
  const ownUrl = real ? new URL(`https://app.powerbi.com:${listening}`).origin : url;
  emulator.url = options.publicUrl ?? ownUrl;
  return {
    url,
    ...(real && { caFile: real.caFile }),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
