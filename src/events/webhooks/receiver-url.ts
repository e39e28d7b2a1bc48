import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { AllowedHost } from '../../core/config/webhook.config.js';

const globalUnicast = ipaddr.parseCIDR('2000::/3');
/** Public by its range, but Azure answers it inside every virtual network with data of the host. */
const AZURE_PLATFORM = '168.63.129.16';

/**
 * Whether an address belongs to the public internet. False for private, local and reserved networks, and for IPv6
 * addresses that contain an IPv4 address (mapped, NAT64, 6to4, Teredo), because a gateway could translate them.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' ? text !== AZURE_PLATFORM : address.match(globalUnicast);
}

const PORTS = new Set(['', '443', '8443']);

export const MAX_URL = 2000;

const unlessAllowed = ', unless WEBHOOK_ALLOWED_HOSTS contains the host';
export const NOT_PUBLIC = `must have a public address${unlessAllowed}`;

/** All that the audit trail and mails contain of a URL: paths and queries of receivers often contain secrets. */
export const hostOf = (url: string): string => new URL(url).host;

const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80);

/** Whether the operator exempts the host, or its port, from the rules for receivers. */
export const isAllowedHost = (url: URL, allowed: readonly AllowedHost[]): boolean =>
  allowed.some(({ hostname, port }) => hostname === url.hostname && (port ?? portOf(url)) === portOf(url));

/** The address if the host is one, without brackets; null if it is a name. */
export function literalAddress({ hostname }: URL): string | null {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(host) === 0 ? null : host;
}

/** The reason why a URL cannot be a receiver, to follow `url`; null if it can. Names are not resolved here. */
export function findObjection(url: URL, allowed: readonly AllowedHost[]): string | null {
  const { protocol, hostname, port, username, password, hash } = url;
  if (protocol !== 'https:' && protocol !== 'http:') return 'must use https';
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  if (hash !== '') return 'must not contain a fragment';
  if (hostname.endsWith('.')) return 'must not have a host that ends with a period';
  if (isAllowedHost(url, allowed)) return null;
  if (protocol !== 'https:') return `must use https${unlessAllowed}`;
  if (!PORTS.has(port)) return `must use port 443 or 8443${unlessAllowed}`;
  if (/(^|\.)localhost$/.test(hostname)) return NOT_PUBLIC;
  const address = literalAddress(url);
  return address === null || isPublicAddress(address) ? null : NOT_PUBLIC;
}
