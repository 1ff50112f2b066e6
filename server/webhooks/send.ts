import { lookup as lookupAddress, type LookupAddress, promises as dns } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import type { Agent, Dispatcher, Pool } from 'undici'
import type { Config } from '#server/config.ts'
import { openOutgoing } from '#server/process/outgoing.ts'
import { isPublicAddress } from './addresses.ts'
import { type DeliveryError, isAllowedUrl } from './rules.ts'

type Outcome = { status: number | null; error: DeliveryError | null }
export type Send = (url: string, headers: Record<string, string>, body: string) => Promise<Outcome>

const connectTimeoutMs = 10_000
/** From the first byte sent to the end of the response. */
const totalTimeoutMs = 15_000
/** The body is not used, but reading it lets the connection be reused. */
const responseBytesMax = 4_096

const refusedCode = 'ADDRESS_REFUSED'
const dnsTimeout = { timeout: 2_000, tries: 2 }

/**
 * For URLs that members choose. Unless `toPrivate`, connects only to public addresses, which are checked when they are resolved for the
 * connection, so that a name cannot resolve to another address after a check. Through a proxy, which would resolve a name itself, the
 * tunnel leads to the checked address; the certificate is still checked against the name. Redirects are not followed. Names are resolved by
 * c-ares: the system’s resolver would occupy a thread of the pool until the member’s name server responds.
 */
export function openSender({
  toPrivate,
  proxy,
  timeoutMs = totalTimeoutMs,
  resolver = new dns.Resolver(dnsTimeout),
}: {
  toPrivate: boolean
  proxy?: Config['proxy']
  timeoutMs?: number
  resolver?: Pick<dns.Resolver, 'resolve4' | 'resolve6'>
}): { send: Send; close: () => Promise<void> } {
  const findPublic = callbackify((hostname: string) => resolvePublic(resolver, hostname))
  const lookupPublic: LookupFunction = (hostname, options, callback) =>
    findPublic(hostname, (error, addresses) => {
      if (error) return callback(error, '', 0)
      if (options.all) callback(null, addresses)
      else callback(null, addresses[0]!.address, addresses[0]!.family)
    })
  let agent: Promise<Dispatcher> | undefined
  const options: Agent.Options = {
    connect: { lookup: toPrivate ? lookupAddress : lookupPublic, timeout: connectTimeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: 4_000,
    maxHeaderSize: 16 * 1024,
    // In HTTP/2 an attempt would not end with its connection.
    allowH2: false,
  }
  return {
    async send(url, headers, body) {
      try {
        const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
        // An address in the URL is not looked up.
        const isRefused = !isAllowedUrl(url) || (isIP(host) !== 0 && !isPublicAddress(host))
        if (!toPrivate && isRefused) throw refused()
        const undici = await import('undici')
        agent ??= openOutgoing(proxy, {
          ...options,
          ...(!toPrivate && {
            clientFactory: (origin, settings) =>
              new (tunnelOnly(undici.Pool, resolver))(origin, { ...settings, headersTimeout: timeoutMs }),
          }),
        })
        const response = await undici.request(url, {
          method: 'POST',
          dispatcher: await agent,
          headers,
          body,
          signal: AbortSignal.timeout(timeoutMs),
        })
        const { statusCode: status } = response
        // Only the status matters, even if the rest never arrives. The attempt waits for the rest, so that slow receivers do not accumulate
        // open connections.
        await response.body.dump({ limit: responseBytesMax }).catch(() => {})
        return { status, error: status >= 200 && status < 300 ? null : 'status' }
      } catch (error) {
        return { status: null, error: toDeliveryError(error) }
      }
    },
    close: async () => (await agent)?.destroy(),
  }
}

/** Tunnels lead to a public address of the host that is asked for. */
function tunnelOnly(base: typeof Pool, resolver: Pick<dns.Resolver, 'resolve4' | 'resolve6'>) {
  return class extends base {
    override connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>
    override connect(options: Dispatcher.ConnectOptions, callback: ConnectCallback): void
    override connect(
      options: Dispatcher.ConnectOptions,
      callback?: ConnectCallback,
    ): Promise<Dispatcher.ConnectData> | void {
      const tunnel = async () => {
        const { hostname, port } = new URL(`https://${options.path}`)
        const host = hostname.replace(/^\[|\]$/g, '')
        const [found] = isIP(host) ? [{ address: host }] : await resolvePublic(resolver, host)
        if (!isPublicAddress(found!.address)) throw refused()
        const address = isIP(found!.address) === 6 ? `[${found!.address}]` : found!.address
        const path = `${address}:${port || 443}`
        // Some proxies go by the header.
        return super.connect({ ...options, path, headers: { ...(options.headers as object), host: path } })
      }
      if (!callback) return tunnel()
      callbackify(tunnel)(callback)
    }
  }
}
type ConnectCallback = (error: Error | null, data: Dispatcher.ConnectData) => void

/** At least one. Throws if the name has none. */
export async function resolvePublic(
  resolver: Pick<dns.Resolver, 'resolve4' | 'resolve6'>,
  hostname: string,
): Promise<LookupAddress[]> {
  // Always this machine (RFC 6761), and no name server is asked.
  if (/(^|\.)localhost\.?$/i.test(hostname)) throw refused()
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ]
  if (found.length === 0 && four.status === 'rejected') throw four.reason as Error
  const allowed = found.filter(({ address }) => isPublicAddress(address))
  if (allowed.length === 0) throw refused()
  return allowed
}

function refused(): NodeJS.ErrnoException {
  return Object.assign(new Error('The address is not public.'), { code: refusedCode })
}

/** Messages of Node may contain addresses of the server’s network. */
function toDeliveryError(error: unknown): DeliveryError {
  const { code, name } = error as { code?: string; name?: string }
  if (code === refusedCode) return 'notPublic'
  if (/^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|EBADNAME|EAI_\w+)$/.test(String(code))) return 'hostNotFound'
  if (name === 'TimeoutError' || name === 'AbortError' || /TIMEOUT|ETIMEDOUT/.test(String(code)))
    return 'timeout'
  if (/CERT|SSL|TLS|ALTNAME|SELF_SIGNED/.test(String(code))) return 'certificate'
  return 'connection'
}
