import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeService } from '#server/text/service-url.ts'
import { describeSettings } from '#scripts/dev/settings.ts'
import {
  ConfigError,
  environment,
  missingInProduction,
  readConfig,
  unknownVariables,
  withListeningPort,
} from './config.ts'

test('an empty environment returns the documented defaults', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    workers: 1,
    host: '127.0.0.1',
    diskReserveBytes: 512_000_000,
    databaseUrl: undefined,
    replicaUrl: undefined,
    s3: undefined,
    publicUrl: 'http://127.0.0.1:3000',
    smtpUrl: undefined,
    hasDemo: true,
    hasRateLimits: true,
    metrics: undefined,
    isProduction: false,
    logLevel: 'info',
    trustProxy: false,
  })
})

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: ' ', DEMO: '' })).toMatchObject({
    port: 3000,
    databaseUrl: undefined,
    hasDemo: true,
  })
})

test.each([
  ['PORT', 'http'],
  ['PORT', '70000'],
  ['WORKERS', '0'],
  ['WORKERS', 'auto'],
  ['WORKERS', '2'],
  ['DISK_RESERVE_MB', '-1'],
  ['DISK_RESERVE_MB', 'lots'],
  ['DATABASE_URL', 'mysql://x'],
  ['DATABASE_REPLICA_URL', 'mysql://x'],
  ['DATABASE_REPLICA_URL', 'postgres://replica/without-a-primary'],
  ['S3_ENDPOINT', 'minio:9000'],
  ['PUBLIC_URL', 'example.org'],
  ['PUBLIC_URL', 'https://example.org/medley'],
  ['PUBLIC_URL', 'https://example.org/?a=1'],
  ['PUBLIC_URL', 'https://example.org/#top'],
  ['PUBLIC_URL', 'https://user:password@example.org'],
  ['SMTP_URL', 'http://x'],
  ['MAIL_FROM', 'nonsense'],
  ['MAIL_FROM', 'Medley <medley>'],
  ['DEMO', 'yes'],
  ['LOG_LEVEL', 'loud'],
  ['METRICS_PORT', 'on'],
  ['METRICS_PORT', '3000'],
  ['NODE_ENV', 'Production'],
  ['NODE_ENV', 'prod'],
  ['TRUST_PROXY', 'yes'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '10.0.0.1, proxy.local'],
  ['TRUST_PROXY', '10.0.0.1,'],
  ['TRUST_PROXY', '10.0.0.0/255.0.0.0'],
  ['TRUST_PROXY', '1'],
  ['TRUST_PROXY', '10.1'],
  ['TRUST_PROXY', '0/1, 128/1'],
  ['TRUST_PROXY', '0x7f.1'],
  ['TRUST_PROXY', '0.0.0.0/0'],
  ['TRUST_PROXY', '::/0'],
  ['TRUST_PROXY', '10.0.0.1, 0.0.0.0/1, 128.0.0.0/1'],
  ['TRUST_PROXY', '::ffff:0:0/96'],
  ['TRUST_PROXY', '0:0:0:0:0:ffff:0:0/96'],
])('the error names the variable: %s=%s', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}: `))
})

test.each([
  ['PORT', '70000', 'must be a port number from 0 to 65535'],
  ['WORKERS', '1.5', 'must be a whole number from 1 to 64'],
  ['DISK_RESERVE_MB', '-1', 'must be a whole number of megabytes from 0 to 1000000'],
  ['LOG_LEVEL', 'loud', 'must be one of fatal, error'],
  ['PUBLIC_URL', 'https://example.org/medley/', 'must end after the host or port'],
])('the error says which values are valid: %s=%s', (name, value, text) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name}: ${text}`)
})

test('PUBLIC_URL is normalized: without a slash at the end, the scheme and host in lower case', () => {
  for (const PUBLIC_URL of [
    'https://medley.example',
    'HTTPS://Medley.Example/',
    'https://medley.example:443',
  ])
    expect(readConfig({ PUBLIC_URL }).publicUrl).toBe('https://medley.example')
  expect(readConfig({ PUBLIC_URL: 'http://localhost:8080/' }).publicUrl).toBe('http://localhost:8080')
})

