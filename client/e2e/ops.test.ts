import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, test } from 'vitest'

const dataDir = mkdtempSync(join(tmpdir(), 'medley-ops-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** Writes a module to preload with --import. On SIGUSR2 it runs `code`, which fails outside of any request. */
function writeFaultModule(name: string, code: string): string {
  const file = join(dataDir, `${name}.mjs`)
  writeFileSync(file, `process.on('SIGUSR2', () => setImmediate(() => { ${code} }))`)
  return file
}

type Started = {
  child: ChildProcess
  url: string
  output: () => string
  /** The exit code, and the time of the exit by `performance.now()`. */
  ended: Promise<{ code: number | null; at: number }>
}
const running: ChildProcess[] = []
afterEach(() => running.splice(0).forEach((child) => child.kill('SIGKILL')))

async function start(env: Record<string, string> = {}): Promise<Started> {
  const child = spawn('node', ['server/main.ts'], {
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      LOG_LEVEL: 'info',
      DEMO: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  let output = ''
  child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr!.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<{ code: number | null; at: number }>((resolve) =>
    child.once('close', (code) => resolve({ code, at: performance.now() })),
  )
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', () => {
      const found = /Medley is at (http:\S+)/.exec(output)?.[1]
      if (found) resolve(found)
    })
    void ended.then(({ code }) => reject(new Error(`ended with ${code}: ${output}`)))
  })
  return { child, url, output: () => output, ended }
}

type HttpResponse = { status: number; headers: IncomingMessage['headers']; body: string }

/** Sends the headers and half of the body; resolves when the server has the headers. `finish` sends the rest. */
async function startRequest(url: string, path: string, contentType: string, body: Buffer, agent?: Agent) {
  let call!: ClientRequest
  const response = new Promise<HttpResponse>((resolve, reject) => {
    call = request(
      url + path,
      {
        method: 'POST',
        agent: agent ?? false,
        // The server confirms the headers with a 100.
        headers: { 'content-type': contentType, 'content-length': body.length, expect: '100-continue' },
      },
      (message) => {
        let text = ''
        message.on('data', (chunk: Buffer) => (text += chunk.toString()))
        message.on('end', () =>
          resolve({ status: message.statusCode!, headers: message.headers, body: text }),
        )
        message.on('error', reject)
      },
    )
    call.on('error', reject)
  })
  response.catch(() => {})
  const half = Math.floor(body.length / 2)
  await Promise.all([
    once(call, 'continue'),
    new Promise((resolve) => call.write(body.subarray(0, half), resolve)),
  ])
  return { response, finish: () => void call.end(body.subarray(half)) }
}

const registration = (username: string) =>
  Buffer.from(JSON.stringify({ username, email: `${username}@example.org`, password: 'six-or-more' }))
const picture = readFileSync('server/starter/pictures/portrait-1-1-320.webp')
const form = Buffer.concat([
  Buffer.from('--x\r\ncontent-disposition: form-data; name="image"; filename="a.webp"\r\n\r\n'),
  picture,
  Buffer.from('\r\n--x--\r\n'),
])
/** The time that a shutdown leaves to requests in flight, as in server/main.ts. */
const requestsGraceMs = 4_000
const json = 'application/json'
const multipart = 'multipart/form-data; boundary=x'
const isDatabaseClosed = () =>
  existsSync(join(dataDir, 'medley.sqlite')) && !existsSync(join(dataDir, 'medley.sqlite-wal'))

test('open live subscriptions do not delay a shutdown, and end with SERVICE_UNAVAILABLE', async () => {
  const server = await start()
  const { items } = (await (await fetch(`${server.url}/items?limit=1`)).json()) as { items: { id: number }[] }
  const input = encodeURIComponent(JSON.stringify({ itemId: items[0]!.id }))
  const streams = await Promise.all(
    [1, 2, 3].map(() => fetch(`${server.url}/trpc/reviews.live?input=${input}`)),
  )
  const texts = Promise.all(streams.map((stream) => stream.text()))
  const signaledAt = performance.now()
  server.child.kill('SIGTERM')
  const { code, at } = await server.ended
  expect(code).toBe(0)
  expect(at - signaledAt).toBeLessThan(requestsGraceMs)
  for (const text of await texts) expect(text).toContain('"code":"SERVICE_UNAVAILABLE"')
})

