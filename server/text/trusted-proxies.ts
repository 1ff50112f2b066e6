import { isIP } from 'node:net'
import { compile } from '@fastify/proxy-addr'

/** Of the machine and of private networks. */
export const privateAddresses = 'loopback, linklocal, uniquelocal'

/** By IP version, as in the private networks 10.0.0.0/8 and fc00::/7. */
const prefixMin = { 4: 8, 6: 7 }
/** Of IPv4-mapped IPv6 addresses (RFC 4291, 2.5.5.2). */
const mappedBits = 96

/** As Fastify’s `trustProxy`: addresses, networks such as 10.0.0.0/8, or `loopback`. */
export function areProxies(text: string): boolean {
  try {
    compile(listOf(text))
    // Fastify accepts further notations: 10.0.0.0/255.0.0.0, 10.1 for 10.0.0.1, and 1 for 0.0.0.1, which is a number of proxies in other
    // programs.
    return listOf(text).every((part) => {
      const [address = '', bits = '0'] = part.split('/')
      return listOf(privateAddresses).includes(part) || (isIP(address) !== 0 && /^\d+$/.test(bits))
    })
  } catch {
    return false
  }
}

/** Whether a client could forge its address because it is inside one of the networks. */
export function hasLargeNetwork(text: string): boolean {
  return listOf(text).some(isLarge)
}

function isLarge(text: string): boolean {
  const [address = '', bits] = text.split('/')
  const version = isIP(address)
  if (bits === undefined || (version !== 4 && version !== 6)) return false
  const isMapped = version === 6 && URL.parse(`http://[${address}]`)?.hostname.startsWith('[::ffff:')
  return Number(bits) < (isMapped ? mappedBits + prefixMin[4] : prefixMin[version])
}

function listOf(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}
