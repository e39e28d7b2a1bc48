import type { PowerBiConfig } from '../core/config/power-bi.config.js';
import { MAX_URL } from './upstream-text.js';

/** Hosts of the configured cloud: embedding sends a token to one, and the portal links to one. */
export class EmbedHosts {
  constructor(private readonly config: Pick<PowerBiConfig, 'apiUrl' | 'embedHosts'>) {}

  allow(url: string): boolean {
    return this.find(url) !== undefined;
  }

  /** The address in its normal form; undefined when it is not https on one of the hosts. */
  find(value: unknown): string | undefined {
    if (typeof value !== 'string' || value.length > MAX_URL || !URL.canParse(value)) return undefined;
    const url = new URL(value);
    const isPlain = url.username === '' && url.password === '' && url.href.length <= MAX_URL;
    return isPlain && this.isOnHost(url) ? url.href : undefined;
  }

  /** Plain http only from the API's own host, and only where the API itself is plain http: the emulator. */
  private isOnHost({ protocol, hostname }: URL): boolean {
    if (!this.config.embedHosts.includes(hostname)) return false;
    const api = new URL(this.config.apiUrl);
    return protocol === 'https:' || (protocol === api.protocol && hostname === api.hostname);
  }
}
