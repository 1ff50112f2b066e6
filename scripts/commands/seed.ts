import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { lockDataDir } from '#server/process/lock.ts'
import { loadCommunity, removeCommunity } from '#server/demo/community.ts'
import { loadStarter } from '#server/titles/load-starter.ts'
import { runCommand } from './command.ts'

const usage = `npm run seed, medley seed

Adds the starter catalogue, and the demo community if DEMO is on (removes it if it is off), as npm start
does. Can be run again. On SQLite, stop the server first. Reads DATA_DIR, DATABASE_URL and DEMO.`

await runCommand({ usage }, async ({ config }) => {
  lockDataDir(config)
  const db = openDatabase(config)
  try {
    const now = new Date()
    await migrate(db)
    console.log(`Titles added: ${await loadStarter(db, now)}`)
    if (config.hasDemo) console.log(`Demo community: ${await loadCommunity(db, now, config)}`)
    else console.log(`Demo members removed: ${await removeCommunity(db)}`)
  } finally {
    await db.destroy()
  }
})
