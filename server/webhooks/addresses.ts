import { BlockList, isIPv4 } from 'node:net'

/** IANA’s special-purpose registry, with multicast and reserved networks. */
const privateIPv4 = new BlockList()
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
])
  add(privateIPv4, network, 'ipv4')

/** Global unicast. Everything else is refused, such as loopback, link-local, IPv4-mapped and NAT64 addresses. */
const globalIPv6 = new BlockList()
add(globalIPv6, '2000::/3', 'ipv6')
/** Protocol assignments such as Teredo, documentation, and 6to4, which contains an IPv4 address. */
const specialIPv6 = new BlockList()
for (const network of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])
  add(specialIPv6, network, 'ipv6')

function add(list: BlockList, network: string, family: 'ipv4' | 'ipv6'): void {
  const [address, bits] = network.split('/') as [string, string]
  list.addSubnet(address, Number(bits), family)
}

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !privateIPv4.check(address, 'ipv4')
  return globalIPv6.check(address, 'ipv6') && !specialIPv6.check(address, 'ipv6')
}
