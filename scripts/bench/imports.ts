import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildApp } from '#server/app.ts'
import { insertMany } from '#server/db/dialect.ts'
import { noWeb } from '#server/http/web.ts'
import { runDueImports } from '#server/imports/work.ts'
import { appRouter } from '#server/router.ts'
import { openBench } from './bench.ts'
import { prepareStage } from './writers.ts'

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    lines: { type: 'string', default: '10000' },
    titles: { type: 'string', default: '50000' },
    'rehearsal-only': { type: 'boolean' },
  },
})
if (values.help) {
  console.log(`npm exec -- node scripts/bench/imports.ts [--lines 10000] [--titles 50000] [--rehearsal-only]

Imports a CSV file into a catalogue on SQLite, without external sources: two of three lines are titles of the catalogue. Prints
the seconds of the upload, of the rehearsal, of lists of its titles, of applying (at its pace) and of undoing, the processor time in
them, the pauses of the event loop in milliseconds, and the growth of the heap in megabytes.`)
  process.exit()
}
const lineCount = Number(values.lines)
const titleCount = Number(values.titles)

const { services, close } = await openBench()
const { db } = services
const yearOf = (at: number) => 1920 + (at % 100)
const nameOf = (at: number) => `${['The', 'A', 'My', 'Our'][at % 4]} ${at.toString(36)} Film of ${at % 977}`
for (let first = 0; first < titleCount; first += 5_000) {
  const rows = Array.from({ length: Math.min(5_000, titleCount - first) }, (_, at) => ({
    kind: 'movie',
    name: nameOf(first + at),
    name_folded: nameOf(first + at).toLowerCase(),
    search_text: nameOf(first + at).toLowerCase(),
    release_year: yearOf(first + at),
    details: JSON.stringify({ genres: [], creators: [], platforms: [], rating: null }),
    created_at: new Date().toISOString(),
  }))
  await insertMany(db, 'media', rows)
}
const { writers } = await prepareStage(db, 1)
const member = writers[0]!
const lines = Array.from({ length: lineCount }, (_, at) => {
  const title = at * Math.max(1, Math.floor(titleCount / lineCount))
  const name = at % 3 === 2 ? `Nobody Knows ${at}` : nameOf(title)
  return `${name},${yearOf(title)},${1 + (at % 5)},2021-05-04,"Words about ${at}."`
})
const file = ['Title,Year,Rating,Date,Review', ...lines].join('\n')

const app = await buildApp(services, { web: noWeb })
const ctx = { ...services, now: new Date(), member: { ...member, username: member.name, sessionHash: '' } }
const call = appRouter.createCaller({
  ...ctx,
  limit: async () => {},
  response: {},
  log: app.log,
} as never)
const log = { info() {}, warn() {}, error: console.error }

/** Runs a step and prints its duration, the pauses of the event loop and the growth of the heap. */
async function measure<T>(name: string, step: () => Promise<T>): Promise<T> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const before = process.memoryUsage().heapUsed
  let heap = before
  const timer = setInterval(() => (heap = Math.max(heap, process.memoryUsage().heapUsed)), 50)
  delay.enable()
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  const result = await step()
  const cpu = process.cpuUsage(cpuBefore)
  const seconds = (performance.now() - startedAt) / 1_000
  delay.disable()
  clearInterval(timer)
  console.log(name, {
    seconds: Number(seconds.toFixed(2)),
    cpuSeconds: Number(((cpu.user + cpu.system) / 1e6).toFixed(2)),
    p99Ms: Number(Math.max(0, delay.percentile(99) / 1e6 - 5).toFixed(1)),
    maxMs: Number(Math.max(0, delay.max / 1e6 - 5).toFixed(1)),
    heapMb: Math.round((heap - before) / 1e6),
  })
  await wait(100)
  return result
}

const work = () => runDueImports({ db, sources: services.sources, log })
const body = `--x\r\ncontent-disposition: form-data; name="file"; filename="films.csv"\r\n\r\n${file}\r\n--x--\r\n`
const id = await measure('upload', async () => {
  const headers = {
    authorization: `Bearer ${member.token}`,
    'content-type': 'multipart/form-data; boundary=x',
  }
  const response = await app.inject({ method: 'POST', url: '/imports', headers, payload: body })
  if (response.statusCode !== 201) throw new Error(response.body)
  return (response.json() as { import: { id: number } }).import.id
})
await measure('rehearsal', work)
console.log((await call.imports.byId({ id })).import.counts)
for (const filter of [
  {},
  { state: 'notFound', isDecided: false },
  { isTextWithoutRating: true },
  { q: 'nobody 9' },
] as const)
  await measure(`list of titles ${JSON.stringify(filter)}`, () => call.imports.titles({ id, ...filter }))
if (values['rehearsal-only']) process.exit()
await call.imports.start({ id })
await measure('applying', work)
await measure('preview of the undo', () => call.imports.previewUndo({ id }))
await call.imports.undo({ id })
await measure('undoing', work)
await measure('deleting', () => call.imports.remove({ id }))
await app.close()
await close()
