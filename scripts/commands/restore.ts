import { existsSync } from 'node:fs'
import { link, mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { ConfigError } from '#server/config.ts'
import { compareSchema, newerDatabase } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { lockDataDir } from '#server/process/lock.ts'
import { copyPictures, copyPrivately, folderTime, unfinished } from './backup-folder.ts'
import { runCommand } from './command.ts'

const usage = `npm run restore -- <folder>, medley restore <folder>

Replaces the database in DATA_DIR by the one of a backup, and adds the pictures of the backup. Stop the server first. Before anything
changes, checks that the backup is intact and not of a newer version, and that it fits on the disk. The replaced data is kept in
DATA_DIR/before-restore-<time>, which can be restored like a backup. Delete that folder once all is well. Reads DATA_DIR and
DATABASE_URL. Exits with 1 for Postgres: use pg_restore.`

await runCommand({ usage, positionals: 1 }, async ({ config, positionals: [given] }) => {
  const { dataDir } = config
  if (config.databaseUrl)
    throw new ConfigError(
      'DATABASE_URL is a Postgres database. Restore it with pg_restore --clean --if-exists --dbname="$DATABASE_URL" medley.dump, then copy the pictures to DATA_DIR/uploads.',
    )
  if (!given) throw new ConfigError('Pass the folder of a backup: medley restore <folder>.')
  const backup = resolve(given)
  if (backup === dataDir || !existsSync(join(backup, 'medley.sqlite')))
    throw new ConfigError(`${backup} is not a backup: it must be another folder with the file medley.sqlite.`)
  lockDataDir(config)
  await checkSpace(backup, dataDir)

  const copy = join(dataDir, `restore${unfinished}`)
  const aside = freeName(join(dataDir, `before-restore-${folderTime(new Date())}`))
  const current = join(dataDir, 'medley.sqlite')
  const isReplaced = existsSync(current)
  await rm(copy, { recursive: true, force: true })
  for (const folder of [copy, aside]) await mkdir(folder, { mode: 0o700 })
  try {
    // A copied data folder has a write-ahead log too.
    for (const file of ['medley.sqlite', 'medley.sqlite-wal'])
      if (existsSync(join(backup, file))) await copyPrivately(join(backup, file), join(copy, file))
    await checkDatabase(copy)
    await copyPictures(dataDir, aside)
    await copyPictures(backup, dataDir)
    if (isReplaced)
      await link(current, join(aside, 'medley.sqlite')).catch(() =>
        copyPrivately(current, join(aside, 'medley.sqlite')),
      )
  } catch (error) {
    await rm(copy, { recursive: true, force: true })
    await rm(aside, { recursive: true, force: true })
    throw error
  }
  // There is a database at each moment: the server would otherwise create an empty one.
  if (existsSync(`${current}-wal`)) await rename(`${current}-wal`, join(aside, 'medley.sqlite-wal'))
  await rm(`${current}-shm`, { force: true })
  await rename(join(copy, 'medley.sqlite'), current)
  await rm(copy, { recursive: true, force: true })
  if (isReplaced) console.log(`The replaced data is in ${aside}`)
  else await rm(aside, { recursive: true, force: true })
  console.log(
    `Restored ${backup}. Start the server; it migrates the database if the backup is of an older version.`,
  )
})

/** Two restores may take place in the same second. */
function freeName(path: string): string {
  let name = path
  for (let count = 2; existsSync(name); count++) name = `${path}-${count}`
  return name
}

/** Pictures on the same disk become hard links. */
async function checkSpace(backup: string, dataDir: string): Promise<void> {
  const uploads = join(backup, 'uploads')
  const isSameDisk = (await stat(backup)).dev === (await stat(dataDir)).dev
  const pictures = isSameDisk || !existsSync(uploads) ? [] : await readdir(uploads)
  const files = [join(backup, 'medley.sqlite'), ...pictures.map((name) => join(uploads, name))]
  let bytes = 0
  for (const file of files) bytes += (await stat(file)).size
  const { bavail, bsize } = await statfs(dataDir)
  const inMegabytes = (count: number) => `${Math.ceil(count / 1e6)} MB`
  if (bytes > bavail * bsize)
    throw new ConfigError(
      `The backup takes ${inMegabytes(bytes)}, and ${inMegabytes(bavail * bsize)} are free in DATA_DIR (${dataDir}). Free some space.`,
    )
}

async function checkDatabase(folder: string): Promise<void> {
  const db = openDatabase({ databaseUrl: undefined, dataDir: folder })
  try {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(db)
    const [result] = rows.map((row) => row.integrity_check)
    if (result !== 'ok') throw new ConfigError(`The database of the backup is damaged: ${result}`)
    const { applied, unknown } = await compareSchema(db)
    if (unknown.length > 0) throw newerDatabase(unknown)
    if (applied.length === 0) throw new ConfigError('The database of the backup is not one of Medley.')
  } finally {
    // Also moves the write-ahead log into the file.
    await db.destroy()
  }
}
