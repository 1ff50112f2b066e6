import { lookup as lookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, request } from 'undici'
import { isPublicAddress } from './addresses.ts'

export type Outcome = { status: number | null; error: string | null }
export type Send = (url: string, headers: Record<string, string>, body: string) => Promise<Outcome>

const connectTimeoutMs = 10_000
/** From the first byte sent to the end of the response. */
const totalTimeoutMs = 15_000
/** The maximum number of bytes that are read of a response. It is not used, but read so that the connection can be reused. */
const responseBytesMax = 4_096

const refusedCode = 'ADDRESS_REFUSED'

/**
 * Opens an HTTP client for URLs that members choose. Unless `toPrivate`, it connects only to public addresses and only by
 * https. The addresses are checked when they are resolved for the connection, so that a name cannot resolve to another address
 * after a check. Redirects are not followed.
 */
export function openSender({
  toPrivate,
  timeoutMs = totalTimeoutMs,
}: {
  toPrivate: boolean
  timeoutMs?: number
}): { send: Send; close: () => Promise<void> } {
  const lookup: LookupFunction = (hostname, options, callback) =>
    lookupAddress(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const allowed = addresses.filter(({ address }) => toPrivate || isPublicAddress(address))
      const [first] = allowed
      if (!first) return callback(refused(), '', 0)
      if (options.all) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  const agent = new Agent({
    connect: { lookup, timeout: connectTimeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: 4_000,
    maxHeaderSize: 16 * 1024,
  })
  return {
    async send(url, headers, body) {
      try {
        const { protocol, hostname } = new URL(url)
        const host = hostname.replace(/^\[|\]$/g, '')
        // An address in the URL is not looked up.
        const isRefused = protocol !== 'https:' || (isIP(host) !== 0 && !isPublicAddress(host))
        if (!toPrivate && isRefused) throw refused()
        const response = await request(url, {
          method: 'POST',
          dispatcher: agent,
          headers,
          body,
          signal: AbortSignal.timeout(timeoutMs),
        })
        const { statusCode: status } = response
        // Only the status matters, even if the rest of the response never arrives. The attempt waits for the rest, so that slow receivers
        // do not accumulate open connections.
        await response.body.dump({ limit: responseBytesMax }).catch(() => {})
        return { status, error: status >= 200 && status < 300 ? null : describeStatus(status) }
      } catch (error) {
        return { status: null, error: describeError(error) }
      }
    },
    close: () => agent.destroy(),
  }
}

function refused(): NodeJS.ErrnoException {
  return Object.assign(new Error('The address is not public.'), { code: refusedCode })
}

function describeStatus(status: number): string {
  if (status >= 300 && status < 400) return `The server redirected (${status}), which is not followed.`
  return `The server responded ${status}.`
}

/** Returns a message for the member. Those of Node may contain addresses of the server’s network. */
function describeError(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string }
  if (code === refusedCode) return 'The host has no public address, or the URL is not https.'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The host was not found.'
  if (name === 'TimeoutError' || name === 'AbortError' || /TIMEOUT|ETIMEDOUT/.test(String(code)))
    return 'The server did not respond in time.'
  if (/CERT|SSL|TLS|ALTNAME|SELF_SIGNED/.test(String(code))) return 'The certificate is not valid.'
  return 'The connection failed.'
}
