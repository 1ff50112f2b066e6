import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
  openSync,
  closeSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import { ownPostgres } from '#scripts/testing/own-postgres.ts'
import { freePort } from '#scripts/testing/postgres.ts'
import { aDataFolder, type Program, startProgram } from '#scripts/testing/program.ts'
import { openDatabase } from '#server/db/open.ts'
import { aSignedInMember, aTitle, findCounterFaults } from './testing.ts'

// Fault injection against the real program: each fault causes a documented error or a wait, no data loss, and no restart.

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type Site = Program & { folder: string; token: string; movie: number; databaseUrl: string | undefined }

async function aSite(
  env: Record<string, string> = {},
  { folder = undefined as string | undefined, nodeArguments = [] as string[] } = {},
): Promise<Site> {
  const data = folder ? { folder } : aDataFolder()
  if ('remove' in data) closers.push(data.remove)
  const program = await startProgram({ DATA_DIR: data.folder, ...env }, { nodeArguments })
  closers.push(() => program.end('SIGKILL'))
  const databaseUrl = env['DATABASE_URL']
  const db = openDatabase({ databaseUrl, dataDir: data.folder })
  const { token } = await aSignedInMember(db)
  const movie = await aTitle(db)
  await db.destroy()
  return { ...program, folder: data.folder, token, movie, databaseUrl }
}

type CallResult = {
  status: number
  retryAfter: string | null
  body: { message?: string } & Record<string, unknown>
  ms: number
}

