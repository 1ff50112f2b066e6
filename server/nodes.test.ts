import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, get } from 'node:http'
import { type AddressInfo } from 'node:net'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { freePort } from '#scripts/testing/postgres.ts'
import { aDataFolder } from '#scripts/testing/program.ts'
import { checkMetrics } from '#scripts/testing/promtool.ts'
import { startS3 } from '#scripts/testing/s3.ts'
import { openDatabase } from '#server/db/open.ts'
import { demoSignIn } from '#server/demo/community.ts'
import { freshPostgres, findCounterFaults } from './testing.ts'

const databaseUrl = await freshPostgres()
const db = openDatabase({ databaseUrl, dataDir: '' })
const s3 = await startS3()
const started: Node[] = []
afterAll(async () => {
  for (const { child, dataDir } of started) {
    child.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
  await db.destroy()
  await s3.remove()
})

type Line = { level: number; pid: number; msg: string }
type Node = { child: ChildProcess; dataDir: string; output: () => string; lines: () => Line[] }

/** Starts the program from the command line, with its own data folder. */
function aNode(env: Record<string, string> = {}): Node {
  const { folder: dataDir } = aDataFolder()
  const child = spawn('node', ['server/main.ts'], {
    env: {
      ...process.env,
      ...s3.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      DEMO: 'on',
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const node: Node = {
    child,
    dataDir,
    output: () => output,
    lines: () =>
      output
        .split('\n')
        .filter((line) => line.startsWith('{') && line.endsWith('}'))
        .map((line) => JSON.parse(line) as Line),
  }
  started.push(node)
  return node
}

async function urlOf({ child, output }: Node): Promise<string> {
  for (;;) {
    const url = /Medley is at (http:\S+)/.exec(output())?.[1]
    if (url) return url
    if (child.exitCode !== null) throw new Error(`The program exited with ${child.exitCode}:\n${output()}`)
    await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')])
  }
}

async function end({ child }: Node): Promise<number | null> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  return (await exited)[0]
}

type Options = {
  method?: string
  token?: string
  body?: object | FormData
  page?: boolean
  timeoutMs?: number
}
/** Each call opens a connection, so that the workers are used in rotation. */
function call(url: string, { method = 'GET', token, body, page, timeoutMs = 120_000 }: Options = {}) {
  return fetch(url, {
    method,
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      connection: 'close',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(page && { accept: 'text/html' }),
      ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }),
    },
    ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  })
}

const statusOf = (url: string, agent: Agent) =>
  new Promise<number>((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      response.resume()
      response.on('error', reject)
      response.on('end', () => resolve(response.statusCode!))
    })
    request.on('error', reject)
  })

const mailsOf = (nodes: Node[]) =>
  nodes.flatMap(({ dataDir }) => {
    const folder = join(dataDir, 'outbox')
    return existsSync(folder)
      ? readdirSync(folder)
          .filter((file) => file.endsWith('.eml'))
          .map((file) => readFileSync(join(folder, file), 'utf8'))
      : []
  })

