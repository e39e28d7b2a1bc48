import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { requestContext } from '../core/http/request-context.js';

const IPV6_SUBNET_BYTES = 8;

/** What counts as one address: an IPv4 address however it is written, and of IPv6 the /64 that one customer has. */
export function countedAddress(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${Buffer.from(address.toByteArray().slice(0, IPV6_SUBNET_BYTES)).toString('hex')}/64`;
}

const counted = new LRUCache<string, string>({ max: 10_000, memoMethod: countedAddress });

/** Of the request at work; forwarded headers count only from a proxy that TRUST_PROXY names. */
export const clientAddress = (): string => counted.memo(requestContext()?.ip ?? '');
