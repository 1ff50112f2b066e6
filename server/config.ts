import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { compile } from '@fastify/proxy-addr'
import { z } from 'zod'

/** A variable that is set to nothing counts as not set. */
const optional = z.string().trim().optional()
const url = (byDefault: string) => z.url({ protocol: /^https?$/ }).default(byDefault)
const flag = z.enum(['on', 'off'], { error: 'must be on or off' })

/** Of this machine and of private networks. */
const privateAddresses = 'loopback, linklocal, uniquelocal'

/** The shortest prefixes that are trusted as proxies: those of the private networks 10.0.0.0/8 and fc00::/7. */
const prefixMin = { 4: 8, 6: 7 }
/** IPv4 addresses inside of IPv6 (RFC 4291, 2.5.5.2) begin with so many bits. */
const mappedBits = 96

/** Whether Fastify can read the addresses of proxies: addresses, networks such as 10.0.0.0/8, names for some of them. */
function areProxies(text: string): boolean {
  try {
    compile(listOf(text))
    // It would take 10.0.0.0/255.0.0.0 as well; one notation is enough to check.
    return listOf(text).every((part) => /^[^/]+(\/\d+)?$/.test(part))
  } catch {
    return false
  }
}

/** Whether a network is too large to be that of proxies: a client in it could choose its own address. */
function isTooLarge(text: string): boolean {
  const [address = '', bits] = text.split('/')
  const version = isIP(address)
  if (bits === undefined || (version !== 4 && version !== 6)) return false
  const isMapped = version === 6 && URL.parse(`http://[${address}]`)?.hostname.startsWith('[::ffff:')
  return Number(bits) < (isMapped ? mappedBits + prefixMin[4] : prefixMin[version])
}

