import { findCounterFaults, recountAll } from '#server/db/counters.ts'
import { features } from '#server/router.ts'
import { runCommand, withDatabase } from './command.ts'

const usage = `npm run verify [-- --mend], medley verify [--mend]

Recounts all ratings, reviews, follows, reactions, comments, titles and parts of names, derives the passes of shows from
their plays, and compares the results with the stored counters, roll-ups and passes. Exits with 1 if one differs. --mend corrects them; stop the server first if you can.
Reads DATA_DIR and DATABASE_URL.`

await runCommand({ usage, options: { mend: { type: 'boolean' } } }, ({ config, values }) =>
  withDatabase(config, async (db) => {
    const faults = await findCounterFaults(db, features)
    for (const { table, column, id, is, counted } of faults)
      console.log(`${table} ${id}: ${column} is ${is}, a recount gives ${counted}`)
    if (faults.length > 0 && values.mend) {
      await db.transaction().execute((trx) => recountAll(trx, features))
      console.log('All of it is corrected.')
    } else if (faults.length > 0) process.exitCode = 1
    else console.log('Every counter equals its recount, and every pass what its plays say.')
  }),
)
