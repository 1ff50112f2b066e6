import { readConfig } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { lockDataDir } from '#server/process/lock.ts'

if (process.argv.includes('--help')) {
  console.log(`npm run migrate, medley migrate

Applies pending migrations, as npm start does. On SQLite, stop the server first. Reads DATA_DIR and DATABASE_URL.`)
  process.exit()
}

const config = readConfig()
lockDataDir(config)
const db = openDatabase(config)
try {
  const applied = await migrate(db)
  console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is up to date.')
} finally {
  await db.destroy()
}
