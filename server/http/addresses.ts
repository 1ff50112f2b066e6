import { isIP, isIPv6 } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'

/** What a household gets of IPv6, and what a provider gives to one customer at most (RFC 6177). */
const householdBits = 64
const siteBits = 48

/**
 * The address that limits count by: an IPv4 address, or the /64 of an IPv6 one. A proxy can hand on any text: all that is
 * no address counts as one.
 */
export function householdOf(ip: string): string {
  return isIP(ip) === 0 ? 'unknown' : normalizeIP(ip, householdBits)
}

/** The networks of a caller that have a share of something, the narrowest first: a customer may have 65,536 of /64. */
export function networksOf(ip: string): string[] {
  const household = householdOf(ip)
  return isIPv6(household) ? [household, `${normalizeIP(household, siteBits)}/${siteBits}`] : [household]
}

/** Counts what the networks of each caller hold at the moment. */
export function openShares(sharesMax: readonly number[]) {
  const held = new Map<string, number>()
  const keysOf = (ip: string) => networksOf(ip).map((network, at) => ({ network, max: sharesMax[at]! }))
  return {
    /** Whether one of the caller's networks would hold more than its share with `amount` more. */
    isUsedUp: (ip: string, amount = 1): boolean =>
      keysOf(ip).some(({ network, max }) => (held.get(network) ?? 0) + amount > max),
    /** Takes `amount`; returns how to give it back, which may be called twice. */
    take(ip: string, amount = 1): () => void {
      const keys = keysOf(ip)
      for (const { network } of keys) held.set(network, (held.get(network) ?? 0) + amount)
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        for (const { network } of keys) {
          const left = held.get(network)! - amount
          if (left > 0) held.set(network, left)
          else held.delete(network)
        }
      }
    },
  }
}
