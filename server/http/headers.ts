import helmet from '@fastify/helmet'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Web } from './web.ts'

type Policy = Record<string, string[]>

/** What may be loaded: files of ours. Pages add what stands in them, by its hash (see web.ts). */
const policy: Policy = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  scriptSrcAttr: ["'none'"],
  styleSrc: ["'self'"],
  // For `style` in pages that the server renders: it can dress its own element, and load what `imgSrc` allows.
  styleSrcAttr: ["'unsafe-inline'"],
  imgSrc: [
    "'self'",
    // A picture that was chosen and is not uploaded yet.
    'blob:',
    'https://image.tmdb.org',
    'https://covers.openlibrary.org',
    'https://*.archive.org',
    'https://images.igdb.com',
  ],
  connectSrc: ["'self'"],
  fontSrc: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'self'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
}

/** What a page may ask the reader's machine for: nothing. */
const permissions = [
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

/**
 * The headers that every answer carries to be safe in a browser. Answers the content security policy of the page at
 * `/docs`.
 */
export async function registerHeaders(
  app: FastifyInstance,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { isDev }: Pick<Web, 'isDev'>,
): Promise<{ docsPolicy: string }> {
  const isHttps = publicUrl.startsWith('https:')
  const own = isDev ? { ...policy, connectSrc: ["'self'", 'ws:'] } : policy
  const fixed = { ...(await helmetsWords(own, isHttps)), 'permissions-policy': permissions }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(fixed)
    // What somebody may see who is logged in stays on no disk.
    if (request.headers.authorization) reply.header('cache-control', 'no-store')
    done()
  })
  // Its stylesheet has its arrows inside.
  const docs = await helmetsWords({ ...own, imgSrc: ["'self'", 'data:'] }, isHttps)
  return { docsPolicy: docs['content-security-policy']! }
}

/**
 * What helmet says, asked once: it would put the same words together for each answer, and take as long for it as a small
 * call does for all else (scripts/bench/transports.ts).
 */
async function helmetsWords(directives: Policy, isHttps: boolean): Promise<Record<string, string>> {
  const sample = Fastify()
  await sample.register(helmet, {
    // Helmet's own would let any https site send styles and fonts, and any inline style stand.
    contentSecurityPolicy: { useDefaults: false, directives },
    strictTransportSecurity: isHttps,
    // A link in a mail carries a token: no address of ours goes out, not even to ourselves.
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    xFrameOptions: { action: 'deny' },
    // For browsers that are gone.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
  sample.get('/', (_request, reply) => reply.status(204).send())
  const { headers } = await sample.inject('/')
  await sample.close()
  const { date: _date, connection: _connection, ...words } = headers
  return Object.fromEntries(Object.entries(words).map(([name, value]) => [name, String(value)]))
}
