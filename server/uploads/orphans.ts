import { uploadWidths } from '#shared/domain/images.ts'
import { dayMs } from '#shared/domain/days.ts'
import type { Db } from '#server/db/open.ts'
import type { PictureStorage } from './pictures.ts'
import { listKnown, listUploads, removeUnused } from './store.ts'

/** Members may take a while to complete the form. */
const unusedMaxMs = dayMs
/** For the sign-up form, which is short. */
export const anonymousUnusedMaxMs = 60 * 60_000
/** Small, so that requests run between batches. */
const batchSize = 100

export type Removed = { uploads: number; files: number }

/**
 * Uploads older than a day, and old files that are temporary or belong to no upload. Does not remove an upload that a concurrent call
 * starts to use.
 */
export async function removeOrphans(
  db: Db,
  storage: PictureStorage,
  now: Date,
  signal?: AbortSignal,
): Promise<Removed> {
  const before = new Date(now.getTime() - unusedMaxMs)
  const uploads = await removeUploads(db, storage, { before }, signal)
  return { uploads, files: await removeFiles(db, storage, before, signal) }
}

/** Older than an hour; those older than a day are left to `removeOrphans`. */
export async function removeAnonymous(
  db: Db,
  storage: PictureStorage,
  now: Date,
  signal?: AbortSignal,
): Promise<Removed> {
  const before = new Date(now.getTime() - anonymousUnusedMaxMs)
  const since = new Date(before.getTime() - unusedMaxMs)
  return { uploads: await removeUploads(db, storage, { before, since }, signal), files: 0 }
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
    const uploads = await listUploads(db, { after, limit: batchSize, ...range })
    if (uploads.length === 0) break
    after = uploads.at(-1)!.id
    const unused = uploads.filter(({ isInUse }) => !isInUse).map(({ path }) => path)
    if (unused.length > 0) removed += await removePictures(db, storage, unused)
  }
  return removed
}

/** Removes unused pictures with their files. Returns how many. */
export async function removePictures(
  db: Db,
  storage: PictureStorage,
  paths: readonly string[],
): Promise<number> {
  const removed = await db.transaction().execute((trx) => removeUnused(trx, paths))
  // If the process dies here, `removeOrphans` removes the files later.
  for (const path of removed)
    for (const width of uploadWidths) await storage.remove(`${nameOf(path)}-${width}.webp`)
  return removed.length
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

/** Skips other files, which do not belong to the app. */
async function* filesOf(storage: PictureStorage) {
  let files = []
  for await (const file of storage.list()) {
    if (!/^\.?[a-z0-9-]+-\d+\.webp(\.[a-f0-9]{8})?$/.test(file.name)) continue
    files.push(file)
    if (files.length < batchSize) continue
    yield files
    files = []
  }
  if (files.length > 0) yield files
}

/** `3f9c2a7d5e` for `/uploads/3f9c2a7d5e-640.webp`, with or without the folder. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/-\d+\.webp$/, '')
}
