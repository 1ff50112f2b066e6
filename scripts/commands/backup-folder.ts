import { chmod, copyFile, link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }

/** `backup` recognizes its folders by this file. */
const markerFile = 'medley-backup.json'
/** Of a folder that is being written or removed. */
export const unfinished = '.unfinished'

export async function writeMarker(folder: string, now: Date): Promise<void> {
  const marker = { version: packageJson.version, createdAt: now.toISOString() }
  await writeFile(join(folder, markerFile), `${JSON.stringify(marker)}\n`)
}

/** ISO 8601; undefined for a folder of another program. */
async function readMarker(folder: string): Promise<string | undefined> {
  try {
    const { createdAt } = JSON.parse(await readFile(join(folder, markerFile), 'utf8')) as {
      createdAt?: unknown
    }
    return typeof createdAt === 'string' ? createdAt : undefined
  } catch {
    return undefined
  }
}

/** `keep` remain, `newest` included. Removes no folder without the marker of a backup. Returns the removed paths. */
export async function removeOlderBackups(newest: string, keep: number): Promise<string[]> {
  const folder = dirname(newest)
  const entries = await readdir(folder, { withFileTypes: true })
  const backups: { path: string; createdAt: string }[] = []
  for (const entry of entries) {
    const path = join(folder, entry.name)
    const createdAt = entry.isDirectory() && path !== newest ? await readMarker(path) : undefined
    if (createdAt) backups.push({ path, createdAt })
  }
  const isPartial = ({ path }: { path: string }) => path.endsWith(unfinished)
  const older = backups
    .filter((backup) => !isPartial(backup))
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
    .slice(keep - 1)
  for (const { path } of [...older, ...backups.filter(isPartial)]) {
    // Renamed first: a folder with a final name is never half a backup.
    const removed = path.endsWith(unfinished) ? path : `${path}${unfinished}`
    if (removed !== path) await rename(path, removed)
    await rm(removed, { recursive: true, force: true })
  }
  return older.map(({ path }) => basename(path))
}

/** As hard links if the file system supports them. Skips dotfiles, which are still being written. Returns the number. */
export async function copyPictures(from: string, to: string): Promise<number> {
  const [source, target] = [join(from, 'uploads'), join(to, 'uploads')]
  await mkdir(target, { recursive: true })
  const files = await readdir(source).catch(() => [])
  const copied = new Set(await readdir(target))
  let count = 0
  for (const file of files) {
    if (file.startsWith('.') || copied.has(file)) continue
    const [original, copy] = [join(source, file), join(target, file)]
    try {
      await link(original, copy).catch(() => copyPrivately(original, copy))
      count++
    } catch (error) {
      // The server has removed the picture meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return count
}

/** A plain copy would have the rights of the original; only this user can read this one. */
export async function copyPrivately(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  await chmod(to, 0o600)
}

export const folderTime = (now: Date) => now.toISOString().slice(0, 19).replaceAll(':', '-')
