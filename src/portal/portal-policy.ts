import type { PowerBiConfig } from '../core/config/power-bi.config.js';

type Embedding = Pick<PowerBiConfig, 'apiUrl' | 'embedHosts'>;

/** Reports are framed over https only, except from an API on plain http (the emulator), which has its own port. */
function frameSources({ apiUrl, embedHosts }: Embedding): string[] {
  const api = new URL(apiUrl);
  const sources = embedHosts.map((host) => (host === api.hostname ? api.origin : `https://${host}`));
  return [...new Set(sources)];
}

/** The Content-Security-Policy of the portal's pages, for a response with this nonce. */
export function portalPolicy(embedding: Embedding): (nonce: string) => string {
  const frames = frameSources(embedding).join(' ');
  return (nonce) =>
    [
      "default-src 'none'",
      `script-src 'self' 'nonce-${nonce}'`,
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      `frame-src ${frames}`,
      "object-src 'none'",
      "base-uri 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join('; ');
}

/** Browser features that neither the portal nor reports need; they are disabled. */
export const portalPermissions = [
  'camera',
  'display-capture',
  'geolocation',
  'hid',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'serial',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');