async function call(site: Site, path: string, body?: object): Promise<CallResult> {
  const startedAt = performance.now()
  const result = await fetch(site.url + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${site.token}`,
      ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }),
    },
    ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  })
  return {
    status: result.status,
    retryAfter: result.headers.get('retry-after'),
    body: (await result.json()) as CallResult['body'],
    ms: performance.now() - startedAt,
  }
}

const read = (site: Site) => call(site, `/movies/${site.movie}`)
const rate = (site: Site, rating: number) => call(site, '/reviews', { movieId: site.movie, rating })
const ratingOf = async (site: Site) =>
  ((await call(site, `/reviews/mine?movieId=${site.movie}`)).body['review'] as { rating: number }).rating
const refused = (message: string) => ({
  status: 503,
  retryAfter: expect.stringMatching(/^\d+$/),
  body: { message, code: 'SERVICE_UNAVAILABLE' },
})

/** Calls the site continuously until `end`, which returns the results. */
function keepCalling(site: Site) {
  const state = { isStopped: false }
  const results: CallResult[] = []
  const calling = Array.from({ length: 6 }, async (_, at) => {
    for (let number = at; !state.isStopped; number++) {
      results.push(await (number % 2 ? rate(site, 1 + (number % 5)) : read(site)))
      await wait(5)
    }
  })
  return {
    results,
    async end() {
      state.isStopped = true
      await Promise.all(calling)
      return results
    },
  }
}

/** Common clients give up one second later. */
const clientTimeoutMs = 29_000

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await wait(50)
}

/** Locks the site’s SQLite from another process. Resolves when locked; `end` releases the lock. */
async function aLock({ folder }: Site) {
  const code = `
    const sqlite = new (require('better-sqlite3'))(process.argv[1])
    sqlite.exec('begin immediate')
    console.log('locked')
    process.stdin.resume().on('end', () => sqlite.exec('rollback'))`
  const child = spawn(process.execPath, ['-e', code, join(folder, 'medley.sqlite')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return {
    async end() {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}

function anImport(): FormData {
  const form = new FormData()
  form.set('file', new Blob(['Title,Year,Rating\nDune,2021,5\n']), 'films.csv')
  return form
}

async function aPicture(): Promise<FormData> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 }
  const png = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#888', noise } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.set('image', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'a.png')
  return form
}

describe.skipIf(inject('postgresUrl'))('with SQLite', () => {
  test('while another process holds the write lock, writes wait and reads do not', async () => {
    const site = await aSite()
    const lock = await aLock(site)
    const writing = rate(site, 4)
    for (let reads = 0; reads < 3; reads++) expect((await read(site)).status).toBe(200)
    await lock.end()
    expect((await writing).status).toBe(201)
    expect(await ratingOf(site)).toBe(4)
  })

  test('if the lock lasts, writes are 503 until it is released; no restart is needed', async () => {
    const site = await aSite()
    const lock = await aLock(site)
    const writing = rate(site, 4)
    expect((await read(site)).status).toBe(200)
    expect(await writing).toMatchObject(refused(messages.busy))
    const typed = await fetch(`${site.url}/trpc/reviews.save`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ movieId: site.movie, rating: 3 }),
    })
    expect([typed.status, typed.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await typed.json()).toMatchObject({ error: { message: messages.busy } })
    await lock.end()
    expect((await rate(site, 2)).status).toBe(201)
  })

  test('a data folder without write permission ends the start with an error message', async () => {
    const { folder, remove } = aDataFolder()
    closers.push(remove)
    chmodSync(folder, 0o555)
    // Root may write everywhere, so the program runs as another user.
    const uid = process.getuid?.() === 0 ? { uid: 65_534 } : {}
    await expect(startProgram({ DATA_DIR: folder }, uid)).rejects.toThrow(
      /The database cannot be opened or migrated\. Check DATA_DIR/,
    )
  })

  const canMount = process.platform === 'linux' && process.getuid?.() === 0
  describe.skipIf(!canMount)('on a separate disk (requires root, to mount it)', () => {
    function aDisk() {
      const folder = mkdtempSync(join(tmpdir(), 'medley-disk-'))
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'none', folder])
      closers.push(() => {
        execFileSync('umount', ['-l', folder])
        rmSync(folder, { recursive: true, force: true })
      })
      return folder
    }
    /** Fills the disk. */
    function fill(folder: string): void {
      const file = openSync(join(folder, 'filler'), 'w')
      const block = Buffer.alloc(64 * 1024)
      for (const size of [block.length, 4096])
        for (;;) {
          try {
            if (writeSync(file, block, 0, size) < size) break
          } catch {
            break
          }
        }
      closeSync(file)
    }
    const pictures = (folder: string) =>
      readdirSync(join(folder, 'uploads')).filter((name) => !/^(poster|backdrop)-/.test(name))

    test('with a full disk, writes are 503 and leave no partial data; they succeed again once space is free', async () => {
      const disk = aDisk()
      const site = await aSite({ DISK_RESERVE_MB: '0' }, { folder: disk })
      expect((await rate(site, 5)).status).toBe(201)
      fill(disk)
      const long = { movieId: site.movie, rating: 1, text: 'Too much. '.repeat(900) }
      let result = await call(site, '/reviews', long)
      // Writes succeed until the space already allocated to the write-ahead log is used.
      for (let more = 0; more < 2_000 && result.status === 201; more++)
        result = await call(site, '/reviews', { ...long, text: `${more} ${long.text}` })
      expect(result).toMatchObject(refused(messages.cannotSave))
      expect(await call(site, '/upload', await aPicture())).toMatchObject(refused(messages.cannotSave))
      expect(pictures(disk)).toEqual([])
      expect((await read(site)).status).toBe(200)
      expect((await call(site, '/users/me')).status).toBe(200)
      rmSync(join(disk, 'filler'))
      expect((await rate(site, 2)).status).toBe(201)
      expect(await ratingOf(site)).toBe(2)
      expect((await call(site, '/upload', await aPicture())).status).toBe(201)
      const db = openDatabase({ databaseUrl: undefined, dataDir: disk })
      expect(await findCounterFaults(db)).toEqual([])
      await db.destroy()
    })

    test('below the disk reserve, uploads and imports are refused and reviews are not', async () => {
      const disk = aDisk()
      const site = await aSite({ DISK_RESERVE_MB: '10' }, { folder: disk })
      expect((await call(site, '/upload', await aPicture())).status).toBe(201)
      const stored = pictures(disk)
      const { bavail, bsize } = statfsSync(disk)
      writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize - 8_000_000))
      expect(await call(site, '/upload', await aPicture())).toMatchObject(refused(messages.uploadsNoRoom))
      expect(pictures(disk)).toEqual(stored)
      expect(await call(site, '/imports', anImport())).toMatchObject(refused(messages.importsNoRoom))
      expect((await rate(site, 5)).status).toBe(201)
      rmSync(join(disk, 'filler'))
      expect((await call(site, '/imports', anImport())).status).toBe(201)
      expect((await call(site, '/upload', await aPicture())).status).toBe(201)
    })

    test('while the upload folder is read-only, uploads are 503 and other calls succeed', async () => {
      const site = await aSite()
      const uploads = join(site.folder, 'uploads')
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'none', uploads])
      try {
        expect(await call(site, '/upload', await aPicture())).toMatchObject(refused(messages.cannotSave))
        expect((await rate(site, 5)).status).toBe(201)
      } finally {
        execFileSync('umount', ['-l', uploads])
      }
      expect((await call(site, '/upload', await aPicture())).status).toBe(201)
    })
  })

  const clock = join(mkdtempSync(join(tmpdir(), 'medley-clock-')), 'clock.mjs')
  writeFileSync(
    clock,
    `const Real = Date, day = 86_400_000
    let shift = 0
    globalThis.Date = class Date extends Real {
      constructor(...given) { given.length ? super(...given) : super(Real.now() + shift) }
      static now() { return Real.now() + shift }
    }
    const jump = (ms) => { shift += ms; console.log('The clock has jumped.') }
    process.on('SIGCONT', () => jump(day))
    process.on('SIGWINCH', () => jump(-day))`,
  )
  const nodeArguments = ['--import', clock]
  const jump = async ({ child, output }: Site, signal: 'SIGCONT' | 'SIGWINCH') => {
    const jumps = () => output().split('The clock has jumped.').length
    const before = jumps()
    child.kill(signal)
    await until(() => jumps() > before)
  }

  test('a clock that jumps by a day ends no session and hides no data', async () => {
    const site = await aSite({ RATE_LIMITS: 'on' }, { nodeArguments })
    const isPopular = async () => {
      const { popular } = (await call(site, '/movies/popular')).body as { popular: { id: number }[] }
      return popular.some(({ id }) => id === site.movie)
    }
    const guess = async () =>
      (await call(site, '/auth/login', { email: 'unknown@example.org', password: 'wrong-one' })).status
    expect((await rate(site, 4)).status).toBe(201)
    for (let number = 0; number < 10; number++) expect(await guess()).toBe(401)
    expect(await guess()).toBe(429)
    await jump(site, 'SIGCONT')
    expect((await call(site, '/users/me')).status).toBe(200)
    expect([await isPopular(), await guess()]).toEqual([true, 401])
    expect((await rate(site, 5)).status).toBe(201)
    await jump(site, 'SIGWINCH')
    // Rows with a future time are visible, and can be overwritten.
    expect((await call(site, '/users/me')).status).toBe(200)
    expect([await isPopular(), await guess(), await ratingOf(site)]).toEqual([true, 401, 5])
    expect((await rate(site, 3)).status).toBe(201)
    expect(await ratingOf(site)).toBe(3)
  })

  test('emails wait while the SMTP server is down, and are sent once when it is up', async () => {
    const port = await freePort()
    const site = await aSite({ SMTP_URL: `smtp://127.0.0.1:${port}`, LOG_LEVEL: 'warn' }, { nodeArguments })
    const register = (username: string) =>
      call(site, '/users/register', { username, email: `${username}@example.org`, password: 'six-or-more' })
    expect((await register('early')).status).toBe(201)
    await until(() => site.output().includes('task failed'))
    const mails: string[] = []
    const post = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, session, done) {
        const to = session.envelope.rcptTo.map(({ address }) => address).join()
        stream.resume().on('end', () => {
          mails.push(to)
          done()
        })
      },
    })
    await new Promise<void>((resolve) => post.listen(port, '127.0.0.1', resolve))
    closers.push(() => new Promise<void>((resolve) => post.close(resolve)))
    // Both are due for a retry, which the next email triggers.
    await jump(site, 'SIGCONT')
    expect((await register('late')).status).toBe(201)
    await until(() => mails.length >= 2)
    await wait(500)
    expect(mails.sort()).toEqual(['early@example.org', 'late@example.org'])
  })

  test('searches of an external source that hangs are 503, and other calls are not delayed', async () => {
    const hanging = createServer(() => {}).listen(0, '127.0.0.1')
    await once(hanging, 'listening')
    closers.push(() => hanging.close())
    const { port } = hanging.address() as { port: number }
    const site = await aSite({ TMDB_TOKEN: 'a-token', TMDB_API_URL: `http://127.0.0.1:${port}` })
    const searches = Array.from({ length: 20 }, () => call(site, '/tmdb/search?q=alien'))
    const first = await Promise.race([...searches, read(site)])
    expect(first.status).toBe(200)
    for (const { status, body, ms } of await Promise.all(searches)) {
      expect([status, body.message]).toEqual([503, messages.searchFailed])
      expect(ms).toBeLessThan(clientTimeoutMs)
    }
  })
})

