import { once } from 'node:events'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { memoryOf } from '#scripts/bench/bench.ts'
import { aDataFolder, startProgram } from '#scripts/testing/program.ts'
import { buildApp } from '#server/app.ts'
import { aServer } from '#server/testing.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { variation } from '#scripts/testing/variation.ts'

const { services } = await aServer({ RATE_LIMITS: 'off' })
const app = await buildApp(services, { web: noWeb })
app.get('/large', () => ({ lines: Array.from({ length: 1_000 }, (_, index) => `line ${index}`) }))

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers })

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('JSON above 1 KB is sent as %s to clients that accept it', async (encoding, decode) => {
  const plain = await get('/large')
  const response = await get('/large', { 'accept-encoding': encoding })
  expect(response.headers).toMatchObject({
    'content-encoding': encoding,
    'content-length': String(response.rawPayload.length),
  })
  expect(response.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
  expect(decode(response.rawPayload).equals(plain.rawPayload)).toBe(true)
})

test.each([
  // As browsers send it.
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP, BR', 'br'],
  ['*', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['deflate, zstd', undefined],
  ['gzip;q=0', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['', undefined],
  [';;q=,=', undefined],
])('of the encodings that %j accepts, the best is %s', async (header, encoding) => {
  const { headers } = await get('/large', { 'accept-encoding': header })
  expect(headers['content-encoding']).toBe(encoding)
})

test('a response that depends on Accept-Encoding says so, compressed or not', async () => {
  for (const headers of [{}, { 'accept-encoding': 'br' }]) {
    const { vary } = (await get('/large', headers)).headers
    expect(vary).toBe('Accept-Encoding')
  }
})

test('HEAD has the headers of GET', async () => {
  for (const headers of [{}, { 'accept-encoding': 'br' }]) {
    const [head, full] = await Promise.all([get('/large', headers, 'HEAD'), get('/large', headers)])
    expect(head.rawPayload.length).toBe(0)
    for (const name of ['content-length', 'content-encoding', 'content-type', 'vary'])
      expect([name, head.headers[name]]).toEqual([name, full.headers[name]])
  }
})

test('small responses, files and ranges of files stay as they are', async () => {
  const headers = { 'accept-encoding': 'br', range: 'bytes=0-99' }
  for (const response of [
    await get('/healthz', { 'accept-encoding': 'br' }),
    await get('/starter/backdrop-1-books-a-brief-history-of-time-1280.webp', headers),
  ])
    expect(response.headers).not.toHaveProperty('content-encoding')
})

variation('400 compressed responses at the same time take less than 100 MB', async () => {
  const { folder, remove } = aDataFolder()
  onTestFinished(remove)
  const program = await startProgram({ DATA_DIR: folder })
  onTestFinished(() => void program.end('SIGKILL'))
  const path = '/sitemaps/1.xml'
  const first = await fetch(program.url + path, { headers: { 'accept-encoding': 'br' } })
  expect(first.headers.get('content-encoding')).toBe('br')
  expect((await first.text()).length).toBeGreaterThan(10_000)

  const before = memoryOf(program.child.pid)
  let peak = 0
  let responses = 0
  const clients = Array.from({ length: 400 }, () => {
    const client = connect({ port: Number(new URL(program.url).port), host: '127.0.0.1' })
    onTestFinished(() => void client.destroy())
    client.once('data', (data: Buffer) => {
      if (data.toString('latin1').startsWith('HTTP/1.1 200')) responses++
    })
    return client
  })
  await Promise.all(clients.map((client) => once(client, 'connect')))
  for (const client of clients) client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\n\r\n`)
  await expect
    .poll(
      () => {
        peak = Math.max(peak, memoryOf(program.child.pid))
        return responses
      },
      { timeout: 60_000, interval: 20 },
    )
    .toBe(400)
  expect(peak - before).toBeLessThan(100)
})
