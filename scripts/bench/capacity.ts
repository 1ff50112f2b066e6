import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { postmasterOf, startPrimaryAndReplica } from '#scripts/testing/postgres.ts'
import { aDataFolder, startProgram } from '#scripts/testing/program.ts'
import type { Db } from '#server/db/open.ts'
import { describeMachine, memoryOf, nodeArguments, openBench } from './bench.ts'
import { type Call, load } from './send-load.ts'
import { drawMixedLoad } from './mixed-load.ts'
import { generateSyntheticData } from './synthetic-data.ts'

/** Per process. */
const warmUpCalls = 5_000

type Sample = { setup: string; server: number; primary: number; replica: number; perSecond: number }

/**
 * Measures the figures of the capacity plan in docs/performance.md: CPU seconds per thousand calls of the mixed load, of the server,
 * of Postgres and of its replica; memory of an idle server, after its first page, and of an open live stream; the time from the
 * start to the first page; bytes per rating and per review; writes per second that Postgres commits with fsync. CPU time is that of
 * the processes, so that two cores suffice; but a machine that is busy with other work slows each call down, and the server may shed
 * load. A round measures each setup in turn, at full speed, after a warm-up. Needs /proc (Linux).
 */
export async function capacity({
  reviews,
  rounds,
  seconds,
}: {
  reviews: number
  rounds: number
  seconds: number
}) {
  const machine = describeMachine()

  const postgres = await startPrimaryAndReplica({ isDurable: true, hasFsync: true })
  const sqlite = aDataFolder()
  const onPostgres = aDataFolder()
  const pids = {
    primary: postmasterOf(postgres.primaryFolder),
    replica: postmasterOf(postgres.replicaFolder),
  }

  console.log(`Generating ${reviews.toLocaleString('en')} reviews, twice …`)
  const sqliteBytes = await fill({ dataDir: sqlite.folder }, reviews, (db) => sizesOf(db, sqlite.folder))
  const postgresBytes = await fill({ databaseUrl: postgres.primaryUrl }, reviews, (db) => sizesOf(db))
  const { calls } = sqliteBytes

  const setups: Record<string, Record<string, string>> = {
    'SQLite, one process': { DATA_DIR: sqlite.folder },
    'Postgres, WORKERS=1': { DATA_DIR: onPostgres.folder, DATABASE_URL: postgres.primaryUrl },
    'Postgres, WORKERS=2': { DATA_DIR: onPostgres.folder, DATABASE_URL: postgres.primaryUrl, WORKERS: '2' },
    'Postgres and a replica': {
      DATA_DIR: onPostgres.folder,
      DATABASE_URL: postgres.primaryUrl,
      DATABASE_REPLICA_URL: postgres.replicaUrl,
    },
  }
  const samples: Sample[] = []
  for (let round = 0; round < rounds; round++)
    for (const [setup, env] of Object.entries(setups))
      samples.push({ setup, ...(await measureMixed({ env, calls, seconds, pids })) })

  const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
  const cpu = Object.keys(setups).map((setup) => {
    const own = samples.filter((sample) => sample.setup === setup)
    const of = (what: 'server' | 'primary' | 'replica') => {
      const all = own.map((sample) => sample[what])
      return `${median(all).toFixed(2)} (${Math.min(...all).toFixed(2)}–${Math.max(...all).toFixed(2)})`
    }
    return { setup, server: of('server'), Postgres: of('primary'), replica: of('replica') }
  })
  const ofWorkers = (count: number) =>
    samples.filter(({ setup }) => setup === `Postgres, WORKERS=${count}`).map(({ server }) => server)
  const [one, two] = [ofWorkers(1), ofWorkers(2)]
  const workersRatio = median(two.map((cpuOfTwo, round) => cpuOfTwo / one[round]!))

  console.log(machine)
  console.log('CPU seconds per thousand calls of the mixed load, median (lowest–highest):')
  console.table(cpu)
  console.log(`Two workers against one: ${workersRatio.toFixed(2)} times the CPU time per call`)
  console.log('Bytes in the database:')
  console.table({ SQLite: sqliteBytes.bytes, Postgres: postgresBytes.bytes })
  const start = await measureStart(sqlite.folder)
  console.table(start)
  const writes = await measureWrites(setups, calls, seconds, pids.primary)
  console.table(writes)
  await postgres.remove()
  for (const { remove } of [sqlite, onPostgres]) remove()
  return {
    missed: workersRatio > 1.1 ? ['two workers need over 10 % more CPU time per call than one'] : [],
    machine,
    samples,
    workersRatio,
    bytes: { sqlite: sqliteBytes.bytes, postgres: postgresBytes.bytes },
    start,
    writes,
  }
}

