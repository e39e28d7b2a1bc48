import type { PowerBiConfig } from '../core/config/power-bi.config.js';
import { MAX_URL } from './upstream-text.js';

/** Allowed hosts of the configured cloud: embed tokens are sent to them, and the portal links to them. */
export class EmbedHosts {
  constructor(private readonly config: Pick<PowerBiConfig, 'apiUrl' | 'embedHosts'>) {}

  allow(url: string): boolean {
    return this.find(url) !== undefined;
  }

  /** Returns the normalized URL; undefined unless it is an https URL on an allowed host. */
  find(value: unknown): string | undefined {
    if (typeof value !== 'string' || value.length > MAX_URL || !URL.canParse(value)) return undefined;
    const url = new URL(value);
    const isPlain = url.username === '' && url.password === '' && url.href.length <= MAX_URL;
    return isPlain && this.isOnHost(url) ? url.href : undefined;
  }

  /** Plain http is allowed only on the API's own host, and only when the API itself uses plain http (the emulator). */
  private isOnHost({ protocol, hostname }: URL): boolean {
    if (!this.config.embedHosts.includes(hostname)) return false;
    const api = new URL(this.config.apiUrl);
    return protocol === 'https:' || (protocol === api.protocol && hostname === api.hostname);
  }
}
