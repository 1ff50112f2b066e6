import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, test } from 'vitest'

const dataDir = mkdtempSync(join(tmpdir(), 'medley-ops-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** Code that is imported before the server's, and does what nobody foresaw when it is asked to. */
function aFault(name: string, code: string): string {
  const file = join(dataDir, `${name}.mjs`)
  writeFileSync(file, `process.on('SIGUSR2', () => setImmediate(() => { ${code} }))`)
  return file
}

type Started = {
  child: ChildProcess
  url: string
  output: () => string
  /** The code that it ended with, and after how many milliseconds. */
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

type Answer = { status: number; headers: IncomingMessage['headers']; body: string }

/** A request of which the head and half of the body are sent; `finish` sends the rest. */
async function slowly(url: string, path: string, contentType: string, body: Buffer, agent?: Agent) {
  let call!: ClientRequest
  const answer = new Promise<Answer>((resolve, reject) => {
    call = request(
      url + path,
      {
        method: 'POST',
        agent: agent ?? false,
        headers: { 'content-type': contentType, 'content-length': body.length },
      },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: text }),
        )
        response.on('error', reject)
      },
    )
    call.on('error', reject)
  })
  answer.catch(() => {})
  const half = Math.floor(body.length / 2)
  await new Promise((resolve) => call.write(body.subarray(0, half), resolve))
  // Until the server has read the head.
  await wait(200)
  return { answer, finish: () => void call.end(body.subarray(half)) }
}

const registration = (username: string) =>
  Buffer.from(JSON.stringify({ username, email: `${username}@example.org`, password: 'six-or-more' }))
const picture = readFileSync('server/starter/pictures/portrait-1-1-320.webp')
const form = Buffer.concat([
  Buffer.from('--x\r\ncontent-disposition: form-data; name="image"; filename="a.webp"\r\n\r\n'),
  picture,
  Buffer.from('\r\n--x--\r\n'),
])
const json = 'application/json'
const multipart = 'multipart/form-data; boundary=x'
const isDatabaseClosed = () =>
  existsSync(join(dataDir, 'medley.sqlite')) && !existsSync(join(dataDir, 'medley.sqlite-wal'))

test('pages that follow their titles do not hold up its end, and hear of it', async () => {
  const server = await start()
  const { items } = (await (await fetch(`${server.url}/items?limit=1`)).json()) as { items: { id: number }[] }
  const input = encodeURIComponent(JSON.stringify({ itemId: items[0]!.id }))
  const streams = await Promise.all(
    [1, 2, 3].map(() => fetch(`${server.url}/trpc/reviews.live?input=${input}`)),
  )
  const texts = Promise.all(streams.map((stream) => stream.text()))
  const toldAt = performance.now()
  server.child.kill('SIGTERM')
  const { code, at } = await server.ended
  expect(code).toBe(0)
  expect(at - toldAt).toBeLessThan(1_000)
  for (const text of await texts) expect(text).toContain('"code":"SERVICE_UNAVAILABLE"')
})

describe.each(['SIGTERM', 'SIGINT'] as const)('told to end by %s', (signal) => {
  test('it finishes what it began, sends the mails of it, refuses what is new, and closes the database', async () => {
    const server = await start()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const upload = await slowly(server.url, '/upload', multipart, form, agent)
    const username = `in_flight_${signal}`
    const register = await slowly(server.url, '/users/register', json, registration(username))
    const toldAt = performance.now()
    server.child.kill(signal)
    await wait(300)
    // Nobody listens any more.
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow('fetch failed')
    // Neither is anything begun on a connection that is still open.
    const waiting = new Promise<number | string>((resolve) => {
      const call = request(`${server.url}/healthz`, { agent }, (response) => resolve(response.statusCode!))
      call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'))
      call.end()
    })
    register.finish()
    upload.finish()
    expect((await register.answer).status).toBe(201)
    const answer = await upload.answer
    expect(answer.status).toBe(201)
    expect([503, 'ECONNREFUSED', 'ECONNRESET']).toContain(await waiting)
    const { code, at } = await server.ended
    expect(code).toBe(0)
    expect(at - toldAt).toBeLessThan(4_000)
    const mails = readdirSync(join(dataDir, 'outbox')).map((file) =>
      readFileSync(join(dataDir, 'outbox', file), 'utf8'),
    )
    expect(mails.filter((mail) => mail.includes(`To: ${username}@example.org`))).toHaveLength(1)
    expect(isDatabaseClosed()).toBe(true)
    expect(existsSync(join(dataDir, (JSON.parse(answer.body) as { imageUrl: string }).imageUrl))).toBe(true)
    agent.destroy()
  })
})

test('idle connections do not keep it from ending at once', async () => {
  const server = await start()
  const agent = new Agent({ keepAlive: true })
  await new Promise((resolve) =>
    request(`${server.url}/healthz`, { agent }, (response) => response.resume().on('end', resolve)).end(),
  )
  const toldAt = performance.now()
  server.child.kill('SIGTERM')
  const { code, at } = await server.ended
  expect([code, at - toldAt < 1_500]).toEqual([0, true])
  agent.destroy()
})

test('a request that does not come to its end is cut, and the end comes within ten seconds all the same', async () => {
  const server = await start()
  const upload = await slowly(server.url, '/upload', multipart, form)
  const toldAt = performance.now()
  server.child.kill('SIGTERM')
  await expect(upload.answer).rejects.toThrow(/socket hang up|ECONNRESET|EPIPE/)
  const { code, at } = await server.ended
  expect(code).toBe(0)
  expect(at - toldAt).toBeGreaterThan(3_000)
  expect(at - toldAt).toBeLessThan(9_000)
  expect(isDatabaseClosed()).toBe(true)
})

test('a second signal ends it at once, and one that npm hands on beside the terminal’s is no second', async () => {
  const server = await start()
  const upload = await slowly(server.url, '/upload', multipart, form)
  server.child.kill('SIGINT')
  server.child.kill('SIGINT')
  await wait(800)
  expect(server.child.exitCode).toBeNull()
  const toldAt = performance.now()
  server.child.kill('SIGINT')
  const { code, at } = await server.ended
  expect([code, at - toldAt < 1_000]).toEqual([1, true])
  await expect(upload.answer).rejects.toThrow(/socket hang up|ECONNRESET|EPIPE/)
})

test.each([
  ['thrown', 'throw new TypeError("on purpose")', 'uncaughtException'],
  ['rejected', 'void Promise.reject(new TypeError("on purpose"))', 'unhandledRejection'],
])(
  'an error that is %s and that nobody caught is logged, and ends the process with 1 in good order',
  async (name, code, origin) => {
    const server = await start({ NODE_OPTIONS: `--import ${aFault(name, code)}` })
    const register = await slowly(server.url, '/users/register', json, registration(name))
    server.child.kill('SIGUSR2')
    await wait(300)
    register.finish()
    expect((await register.answer).status).toBe(201)
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

test('a host that is none of this machine’s is named', async () => {
  await expect(start({ HOST: '192.0.2.1' })).rejects.toThrow(
    /HOST: 192\.0\.2\.1 is no address of this machine/,
  )
})
