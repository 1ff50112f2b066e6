import { Readable } from 'node:stream'
import helmet from '@fastify/helmet'
import Fastify, { type FastifyInstance } from 'fastify'
import { sources } from '#shared/domain/kinds.ts'
import type { Config } from '#server/config.ts'
import type { Web } from '#server/http/pages/web.ts'
import { includesTag } from '#server/calls/etag.ts'

type Policy = Record<string, string[]>

/** Pages add the hashes of their inline scripts and styles (see pages.ts). */
const policy: Policy = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  scriptSrcAttr: ["'none'"],
  styleSrc: ["'self'"],
  // `style` attributes of rendered pages load only what `imgSrc` allows.
  styleSrcAttr: ["'unsafe-inline'"],
  imgSrc: [
    "'self'",
    // Previews of pictures that are not uploaded yet.
    'blob:',
    ...Object.values(sources).flatMap(({ pictures }) => pictures),
  ],
  connectSrc: ["'self'"],
  fontSrc: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'self'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
}

/** Pages use no device and no sensor. */
const permissionsPolicy = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

export const uncached = 'no-store'

export async function registerHeaders(
  app: FastifyInstance,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { isDev }: Pick<Web, 'isDev'>,
): Promise<string> {
  const isHttps = publicUrl.startsWith('https:')
  const directives = isDev ? { ...policy, connectSrc: ["'self'", 'ws:'] } : policy
  const headers: Record<string, string> = {
    ...(await helmetHeaders(directives, isHttps)),
    'permissions-policy': permissionsPolicy,
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    // Responses to members must not be stored on a shared computer’s disk.
    if (request.headers.authorization) reply.header('cache-control', 'no-store')
    done()
  })
  // Caches may store errors otherwise (RFC 9111, 4.2.2).
  app.addHook('onSend', ({ headers: { 'if-none-match': known } }, reply, payload, done) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', uncached)
    // The package that sends files knows the tag only as it was sent, not as proxies change it.
    const isFile = payload instanceof Readable && reply.statusCode === 200
    if (!isFile || !includesTag(known, reply.getHeader('etag') as string | undefined)) return done()
    payload.destroy()
    reply.status(304).removeHeader('content-length')
    done(null, null)
  })
  return headers['content-security-policy']!
}

/** Computed once: as a plugin, helmet takes as long as all other work of a small call (scripts/bench/http.ts). */
async function helmetHeaders(directives: Policy, isHttps: boolean): Promise<Record<string, string>> {
  const sample = Fastify()
  await sample.register(helmet, {
    // Helmet’s defaults would allow styles and fonts from any https origin, and any inline style.
    contentSecurityPolicy: { useDefaults: false, directives },
    // Operators can include subdomains in their proxy.
    strictTransportSecurity: isHttps && { includeSubDomains: false },
    // Links in emails contain a token, so no request sends the URL of a page.
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    xFrameOptions: { action: 'deny' },
    // Only for obsolete browsers.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
  sample.get('/', (_request, reply) => reply.status(204).send())
  const { headers } = await sample.inject('/')
  await sample.close()
  const { date: _date, connection: _connection, ...fixed } = headers
  return Object.fromEntries(Object.entries(fixed).map(([name, value]) => [name, String(value)]))
}
