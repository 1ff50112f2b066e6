import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { makeWorld } from './bench/world.ts'

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    reviews: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    database: { type: 'string' },
  },
})
const reviews = Number(values.reviews)
const seed = Number(values.seed)
if (values.help || !(Number.isInteger(reviews) && reviews >= 1_000 && Number.isInteger(seed))) {
  console.log(`npm run world [-- --reviews 1000000] [--seed 1] [--database postgres://…]

Fills an empty database with made-up members (one for each 20 reviews), titles (one for each 100), reviews, reactions,
comments and follows, to try the site at size; at least 1,000 reviews. The same seed makes the same world, up to now.
Nobody of it can log in. Ends with 1, changing nothing, where there are members or titles: name a DATA_DIR of its own.
Reads DATA_DIR and DATABASE_URL.`)
  process.exit(values.help ? 0 : 1)
}

const startedAt = performance.now()
const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s`
const config = readConfig()
const db = openDatabase({ ...config, databaseUrl: values.database ?? config.databaseUrl })
try {
  await migrate(db)
  await makeWorld(db, {
    reviews,
    seed,
    now: new Date(),
    onProgress: (done) => console.log(`${seconds()}  ${done}`),
  })
  console.log(`${seconds()}  made`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  await db.destroy()
}
