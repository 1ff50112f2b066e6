import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { findCounterFaults, recountAll } from '#server/db/counters.ts'
import { openDatabase } from '#server/db/open.ts'

const { values } = parseArgs({ options: { help: { type: 'boolean' }, mend: { type: 'boolean' } } })
if (values.help) {
  console.log(`npm run verify [-- --mend]

Counts every rating, review, follow, reaction and comment anew and compares with the counters kept beside them.
Ends with 1 where one differs. --mend sets the counters right (best while nothing is writing).
Reads the same variables as the server (DATA_DIR, DATABASE_URL).`)
  process.exit()
}

const config = readConfig()
const file = join(config.dataDir, 'medley.sqlite')
if (!config.databaseUrl && !existsSync(file)) {
  console.error(`There is no ${file}. Look at DATA_DIR.`)
  process.exit(1)
}
const db = openDatabase(config)
try {
  const faults = await findCounterFaults(db)
  for (const { table, column, id, is, counted } of faults)
    console.log(`${table} ${id}: ${column} is ${is}, counted ${counted}`)
  if (faults.length > 0 && values.mend) {
    await db.transaction().execute(recountAll)
    console.log(`Mended.`)
  } else if (faults.length > 0) process.exitCode = 1
  else console.log('Every counter agrees with a recount.')
} finally {
  await db.destroy()
}
