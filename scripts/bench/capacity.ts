import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { postmasterOf, startPrimaryAndReplica } from '#scripts/testing/postgres.ts'
import { cpuOf } from '#scripts/testing/processes.ts'
import { aDataFolder, startProgram } from '#scripts/testing/program.ts'
import { openDatabase } from '#server/db/open.ts'
import { describeMachine, memoryOf, nodeArguments } from './bench.ts'
import { type LoadCall, load, median } from './send-load.ts'
import { fillWithMixedLoad } from './mixed-load.ts'

const warmUpCalls = 5_000
const streamCount = 1_000

type Env = Record<string, string>
type Pids = { primary: number; replica: number }
type Cost = { server: number; primary: number; replica: number; perSecond: number }

/**
 * The figures of the capacity plan in docs/performance.md. CPU time is measured per process, so that two cores suffice; other work on the
 * machine still slows each call down. A round measures each setup in turn, after a warm-up. Needs /proc (Linux).
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
  const [sqlite, onPostgres] = [aDataFolder(), aDataFolder()]
  const pids = {
    primary: postmasterOf(postgres.primaryFolder),
    replica: postmasterOf(postgres.replicaFolder),
  }
  console.log(`Generating ${reviews.toLocaleString('en')} reviews, twice …`)
  const calls = await fillWithMixedLoad({ dataDir: sqlite.folder }, reviews)
  const postgresCalls = await fillWithMixedLoad({ databaseUrl: postgres.primaryUrl }, reviews)
  const bytesPerReview = {
    SQLite: Math.round(statSync(join(sqlite.folder, 'medley.sqlite')).size / reviews),
    Postgres: Math.round((await sizeOf(postgres.primaryUrl)) / reviews),
  }
  const isRating = ({ method, path }: LoadCall) => method === 'POST' && path === '/reviews'

  const onSqlite = { DATA_DIR: sqlite.folder }
  const one = { DATA_DIR: onPostgres.folder, DATABASE_URL: postgres.primaryUrl }
  const withReplica = { ...one, DATABASE_REPLICA_URL: postgres.replicaUrl }
  const setups: Record<string, { env: Env; calls: LoadCall[] }> = {
    'SQLite, one process': { env: onSqlite, calls },
    'Postgres, WORKERS=1': { env: one, calls: postgresCalls },
    'Postgres, WORKERS=2': { env: { ...one, WORKERS: '2' }, calls: postgresCalls },
    'Postgres and a replica': { env: withReplica, calls: postgresCalls },
    'ratings only, SQLite': { env: onSqlite, calls: calls.filter(isRating) },
    'ratings only, Postgres': { env: one, calls: postgresCalls.filter(isRating) },
  }
  const samples: (Cost & { setup: string })[] = []
  for (let round = 0; round < rounds; round++)
    for (const [setup, { env, calls }] of Object.entries(setups))
      samples.push({ setup, ...(await measureCalls({ env, calls, seconds, pids })) })

  const medians = Object.keys(setups).map((setup) => {
    const own = samples.filter((sample) => sample.setup === setup)
    const of = (what: keyof Cost) => Number(median(own.map((one) => one[what])).toFixed(2))
    return {
      setup,
      server: of('server'),
      primary: of('primary'),
      replica: of('replica'),
      perSecond: of('perSecond'),
    }
  })
  const ofWorkers = (count: number) =>
    medians.find(({ setup }) => setup === `Postgres, WORKERS=${count}`)!.server
  const start = await measureStart(sqlite.folder)
  console.log(machine)
  console.log('CPU seconds per thousand calls of the mixed load, and calls per second, medians:')
  console.table(medians)
  console.log({ 'bytes per review, with all that belongs to it': bytesPerReview, ...start })
  await postgres.remove()
  for (const { remove } of [sqlite, onPostgres]) remove()
  return {
    missed:
      ofWorkers(2) > 1.1 * ofWorkers(1) ? ['two workers need over 10 % more CPU time per call than one'] : [],
    machine,
    samples,
    bytesPerReview,
    start,
  }
}

async function sizeOf(databaseUrl: string): Promise<number> {
  const db = openDatabase({ databaseUrl, dataDir: '' })
  const { rows } = await sql<{ bytes: number }>`select sum(pg_total_relation_size(oid)) as bytes
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(db)
  await db.destroy()
  return Number(rows[0]!.bytes)
}

async function measureCalls({
  env,
  calls,
  seconds,
  pids,
}: {
  env: Env
  calls: LoadCall[]
  seconds: number
  pids: Pids
}): Promise<Cost> {
  const server = await startProgram(env, { nodeArguments })
  // By number, not by time: every worker has to compile its hot functions.
  const warmUp = warmUpCalls * Number(env['WORKERS'] ?? 1)
  for (let served = 0; served < warmUp;)
    served += (await load({ url: server.url, calls, seconds: 2 })).responses
  const read = () => [server.child.pid!, pids.primary, pids.replica].map(cpuOf)
  const before = read()
  const { responses, perSecond, statuses } = await load({ url: server.url, calls, seconds })
  const cost = read().map((cpu, at) => (1_000 * (cpu - before[at]!)) / responses)
  await server.end()
  if (Object.keys(statuses).some((status) => !status.startsWith('2'))) console.log(statuses)
  return { server: cost[0]!, primary: cost[1]!, replica: cost[2]!, perSecond }
}

async function measureStart(dataDir: string) {
  const startedAt = performance.now()
  const server = await startProgram({ DATA_DIR: dataDir }, { nodeArguments })
  const startMs = performance.now() - startedAt
  const pid = server.child.pid!
  const response = await fetch(`${server.url}/movies/1`, { headers: { accept: 'text/html' } })
  if (!(await response.text()).includes('</html>')) throw new Error('The page is not complete.')
  await wait(2_000)
  const afterPage = memoryOf(pid)
  const rss = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

  const streams = []
  for (let at = 0; at < streamCount; at++) streams.push(await openStream(server.url, 1 + (at % 100)))
  await wait(2_000)
  const withStreams = memoryOf(pid)
  for (const close of streams) close()
  await server.end()
  return {
    'start, ms': Math.round(startMs),
    'anonymous memory after the first page, MB': Math.round(afterPage),
    'resident memory after the first page, MB': Math.round(rss),
    'memory per live stream, KB': Math.round((1024 * (withStreams - afterPage)) / streamCount),
  }
}

/** Repeats the call while the server sheds load. Returns a function that closes the stream. */
async function openStream(url: string, itemId: number): Promise<() => void> {
  const input = encodeURIComponent(JSON.stringify({ itemId }))
  for (;;) {
    const response = await fetch(`${url}/trpc/reviews.live?input=${input}`)
    if (response.status === 200) {
      const reader = response.body!.getReader()
      await reader.read()
      return () => void reader.cancel().catch(() => {})
    }
    await response.text()
    await wait(100)
  }
}