describe.each(['SIGTERM', 'SIGINT'] as const)('graceful shutdown on %s', (signal) => {
  test('requests in flight and their mails complete, new requests are refused, and the database is closed', async () => {
    const server = await start()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const upload = await startRequest(server.url, '/upload', multipart, form, agent)
    const username = `in_flight_${signal}`
    const register = await startRequest(server.url, '/users/register', json, registration(username))
    server.child.kill(signal)
    // The port is closed.
    await expect
      .poll(() => fetch(`${server.url}/healthz`).then(String, (error: Error) => error.message))
      .toBe('fetch failed')
    // Open connections take no new request either.
    const waiting = new Promise<number | string>((resolve) => {
      const call = request(`${server.url}/healthz`, { agent }, (response) => resolve(response.statusCode!))
      call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'))
      call.end()
    })
    register.finish()
    upload.finish()
    expect((await register.response).status).toBe(201)
    const uploaded = await upload.response
    expect(uploaded.status).toBe(201)
    expect([503, 'ECONNREFUSED', 'ECONNRESET']).toContain(await waiting)
    expect((await server.ended).code).toBe(0)
    const mails = readdirSync(join(dataDir, 'outbox')).map((file) =>
      readFileSync(join(dataDir, 'outbox', file), 'utf8'),
    )
    expect(mails.filter((mail) => mail.includes(`To: ${username}@example.org`))).toHaveLength(1)
    expect(isDatabaseClosed()).toBe(true)
    expect(existsSync(join(dataDir, (JSON.parse(uploaded.body) as { imageUrl: string }).imageUrl))).toBe(true)
    agent.destroy()
  })
})

test('idle keep-alive connections do not delay a shutdown', async () => {
  const server = await start()
  const agent = new Agent({ keepAlive: true })
  await new Promise((resolve) =>
    request(`${server.url}/healthz`, { agent }, (response) => response.resume().on('end', resolve)).end(),
  )
  const signaledAt = performance.now()
  server.child.kill('SIGTERM')
  const { code, at } = await server.ended
  expect(code).toBe(0)
  expect(at - signaledAt).toBeLessThan(requestsGraceMs)
  agent.destroy()
})

test('a request that never completes is aborted after its time limit, and the shutdown completes', async () => {
  const server = await start()
  const upload = await startRequest(server.url, '/upload', multipart, form)
  const signaledAt = performance.now()
  server.child.kill('SIGTERM')
  await expect(upload.response).rejects.toThrow(/socket hang up|ECONNRESET|EPIPE/)
  const { code, at } = await server.ended
  // 1 if the shutdown had timed out.
  expect(code).toBe(0)
  expect(at - signaledAt).toBeGreaterThan(requestsGraceMs - 500)
  expect(isDatabaseClosed()).toBe(true)
})

test('a second signal ends the process immediately; a copy of the first one, forwarded by npm, does not', async () => {
  const server = await start()
  const upload = await startRequest(server.url, '/upload', multipart, form)
  server.child.kill('SIGINT')
  server.child.kill('SIGINT')
  await wait(800)
  expect(server.child.exitCode).toBeNull()
  server.child.kill('SIGINT')
  // 0 if it had waited for the upload.
  expect((await server.ended).code).toBe(1)
  await expect(upload.response).rejects.toThrow(/socket hang up|ECONNRESET|EPIPE/)
})

test.each([
  ['thrown', 'throw new TypeError("on purpose")', 'uncaughtException'],
  ['rejected', 'void Promise.reject(new TypeError("on purpose"))', 'unhandledRejection'],
])(
  'an uncaught error (%s) is logged, and shuts the server down gracefully with exit code 1',
  async (name, code, origin) => {
    const server = await start({ NODE_OPTIONS: `--import ${writeFaultModule(name, code)}` })
    const register = await startRequest(server.url, '/users/register', json, registration(name))
    server.child.kill('SIGUSR2')
    await expect.poll(() => server.output()).toContain('on purpose')
    register.finish()
    expect((await register.response).status).toBe(201)
    expect((await server.ended).code).toBe(1)
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({
        level: 60,
        origin,
        err: expect.objectContaining({
          type: 'TypeError',
          message: 'on purpose',
          stack: expect.stringContaining(`${name}.mjs`),
        }),
      }),
    )
    expect(isDatabaseClosed()).toBe(true)
  },
)

test('a HOST that is not an address of this machine is an error that names HOST', async () => {
  await expect(start({ HOST: '192.0.2.1' })).rejects.toThrow(
    /HOST: 192\.0\.2\.1 is not an address of this machine/,
  )
})
