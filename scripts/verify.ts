import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { findCounterFaults, recountAll } from '#server/db/counters.ts'
import { openDatabase } from '#server/db/open.ts'

const { values } = parseArgs({ options: { help: { type: 'boolean' }, mend: { type: 'boolean' } } })
if (values.help) {
  console.log(`npm run verify [-- --mend], medley verify [--mend]

Recounts all ratings, reviews, follows, reactions, comments, titles and parts of names, and compares the results with the
stored counters and roll-ups. Exits with 1 if one differs. --mend corrects them; stop the server first if you can.
Reads DATA_DIR and DATABASE_URL.`)
  process.exit()
}

const config = readConfig()
const file = join(config.dataDir, 'medley.sqlite')
if (!config.databaseUrl && !existsSync(file)) {
  console.error(`${file} does not exist. Check DATA_DIR.`)
  process.exit(1)
}
const db = openDatabase(config)
try {
  const faults = await findCounterFaults(db)
  for (const { table, column, id, is, counted } of faults)
    console.log(`${table} ${id}: ${column} is ${is}, a recount gives ${counted}`)
  if (faults.length > 0 && values.mend) {
    await db.transaction().execute(recountAll)
    console.log('The counters are corrected.')
  } else if (faults.length > 0) process.exitCode = 1
  else console.log('Every counter equals its recount.')
} finally {
  await db.destroy()
}