/** Fills a database, draws the mixed load for it, and returns its sizes. */
async function fill(
  where: { dataDir?: string; databaseUrl?: string },
  reviews: number,
  readSizes: (db: Db) => Promise<object>,
) {
  const { services, close } = await openBench(where)
  const { db } = services
  const now = new Date()
  await generateSyntheticData(db, { reviews, now })
  const drawn = await drawMixedLoad(db, { calls: 5_000, seed: 1, now })
  const bytes = await readSizes(db)
  await close()
  return { calls: drawn, bytes }
}

/** Returns bytes per row, with the row's indexes and its share of the roll-ups. */
async function sizesOf(db: Db, sqliteFolder?: string) {
  const sizes = sqliteFolder
    ? sql<{ name: string; bytes: number }>`select m.tbl_name as name, sum(s.pgsize) as bytes
        from dbstat s join sqlite_master m on m.name = s.name group by m.tbl_name`
    : sql<{ name: string; bytes: number }>`select relname as name, pg_total_relation_size(oid) as bytes
        from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
  const bytes = new Map((await sizes.execute(db)).rows.map((row) => [row.name, row.bytes]))
  const count = async (table: 'reviews' | 'users' | 'media' | 'follows' | 'comments') =>
    (
      await db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    ).count
  const texts = await db
    .selectFrom('reviews')
    .select((eb) => [
      eb.fn.sum<number>(eb.fn<number>('length', ['text'])).as('sum'),
      sql<number>`count(case when text <> '' then 1 end)`.as('count'),
    ])
    .executeTakeFirstOrThrow()
  const reviews = await count('reviews')
  const rating = (bytes.get('reviews')! - texts.sum + bytes.get('rating_counts')!) / reviews
  const users = ['users', 'name_parts', 'sessions'].reduce((sum, table) => sum + (bytes.get(table) ?? 0), 0)
  const search = [...bytes].filter(([name]) => name.startsWith('media_search')).map(([, size]) => size)
  const media = search.reduce((sum, size) => sum + size, bytes.get('media')!)
  const total = sqliteFolder
    ? statSync(join(sqliteFolder, 'medley.sqlite')).size
    : [...bytes.values()].reduce((sum, size) => sum + size, 0)
  return {
    rating: Math.round(rating),
    'review of average length': Math.round(rating + texts.sum / texts.count),
    member: Math.round(users / (await count('users'))),
    follow: Math.round(bytes.get('follows')! / (await count('follows'))),
    comment: Math.round(bytes.get('comments')! / (await count('comments'))),
    title: Math.round(media / (await count('media'))),
    'everything, per review': Math.round(total / reviews),
  }
}

/** Sends the mixed load to a new server, and returns CPU seconds per thousand calls by process. */
async function measureMixed(on: {
  env: Record<string, string>
  calls: Call[]
  seconds: number
  pids: { primary: number; replica: number }
}) {
  const { env, calls, seconds, pids } = on
  const server = await startProgram(env, { nodeArguments })
  // By number, not by time: every worker has to compile its hot functions, also on a slow machine.
  const warmUp = warmUpCalls * Number(env['WORKERS'] ?? 1)
  for (let served = 0; served < warmUp;)
    served += (await load({ url: server.url, calls, seconds: 2 })).responses
  const read = () => [server.child.pid!, pids.primary, pids.replica].map(cpuOf)
  const before = read()
  const { responses, perSecond, statuses } = await load({ url: server.url, calls, seconds })
  const after = read()
  await server.end()
  const refused = Object.entries(statuses).filter(([status]) => !status.startsWith('2'))
  if (refused.length > 0) console.log(JSON.stringify(statuses))
  const [cpuOfServer, primary, replica] = after.map((cpu, at) => (1_000 * (cpu - before[at]!)) / responses)
  return { server: cpuOfServer!, primary: primary!, replica: replica!, perSecond }
}

/** Measures memory (MB) and the times (ms) of a server with a built web app. */
async function measureStart(dataDir: string) {
  const startedAt = performance.now()
  const server = await startProgram({ DATA_DIR: dataDir }, { nodeArguments })
  const startMs = performance.now() - startedAt
  const pid = server.child.pid!
  const idle = memoryOf(pid)
  const cpuBefore = cpuOf(pid)
  const page = async () => {
    const sentAt = performance.now()
    const response = await fetch(`${server.url}/movies/1`, { headers: { accept: 'text/html' } })
    if (!(await response.text()).includes('</html>')) throw new Error('The page is not complete.')
    return performance.now() - sentAt
  }
  const firstPageMs = await page()
  const firstPageCpuMs = 1_000 * (cpuOf(pid) - cpuBefore)
  await wait(2_000)
  const afterPage = memoryOf(pid)
  const rss = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

  const count = 1_000
  const streams = []
  for (let at = 0; at < count; at++) streams.push(await openStream(server.url, 1 + (at % 100)))
  await wait(2_000)
  const withStreams = memoryOf(pid)
  for (const close of streams) close()
  await server.end()
  return {
    'start, ms': Math.round(startMs),
    'first page, ms': Math.round(firstPageMs),
    'first page, CPU ms': Math.round(firstPageCpuMs),
    'anonymous memory at start, MB': Math.round(idle),
    'anonymous memory after the first page, MB': Math.round(afterPage),
    'resident memory after the first page, MB': Math.round(rss),
    'memory per live stream, KB': Math.round((1024 * (withStreams - afterPage)) / count),
  }
}

/** Opens a live stream; repeats the call while the server sheds load. Returns a function that closes it. */
async function openStream(url: string, itemId: number): Promise<() => void> {
  const input = encodeURIComponent(JSON.stringify({ itemId }))
  for (;;) {
    const response = await fetch(`${url}/trpc/reviews.live?input=${input}`)
    if (response.status === 200) {
      const reader = response.body!.getReader()
      // The first event.
      await reader.read()
      return () => void reader.cancel().catch(() => {})
    }
    await response.text()
    await wait(100)
  }
}

/** Measures writes at full speed: ratings by a hundred members on all titles, over HTTP. */
async function measureWrites(
  setups: Record<string, Record<string, string>>,
  calls: Call[],
  seconds: number,
  primaryPid: number,
) {
  const ratings = calls.filter(({ method, path }) => method === 'POST' && path === '/reviews')
  const results = []
  for (const setup of ['SQLite, one process', 'Postgres, WORKERS=1']) {
    const server = await startProgram(setups[setup]!, { nodeArguments })
    const read = () => [cpuOf(server.child.pid!), cpuOf(primaryPid)]
    const before = read()
    const { perSecond, responses } = await load({ url: server.url, calls: ratings, seconds, connections: 20 })
    const [cpuOfServer, primary] = read().map((cpu, at) => (1_000 * (cpu - before[at]!)) / responses)
    await server.end()
    results.push({
      setup,
      'writes per second': Math.round(perSecond),
      'CPU s per 1,000, server': Number(cpuOfServer!.toFixed(2)),
      'CPU s per 1,000, Postgres': Number(primary!.toFixed(2)),
    })
  }
  return results
}

/** Returns the CPU seconds that a process and all its descendants have used, those that have exited included. */
function cpuOf(pid: number): number {
  const ticks = new Map<number, { parent: number; own: number }>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      // The fields after the command, which may contain any character.
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number)
      const [user, system, childUser, childSystem] = fields.slice(11, 15) as [number, number, number, number]
      ticks.set(Number(name), { parent: fields[1]!, own: user + system + childUser + childSystem })
    } catch {
      // It has exited.
    }
  }
  const sum = (one: number): number =>
    [...ticks].reduce(
      (all, [child, { parent }]) => (parent === one ? all + sum(child) : all),
      ticks.get(one)?.own ?? 0,
    )
  // A tick is a hundredth of a second on every Linux that Node runs on.
  return sum(pid) / 100
}
