import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { slowness } from '#scripts/testing/event-loop.ts'
import { anonymousBytesOf } from '#server/process/memory.ts'

const site = inject('site')
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } }
const dataDir = mkdtempSync(join(tmpdir(), 'medley-start-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** `ms`: from the start to the URL, without the time during which other programs used the processors. */
type Started = { child: ChildProcess; url: string; output: () => string; ms: number }

/** Returns for how long (ms) a process was ready to run, but had no processor. */
function waitedMs(pid: number): number {
  const [, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
  return Number(waitedNs) / 1e6
}

async function start(env: Record<string, string> = {}): Promise<Started> {
  const startedAt = performance.now()
  // As npm start does, but without npm in between, so that signals and memory are the server’s.
  const child = spawn('sh', ['-c', scripts.start], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, DATABASE_URL: '', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr!.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', () => {
      const found = /Medley is at (http:\S+)/.exec(output)?.[1]
      if (found) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`ended with ${code}:\n${output}`)))
  })
  const ms = performance.now() - startedAt - waitedMs(child.pid!)
  return { child, url, output: () => output, ms }
}

function stop({ child }: Started): Promise<number | null> {
  const code = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  return code
}

test('a start prints one URL and the demo’s credentials, and SIGTERM shuts it down gracefully', async () => {
  const server = await start()
  expect(server.output().match(/http:\/\/\S+/g)).toEqual([server.url])
  expect(server.output()).toContain('Sign in as demo@medley.example with medley-demo')
  const popular = (await (await fetch(`${server.url}/movies/popular`)).json()) as { popular: unknown[] }
  expect(popular.popular).toHaveLength(6)
  expect(await stop(server)).toBe(0)
})

test('a start with data present listens within two seconds and idles under 110 MB of memory of its own', async () => {
  // The first start fills the compile cache.
  await stop(await start())
  // The lowest of three starts: another program may have used the disk and, depending on when V8's compiler threads run, the allocator
  // keeps up to 12 MB of their memory. Without mapped files, which processes share: the executable of Node alone is about 60 MB.
  let [ms, megabytes] = [Infinity, Infinity]
  for (let run = 0; run < 3 && (ms > 2_000 || megabytes > 110); run++) {
    const server = await start()
    try {
      for (const path of ['/', '/movies/popular', '/movies/1']) await fetch(server.url + path)
      megabytes = Math.min(megabytes, anonymousBytesOf(server.child.pid!) / 1024 ** 2)
      ms = Math.min(ms, server.ms)
    } finally {
      await stop(server)
    }
  }
  expect(ms).toBeLessThan(2_000 * slowness())
  expect(megabytes).toBeLessThan(110)
})

test('the files of the web app are compressed as Accept-Encoding allows', async () => {
  const html = await (await fetch(`${site.url}/login`, { headers: { accept: 'text/html' } })).text()
  const script = `/${/"(assets\/[^"]+\.js)"/.exec(html)![1]!}`
  const get = (encoding: string) => fetch(site.url + script, { headers: { 'accept-encoding': encoding } })
  for (const encoding of ['br', 'gzip']) {
    const response = await get(encoding)
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('content-type')).toMatch(/javascript/)
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(response.headers.get('vary')).toMatch(/accept-encoding/i)
    expect(await response.text()).toBe(await (await get('identity')).text())
  }
})

test('DEMO=off removes the demo community, and its credentials stop working', async () => {
  const server = await start({ DEMO: 'off' })
  expect(server.output()).not.toContain('Sign in')
  expect(await (await fetch(`${server.url}/movies/popular`)).json()).toEqual({ popular: [] })
  const login = await fetch(`${server.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'demo@medley.example', password: 'medley-demo' }),
  })
  expect(login.status).toBe(401)
  await stop(server)
})

test('log lines contain no query, email, password or token', async () => {
  const server = await start()
  await fetch(`${server.url}/users/search?q=secret-query`)
  const login = await fetch(`${server.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'demo@medley.example', password: 'medley-demo' }),
  })
  const { token } = (await login.json()) as { token: string }
  await fetch(`${server.url}/users/me`, { headers: { authorization: `Bearer ${token}` } })
  await stop(server)
  const log = server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  expect(log.length).toBeGreaterThan(2)
  for (const secret of ['secret-query', 'demo@medley.example', 'medley-demo', token])
    expect(log.join()).not.toContain(secret)
})

test.each([
  [{ PORT: 'x' }, /^PORT: /m],
  [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, /DATABASE_URL/],
  [{ DATA_DIR: '/dev/null/data' }, /DATA_DIR/],
])('an invalid configuration fails the start and names the variable: %j', async (env, words) => {
  await expect(start(env)).rejects.toThrow(words)
  await expect(start(env)).rejects.toThrow(/ended with 1/)
})

test('a port in use fails the start and is named', async () => {
  await expect(start({ PORT: new URL(site.url).port })).rejects.toThrow(/PORT: \d+ is already in use/)
})
