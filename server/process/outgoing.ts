import type { Agent, Dispatcher, ProxyAgent } from 'undici'
import type { Config } from '#server/config.ts'

type Options = Agent.Options & Pick<ProxyAgent.Options, 'clientFactory'>

/**
 * Opens the HTTP client for calls of other servers, through the proxies of the configuration if it has any. `connect` is about direct
 * connections, and `clientFactory` about the one to a proxy.
 */
export async function openOutgoing(proxy: Config['proxy'], options: Options = {}): Promise<Dispatcher> {
  // Loaded with the first call: undici is a tenth of the server’s source text.
  const { Agent, EnvHttpProxyAgent } = await import('undici')
  if (!proxy) return new Agent(options)
  // Empty texts, because it would read the environment instead of what is undefined.
  return new EnvHttpProxyAgent({
    ...options,
    httpProxy: proxy.http ?? '',
    httpsProxy: proxy.https,
    noProxy: proxy.except,
  })
}

/** Returns the variables that name the proxies to Node’s own HTTP client, which the SDK of S3 uses. */
export function proxyVariables(proxy: NonNullable<Config['proxy']>): Record<string, string> {
  return { ...(proxy.http && { HTTP_PROXY: proxy.http }), HTTPS_PROXY: proxy.https, NO_PROXY: proxy.except }
}
