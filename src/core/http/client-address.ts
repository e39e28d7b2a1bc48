import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { requestContext } from './request-context.js';

const IPV6_SUBNET_BYTES = 8;

/** Address to count by: a normalized IPv4 address, or the /64 prefix that one customer has in IPv6. */
function countedAddress(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${Buffer.from(address.toByteArray().slice(0, IPV6_SUBNET_BYTES)).toString('hex')}/64`;
}

const counted = new LRUCache<string, string>({ max: 10_000, memoMethod: countedAddress });

/** Address of the current request; forwarded headers count only from a proxy in TRUST_PROXY. */
export const clientAddress = (): string => counted.memo(requestContext()?.ip ?? '');
