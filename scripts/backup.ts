import { chmod, copyFile, link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import Sqlite from 'better-sqlite3'
import { readConfig } from '#server/config.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } })
if (values.help) {
  console.log(`npm run backup [-- folder], medley backup [folder]

Writes the database and the pictures to a new folder (default: DATA_DIR/backups/<time>). The server may keep running. The
folder is a valid DATA_DIR: to restore, stop the server and replace the old DATA_DIR with it. Pictures are hard-linked if the
file system supports it, so a backup on the same disk needs little space; copy the folder to another machine. Reads DATA_DIR
and DATABASE_URL. Exits with 1 for Postgres: use pg_dump. With S3_BUCKET, the uploaded pictures are not included.`)
  process.exit()
}

const config = readConfig()
if (config.databaseUrl) {
  console.error(`DATABASE_URL is a Postgres database. Back it up with pg_dump, then copy DATA_DIR/uploads:

    pg_dump --format=custom --file=medley.dump "$DATABASE_URL"`)
  process.exit(1)
}
if (config.s3)
  console.log(`Uploaded pictures are in the bucket ${config.s3.bucket} and not included: back it up as well.`)

const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
const target = resolve(positionals[0] ?? join(config.dataDir, 'backups', time))
if (positionals.length > 1) fail('Pass at most one folder.')
if (await exists(target)) fail(`${target} already exists. Choose a folder that does not exist.`)
const source = join(config.dataDir, 'medley.sqlite')
if (!(await exists(source))) fail(`${source} does not exist. Check DATA_DIR.`)

// Renamed when complete, so that a folder with the final name is never a partial backup.
const unfinished = `${target}.unfinished`
await rm(unfinished, { recursive: true, force: true })
await mkdir(join(unfinished, 'uploads'), { recursive: true })
// The backup contains e-mail addresses and password hashes.
await chmod(unfinished, 0o700)

// Pictures are copied before and after the database, so that every picture it references is included, even if pictures are
// added or removed meanwhile.
let pictures = await copyPictures()
await copyDatabase()
pictures += await copyPictures()
await rename(unfinished, target)
console.log(`Backed up the database and ${pictures} picture files to ${target}`)

/** Copies the database in one step: a copy in several steps restarts whenever the server writes, and may never finish. */
async function copyDatabase(): Promise<void> {
  const from = new Sqlite(source, { readonly: true, fileMustExist: true, timeout: 30_000 })
  const file = join(unfinished, 'medley.sqlite')
  await from.backup(file, { progress: () => 2 ** 31 - 1 })
  from.close()
  const copy = new Sqlite(file)
  // Without a write-ahead log the copy is a single file.
  copy.pragma('journal_mode = delete')
  const result = copy.pragma('integrity_check', { simple: true })
  copy.close()
  if (result !== 'ok') fail(`The copy failed its integrity check: ${String(result)}`)
}

/** Copies pictures that the backup does not have yet and returns their number. Skips dotfiles, which are still being written. */
async function copyPictures(): Promise<number> {
  const folder = join(config.dataDir, 'uploads')
  const files = await readdir(folder).catch(() => [])
  const copied = new Set(await readdir(join(unfinished, 'uploads')))
  const missing = files.filter((file) => !file.startsWith('.') && !copied.has(file))
  let count = 0
  for (const file of missing) {
    const [from, to] = [join(folder, file), join(unfinished, 'uploads', file)]
    try {
      await link(from, to).catch(() => copyFile(from, to))
      count++
    } catch (error) {
      // The server has removed the picture meanwhile, because nothing references it any more.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return count
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function fail(text: string): never {
  console.error(text)
  process.exit(1)
}
