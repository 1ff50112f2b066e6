import { readConfig } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'

if (process.argv.includes('--help')) {
  console.log(`npm run migrate, medley migrate

Applies pending migrations, as npm start does. Reads DATA_DIR and DATABASE_URL.`)
  process.exit()
}

const db = openDatabase(readConfig())
try {
  const applied = await migrate(db)
  console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is up to date.')
} finally {
  await db.destroy()
}