function listOf(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

const port = z.coerce.number<string>({ error: 'must be a port, 0 to 65535' }).int().min(0).max(65535)

export const environment = z.object({
  PORT: port.default(3000),
  WORKERS: z.coerce.number<string>({ error: 'must be a number, 1 to 64' }).int().min(1).max(64).default(1),
  HOST: z.string().trim().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().trim().min(1).default('./data'),
  DISK_RESERVE_MB: z.coerce
    .number<string>({ error: 'must be a number of megabytes' })
    .int()
    .min(0)
    .max(1_000_000)
    .default(512),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must begin with postgres://' }).optional(),
  DATABASE_REPLICA_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must begin with postgres://' })
    .optional(),
  S3_BUCKET: optional,
  S3_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  S3_REGION: z.string().trim().default('us-east-1'),
  S3_ACCESS_KEY_ID: optional,
  S3_SECRET_ACCESS_KEY: optional,
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must begin with smtp:// or smtps://' }).optional(),
  MAIL_FROM: z.string().trim().min(3).default('Medley <medley@localhost>'),
  TMDB_TOKEN: optional,
  TMDB_API_URL: url('https://api.themoviedb.org/3'),
  OPEN_LIBRARY_URL: url('https://openlibrary.org'),
  IGDB_CLIENT_ID: optional,
  IGDB_CLIENT_SECRET: optional,
  IGDB_API_URL: url('https://api.igdb.com/v4'),
  IGDB_AUTH_URL: url('https://id.twitch.tv/oauth2/token'),
  DEMO: flag.optional(),
  RATE_LIMITS: flag.default('on'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().trim().min(1).default('127.0.0.1'),
  TRUST_PROXY: z
    .string()
    .trim()
    .default('off')
    .refine(
      (text) => text === 'on' || text === 'off' || areProxies(text),
      'must be on, off, or addresses with commas between them',
    )
    .refine(
      (text) => !listOf(text).some(isTooLarge),
      'trusts more than the networks of your proxies (/8 of IPv4 and /7 of IPv6 at most)',
    ),
  NODE_ENV: z
    .enum(['production', 'development', 'test'], { error: 'must be production, development or test' })
    .optional(),
})

export type Config = {
  readonly port: number
  /** Processes that serve the port; more than one only with `databaseUrl`. */
  readonly workers: number
  readonly host: string
  /** Absolute. */
  readonly dataDir: string
  /** Free space in `dataDir` below which uploads are refused; 0 switches the check off. */
  readonly diskReserveBytes: number
  /** Undefined: SQLite in `dataDir`. */
  readonly databaseUrl: string | undefined
  /** A Postgres that replicates `databaseUrl`. */
  readonly replicaUrl: string | undefined
  /** Undefined: uploads are kept in `dataDir`. */
  readonly s3:
    | {
        readonly bucket: string
        /** Undefined: Amazon's. */
        readonly endpoint: string | undefined
        readonly region: string
        /** Undefined: what the machine or its role gives to Amazon's client. */
        readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
      }
    | undefined
  /** Without a slash at the end; links in mails begin with it. */
  readonly publicUrl: string
  /** Undefined: mails are logged and kept as files. */
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
  readonly tmdb: { readonly token: string | undefined; readonly apiUrl: string }
  readonly openLibrary: { readonly url: string }
  readonly igdb: {
    readonly clientId: string | undefined
    readonly clientSecret: string | undefined
    readonly apiUrl: string
    readonly authUrl: string
  }
  readonly hasDemo: boolean
  readonly hasRateLimits: boolean
  /** Where the metrics are served; undefined: nowhere. */
  readonly metrics: { readonly port: number; readonly host: string } | undefined
  readonly logLevel: string
  /**
   * Fastify's `trustProxy`: false, or the addresses of proxies that may name the client. Never true: that believes the
   * first address of the header, which the client may have written itself.
   */
  readonly trustProxy: false | string
  /** Others can reach the site: `NODE_ENV` says so, or an https `PUBLIC_URL` or `TRUST_PROXY` does. */
  readonly isProduction: boolean
}

export class ConfigError extends Error {}

/** Reads the configuration; a fault names its variable. The only place that looks at the environment. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues
        .map((issue) => `${issue.path.join('.')}: ${issue.message} (see “Configuration” in README.md)`)
        .join('\n'),
    )
  }
  const e = parsed.data
  if (Boolean(e.IGDB_CLIENT_ID) !== Boolean(e.IGDB_CLIENT_SECRET)) {
    throw new ConfigError('IGDB_CLIENT_ID and IGDB_CLIENT_SECRET: set both or none.')
  }
  if (e.WORKERS > 1 && !e.DATABASE_URL) {
    throw new ConfigError('WORKERS: more than one needs DATABASE_URL, since SQLite is for one process.')
  }
  if (e.DATABASE_REPLICA_URL && !e.DATABASE_URL) {
    throw new ConfigError('DATABASE_REPLICA_URL: replicates nothing without DATABASE_URL.')
  }
  if (Boolean(e.S3_ACCESS_KEY_ID) !== Boolean(e.S3_SECRET_ACCESS_KEY)) {
    throw new ConfigError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: set both or none.')
  }
  if (
    !e.S3_BUCKET &&
    Object.keys(given).some((name) => name.startsWith('S3_') && name in environment.shape)
  ) {
    throw new ConfigError('S3_BUCKET: missing, where other variables of S3 are set.')
  }
  const isLoopback = ['127.0.0.1', 'localhost', '::1'].includes(e.HOST)
  if (e.METRICS_PORT === e.PORT && e.PORT !== 0) {
    throw new ConfigError('METRICS_PORT: must be another port than PORT.')
  }
  const isProduction =
    e.NODE_ENV === 'production' ||
    e.PUBLIC_URL?.toLowerCase().startsWith('https:') === true ||
    e.TRUST_PROXY !== 'off'
  return Object.freeze({
    port: e.PORT,
    workers: e.WORKERS,
    host: e.HOST,
    dataDir: resolve(e.DATA_DIR),
    diskReserveBytes: e.DISK_RESERVE_MB * 1_000_000,
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
    publicUrl: (e.PUBLIC_URL ?? `http://localhost:${e.PORT}`).replace(/\/+$/, ''),
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM,
    tmdb: { token: e.TMDB_TOKEN, apiUrl: e.TMDB_API_URL },
    openLibrary: { url: e.OPEN_LIBRARY_URL },
    igdb: {
      clientId: e.IGDB_CLIENT_ID,
      clientSecret: e.IGDB_CLIENT_SECRET,
      apiUrl: e.IGDB_API_URL,
      authUrl: e.IGDB_AUTH_URL,
    },
    hasDemo: e.DEMO ? e.DEMO === 'on' : isLoopback && !isProduction,
    hasRateLimits: e.RATE_LIMITS === 'on',
    metrics: e.METRICS_PORT === undefined ? undefined : { port: e.METRICS_PORT, host: e.METRICS_HOST },
    logLevel: e.LOG_LEVEL,
    trustProxy: e.TRUST_PROXY === 'on' ? privateAddresses : e.TRUST_PROXY === 'off' ? false : e.TRUST_PROXY,
    isProduction,
  })
}
