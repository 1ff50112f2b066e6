import { lstat, opendir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { uploadWidths } from '#shared/images.ts'
import type { Db } from '#server/db/open.ts'
import { listKnown, listUploads, removeUnshown } from './store.ts'

/** Somebody who uploads a picture may take a while over the form that it is for. */
const keepMs = 24 * 60 * 60_000
const firstMs = 60_000
const everyMs = 60 * 60_000
/** Small, so that requests come in between. */
const batch = 100

/** Made by ourselves and shown without an upload: the starter's drawings and the demo's portraits. */
const isOurs = (file: string) => /^(poster|backdrop|portrait)-/.test(file)

export type Removed = { uploads: number; files: number }

/**
 * Removes uploads that nothing has shown for a day, and of the data folder's files older than that those that no upload
 * has and nothing shows, and the unfinished ones. An upload that is taken into use meanwhile stays.
 */
export async function removeOrphans(
  db: Db,
  dataDir: string,
  now: Date,
  signal?: AbortSignal,
): Promise<Removed> {
  const folder = join(dataDir, 'uploads')
  const before = new Date(now.getTime() - keepMs)
  const uploads = await removeUploads(db, folder, before, signal)
  return { uploads, files: await removeFiles(db, folder, before, signal) }
}

/** Does so a minute after the start and every hour; `close` waits for what is going on. */
export function startRemovingOrphans({
  db,
  dataDir,
  log,
}: {
  db: Db
  dataDir: string
  log: Pick<FastifyBaseLogger, 'info' | 'error'>
}): { close: () => Promise<void> } {
  const closing = new AbortController()
  let round = Promise.resolve()
  const run = () => {
    round = round
      .then(() => removeOrphans(db, dataDir, new Date(), closing.signal))
      .then((removed) => {
        if (removed.uploads + removed.files > 0) log.info(removed, 'pictures that nobody shows removed')
      })
      .catch((error: unknown) => log.error({ err: error }, 'removing pictures failed'))
  }
  const first = setTimeout(run, firstMs).unref()
  const timer = setInterval(run, everyMs).unref()
  return {
    async close() {
      clearTimeout(first)
      clearInterval(timer)
      closing.abort()
      await round
    },
  }
}

async function removeUploads(
  db: Db,
  folder: string,
  before: Date,
  signal: AbortSignal | undefined,
): Promise<number> {
  let removed = 0
  let after = 0
  for (;;) {
    if (signal?.aborted) break
    const uploads = await listUploads(db, { after, before, limit: batch })
    if (uploads.length === 0) break
    after = uploads.at(-1)!.id
    const unshown = uploads.filter(({ isShown }) => !isShown).map(({ path }) => path)
    if (unshown.length === 0) continue
    const paths = await db.transaction().execute((trx) => removeUnshown(trx, unshown))
    removed += paths.length
    // A file that stays, since the process died here, is one that no upload has.
    for (const path of paths)
      for (const width of uploadWidths) await remove(join(folder, `${nameOf(path)}-${width}.webp`))
  }
  return removed
}

async function removeFiles(
  db: Db,
  folder: string,
  before: Date,
  signal: AbortSignal | undefined,
): Promise<number> {
  let removed = 0
  for await (const files of filesOf(folder)) {
    if (signal?.aborted) break
    const pictures = files.filter((file) => !file.startsWith('.'))
    const paths = pictures.flatMap((file) =>
      uploadWidths.map((width) => `/uploads/${nameOf(file)}-${width}.webp`),
    )
    const known = new Set((await listKnown(db, paths)).map(nameOf))
    for (const file of files) {
      if (!file.startsWith('.') && known.has(nameOf(file))) continue
      if (await isOlder(join(folder, file), before)) removed += await remove(join(folder, file))
    }
  }
  return removed
}

/** Names of pictures and of unfinished ones, some at a time; whatever else lies there is not ours to remove. */
async function* filesOf(folder: string): AsyncGenerator<string[]> {
  let files: string[] = []
  for await (const entry of await openFolder(folder)) {
    if (!/^\.?[a-z0-9-]+-\d+\.webp(\.[a-f0-9]{8})?$/.test(entry.name)) continue
    if (!entry.isFile() || isOurs(entry.name)) continue
    files.push(entry.name)
    if (files.length < batch) continue
    yield files
    files = []
  }
  if (files.length > 0) yield files
}

/** Before the first upload there is none. */
async function openFolder(folder: string) {
  return opendir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

/** `3f9c2a7d5e` of `/uploads/3f9c2a7d5e-640.webp`, with a path before it or without. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/-\d+\.webp$/, '')
}

async function isOlder(file: string, before: Date): Promise<boolean> {
  return lstat(file).then(
    ({ mtimeMs }) => mtimeMs < before.getTime(),
    () => false,
  )
}

async function remove(file: string): Promise<number> {
  try {
    await unlink(file)
    return 1
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