describe.runIf(inject('postgresUrl'))('with Postgres', () => {
  test('while it restarts under load, calls are 503; the server recovers by itself', async () => {
    const postgres = await ownPostgres()
    closers.push(() => postgres.remove())
    const site = await aSite({ DATABASE_URL: postgres.url })
    const calling = keepCalling(site)
    const hasResponses = (status: number, from: number) => () =>
      calling.results.slice(from).filter((result) => result.status === status).length > 20
    for (let round = 0; round < 3; round++) {
      const from = calling.results.length
      await until(() => calling.results.length > from + 50)
      await postgres.stop()
      await until(hasResponses(503, from))
      // A stream that is opened now fails as well; tRPC sends its errors.
      const live = `${site.url}/trpc/reviews.live?input=${encodeURIComponent('{"movieId":1}')}`
      const stream = await fetch(live, { headers: { accept: 'text/event-stream' } })
      expect(await stream.text()).toContain('"code":"SERVICE_UNAVAILABLE"')
      const back = calling.results.length
      await postgres.start()
      await until(() => calling.results.slice(back).some(({ status }) => status === 201))
    }
    const results = await calling.end()
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([200, 201, 503]))
    for (const result of results.filter(({ status }) => status === 503))
      expect(result).toMatchObject(refused(messages.busy))
    const db = openDatabase({ databaseUrl: postgres.url, dataDir: '' })
    expect(await findCounterFaults(db)).toEqual([])
    await db.destroy()
  })

  test('while it hangs, calls are 503 before clients time out, and succeed once it responds', async () => {
    const postgres = await ownPostgres()
    closers.push(() => postgres.remove())
    const site = await aSite({ DATABASE_URL: postgres.url })
    postgres.freeze()
    closers.push(() => postgres.resume())
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 ? rate(site, 3) : read(site))),
    )
    for (const result of results) {
      expect(result).toMatchObject(refused(messages.busy))
      expect(result.ms).toBeLessThan(clientTimeoutMs)
    }
    expect((await fetch(`${site.url}/healthz`)).status).toBe(200)
    postgres.resume()
    await until(async () => (await rate(site, 4)).status === 201)
    expect(await ratingOf(site)).toBe(4)
  })
})
