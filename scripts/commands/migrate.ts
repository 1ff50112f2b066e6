import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { lockDataDir } from '#server/process/lock.ts'
import { runCommand } from './command.ts'

const usage = `npm run migrate, medley migrate

Applies pending migrations, as npm start does. On SQLite, stop the server first. Reads DATA_DIR and DATABASE_URL.`

await runCommand({ usage }, async ({ config }) => {
  lockDataDir(config)
  const db = openDatabase(config)
  try {
    const applied = await migrate(db, ({ migration, number, of, ms }) => {
      if (ms !== undefined) console.log(`${migration} (${number} of ${of}): ${(ms / 1000).toFixed(1)} s`)
    })
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is up to date.')
  } finally {
    await db.destroy()
  }
})
