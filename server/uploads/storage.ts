import { randomBytes } from 'node:crypto'
import { lstat, mkdir, opendir, rename, statfs, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/config.ts'
import { type Bucket, openBucket } from './bucket.ts'
import type { PictureStorage } from './pictures.ts'

/** Stores what members upload. */
export type UploadStorage = PictureStorage & {
  /** Undefined where the folder is all there is. */
  bucket?: Bucket
}

export function openStorage(
  { s3, dataDir, diskReserveBytes }: Pick<Config, 's3' | 'dataDir' | 'diskReserveBytes'>,
  log: Pick<FastifyBaseLogger, 'error'>,
): UploadStorage {
  if (!s3) return folderStorage(dataDir, diskReserveBytes)
  const bucket = openBucket(s3, log)
  return { ...bucket, bucket }
}

/** `DATA_DIR/uploads`. */
export function folderStorage(dataDir: string, reserveBytes = 0): PictureStorage {
  const folder = join(dataDir, 'uploads')
  return {
    async hasRoom() {
      if (reserveBytes === 0) return true
      await mkdir(folder, { recursive: true })
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize >= reserveBytes
    },
    async put(name, bytes) {
      await mkdir(folder, { recursive: true })
      // Renamed into place.
      const unfinished = join(folder, `.${name}.${randomBytes(4).toString('hex')}`)
      try {
        await writeFile(unfinished, bytes)
        await rename(unfinished, join(folder, name))
      } catch (error) {
        // On a full disk half a picture takes what room there is.
        await unlink(unfinished).catch(() => {})
        throw error
      }
    },
    async *list() {
      for await (const entry of await openFolder(folder)) {
        if (!entry.isFile()) continue
        yield {
          name: entry.name,
          isOlder: (than) =>
            lstat(join(folder, entry.name)).then(
              ({ mtimeMs }) => mtimeMs < than.getTime(),
              () => false,
            ),
        }
      }
    },
    async remove(name) {
      try {
        await unlink(join(folder, name))
        return true
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
        throw error
      }
    },
  }
}

/** Before the first upload there is none. */
async function openFolder(folder: string) {
  return opendir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}
