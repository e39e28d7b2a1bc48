import { isIP } from 'node:net';
import type { Request } from 'express';
import { isIpAddress } from '../validation/text.js';

/** Whether an address is a proxy of TRUST_PROXY; Express compiles it from the setting `trust proxy`. */
type IsProxy = (address: string, hops: number) => boolean;

const MAX_PORT = 65_535;

/** The address in `ip`, `ip:port`, `[ipv6]` and `[ipv6]:port`; undefined for anything else. */
export function addressOf(entry: string): string | undefined {
  const text = entry.trim();
  if (isIpAddress(text)) return text;
  const [, v4, v6, port] = /^(?:([\d.]+)|\[([^\]]+)\])(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (port !== undefined && Number(port) > MAX_PORT) return undefined;
  if (v4 !== undefined) return isIP(v4) === 4 ? v4 : undefined;
  return v6 !== undefined && isIpAddress(v6) && isIP(v6) === 6 ? v6 : undefined;
}

/**
 * The address of the client: of the addresses that the request passed, from the service outwards, the first one that is not
 * a proxy of TRUST_PROXY. Instead of Express's `request.ip`, which takes any text for an address, also one with a port: each
 * connection would be another client. What is no address counts as the address of the proxy that sent it.
 */
export function clientIp({ app, socket, headers }: Request): string {
  const isProxy = app.get('trust proxy fn') as IsProxy;
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  let ip = socket.remoteAddress ?? '';
  for (let hops = 0; isProxy(ip, hops); hops += 1) {
    const next = addressOf(forwarded.pop() ?? '');
    if (next === undefined) return ip;
    ip = next;
  }
  return ip;
}
