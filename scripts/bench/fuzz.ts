import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { conformanceTo } from '#scripts/testing/conformance.ts'
import { aDataFolder, startProgram } from '#scripts/testing/program.ts'
import { invalidRequests } from '#scripts/testing/requests.ts'
import { insertLiveTokens, openSender } from '#scripts/testing/sending.ts'
import { openApiDocument } from '#server/http/openapi-document.ts'
import { appRouter } from '#server/router.ts'
import { openBench } from './bench.ts'
import { generateSyntheticData } from './synthetic-data.ts'

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    reviews: { type: 'string', default: '2000' },
  },
})
if (values.help) {
  console.log(`npm exec -- node scripts/bench/fuzz.ts [--count 100000] [--seed 1] [--reviews 2000]

Sends random requests to a server that it starts on 127.0.0.1: both transports; methods, paths, ids, queries, headers, bodies
and batches, valid and invalid in many ways. The same seed sends the same requests. Exits with 1 if a response is 500, is
missing, or does not conform to the OpenAPI document. server/fuzz.test.ts sends 5,000 of them.`)
  process.exit()
}

const [count, seed, reviews] = [Number(values.count), Number(values.seed), Number(values.reviews)]
/** Requests are generated and sent in batches of this size; all at once would take gigabytes of memory. */
const part = 1_000
const shownMax = 10

const { folder, remove } = aDataFolder()
const { services, close } = await openBench({ dataDir: folder })
await generateSyntheticData(services.db, { reviews, now: new Date() })
const members = await services.db.selectFrom('users').select('id').orderBy('id').limit(50).execute()
await insertLiveTokens(
  services.db,
  members.map(({ id }) => id),
)
await close()

const program = await startProgram({ DATA_DIR: folder, LOG_LEVEL: 'error' })
const port = Number(new URL(program.url).port)
const sender = openSender({ port: () => port, timeoutMs: 30_000 })
const document = openApiDocument(appRouter, program.url)
const faultOf = conformanceTo(document)
const requests = invalidRequests(document, appRouter)
const counts: Record<string, number> = {}
const faults: string[] = []
const startedAt = performance.now()
try {
  for (let sent = 0; sent < count; sent += part) {
    const numRuns = Math.min(part, count - sent)
    const found = await sender.send(fc.sample(requests, { numRuns, seed: seed * 1_000_003 + sent }), faultOf)
    faults.push(...found.faults)
    for (const [status, times] of Object.entries(found.counts)) counts[status] = (counts[status] ?? 0) + times
  }
} finally {
  sender.close()
  await program.end()
  remove()
}
for (const fault of faults.slice(0, shownMax)) console.log(`${fault}\n`)
const seconds = Math.round((performance.now() - startedAt) / 1_000)
console.log(`${count} requests (seed ${seed}) in ${seconds} s: ${faults.length} faults; by status:`)
console.log(counts)
process.exitCode = faults.length > 0 ? 1 : 0
