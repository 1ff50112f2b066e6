import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

test('an empty environment gives the defaults of the README', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    workers: 1,
    host: '127.0.0.1',
    diskReserveBytes: 512_000_000,
    databaseUrl: undefined,
    replicaUrl: undefined,
    s3: undefined,
    publicUrl: 'http://localhost:3000',
    smtpUrl: undefined,
    hasDemo: true,
    hasRateLimits: true,
    hasMetrics: false,
    logLevel: 'info',
    trustProxy: false,
  })
})

test('a variable set to nothing counts as not set', () => {
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
  ['SMTP_URL', 'http://x'],
  ['DEMO', 'yes'],
  ['LOG_LEVEL', 'loud'],
  ['METRICS', 'yes'],
  ['TRUST_PROXY', 'yes'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '10.0.0.1, proxy.local'],
])('a fault names its variable: %s=%s', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}: `))
})

test('one half of the IGDB credentials is a fault', () => {
  expect(() => readConfig({ IGDB_CLIENT_ID: 'x' })).toThrow(/IGDB_CLIENT_SECRET/)
})

test('a bucket needs its name, and a key its secret', () => {
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

test('the demo is off in production and where others can reach the server, unless it is asked for', () => {
  expect(readConfig({ NODE_ENV: 'production' }).hasDemo).toBe(false)
  expect(readConfig({ HOST: '0.0.0.0' }).hasDemo).toBe(false)
  expect(readConfig({ HOST: '0.0.0.0', DEMO: 'on' }).hasDemo).toBe(true)
  expect(readConfig({ DEMO: 'off' }).hasDemo).toBe(false)
})

test('on trusts proxies on private addresses, and never everybody', () => {
  expect(readConfig({ TRUST_PROXY: 'on' }).trustProxy).toBe('loopback, linklocal, uniquelocal')
  expect(readConfig({ TRUST_PROXY: 'off' }).trustProxy).toBe(false)
  for (const addresses of ['10.0.0.0/8, loopback', '::1', 'fd00::/8'])
    expect(readConfig({ TRUST_PROXY: addresses }).trustProxy).toBe(addresses)
})

test('nobody can change it once it is read', () => {
  expect(Object.isFrozen(readConfig({}))).toBe(true)
})
