import type { FastifyBaseLogger } from 'fastify'
import { uploadWidths } from '#shared/images.ts'
import type { Db } from '#server/db/open.ts'
import type { PictureStorage } from './pictures.ts'
import { listKnown, listUploads, removeUnshown } from './store.ts'

/** A member may take a while over the form that a picture is for. */
const keepMs = 24 * 60 * 60_000
/** Pictures uploaded without a login are for a sign-up, whose form is short. */
export const anonymousKeepMs = 60 * 60_000
const firstMs = 60_000
const everyMs = 60 * 60_000
const anonymousEveryMs = 10 * 60_000
/** Small, so that requests come in between. */
const batch = 100

export type Removed = { uploads: number; files: number }

/**
 * Removes uploads that nothing has shown for a day, and of the storage's files older than that those that no upload
 * has and nothing shows, and the unfinished ones. An upload that is taken into use meanwhile stays.
 */
export async function removeOrphans(
  db: Db,
  storage: PictureStorage,
  now: Date,
  signal?: AbortSignal,
): Promise<Removed> {
  const before = new Date(now.getTime() - keepMs)
  const uploads = await removeUploads(db, storage, { before }, signal)
  return { uploads, files: await removeFiles(db, storage, before, signal) }
}

/** Removes anonymous uploads that nothing has shown for an hour; those of days ago are left to `removeOrphans`. */
export async function removeAnonymous(
  db: Db,
  storage: PictureStorage,
  now: Date,
  signal?: AbortSignal,
): Promise<Removed> {
  const before = new Date(now.getTime() - anonymousKeepMs)
  const since = new Date(before.getTime() - keepMs)
  return { uploads: await removeUploads(db, storage, { before, since }, signal), files: 0 }
}

/** Runs both a minute after the start, then every hour and every ten minutes; `close` waits for a run in progress. */
export function startRemovingOrphans({
  db,
  storage,
  log,
}: {
  db: Db
  storage: PictureStorage
  log: Pick<FastifyBaseLogger, 'info' | 'error'>
}): { close: () => Promise<void> } {
  const closing = new AbortController()
  let round = Promise.resolve()
  const run = (remove: typeof removeOrphans) => {
    round = round
      .then(() => remove(db, storage, new Date(), closing.signal))
      .then((removed) => {
        if (removed.uploads + removed.files > 0) log.info(removed, 'pictures that nobody shows removed')
      })
      .catch((error: unknown) => log.error({ err: error }, 'removing pictures failed'))
  }
  const first = setTimeout(() => {
    run(removeAnonymous)
    run(removeOrphans)
  }, firstMs).unref()
  const timers = [
    setInterval(() => run(removeOrphans), everyMs).unref(),
    setInterval(() => run(removeAnonymous), anonymousEveryMs).unref(),
  ]
  return {
    async close() {
      clearTimeout(first)
      timers.forEach((timer) => clearInterval(timer))
      closing.abort()
      await round
    },
  }
}

async function removeUploads(
  db: Db,
  storage: PictureStorage,
  range: { before: Date; since?: Date },
  signal: AbortSignal | undefined,
): Promise<number> {
  let removed = 0
  let after = 0
  for (;;) {
    if (signal?.aborted) break
    const uploads = await listUploads(db, { after, limit: batch, ...range })
    if (uploads.length === 0) break
    after = uploads.at(-1)!.id
    const unshown = uploads.filter(({ isShown }) => !isShown).map(({ path }) => path)
    if (unshown.length === 0) continue
    const paths = await db.transaction().execute((trx) => removeUnshown(trx, unshown))
    removed += paths.length
    // A file that stays, since the process died here, is one that no upload has.
    for (const path of paths)
      for (const width of uploadWidths) await storage.remove(`${nameOf(path)}-${width}.webp`)
  }
  return removed
}

async function removeFiles(
  db: Db,
  storage: PictureStorage,
  before: Date,
  signal: AbortSignal | undefined,
): Promise<number> {
  let removed = 0
  for await (const files of filesOf(storage)) {
    if (signal?.aborted) break
    const pictures = files.filter(({ name }) => !name.startsWith('.'))
    const paths = pictures.flatMap(({ name }) =>
      uploadWidths.map((width) => `/uploads/${nameOf(name)}-${width}.webp`),
    )
    const known = new Set((await listKnown(db, paths)).map(nameOf))
    for (const { name, isOlder } of files) {
      if (!name.startsWith('.') && known.has(nameOf(name))) continue
      if ((await isOlder(before)) && (await storage.remove(name))) removed++
    }
  }
  return removed
}

/** Names of pictures and of unfinished ones, some at a time; whatever else lies there is not ours to remove. */
async function* filesOf(storage: PictureStorage) {
  let files = []
  for await (const file of storage.list()) {
    if (!/^\.?[a-z0-9-]+-\d+\.webp(\.[a-f0-9]{8})?$/.test(file.name)) continue
    files.push(file)
    if (files.length < batch) continue
    yield files
    files = []
  }
  if (files.length > 0) yield files
}

/** `3f9c2a7d5e` of `/uploads/3f9c2a7d5e-640.webp`, with a path before it or without. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/-\d+\.webp$/, '')
}
