import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { ConfigError } from '#server/config.ts'
import { copyPictures, folderTime, removeOlderBackups, unfinished, writeMarker } from './backup-folder.ts'
import { requireSqliteFile, runCommand } from './command.ts'

const usage = `npm run backup [-- folder], medley backup [--keep <number>] [folder]

Writes the database and the pictures to a new folder (default: DATA_DIR/backups/<time>). The server may keep running.
medley restore <folder> restores it. Pictures are hard-linked if the file system supports it, so a backup on the same disk needs
little space; copy the folder to another machine. Reads DATA_DIR and DATABASE_URL. Exits with 1 for Postgres: use pg_dump. With
S3_BUCKET, the uploaded pictures are not included.

--keep <number>  Once the backup is complete, removes the oldest of the backups beside it, so that this many remain. Other folders
                 stay, also backups that lack the file medley-backup.json.`

await runCommand({ usage, positionals: 1, options: { keep: { type: 'string' } } }, async (given) => {
  const { config, values, positionals } = given
  if (config.databaseUrl)
    throw new ConfigError(
      'DATABASE_URL is a Postgres database. Back it up with pg_dump --format=custom --file=medley.dump "$DATABASE_URL", then copy DATA_DIR/uploads.',
    )
  const keep = Number(values.keep ?? Infinity)
  if (!(keep >= 1) || (values.keep !== undefined && !Number.isSafeInteger(keep)))
    throw new ConfigError('--keep: must be a whole number from 1.')
  if (config.s3)
    console.log(
      `Uploaded pictures are in the bucket ${config.s3.bucket} and not included: back it up as well.`,
    )
  const now = new Date()
  const target = resolve(positionals[0] ?? join(config.dataDir, 'backups', folderTime(now)))
  if (existsSync(target))
    throw new ConfigError(`${target} already exists. Choose a folder that does not exist.`)
  const source = requireSqliteFile(config.dataDir)

  // Renamed when complete, so that a folder with the final name is never a partial backup.
  const folder = `${target}${unfinished}`
  await rm(folder, { recursive: true, force: true })
  try {
    await mkdir(folder, { recursive: true })
    // Before and after the database, so that every picture that it references is included, whatever is added or removed meanwhile.
    const before = await copyPictures(config.dataDir, folder)
    await copyDatabase(source, join(folder, 'medley.sqlite'))
    const pictures = before + (await copyPictures(config.dataDir, folder))
    await writeMarker(folder, now)
    await rename(folder, target)
    console.log(`Backed up the database and ${pictures} picture files to ${target}`)
  } catch (error) {
    // On a full disk, half a backup would use up the remaining space.
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  if (keep < Infinity)
    for (const name of await removeOlderBackups(target, keep)) console.log(`Removed the backup ${name}`)
})

/** In one step: a copy in several restarts whenever the server writes, and may never finish. */
async function copyDatabase(source: string, file: string): Promise<void> {
  const from = new Sqlite(source, { readonly: true, fileMustExist: true, timeout: 30_000 })
  await from.backup(file, { progress: () => 2 ** 31 - 1 })
  from.close()
  const copy = new Sqlite(file)
  // Without a write-ahead log the copy is a single file.
  copy.pragma('journal_mode = delete')
  const result = copy.pragma('integrity_check', { simple: true })
  copy.close()
  if (result !== 'ok') throw new ConfigError(`The copy failed its integrity check: ${String(result)}`)
}
