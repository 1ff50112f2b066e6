import { existsSync, mkdirSync, type Stats } from 'node:fs'
import { chmod, lstat, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const ofGroupAndOthers = 0o077
const ofOthers = 0o007
/** Current and former names (`.cache`), and the folder that systems add to a disk. */
const ownNames =
  /^(medley\.(sqlite|lock|holder).*|uploads|starter|outbox|backups|before-restore-.*|restore\.unfinished|\.cache|lost\+found)$/

/** Whatever the umask: the database contains email addresses, hashes of passwords and secrets of webhooks. */
export function keepFilesPrivate(): void {
  process.umask(ofGroupAndOthers)
}

/**
 * And the folders above it. Returns the uppermost created one. Node’s recursive `mkdir` never returns in /proc, where the system denies
 * that the parent exists.
 */
export function createFolder(path: string): string | undefined {
  if (existsSync(path)) return undefined
  const first = createFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process has created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return first ?? path
}

/** DATA_DIR, and what Medley has stored there. A closed folder closes its content, so an open folder comes after its content. */
export async function listOpen(dataDir: string): Promise<string[]> {
  const names = await namesIn(dataDir)
  const own = names.filter((name) => ownNames.test(name)).map((name) => join(dataDir, name))
  const open: string[] = []
  for (const path of own) if (hasRightsOfOthers(await lstat(path).catch(() => undefined))) open.push(path)
  if (hasRightsOfOthers(await stat(dataDir).catch(() => undefined))) open.push(dataDir)
  return open
}

/**
 * An earlier version or a copy has left the rights. Returns the paths where that is not possible: they belong to another user, or DATA_DIR
 * contains files of other programs, which may need the rights.
 */
export async function makePrivate(dataDir: string): Promise<string[]> {
  const failed: string[] = []
  for (const path of await listOpen(dataDir)) {
    const isShared = path === dataDir && !(await namesIn(dataDir)).every((name) => ownNames.test(name))
    const isDone = !isShared && (await close(path))
    if (!isDone) failed.push(path)
  }
  return failed
}

/** Takes the rights of others from a file, or from everything in a folder and then the folder. Returns whether it could. */
async function close(path: string): Promise<boolean> {
  try {
    const entry = await stat(path)
    if (entry.isDirectory())
      for (const name of await namesIn(path)) {
        const inner = join(path, name)
        const found = await lstat(inner).catch(() => undefined)
        if (found?.isDirectory() || hasRightsOfOthers(found)) await close(inner)
      }
    await chmod(path, entry.mode & 0o7777 & ~ofGroupAndOthers)
    return true
  } catch {
    return false
  }
}

/**
 * Links have no rights, and Windows has other ones. The group of another user’s folder is often this process’s own: volumes are lent to
 * containers so.
 */
function hasRightsOfOthers(entry: Stats | undefined): boolean {
  if (!entry || entry.isSymbolicLink() || process.platform === 'win32') return false
  const isOwn = entry.uid === process.getuid?.()
  return (entry.mode & (isOwn ? ofGroupAndOthers : ofOthers)) !== 0
}

const namesIn = (folder: string) => readdir(folder).catch(() => [])
