import { join, resolve } from 'node:path'
import { z } from 'zod'
import { intendedName } from '#server/text/environment-names.ts'
import { type Issuer, issuerNames, issuerVariables, readIssuers } from '#server/text/issuers.ts'
import { isLocal, serviceUrlFault } from '#server/text/service-url.ts'
import { areProxies, hasLargeNetwork, privateAddresses } from '#server/text/trusted-proxies.ts'

const optional = z.string().trim().optional()
const serviceUrl = (rules: Parameters<typeof serviceUrlFault>[1], { mayBeOff = false } = {}) =>
  z
    .string()
    .trim()
    .superRefine((text, context) => {
      if (mayBeOff && text === 'off') return
      const message = serviceUrlFault(text, rules)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    })
const httpUrls = { schemes: ['http', 'https'], example: 'https://host.example.org' }
const httpUrl = serviceUrl(httpUrls)
const urlOrOff = serviceUrl(httpUrls, { mayBeOff: true })
const postgresUrl = serviceUrl({
  schemes: ['postgres', 'postgresql'],
  example: 'postgres://user:password@host/medley',
  mayLackHost: true,
})
const smtpUrl = serviceUrl({
  schemes: ['smtp', 'smtps'],
  example: 'smtp://user:password@smtp.example.org:587',
  hasNoPath: true,
  options: {
    ignoreTLS: /^(true|false)$/,
    requireTLS: /^(true|false)$/,
    'tls.rejectUnauthorized': /^(true|false)$/,
    'tls.servername': /./,
    'tls.minVersion': /^TLSv1(\.[1-3])?$/,
    name: /./,
    authMethod: /^[\w-]+$/,
    localAddress: /./,
  },
})
/** Programs write these variables in capital or in small letters, and a proxy without a scheme. */
const proxyUrl = z
  .string()
  .trim()
  .transform((text) => (text.includes('://') ? text : `http://${text}`))
  .pipe(serviceUrl({ schemes: ['http', 'https'], example: 'http://proxy.example.org:3128', hasNoPath: true }))
const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'] as const
const wholeNumber = (min: number, max: number, error: string) =>
  z.coerce.number<string>({ error }).int(error).min(min, error).max(max, error)
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const flag = z.enum(['on', 'off'], { error: 'must be on or off' })

