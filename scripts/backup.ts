import { chmod, copyFile, link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import Sqlite from 'better-sqlite3'
import { readConfig } from '#server/config.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } })
if (values.help) {
  console.log(`npm run backup [-- folder]

Writes the database and the pictures into a new folder (DATA_DIR/backups/<time> without one) while the server runs. The
folder can be used as a DATA_DIR: to restore, stop the server and put it in the place of the old one. Pictures are hard
links where the file system has them, so that a backup on the same disk takes little room; copy the folder to another
machine. Reads DATA_DIR and DATABASE_URL; for Postgres it ends with 1, since pg_dump does that. With S3_BUCKET, the pictures
that members uploaded are not in it.`)
  process.exit()
}

const config = readConfig()
if (config.databaseUrl) {
  console.error(`DATABASE_URL names a Postgres: back that up with pg_dump, and then DATA_DIR/uploads with whatever copies files:

    pg_dump --format=custom --file=medley.dump "$DATABASE_URL"`)
  process.exit(1)
}
if (config.s3)
  console.log(`What members uploaded is in the bucket ${config.s3.bucket}: back that up as well.`)

const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
const target = resolve(positionals[0] ?? join(config.dataDir, 'backups', time))
if (positionals.length > 1) fail('Name one folder at most.')
if (await isThere(target)) fail(`${target} is there already. Name a folder that is not.`)
const source = join(config.dataDir, 'medley.sqlite')
if (!(await isThere(source))) fail(`There is no ${source}. Look at DATA_DIR.`)

// Renamed when it is whole: a folder of that name is a backup.
const unfinished = `${target}.unfinished`
await rm(unfinished, { recursive: true, force: true })
await mkdir(join(unfinished, 'uploads'), { recursive: true })
// It holds e-mail addresses and the hashes of passwords.
await chmod(unfinished, 0o700)

// Before the database and after: what it shows was there at one time or the other, whatever comes and goes meanwhile.
let pictures = await takePictures()
await takeDatabase()
pictures += await takePictures()
await rename(unfinished, target)
console.log(`Backed up the database and ${pictures} files of pictures to ${target}`)

/** In one step: a copy made in several begins anew whenever the server writes, and might never end. */
async function takeDatabase(): Promise<void> {
  const from = new Sqlite(source, { readonly: true, fileMustExist: true, timeout: 30_000 })
  const file = join(unfinished, 'medley.sqlite')
  await from.backup(file, { progress: () => 2 ** 31 - 1 })
  from.close()
  const copy = new Sqlite(file)
  // A single file, also for whoever copies or opens it by other means.
  copy.pragma('journal_mode = delete')
  const answer = copy.pragma('integrity_check', { simple: true })
  copy.close()
  if (answer !== 'ok') fail(`The copy is not whole: ${String(answer)}`)
}

/** Answers how many are new. What is being written has a name that begins with a point. */
async function takePictures(): Promise<number> {
  const folder = join(config.dataDir, 'uploads')
  const files = await readdir(folder).catch(() => [])
  const taken = new Set(await readdir(join(unfinished, 'uploads')))
  const missing = files.filter((file) => !file.startsWith('.') && !taken.has(file))
  let count = 0
  for (const file of missing) {
    const [from, to] = [join(folder, file), join(unfinished, 'uploads', file)]
    try {
      await link(from, to).catch(() => copyFile(from, to))
      count++
    } catch (error) {
      // Removed meanwhile, since nothing shows it any more.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return count
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function fail(text: string): never {
  console.error(text)
  process.exit(1)
}
