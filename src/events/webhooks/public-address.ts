import ipaddr from 'ipaddr.js';

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