test('without PUBLIC_URL, links start with the address at which the server listens', () => {
  const origin = (env: Record<string, string>) => readConfig(env).publicUrl
  expect(origin({ HOST: '0.0.0.0', PORT: '8080' })).toBe('http://127.0.0.1:8080')
  expect(origin({ HOST: '::' })).toBe('http://[::1]:3000')
  expect(origin({ HOST: 'medley.internal', PORT: '80' })).toBe('http://medley.internal')
  expect(withListeningPort(readConfig({ PORT: '0' }), 4321)).toMatchObject({
    port: 4321,
    publicUrl: 'http://127.0.0.1:4321',
  })
  const PUBLIC_URL = 'https://medley.example'
  expect(withListeningPort(readConfig({ PORT: '0', PUBLIC_URL }), 4321).publicUrl).toBe(PUBLIC_URL)
})

const notEncoded = /percent-encoded: @ as %40/
test.each([
  ['SMTP_URL', 'smtp://me@dom.example:p@ss:w#%/d@127.0.0.1:3212', notEncoded],
  ['SMTP_URL', 'smtp://user:12#ss@127.0.0.1:3212', notEncoded],
  ['SMTP_URL', 'smtp://user:pa/ss@127.0.0.1', notEncoded],
  ['SMTP_URL', 'smtp://user:25?ss@127.0.0.1', notEncoded],
  ['SMTP_URL', 'smtp://user:p%ss@127.0.0.1', notEncoded],
  ['SMTP_URL', 'smtp://user:pass#ss', notEncoded],
  ['DATABASE_URL', 'postgres://medley:p#ss@db/medley', notEncoded],
  ['DATABASE_REPLICA_URL', 'postgres://medley:12/ss@db/medley', notEncoded],
  ['S3_ENDPOINT', 'https://key:9000/ss@minio', notEncoded],
  ['HTTPS_PROXY', 'http://user:12#ss@proxy:3128', notEncoded],
  ['SMTP_URL', 'smtp://', /has no host/],
  ['SMTP_URL', 'smtp://user:pass@', /has no host/],
  ['SMTP_URL', 'smtp://:587', /has no host/],
  ['DATABASE_URL', 'postgres://', /has no host/],
  ['TMDB_API_URL', 'https://', /has no host/],
  ['SMTP_URL', 'smtp://256.1.1.1', /neither a name nor an address/],
  ['SMTP_URL', 'smtp://mail..example', /neither a name nor an address/],
  ['SMTP_URL', 'smtp://user:pass@-mail.example', /neither a name nor an address/],
  ['SMTP_URL', 'smtp://mail.example:0', /port 0/],
  ['SMTP_URL', 'smtp://mail.example:99999', /check the host and the port/],
  ['SMTP_URL', 'smtp://smtps://mail.example', /must end after the host or port/],
  ['SMTP_URL', 'mail.example:587', /starts with smtp:\/\/ or smtps:\/\//],
  ['SMTP_URL', 'smtp://mail.example?debug=true', /does not pass on .*ignoreTLS, requireTLS/],
  ['SMTP_URL', 'smtp://mail.example?ignoreTLS=no', /value that it cannot have: ignoreTLS/],
  ['HTTP_PROXY', 'socks5://proxy:1080', /starts with http:\/\/ or https:\/\//],
])('the refusal of %s=%s says why, without a password', (name, value, why) => {
  const others = { DATABASE_URL: 'postgres://db/medley', S3_BUCKET: 'medley' }
  const read = () => readConfig({ ...others, [name]: value })
  expect(read).toThrow(new RegExp(`^${name}: .*${why.source}`))
  expect(read).not.toThrow(/ss@|p%ss|pass[@#]/)
})

test.each([
  ['smtp://mail.example', 'smtp://mail.example'],
  ['smtps://user:p%40ss%23@mail.example:465', 'smtps://mail.example:465, user user, a password'],
  ['smtp://me@dom.example:pass@mail.example', 'smtp://mail.example, user me@dom.example, a password'],
  ['smtp://token:token@mail.example', 'smtp://mail.example, the same user and password'],
  ['smtp://[::1]:25?ignoreTLS=true&tls.servername=a', 'smtp://[::1]:25, options ignoreTLS, tls.servername'],
])('%s is accepted, and described without its password', (url, described) => {
  expect(describeService(readConfig({ SMTP_URL: url }).smtpUrl!)).toBe(described)
})

test.each([
  'postgres:///medley?host=/var/run/postgresql',
  'postgres://medley:p%23ss@%2Fvar%2Frun/medley',
  'postgresql://medley@db_1:5432/medley?sslmode=require&application_name=a@b',
])('DATABASE_URL may be %s', (url) => expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url))

test('the variables of proxies may be in small letters, and lack a scheme', () => {
  expect(readConfig({ http_proxy: 'proxy:3128', no_proxy: 'a, b' }).proxy).toEqual({
    http: 'http://proxy:3128',
    https: 'http://proxy:3128',
    except: 'a, b',
  })
  expect(readConfig({ NO_PROXY: '*' }).proxy).toBeUndefined()
})

test('in production, a warning names each missing variable of emails and links, and what follows', () => {
  const complete = {
    NODE_ENV: 'production',
    SMTP_URL: 'smtp://mail.example',
    MAIL_FROM: 'Medley <medley@medley.example>',
    PUBLIC_URL: 'https://medley.example',
  }
  const missing = (env: Record<string, string>) => missingInProduction(readConfig(env))
  expect(missing(complete)).toEqual([])
  expect(missing({ ...complete, SMTP_URL: '', DATA_DIR: '/data' })).toEqual([
    expect.stringMatching(/^SMTP_URL .* \/data\/outbox .* cannot log in/),
  ])
  for (const MAIL_FROM of ['', 'root@localhost'])
    expect(missing({ ...complete, MAIL_FROM })).toEqual([
      expect.stringMatching(/^MAIL_FROM is .*localhost.*refuse/),
    ])
  for (const PUBLIC_URL of ['', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
    expect(missing({ ...complete, PUBLIC_URL })).toEqual([
      expect.stringMatching(/^PUBLIC_URL is .*links in emails/),
    ])
  expect(missing({ NODE_ENV: 'production' })).toHaveLength(3)
  expect(missing({})).toEqual([])
})

const provider = {
  OIDC_MY_CLUB_ISSUER: 'https://id.example.org/realms/club',
  OIDC_MY_CLUB_CLIENT_ID: 'medley',
  OIDC_MY_CLUB_CLIENT_SECRET: 'hidden-secret',
}

test('providers are read by their names, and have defaults that create and link nothing by themselves', () => {
  const { issuers, oidcOnly } = readConfig({
    ...provider,
    OIDC_MY_CLUB_GROUPS: 'a b: c:moderator,owners:admin',
  })
  expect([issuers, oidcOnly]).toEqual([
    [
      {
        name: 'my-club',
        url: 'https://id.example.org/realms/club',
        clientId: 'medley',
        clientSecret: 'hidden-secret',
        label: 'My club',
        canSignUp: false,
        linksVerified: false,
        groups: [
          { group: 'a b: c', role: 'moderator' },
          { group: 'owners', role: 'admin' },
        ],
      },
    ],
    false,
  ])
  expect(readConfig({}).issuers).toEqual([])
  expect(unknownVariables({ ...provider, OIDC_MY_CLUB_CLIENTID: 'x' })).toEqual([
    'OIDC_MY_CLUB_CLIENTID is not a variable of Medley. Did you mean OIDC_MY_CLUB_CLIENT_ID?',
  ])
})

test.each<[name: string, value: string, why: RegExp]>([
  ['OIDC_MY_CLUB_ISSUER', '', /missing/],
  ['OIDC_MY_CLUB_ISSUER', 'id.example.org', /must be a URL/],
  ['OIDC_MY_CLUB_ISSUER', 'http://id.example.org', /must be https/],
  ['OIDC_MY_CLUB_ISSUER', 'https://me:hidden-secret@id.example.org', /must have no user/],
  ['OIDC_MY_CLUB_CLIENT_ID', '', /missing/],
  ['OIDC_MY_CLUB_CLIENT_SECRET', '', /missing/],
  ['OIDC_MY_CLUB_LABEL', 'a'.repeat(41), /at most 40/],
  ['OIDC_MY_CLUB_SIGN_UP', 'yes', /must be on or off/],
  ['OIDC_MY_CLUB_LINK', 'always', /must be ask or verified/],
  ['OIDC_MY_CLUB_GROUPS', 'staff', /must be a list/],
  ['OIDC_MY_CLUB_GROUPS', 'staff:owner', /must be a list/],
  ['OIDC_LOGIN_ISSUER', 'https://id.example.org', /cannot be the name/],
  ['OIDC_…_ISSUER', '', /two providers/],
  ['OIDC_ONLY', 'yes', /must be on or off/],
])('%s=%s is refused in a line that names it, without the secret', (name, value, why) => {
  const second = name.includes('…') && {
    OIDC_B_ISSUER: provider.OIDC_MY_CLUB_ISSUER,
    OIDC_B_CLIENT_ID: 'b',
    OIDC_B_CLIENT_SECRET: 'b',
  }
  const read = () => readConfig({ ...provider, ...second, [name]: value })
  expect(read).toThrow(new RegExp(`^${name}: [^\n]*${why.source}[^\n]*$`))
  expect(read).not.toThrow(/hidden-secret/)
})

test('OIDC_ONLY needs a provider', () => {
  expect(() => readConfig({ OIDC_ONLY: 'on' })).toThrow(/^OIDC_ONLY: /)
  expect(readConfig({ ...provider, OIDC_ONLY: 'on' }).oidcOnly).toBe(true)
})

test('half of the IGDB credentials is an error', () => {
  expect(() => readConfig({ IGDB_CLIENT_ID: 'x' })).toThrow(/IGDB_CLIENT_SECRET/)
})

test('S3 settings require the bucket’s name, and an access key its secret', () => {
  const key = { S3_ACCESS_KEY_ID: 'x', S3_SECRET_ACCESS_KEY: 'y' }
  expect(() => readConfig(key)).toThrow(/^S3_BUCKET: /)
  expect(() => readConfig({ S3_ENDPOINT: 'http://minio:9000' })).toThrow(/^S3_BUCKET: /)
  expect(() => readConfig({ S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'x' })).toThrow(/S3_SECRET_ACCESS_KEY/)
  expect(readConfig({ S3_BUCKET: 'b' }).s3).toEqual({
    bucket: 'b',
    endpoint: undefined,
    region: 'us-east-1',
    credentials: undefined,
  })
  expect(readConfig({ S3_BUCKET: 'b', ...key }).s3?.credentials).toEqual({
    accessKeyId: 'x',
    secretAccessKey: 'y',
  })
})

test.each([
  { NODE_ENV: 'production' },
  { PUBLIC_URL: 'https://medley.example' },
  { PUBLIC_URL: 'HTTPS://medley.example' },
  { TRUST_PROXY: 'on' },
  { TRUST_PROXY: '10.0.0.7' },
])('%j means production: no demo unless enabled, and no emails in the log', (env) => {
  expect(readConfig(env)).toMatchObject({ hasDemo: false, isProduction: true })
  expect(readConfig({ ...env, DEMO: 'on' })).toMatchObject({ hasDemo: true, hasDemoHost: false })
  expect(readConfig({ ...env, NODE_ENV: 'production' }).isProduction).toBe(true)
})

test.each(['development', 'test'])('NODE_ENV=%s enables the demo', (NODE_ENV) => {
  expect(readConfig({ NODE_ENV })).toMatchObject({ hasDemo: true, isProduction: false })
})

test('the demo is off if other machines can reach the port, unless enabled', () => {
  expect(readConfig({ HOST: '0.0.0.0' }).hasDemo).toBe(false)
  expect(readConfig({ HOST: '0.0.0.0', DEMO: 'on' })).toMatchObject({ hasDemo: true, hasDemoHost: false })
  expect(readConfig({ DEMO: 'off' })).toMatchObject({ hasDemo: false, hasDemoHost: false })
  expect(readConfig({ DEMO: 'on' })).toMatchObject({ hasDemo: true, hasDemoHost: true })
})

test('metrics have a separate port, which listens on 127.0.0.1 unless METRICS_HOST is set', () => {
  expect(readConfig({ METRICS_PORT: '9464' }).metrics).toEqual({ port: 9464, host: '127.0.0.1' })
  expect(readConfig({ METRICS_PORT: '9464', HOST: '0.0.0.0' }).metrics?.host).toBe('127.0.0.1')
  expect(readConfig({ METRICS_PORT: '9464', METRICS_HOST: '10.0.0.2' }).metrics?.host).toBe('10.0.0.2')
})

test('TRUST_PROXY=on trusts proxies on private addresses only', () => {
  expect(readConfig({ TRUST_PROXY: 'on' }).trustProxy).toBe('loopback, linklocal, uniquelocal')
  expect(readConfig({ TRUST_PROXY: 'off' }).trustProxy).toBe(false)
  for (const addresses of ['10.0.0.0/8, loopback', '::1', 'fd00::/8', 'fc00::/7', '::ffff:10.0.0.0/104'])
    expect(readConfig({ TRUST_PROXY: addresses }).trustProxy).toBe(addresses)
})

test('the configuration is frozen', () => {
  expect(Object.isFrozen(readConfig({}))).toBe(true)
})

test('.env.example and docs/running.md describe all variables (`npm run settings` writes them)', () => {
  const { example, page } = describeSettings()
  expect(readFileSync(join(import.meta.dirname, '../.env.example'), 'utf8')).toBe(example)
  expect(readFileSync(join(import.meta.dirname, '../docs/running.md'), 'utf8')).toBe(page)
})

test('every variable has a description', () => {
  const names = Object.entries(environment.shape).filter(([, { description = '' }]) => description.length < 8)
  expect(names).toEqual([])
})

test.each([
  ['SMTPURL', 'SMTP_URL'],
  ['smtp_url', 'SMTP_URL'],
  ['PUBLIC_URI', 'PUBLIC_URL'],
  ['TRUSTED_PROXY', 'TRUST_PROXY'],
  ['DATADIR', 'DATA_DIR'],
  ['METRICS', 'METRICS_PORT'],
  ['MEDLEY_PORT', 'PORT'],
  ['MEDLEY_DATABASE', 'DATABASE_URL'],
  ['SMTP_HOST', 'SMTP_URL'],
  ['SMTP_PASSWORD', 'SMTP_URL'],
  ['EMAIL_HOST_USER', 'SMTP_URL'],
  ['SMTP_FROM', 'MAIL_FROM'],
  ['DB_HOST', 'DATABASE_URL'],
  ['POSTGRES_URL', 'DATABASE_URL'],
  ['BASE_URL', 'PUBLIC_URL'],
  ['DOMAIN', 'PUBLIC_URL'],
  ['UPLOAD_DIR', 'DATA_DIR'],
  ['LISTEN_ADDR', 'HOST'],
  ['TRUSTED_PROXIES', 'TRUST_PROXY'],
  ['TMDB_API_KEY', 'TMDB_TOKEN'],
  ['TWITCH_CLIENT_ID', 'IGDB_CLIENT_ID'],
  ['S3_SECRET_KEY', 'S3_SECRET_ACCESS_KEY'],
  ['AWS_S3_BUCKET', 'S3_BUCKET'],
  ['WEB_CONCURRENCY', 'WORKERS'],
])('%s is reported as a misspelling of %s', (name, meant) => {
  expect(unknownVariables({ [name]: 'x', [meant]: 'x' })).toEqual([
    `${name} is not a variable of Medley. Did you mean ${meant}?`,
  ])
})

test.each([
  'HOME',
  'HOSTNAME',
  'PWD',
  'NODE_OPTIONS',
  'NODE_PATH',
  'MAIL',
  'TEMP',
  'LOGNAME',
  'DATABASE',
  'POSTGRES_PASSWORD',
  'POSTGRES_USER',
  'PGPASSWORD',
  'AWS_ACCESS_KEY_ID',
  'http_proxy',
  'all_proxy',
  'FTP_PROXY',
  'npm_config_noproxy',
  'XDG_CACHE_HOME',
  'LISTEN_FDS',
  'INVOCATION_ID',
  'SSH_CONNECTION',
  'MEDLEY_LAUNCHER',
  'MEDLEY_SERVICE_HOST',
  'SMTP_PORT_25_TCP_ADDR',
])('the variable %s of another program is not reported', (name) =>
  expect(unknownVariables({ [name]: 'x' })).toEqual([]),
)

test('the address of a service with which containers name another is not reported', () => {
  expect(unknownVariables({ SMTP_PORT: 'tcp://10.0.0.1:25' })).toEqual([])
})
