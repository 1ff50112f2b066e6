import { statfs } from 'node:fs/promises'
import type { Config } from '#server/config.ts'

export type Disk = {
  /** What writes much at a time asks first: pictures, imports, copies of lists and batches. The reserve is for single writes. */
  hasFreeSpace: () => Promise<boolean>
}

/** The folder must exist. Asking takes microseconds. */
export function openDisk(folder: string, reserveBytes: number): Disk {
  return {
    async hasFreeSpace() {
      if (reserveBytes === 0) return true
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize >= reserveBytes
    },
  }
}

/** The free space of Postgres is not known; Postgres refuses writes when it is full. */
export function databaseDisk({
  databaseUrl,
  dataDir,
  diskReserveBytes,
}: Pick<Config, 'databaseUrl' | 'dataDir' | 'diskReserveBytes'>): Disk {
  return openDisk(dataDir, databaseUrl ? 0 : diskReserveBytes)
}