async function aPicture(): Promise<FormData> {
  const png = await sharp({ create: { width: 320, height: 320, channels: 3, background: '#37a' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.set('image', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'me.png')
  return form
}

describe('two servers over one Postgres and one bucket', () => {
  const nodes: Node[] = []
  let a = ''
  let b = ''
  const password = 'a long enough password'
  const tokens: string[] = []

  test('start concurrently on an empty database, and load the starter content once', async () => {
    nodes.push(aNode(), aNode())
    ;[a, b] = (await Promise.all(nodes.map(urlOf))) as [string, string]
    const { rows } = await sql<{ members: number; titles: number; slugs: number; madeUp: number }>`
      select (select count(*) from users where is_demo = 1) as members,
        (select count(*) from media where created_by is null) as titles,
        (select count(*) from media where created_by is not null) as "madeUp",
        (select count(distinct external_id) from external_ids where source = 'starter') as slugs`.execute(db)
    expect(rows[0]!.members).toBeGreaterThan(10)
    expect(rows[0]!.titles).toBe(rows[0]!.slugs)
    expect(rows[0]!.madeUp).toBe(1)
    for (const url of [a, b]) {
      expect((await call(`${url}/readyz`)).status).toBe(200)
      const login = await call(`${url}/auth/login`, { method: 'POST', body: demoSignIn })
      expect(login.status).toBe(200)
    }
  })

  test('a member registers at one, verifies at the other, and is logged in at both; each email is sent once', async () => {
    for (const [index, url] of [a, b, a].entries()) {
      const email = `member${index}@example.org`
      const body = { username: `member${index}`, email, password }
      expect((await call(`${url}/users/register`, { method: 'POST', body })).status).toBe(201)
    }
    await expect.poll(() => mailsOf(nodes).length, { timeout: 60_000 }).toBe(3)
    for (const mail of mailsOf(nodes)) {
      const token = /token=([\w-]+)/.exec(mail)![1]
      expect((await call(`${b}/auth/verify-email?token=${token}`)).status).toBe(200)
    }
    for (const index of [0, 1, 2]) {
      const body = { email: `member${index}@example.org`, password }
      const login = await call(`${index % 2 ? a : b}/auth/login`, { method: 'POST', body })
      tokens.push(((await login.json()) as { token: string }).token)
      for (const url of [a, b])
        expect((await call(`${url}/users/me`, { token: tokens[index]! })).status).toBe(200)
    }
    expect(mailsOf(nodes)).toHaveLength(3)
  })

  test('a picture uploaded to one is served identically by the other, and stored on neither disk', async () => {
    const upload = await call(`${a}/upload`, { method: 'POST', token: tokens[0]!, body: await aPicture() })
    expect(upload.status).toBe(201)
    const { imageUrl } = (await upload.json()) as { imageUrl: string }
    const profile = await call(`${b}/users/profile`, {
      method: 'PUT',
      token: tokens[0]!,
      body: { profilePicture: imageUrl },
    })
    expect(profile.status).toBe(200)
    const [one, other] = await Promise.all([a, b].map((url) => call(url + imageUrl)))
    expect([one!.status, other!.status]).toEqual([200, 200])
    expect(Buffer.from(await one!.arrayBuffer())).toEqual(Buffer.from(await other!.arrayBuffer()))
    for (const { dataDir } of nodes) expect(existsSync(join(dataDir, imageUrl))).toBe(false)
  })

  test('concurrent reads and writes at both log no error, and keep every counter correct', async () => {
    const ids = (await db.selectFrom('media').select('id').where('kind', '=', 'movie').execute()).map(
      ({ id }) => id,
    )
    const statuses = new Map<number, number>()
    await Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        for (let step = 0; step < 40; step++) {
          const url = (worker + step) % 2 ? a : b
          const id = ids[(worker * 7 + step * 3) % 12]!
          const token = tokens[step % 3]!
          const response = await [
            () => call(`${url}/movies/popular`),
            () => call(`${url}/movies/${id}`, { token }),
            () => call(`${url}/movies/${id}`, { page: true }),
            () =>
              call(`${url}/reviews`, {
                method: 'POST',
                token,
                body: { movieId: id, rating: 1 + (step % 5) },
              }),
            () => call(`${url}/users/me`, { token }),
          ][step % 5]!()
          await response.arrayBuffer()
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
        }
      }),
    )
    expect([...statuses.keys()].sort()).toEqual([200, 201])
    expect(await findCounterFaults(db)).toEqual([])
    const [one, other] = await Promise.all(
      [a, b].map(async (url) => (await call(`${url}/movies/${ids[0]}/rating-histogram`)).json()),
    )
    expect(one).toEqual(other)
    for (const node of nodes) expect(node.lines().filter(({ level }) => level >= 40)).toEqual([])
  })

  test('a live stream at one receives a review posted at the other', async () => {
    const { id } = await db
      .selectFrom('media')
      .select('id')
      .where('kind', '=', 'book')
      .executeTakeFirstOrThrow()
    const input = encodeURIComponent(JSON.stringify({ bookId: id }))
    const stream = await call(`${a}/trpc/reviews.live?input=${input}`)
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    let received = ''
    const untilReceived = async (pattern: RegExp) => {
      while (!pattern.test(received)) received += (await reader.read()).value ?? ''
    }
    await untilReceived(/"reviews":\[\]/)
    const body = { bookId: id, rating: 4, text: 'Sent to every live stream.' }
    const posted = await call(`${b}/reviews`, { method: 'POST', token: tokens[1]!, body })
    expect(posted.status).toBe(201)
    await untilReceived(/"reviews":\[\{/)
    await reader.cancel()
  })

  test('a rate limit is shared by both', async () => {
    const responses = []
    for (let index = 0; index < 62; index++) responses.push(await call(`${index % 2 ? a : b}/tmdb/search?q=`))
    expect(responses.map(({ status }) => status).lastIndexOf(400)).toBe(59)
    expect(responses.slice(60).map(({ status }) => status)).toEqual([429, 429])
  })

  test('a logout at one ends the session at the other immediately', async () => {
    expect((await call(`${a}/auth/logout`, { method: 'POST', token: tokens[0]! })).status).toBe(200)
    expect((await call(`${b}/users/me`, { token: tokens[0]! })).status).toBe(401)
    expect((await call(`${b}/users/me`, { token: tokens[1]! })).status).toBe(200)
  })

  test('one shuts down gracefully while the other keeps serving', async () => {
    expect(await end(nodes[0]!)).toBe(0)
    expect((await call(`${b}/users/me`, { token: tokens[1]! })).status).toBe(200)
    expect(await end(nodes[1]!)).toBe(0)
  })
})

describe('workers', () => {
  const pidsOf = (node: Node) => [
    ...new Set(
      node
        .lines()
        .filter(({ msg }) => msg === 'request')
        .map(({ pid }) => pid),
    ),
  ]
  const isAlive = (pid: number) => {
    try {
      process.kill(pid, 0)
      return true
    } catch {
      return false
    }
  }

  /** Returns whether a child process has called `exec`. Until then, `spawn` blocks the parent, even while the child is suspended. */
  const hasExecuted = (pid: number) =>
    readFileSync(`/proc/${pid}/environ`, 'utf8').includes('NODE_UNIQUE_ID=')

  /** Waits for a worker other than `known`, and suspends it before it listens. Returns its pid. */
  async function suspendStarting(node: Node, known: number[]): Promise<number> {
    const { pid } = node.child
    for (;;) {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
      const starting = children.find((child) => child > 0 && !known.includes(child) && hasExecuted(child))
      if (starting) {
        process.kill(starting, 'SIGSTOP')
        return starting
      }
      await wait(5)
    }
  }

  test('share one port; a dead worker is restarted; metrics cover all workers; all shut down together', async () => {
    const metricsPort = await freePort()
    const node = aNode({ WORKERS: '2', METRICS_PORT: String(metricsPort) })
    const url = await urlOf(node)
    // Workers start one after the other.
    const requests = () => node.lines().filter(({ msg }) => msg === 'request').length
    let called = 0
    while (pidsOf(node).length < 2) {
      expect((await call(`${url}/movies/popular`)).status).toBe(200)
      called++
      await expect.poll(requests).toBe(called)
    }
    const pids = pidsOf(node)
    expect(pids).toHaveLength(2)
    expect(pids).not.toContain(node.child.pid)
    expect(node.output().match(/Medley is at/g)).toHaveLength(1)

    const metrics = await (await call(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    const counted = /http_requests_total\{[^}]*popular[^}]*\} (\d+)/.exec(metrics)?.[1]
    expect(Number(counted)).toBe(called)
    expect(metrics).toMatch(/^medley_outbox_mails 0$/m)
    expect(metrics).toMatch(/^medley_database_connections\{state="idle"\} [1-9]/m)
    expect(checkMetrics(metrics)).toBe('')

    process.kill(pids[0]!, 'SIGKILL')
    const starting = await suspendStarting(node, pids)
    const scraped = await call(`http://127.0.0.1:${metricsPort}/metrics`)
    expect(scraped.status).toBe(200)
    expect(await scraped.text()).toMatch(/^medley_outbox_mails 0$/m)
    process.kill(starting, 'SIGCONT')
    while (pidsOf(node).length < 3) {
      // A connection that is being passed to the dying worker is lost with it.
      const response = await call(`${url}/movies/popular`, { timeoutMs: 1_000 }).catch(() => undefined)
      expect(response?.status ?? 200).toBe(200)
      await wait(25)
    }
    expect(pidsOf(node)).toHaveLength(3)
    expect(node.lines().filter(({ msg }) => msg === 'a worker died')).toHaveLength(1)

    expect(await end(node)).toBe(0)
    expect(pidsOf(node).filter(isAlive)).toEqual([])
  })

  test('are replaced one by one on SIGUSR2, without a failed request', async () => {
    const node = aNode({ WORKERS: '2', RATE_LIMITS: 'off' })
    const url = await urlOf(node)
    const listening = () => node.lines().filter(({ msg }) => msg === 'listening')
    await expect.poll(() => listening().length).toBe(2)
    const before = listening().map(({ pid }) => pid)

    // Clients that keep their connections, and clients that open one for each request.
    const state = { isOver: false }
    const results = new Map<string, number>()
    const clients = [true, true, true, false].map(async (keepAlive) => {
      const agent = new Agent({ keepAlive, maxSockets: 2 })
      while (!state.isOver) {
        const result = await statusOf(`${url}/movies/popular?limit=3`, agent).catch(
          (error: Error) => error.message,
        )
        results.set(String(result), (results.get(String(result)) ?? 0) + 1)
        await wait(2)
      }
      agent.destroy()
    })
    node.child.kill('SIGUSR2')
    // The second signal is for the replacement that is already in progress.
    node.child.kill('SIGUSR2')
    await expect.poll(() => node.output()).toContain('all workers are replaced')
    state.isOver = true
    await Promise.all(clients)
    expect([...results.keys()]).toEqual(['200'])
    expect(results.get('200')).toBeGreaterThan(100)
    expect(before.filter(isAlive)).toEqual([])
    // Lines are written in batches.
    await expect.poll(() => listening().length).toBe(4)
    expect(node.output()).not.toContain('a worker died')
    expect(await end(node)).toBe(0)
  })

  test('stay if a new one cannot start', async () => {
    const node = aNode({ WORKERS: '2' })
    const url = await urlOf(node)
    const listening = () => node.lines().filter(({ msg }) => msg === 'listening')
    await expect.poll(() => listening().length).toBe(2)
    // As if a newer version had migrated the database.
    await sql`insert into kysely_migration (name, timestamp) values ('9999-newer', '')`.execute(db)
    node.child.kill('SIGUSR2')
    await expect.poll(() => node.output()).toContain('a new worker did not start')
    await sql`delete from kysely_migration where name = '9999-newer'`.execute(db)
    expect(node.output()).not.toContain('all workers are replaced')
    expect(node.output()).toContain('The database is newer than this version of Medley')
    expect(
      listening()
        .map(({ pid }) => pid)
        .filter(isAlive),
    ).toHaveLength(2)
    expect((await call(`${url}/readyz`)).status).toBe(200)
    expect(await end(node)).toBe(0)
  })

  test('that cannot listen end the start with one error message', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const node = aNode({ WORKERS: '2', PORT: String(port) })
    const [code] = (await once(node.child, 'exit')) as [number]
    expect(code).toBe(1)
    expect(node.output().match(/is already in use/g)).toHaveLength(1)
    other.close()
  })
})
