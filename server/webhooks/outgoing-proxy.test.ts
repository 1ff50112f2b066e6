import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openFetcher } from '#server/titles/sources/fetcher.ts'
import { readConfig } from '#server/config.ts'
import { openOutgoing } from '#server/process/outgoing.ts'
import { openSender } from './send.ts'

/** What the proxy was asked for, with its credentials. */
let asked: string[] = []
beforeEach(() => void (asked = []))
const login = ({ headers }: IncomingMessage) =>
  Buffer.from(headers['proxy-authorization']?.slice('Basic '.length) ?? '', 'base64').toString()

/** Answers calls with http itself, and refuses tunnels. */
const reached = createServer((_, response) =>
  response.setHeader('content-type', 'application/json').end('{"direct":true}'),
)
const proxy = createServer((request, response) => {
  asked.push(`${request.method} ${request.url} ${login(request)}`)
  response.setHeader('content-type', 'application/json').end('{"direct":false}')
})
proxy.on('connect', (request: IncomingMessage, client: Duplex) => {
  if (!request.headers.host?.startsWith(request.url!.split(':443')[0]!)) asked.push('another host')
  asked.push(`CONNECT ${request.url} ${login(request)}`)
  client.on('error', () => {})
  client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
})
const portOf = (server: typeof proxy) => (server.address() as AddressInfo).port
for (const server of [proxy, reached]) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}
afterAll(() => {
  for (const server of [proxy, reached]) server.closeAllConnections()
  for (const server of [proxy, reached]) server.close()
})
const throughProxy = (env: Record<string, string> = {}) =>
  readConfig({ HTTP_PROXY: `http://medley:p%40ss@127.0.0.1:${portOf(proxy)}`, ...env }).proxy
const log = { info() {}, warn() {} } as never

function callSource(baseUrl: string, env: Record<string, string> = {}) {
  const host = openFetcher({ log, userAgent: 'Medley', proxy: throughProxy(env) })({
    name: 'source',
    baseUrl,
    perSecond: 10,
    concurrency: 1,
  })
  return host({ path: '/search', priority: 'search' }, ({ body }) => body)
}

test('calls of sources go through the proxy, with its user and password, except of the hosts in NO_PROXY', async () => {
  expect(await callSource('http://tmdb.invalid/3')).toEqual({ direct: false })
  expect(asked).toEqual(['GET http://tmdb.invalid/3/search medley:p@ss'])
  const local = `http://127.0.0.1:${portOf(reached)}`
  expect(await callSource(local, { NO_PROXY: 'example.org, 127.0.0.1' })).toEqual({ direct: true })
  expect(asked).toHaveLength(1)
})

test('a call with https is a tunnel; if the proxy refuses it, the source counts as unreachable', async () => {
  await expect(callSource('https://openlibrary.invalid')).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  })
  expect(new Set(asked)).toEqual(new Set(['CONNECT openlibrary.invalid:443 medley:p@ss']))
  await expect(
    callSource('https://openlibrary.invalid', { HTTPS_PROXY: 'http://127.0.0.1:1' }),
  ).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  })
  expect(new Set(asked).size).toBe(1)
})

test('the environment is not read a second time: without a proxy in the configuration there is none', async () => {
  process.env['http_proxy'] = `http://127.0.0.1:${portOf(proxy)}`
  try {
    for (const config of [undefined, { http: undefined, https: 'http://127.0.0.1:1', except: '127.0.0.1' }]) {
      const agent = await openOutgoing(config)
      const { body } = await agent.request({
        origin: `http://127.0.0.1:${portOf(reached)}`,
        path: '/',
        method: 'GET',
      })
      expect(await body.json()).toEqual({ direct: true })
      await agent.destroy()
    }
  } finally {
    delete process.env['http_proxy']
  }
  expect(asked).toEqual([])
})

const names: Record<string, string[]> = {
  'public.example': ['93.184.215.14'],
  'both.example': ['10.0.0.1', '93.184.215.15'],
  'private.example': ['127.0.0.1', '169.254.169.254'],
}
const resolver = {
  resolve4: async (name: string) => names[name] ?? [],
  resolve6: async () => [],
} as unknown as NonNullable<Parameters<typeof openSender>[0]['resolver']>

test.each([
  ['https://public.example/hook', ['CONNECT 93.184.215.14:443 medley:p@ss']],
  ['https://both.example/hook', ['CONNECT 93.184.215.15:443 medley:p@ss']],
  ['https://93.184.215.16/hook', ['CONNECT 93.184.215.16:443 medley:p@ss']],
  ['https://private.example/hook', []],
  ['https://localhost/hook', []],
  ['https://127.0.0.1/hook', []],
  ['https://[::1]/hook', []],
  ['https://[::ffff:10.0.0.1]/hook', []],
  ['https://2130706433/hook', []],
  ['http://public.example/hook', []],
])('a webhook to %s leads through the proxy to a public address only', async (url, tunnels) => {
  const sender = openSender({ toPrivate: false, proxy: throughProxy(), resolver, timeoutMs: 5_000 })
  const { status, error } = await sender.send(url, {}, '{}')
  expect(status).toBeNull()
  expect([...new Set(asked)]).toEqual(tunnels)
  if (tunnels.length === 0) expect(error).toBe('notPublic')
  await sender.close()
})

test('a host in NO_PROXY does not lead around the check of addresses', async () => {
  const proxied = throughProxy({ NO_PROXY: '*' })
  const sender = openSender({ toPrivate: false, proxy: proxied, resolver, timeoutMs: 2_000 })
  expect((await sender.send('https://private.example/hook', {}, '{}')).error).toBe('notPublic')
  expect(asked).toEqual([])
  await sender.close()
})
