import { randomBytes } from 'node:crypto'
import { lstat, opendir, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/config.ts'
import { openDisk } from '#server/process/disk.ts'
import { createFolder } from '#server/process/private-files.ts'
import { type Bucket, openBucket } from './bucket.ts'
import type { PictureStorage } from './pictures.ts'

export type UploadStorage = PictureStorage & {
  bucket?: Bucket
}

export function openStorage(
  { s3, proxy, dataDir, diskReserveBytes }: Pick<Config, 's3' | 'proxy' | 'dataDir' | 'diskReserveBytes'>,
  log: Pick<FastifyBaseLogger, 'error'>,
): UploadStorage {
  if (!s3) return folderStorage(dataDir, diskReserveBytes)
  const bucket = openBucket(s3, log, proxy)
  return { ...bucket, bucket }
}

export function folderStorage(dataDir: string, reserveBytes = 0, name = 'uploads'): PictureStorage {
  const folder = join(dataDir, name)
  const disk = openDisk(folder, reserveBytes)
  return {
    async hasFreeSpace() {
      createFolder(folder)
      return disk.hasFreeSpace()
    },
    async put(name, bytes) {
      createFolder(folder)
      // No reader sees half a picture.
      const temporary = join(folder, `.${name}.${randomBytes(4).toString('hex')}`)
      try {
        await writeFile(temporary, bytes)
        await rename(temporary, join(folder, name))
      } catch (error) {
        // On a full disk, half a picture would use up the remaining space.
        await unlink(temporary).catch(() => {})
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

/** Empty if the folder does not exist, as before the first upload. */
async function openFolder(folder: string) {
  return opendir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}
