import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { aDataFolder, startProgram } from '#scripts/testing/program.ts'
import { memoryOf, openBench, writeResults } from './bench.ts'
import { load } from './load.ts'
import { drawDay } from './mixed-day.ts'
import { makeWorld } from './world.ts'

/** Milliseconds, of answers of one sort as a few patient callers got them. */
type Answers = { count: number; medianMs: number; p99Ms: number }
export type Overload = {
  /** Answers a second at full speed, from a few connections. */
  capacity: number
  /** Calls a second that came from a crowd, of which each calls again as soon as it is answered, and were answered by 2xx. */
  offered: number
  served: number
  shed: number
  /** Calls that were answered neither by what they asked for nor by 503, or not at all. */
  failed: number
  successes: Answers
  refusals: Answers & { withRetryAfter: number }
  /** From the end of the overload until calls are answered, and as fast as before. */
  normalAfterMs: number
  /** Anonymous memory before it, and the most during it. */
  memoryMB: { before: number; most: number }
  /** Reads alone, and beside forty connections that log in without pause. */
  reads: { alone: Answers; besideLogins: Answers; logins: number }
}

const callers = 8
const crowd = 2_000
const giveUpMs = 30_000

/** What happens to the real server under several times the load that it can bear, and while many log in. */
export async function overload({
  seconds,
  reviews,
}: {
  seconds: number
  reviews: number
}): Promise<Overload> {
  const { folder, remove } = aDataFolder()
  const { services, close } = await openBench({ dataDir: folder })
  const { db } = services
  const now = new Date()
  await makeWorld(db, { reviews, now })
  const day = await drawDay(db, { calls: 500, seed: 1, now })
  const titles = await db.selectFrom('media').select('id').orderBy('id').limit(100).execute()
  await close()
  const server = await startProgram({ DATA_DIR: folder })
  const { url } = server
  const memory = () => memoryOf(server.child.pid)
  try {
    const reads = day.filter(({ method }) => method === undefined)
    // Twenty calls in one: they cost the server much more than they cost who makes them, on the same machine.
    const calls = [0, 20, 40, 60, 80].map((from) => {
      const inputs = titles.slice(from, from + 20).map(({ id }) => ({ itemId: id }))
      const paths = inputs.map(() => 'reviews.list').join(',')
      return { path: `/trpc/${paths}?batch=1&input=${encodeURIComponent(JSON.stringify({ ...inputs }))}` }
    })
    // Warm first.
    await load({ url, calls, seconds: 1 })
    const full = await load({ url, calls, seconds, connections: 10 })
    const capacity = full.answers / seconds

    const before = memory()
    let most = before
    const asking = ask(url, reads)
    const watching = setInterval(() => (most = Math.max(most, memory())), 200)
    const crowded = await load({ url, calls, seconds, connections: crowd })
    const endedAt = performance.now()
    const asked = await asking.end()
    const normalAfterMs = await isNormal(url, reads, full.p99Ms).then(() => performance.now() - endedAt)
    clearInterval(watching)

    const alone = await askFor(url, reads, seconds)
    const login = {
      method: 'POST' as const,
      path: '/auth/login',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'nobody@example.org', password: 'not the right one' }),
    }
    const logging = load({ url, calls: [login], seconds: seconds + 1, connections: 40 })
    await wait(1_000)
    const besideLogins = await askFor(url, reads, seconds)
    const logins = (await logging).answers

    const served = sum(crowded.statuses, (status) => status.startsWith('2'))
    const refused = asked.filter(({ status }) => status === 503)
    return {
      capacity: Math.round(capacity),
      offered: Math.round(crowded.answers / seconds),
      served: Math.round(served / seconds),
      shed: Math.round((crowded.statuses['503'] ?? 0) / seconds),
      failed: crowded.answers - served - (crowded.statuses['503'] ?? 0) + crowded.unanswered,
      successes: summed(asked.filter(({ status }) => status === 200)),
      refusals: {
        ...summed(refused),
        withRetryAfter: refused.filter(({ retryAfter }) => Number(retryAfter) > 0).length,
      },
      normalAfterMs: Math.round(normalAfterMs),
      memoryMB: { before: Math.round(before), most: Math.round(most) },
      reads: { alone: summed(alone), besideLogins: summed(besideLogins), logins },
    }
  } finally {
    await server.end('SIGKILL')
    remove()
  }
}

type Asked = { status: number; ms: number; retryAfter: string | null }
type Read = { path: string; headers?: Record<string, string> }

/** A few who ask one thing after the other, from this process: how long answers of each sort take, an outsider sees. */
function ask(url: string, reads: Read[]): { end: () => Promise<Asked[]> } {
  const state = { isOver: false }
  const asked: Asked[] = []
  const asking = Array.from({ length: callers }, async (_, at) => {
    for (let next = at; !state.isOver; next += callers) {
      const { path, headers = {} } = reads[next % reads.length]!
      const startedAt = performance.now()
      const answer = await fetch(url + path, { headers })
      await answer.arrayBuffer()
      const ms = performance.now() - startedAt
      asked.push({ status: answer.status, ms, retryAfter: answer.headers.get('retry-after') })
      await wait(10)
    }
  })
  return {
    async end() {
      state.isOver = true
      await Promise.all(asking)
      return asked
    },
  }
}

async function askFor(url: string, reads: Read[], seconds: number): Promise<Asked[]> {
  const asking = ask(url, reads)
  await wait(seconds * 1000)
  return asking.end()
}

/** Fifty calls in a row are answered, and the slowest of them but one as fast as the slowest of a hundred under full load. */
async function isNormal(url: string, reads: Read[], p99Ms: number): Promise<void> {
  const until = performance.now() + giveUpMs
  while (performance.now() < until) {
    const times: number[] = []
    for (const { path, headers = {} } of reads.slice(0, 50)) {
      const startedAt = performance.now()
      const answer = await fetch(url + path, { headers })
      await answer.arrayBuffer()
      if (!answer.ok) break
      times.push(performance.now() - startedAt)
    }
    if (times.length === 50 && times.toSorted((a, b) => b - a)[1]! < Math.max(p99Ms, 50)) return
  }
}

function summed(asked: Asked[]): Answers {
  const times = asked.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0)
  return { count: asked.length, medianMs: at(0.5), p99Ms: at(0.99) }
}

function sum(statuses: Record<string, number>, counts: (status: string) => boolean): number {
  return Object.entries(statuses).reduce((all, [status, count]) => (counts(status) ? all + count : all), 0)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean' },
      seconds: { type: 'string', default: '10' },
      reviews: { type: 'string', default: '20000' },
      json: { type: 'string', default: 'dist/bench/overload.json' },
    },
  })
  if (values.help) {
    console.log(`npm exec -- node scripts/bench/overload.ts [--seconds 10] [--reviews 20000] [--json dist/bench/overload.json]

Calls at full speed from ten connections, then from two thousand without pause: what is answered, what is refused, how fast
either, how soon after it all is as before, and the memory it took. Then reads beside forty connections that log in without
pause. Needs /proc (Linux).`)
    process.exit()
  }
  const found = await overload({ seconds: Number(values.seconds), reviews: Number(values.reviews) })
  const { successes, refusals, reads, memoryMB, ...figures } = found
  console.table(figures)
  console.table({
    'answered under overload': successes,
    'refused under overload': refusals,
    'reads alone': reads.alone,
    'reads beside logins': reads.besideLogins,
  })
  console.log({ memoryMB, logins: reads.logins })
  writeResults(values.json, found)
}
