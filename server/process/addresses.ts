import { isIP, isIPv6 } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import { LRUCache } from 'lru-cache'

/** The subnet of a home, and the largest that a provider assigns to one customer (RFC 6177). */
const subnetBits = 64
const siteBits = 48

/** The IPv4 address, or the /64 of an IPv6 address. A proxy can forward any text: what is no IP address shares the key `unknown`. */
export function subnetOf(ip: string): string {
  return isIP(ip) === 0 ? 'unknown' : normalizeIP(ip, subnetBits)
}

/** Finding the networks takes 20 µs, and each request needs them several times. */
const foundNetworks = new LRUCache<string, readonly string[]>({ max: 1_000 })

/** Smallest first. IPv6 has two, the /64 and the /48, because one customer may control 65,536 networks of /64. */
export function networksOf(ip: string): readonly string[] {
  let networks = foundNetworks.get(ip)
  if (!networks) foundNetworks.set(ip, (networks = findNetworks(ip)))
  return networks
}

function findNetworks(ip: string): string[] {
  const subnet = subnetOf(ip)
  return isIPv6(subnet) ? [subnet, `${normalizeIP(subnet, siteBits)}/${siteBits}`] : [subnet]
}

/** The owners of work (see turns.ts) for an address. */
export function ownersOf(ip: string | undefined): string[] {
  return ip === undefined ? [] : networksOf(ip).toReversed()
}

/** What the networks of an address hold at a time, with a maximum for each, the narrowest network first. */
export function openNetworkQuotas(maxima: readonly number[]) {
  const held = new Map<string, number>()
  const heldBy = (network: string) => held.get(network) ?? 0
  return {
    wouldExceed: (ip: string, amount = 1): boolean =>
      networksOf(ip).some((network, at) => heldBy(network) + amount > maxima[at]!),
    take(ip: string, amount = 1): () => void {
      for (const network of networksOf(ip)) held.set(network, heldBy(network) + amount)
      return () => {
        for (const network of networksOf(ip)) {
          const left = heldBy(network) - amount
          if (left > 0) held.set(network, left)
          else held.delete(network)
        }
      }
    },
  }
}
