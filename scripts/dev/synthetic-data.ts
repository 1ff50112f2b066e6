import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { generateSyntheticData } from '#scripts/bench/synthetic-data.ts'

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
  console.log(`npm run synthetic-data [-- --reviews 1000000] [--seed 1] [--database postgres://…]

Fills an empty database with a synthetic dataset, to try the site at scale: members (one per 20 reviews), titles (one per
100), reviews (at least 1,000), reactions, comments, follows and favorites. The same seed generates the same dataset, except
that times end now. The members cannot log in. Exits with 1 and changes nothing if the database has members or titles: use a
separate DATA_DIR. Reads DATA_DIR and DATABASE_URL.`)
  process.exit(values.help ? 0 : 1)
}

const startedAt = performance.now()
const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s`
const config = readConfig()
const db = openDatabase({ ...config, databaseUrl: values.database ?? config.databaseUrl })
try {
  await migrate(db)
  await generateSyntheticData(db, {
    reviews,
    seed,
    now: new Date(),
    onProgress: (done) => console.log(`${seconds()}  ${done}`),
  })
  console.log(`${seconds()}  done`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  await db.destroy()
}
