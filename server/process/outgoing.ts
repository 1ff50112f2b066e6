import type { Agent, Dispatcher, ProxyAgent } from 'undici'
import type { Config } from '#server/config.ts'

type Options = Agent.Options & Pick<ProxyAgent.Options, 'clientFactory'>

/** Through the configured proxies. `connect` is about direct connections, `clientFactory` about the one to a proxy. */
export async function openOutgoing(proxy: Config['proxy'], options: Options = {}): Promise<Dispatcher> {
  // undici is a tenth of the server’s source text.
  const { Agent, EnvHttpProxyAgent } = await import('undici')
  if (!proxy) return new Agent(options)
  // Undefined would make it read the environment.
  return new EnvHttpProxyAgent({
    ...options,
    httpProxy: proxy.http ?? '',
    httpsProxy: proxy.https,
    noProxy: proxy.except,
  })
}

/** For Node’s own HTTP client, which the SDK of S3 uses. */
export function proxyVariables(proxy: NonNullable<Config['proxy']>): Record<string, string> {
  return { ...(proxy.http && { HTTP_PROXY: proxy.http }), HTTPS_PROXY: proxy.https, NO_PROXY: proxy.except }
}
