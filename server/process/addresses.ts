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

/** Of work (see process/turns.ts): its networks, largest first; none without an address. */
export function ownersOf(ip: string | undefined): string[] {
  return ip === undefined ? [] : networksOf(ip).toReversed()
}

export function openNetworkQuotas(quotas: readonly number[]) {
  const held = new Map<string, number>()
  const quotasOf = (ip: string) => networksOf(ip).map((network, at) => ({ network, max: quotas[at]! }))
  const hold = (ip: string) => {
    const networks = quotasOf(ip)
    let amount = 0
    let isReleased = false
    return {
      wouldExceed: (more: number): boolean =>
        networks.some(({ network, max }) => (held.get(network) ?? 0) + more > max),
      /** Nothing after the release. Returns the amount taken. */
      add(more: number): number {
        if (isReleased) return 0
        amount += more
        for (const { network } of networks) held.set(network, (held.get(network) ?? 0) + more)
        return more
      },
      /** Returns the amount released; further calls have no effect. */
      release(): number {
        if (isReleased) return 0
        isReleased = true
        for (const { network } of networks) {
          const left = (held.get(network) ?? 0) - amount
          if (left > 0) held.set(network, left)
          else held.delete(network)
        }
        return amount
      },
    }
  }
  return {
    hold,
    wouldExceed: (ip: string, amount = 1): boolean => hold(ip).wouldExceed(amount),
    /** Returns a function that releases it; calling that again has no effect. */
    take(ip: string, amount = 1): () => void {
      const holder = hold(ip)
      holder.add(amount)
      return holder.release
    },
  }
}
