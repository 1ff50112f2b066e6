import { statfs } from 'node:fs/promises'
import type { Config } from '#server/config.ts'

/** The disk of a folder, or of the database. */
export type Disk = {
  /**
   * Whether more than the reserve is free. What writes much at a time asks first: pictures, imports, copies of lists and batches. Single writes do not ask,
   * because the reserve is for them.
   */
  hasFreeSpace: () => Promise<boolean>
}

/** Returns the disk of a folder, which must exist. Asking it takes microseconds, so that it can be asked before each batch. */
export function openDisk(folder: string, reserveBytes: number): Disk {
  return {
    async hasFreeSpace() {
      if (reserveBytes === 0) return true
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize >= reserveBytes
    },
  }
}

/** Returns the disk that the database is on. The one of Postgres is not known; Postgres refuses writes when it is full. */
export function databaseDisk({
  databaseUrl,
  dataDir,
  diskReserveBytes,
}: Pick<Config, 'databaseUrl' | 'dataDir' | 'diskReserveBytes'>): Disk {
  return openDisk(dataDir, databaseUrl ? 0 : diskReserveBytes)
}