/** No path, query, fragment or credentials. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && url.href === `${url.origin}/`
}

const port = wholeNumber(0, 65_535, 'must be a port number from 0 to 65535')

/** `npm run settings` writes the variables and their descriptions, which are Markdown, into docs/running.md and .env.example. */
export const environment = z.object({
  PORT: port.default(3000).describe('The port to listen on; 0 picks a free one'),
  WORKERS: wholeNumber(1, 64, 'must be a whole number from 1 to 64')
    .default(1)
    .describe('Processes that serve the port, at most one per core; more than one needs `DATABASE_URL`'),
  HOST: z.string().trim().min(1).default('127.0.0.1').describe('The address to listen on'),
  DATA_DIR: z
    .string()
    .trim()
    .min(1)
    .default('./data')
    .describe(
      'The SQLite database, uploaded pictures, smaller widths of the starter’s pictures (`starter/`, a cache that can be deleted), and without `SMTP_URL` the emails',
    ),
  DISK_RESERVE_MB: wholeNumber(0, 1_000_000, 'must be a whole number of megabytes from 0 to 1000000')
    .default(512)
    .describe(
      'While less disk space is free, uploads and imports are refused, and imports in progress pause; everything else keeps working. With `DATABASE_URL`, it concerns uploads only',
    ),
  CACHE_MB: wholeNumber(0, 65_536, 'must be a whole number of megabytes from 0 to 65536')
    .default(32)
    .describe(
      'Memory for responses to visitors and rendered pages, in megabytes per process; 0 disables the cache',
    ),
  DATABASE_URL: postgresUrl
    .optional()
    .describe('`postgres://user:password@host/medley`; without it, SQLite in `DATA_DIR`'),
  DATABASE_REPLICA_URL: postgresUrl.optional().describe('A streaming replica of that database, for reads'),
  S3_BUCKET: optional.describe(
    'Store uploads in this bucket, below `uploads/`, instead of `DATA_DIR`; any S3-compatible server works',
  ),
  S3_ENDPOINT: httpUrl.optional().describe('The URL of the S3 server, unless it is Amazon’s'),
  S3_REGION: z.string().trim().default('us-east-1').describe('The region of the bucket'),
  S3_ACCESS_KEY_ID: optional.describe(
    'Credentials with permission to get, put, delete and list; without them, Amazon’s SDK uses its default credential chain',
  ),
  S3_SECRET_ACCESS_KEY: optional.describe('The secret of that key'),
  PUBLIC_URL: httpUrl
    .refine(
      isOrigin,
      'must end after the host or port: Medley is served at the root of its host, such as https://medley.example.org',
    )
    .optional()
    .describe(
      'The base URL of links in emails and of the API document: scheme, host and port, no path; without it, `http://` with `HOST` and `PORT`, the address that the start prints',
    ),
  SMTP_URL: smtpUrl
    .optional()
    .describe(
      '`smtp://user:password@host:587` or `smtps://…`, with [options](#the-mail-server); without it, emails are logged and [stored in `DATA_DIR/outbox`](#emails-without-a-mail-server)',
    ),
  MAIL_FROM: z
    .string()
    .trim()
    .regex(
      /^([^<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
      'must be a sender such as Medley <medley@example.org>',
    )
    .default('Medley <medley@localhost>')
    .describe('The sender; also the contact in the user agent sent to external sources'),
  TMDB_TOKEN: optional.describe(
    'A TMDB “API Read Access Token”; without it, the starter catalogue is searched',
  ),
  TMDB_API_URL: httpUrl.default('https://api.themoviedb.org/3').describe('The URL of TMDB’s API'),
  OPEN_LIBRARY_URL: httpUrl
    .default('https://openlibrary.org')
    .describe('Needs no key; if it is unreachable, the starter catalogue is searched'),
  TVMAZE_URL: urlOrOff
    .default('https://api.tvmaze.com')
    .describe(
      'Needs no key; the source of episodes without `TMDB_TOKEN`, and of shows whose episodes TMDB lacks; `off`: it is not asked',
    ),
  IGDB_CLIENT_ID: optional.describe(
    'The client id of a Twitch application; without it, the starter catalogue is searched',
  ),
  IGDB_CLIENT_SECRET: optional.describe('The secret of that application'),
  IGDB_API_URL: httpUrl.default('https://api.igdb.com/v4').describe('The URL of IGDB’s API'),
  IGDB_AUTH_URL: httpUrl
    .default('https://id.twitch.tv/oauth2/token')
    .describe('The URL that issues IGDB’s access tokens'),
  HTTP_PROXY: proxyUrl
    .optional()
    .describe(
      'The proxy for calls of other servers, such as `http://user:password@proxy:3128`; see [Behind an outgoing proxy](#behind-an-outgoing-proxy)',
    ),
  HTTPS_PROXY: proxyUrl.optional().describe('The proxy for calls with https; without it, `HTTP_PROXY`'),
  NO_PROXY: optional.describe(
    'Hosts that are called directly: a list of names, each with its subdomains, or `*` (`localhost, .example.org, s3:9000`)',
  ),
  WEBHOOK_PRIVATE_ADDRESSES: flag
    .default('off')
    .describe(
      '`on` allows webhooks with http, any port, and addresses of this machine and private networks. Every member can then make the server send requests there',
    ),
  ...issuerVariables,
  DEMO: flag
    .optional()
    .describe(
      '`on` or `off`: the demo community with its public login. Without it: on if `HOST` is loopback, unless `NODE_ENV` is `production`, `PUBLIC_URL` is https or `TRUST_PROXY` is set. Only there can the admin of the community log in too. `off` removes the community with everything that it has written',
    ),
  RATE_LIMITS: flag.default('on').describe('`off` for load tests'),
  LOG_LEVEL: z
    .enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` })
    .default('info')
    .describe('`fatal` to `trace`, or `silent`'),
  LOG_CLIENTS: flag
    .default('on')
    .describe(
      '`on` logs the address and the member’s id of each request; see [Logs](#operations) for how long they are kept',
    ),
  METRICS_PORT: port.optional().describe('Serves Prometheus metrics at `/metrics` on this port'),
  METRICS_HOST: z
    .string()
    .trim()
    .min(1)
    .default('127.0.0.1')
    .describe('The address to serve metrics on. There is no authentication: do not expose it'),
  TRUST_PROXY: z
    .string()
    .trim()
    .default('off')
    .refine(
      (text) => text === 'on' || text === 'off' || areProxies(text),
      'must be on, off, or a comma-separated list of IP addresses and networks such as 10.0.0.0/8',
    )
    .refine(
      (text) => !hasLargeNetwork(text),
      'trusts too large a network; list only your proxies, in networks no larger than /8 (IPv4) or /7 (IPv6)',
    )
    .describe(
      'Which proxies may set `X-Forwarded-For`: `on` for loopback and private networks, or a list (`10.0.0.7, fd00::/8`)',
    ),
  NODE_ENV: z
    .enum(['production', 'development', 'test'], { error: 'must be production, development or test' })
    .optional()
    .describe('`production`, `development` or `test`; `production` wherever others can reach it'),
})

export type Config = {
  readonly port: number
  /** They share the port. More than one requires `databaseUrl`. */
  readonly workers: number
  readonly host: string
  /** Absolute. */
  readonly dataDir: string
  /** Less free space refuses uploads; 0 disables the check. */
  readonly diskReserveBytes: number
  /** See http/doors/response-cache.ts; 0 disables the cache. */
  readonly cacheBytes: number
  /** Undefined: SQLite in `dataDir`. */
  readonly databaseUrl: string | undefined
  readonly replicaUrl: string | undefined
  /** Undefined: uploads are stored in `dataDir`. */
  readonly s3:
    | {
        readonly bucket: string
        /** Undefined: Amazon's. */
        readonly endpoint: string | undefined
        readonly region: string
        /** Undefined: the default credential provider chain of the AWS SDK. */
        readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
      }
    | undefined
  /** Without a trailing slash. */
  readonly publicUrl: string
  /** Undefined: emails are written to files and logged. */
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
  readonly tmdb: { readonly token: string | undefined; readonly apiUrl: string }
  readonly openLibrary: { readonly url: string }
  /** Without a URL, it is not asked. */
  readonly tvmaze: { readonly url: string | undefined }
  readonly igdb: {
    readonly clientId: string | undefined
    readonly clientSecret: string | undefined
    readonly apiUrl: string
    readonly authUrl: string
  }
  /** Also the hosts that are called without a proxy; undefined: none. */
  readonly proxy:
    | { readonly http: string | undefined; readonly https: string; readonly except: string }
    | undefined
  /** OpenID Connect. */
  readonly issuers: readonly Issuer[]
  /** Nobody logs in or registers with a password. */
  readonly oidcOnly: boolean
  /** Http, any port, and addresses of this machine and of private networks. */
  readonly webhooksToPrivate: boolean
  readonly hasDemo: boolean
  /** Its password is public: never where others reach the site. */
  readonly hasDemoHost: boolean
  readonly hasRateLimits: boolean
  readonly metrics: { readonly port: number; readonly host: string } | undefined
  readonly logLevel: string
  readonly logsClients: boolean
  /** Never true: Fastify would then use the first address of `X-Forwarded-For`, which the client can forge. */
  readonly trustProxy: false | string
  /** `NODE_ENV` is production, `PUBLIC_URL` is https, or `TRUST_PROXY` is set. */
  readonly isProduction: boolean
}

/** For PORT=0. */
export function withListeningPort(config: Config, port: number): Config {
  const isDerived = config.publicUrl === originOf(config)
  return Object.freeze({ ...config, port, ...(isDerived && { publicUrl: originOf({ ...config, port }) }) })
}

/** `127.0.0.1:3000`, `localhost:3000`. */
export function otherNameOf(publicUrl: string, host: string): boolean {
  const own = new URL(publicUrl)
  const other = URL.parse(`${own.protocol}//${host}`)
  if (other === null || other.host === own.host || other.port !== own.port) return false
  return isLocal(own.hostname) && isLocal(other.hostname)
}

export function originOf({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  const text = `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
  return URL.parse(text)?.origin ?? text
}

export class ConfigError extends Error {}

/** No other code reads the environment. Throws ConfigError, whose message names the variable. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  for (const name of proxyNames) {
    const value = given[name.toLowerCase()] ?? given[name]
    if (value !== undefined) given[name] = value
  }
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues
        .map((issue) => `${issue.path.join('.')}: ${issue.message} (see docs/running.md)`)
        .join('\n'),
    )
  }
  const e = parsed.data
  if (Boolean(e.IGDB_CLIENT_ID) !== Boolean(e.IGDB_CLIENT_SECRET)) {
    throw new ConfigError('IGDB_CLIENT_ID and IGDB_CLIENT_SECRET: only one is set. Set both or neither.')
  }
  if (e.WORKERS > 1 && !e.DATABASE_URL) {
    throw new ConfigError('WORKERS: SQLite supports a single process. Set DATABASE_URL, or WORKERS=1.')
  }
  if (e.DATABASE_REPLICA_URL && !e.DATABASE_URL) {
    throw new ConfigError('DATABASE_REPLICA_URL: requires DATABASE_URL. Set both, or only DATABASE_URL.')
  }
  if (Boolean(e.S3_ACCESS_KEY_ID) !== Boolean(e.S3_SECRET_ACCESS_KEY)) {
    throw new ConfigError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: only one is set. Set both or neither.')
  }
  if (
    !e.S3_BUCKET &&
    Object.keys(given).some((name) => name.startsWith('S3_') && name in environment.shape)
  ) {
    throw new ConfigError(
      'S3_BUCKET: missing, but other S3 variables are set. Set S3_BUCKET, or unset the others.',
    )
  }
  if (e.METRICS_PORT === e.PORT && e.PORT !== 0) {
    throw new ConfigError('METRICS_PORT: must not be the same port as PORT. Choose another port.')
  }
  const { issuers, fault } = readIssuers(given)
  if (fault) throw new ConfigError(`${fault} (see docs/running.md)`)
  const isProduction =
    e.NODE_ENV === 'production' ||
    e.PUBLIC_URL?.toLowerCase().startsWith('https:') === true ||
    e.TRUST_PROXY !== 'off'
  const isPrivate = isLocal(e.HOST) && !isProduction
  const httpsProxy = e.HTTPS_PROXY ?? e.HTTP_PROXY
  return Object.freeze({
    port: e.PORT,
    workers: e.WORKERS,
    host: e.HOST,
    dataDir: resolve(e.DATA_DIR),
    diskReserveBytes: e.DISK_RESERVE_MB * 1_000_000,
    cacheBytes: e.CACHE_MB * 1024 * 1024,
    databaseUrl: e.DATABASE_URL,
    replicaUrl: e.DATABASE_REPLICA_URL,
    s3: e.S3_BUCKET
      ? {
          bucket: e.S3_BUCKET,
          endpoint: e.S3_ENDPOINT,
          region: e.S3_REGION,
          credentials:
            e.S3_ACCESS_KEY_ID && e.S3_SECRET_ACCESS_KEY
              ? { accessKeyId: e.S3_ACCESS_KEY_ID, secretAccessKey: e.S3_SECRET_ACCESS_KEY }
              : undefined,
        }
      : undefined,
    publicUrl: e.PUBLIC_URL ? new URL(e.PUBLIC_URL).origin : originOf({ host: e.HOST, port: e.PORT }),
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM,
    tmdb: { token: e.TMDB_TOKEN, apiUrl: e.TMDB_API_URL },
    openLibrary: { url: e.OPEN_LIBRARY_URL },
    tvmaze: { url: e.TVMAZE_URL === 'off' ? undefined : e.TVMAZE_URL },
    igdb: {
      clientId: e.IGDB_CLIENT_ID,
      clientSecret: e.IGDB_CLIENT_SECRET,
      apiUrl: e.IGDB_API_URL,
      authUrl: e.IGDB_AUTH_URL,
    },
    proxy: httpsProxy ? { http: e.HTTP_PROXY, https: httpsProxy, except: e.NO_PROXY ?? '' } : undefined,
    issuers,
    oidcOnly: e.OIDC_ONLY === 'on',
    webhooksToPrivate: e.WEBHOOK_PRIVATE_ADDRESSES === 'on',
    hasDemo: e.DEMO ? e.DEMO === 'on' : isPrivate,
    hasDemoHost: e.DEMO !== 'off' && isPrivate,
    hasRateLimits: e.RATE_LIMITS === 'on',
    metrics: e.METRICS_PORT === undefined ? undefined : { port: e.METRICS_PORT, host: e.METRICS_HOST },
    logLevel: e.LOG_LEVEL,
    logsClients: e.LOG_CLIENTS === 'on',
    trustProxy: e.TRUST_PROXY === 'on' ? privateAddresses : e.TRUST_PROXY === 'off' ? false : e.TRUST_PROXY,
    isProduction,
  })
}

/** A sentence for each unknown variable that was probably meant for Medley. */
export function unknownVariables(env: NodeJS.ProcessEnv = process.env): string[] {
  const names = [...Object.keys(environment.shape).filter((name) => !name.includes('<')), ...issuerNames(env)]
  return Object.entries(env)
    .filter(([name]) => !names.includes(name))
    .flatMap(([name, value = '']) => {
      const intended = intendedName(name, value, names)
      return intended ? [`${name} is not a variable of Medley. Did you mean ${intended}?`] : []
    })
}

/** A sentence for the log for each missing variable, with the effect. */
export function missingInProduction(
  config: Pick<Config, 'isProduction' | 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'dataDir'>,
): string[] {
  if (!config.isProduction) return []
  const outbox = join(config.dataDir, 'outbox')
  return [
    !config.smtpUrl &&
      `SMTP_URL is not set: emails are written to ${outbox} instead of being sent. New members cannot verify their email, and so cannot log in, unless you send them the link in the file.`,
    isLocal(/@([^\s>]+)>?$/.exec(config.mailFrom)?.[1] ?? '') &&
      `MAIL_FROM is ${config.mailFrom}: mail servers refuse emails from that sender.`,
    isLocal(new URL(config.publicUrl).hostname) &&
      `PUBLIC_URL is ${config.publicUrl}: links in emails, feeds and the API document work on this machine only.`,
  ].filter((text) => text !== false)
}

export function adviceOn(config: Config): string[] {
  const isPublic = config.isProduction || !isLocal(config.host)
  const advice = isPublic && [
    !config.isProduction &&
      `HOST is ${config.host}, but NODE_ENV is not production: the log shows emails with their links. Set NODE_ENV=production.`,
    config.hasDemo && 'DEMO is on: everybody can log in as the demo member. Set DEMO=off.',
    !config.hasRateLimits && 'RATE_LIMITS is off: passwords can be guessed without a limit. Unset it.',
    config.webhooksToPrivate &&
      'WEBHOOK_PRIVATE_ADDRESSES is on: members can make the server send requests to this machine and its network. Unset it.',
    config.publicUrl.startsWith('http:') &&
      !isLocal(new URL(config.publicUrl).hostname) &&
      'PUBLIC_URL is http: passwords are sent in plain text. Put a proxy with TLS in front, and set an https URL.',
    ...missingInProduction(config),
  ]
  return advice ? advice.filter((text) => text !== false) : []
}
