import { existsSync, mkdirSync, type Stats } from 'node:fs'
import { chmod, lstat, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The rights of the group and of others. */
const ofGroupAndOthers = 0o077
const ofOthers = 0o007
/** The names that Medley gives to what it stores in DATA_DIR, has given (`.cache`), and the folder that systems add to a disk. */
const ownNames =
  /^(medley\.(sqlite|lock|holder).*|uploads|starter|outbox|backups|before-restore-.*|restore\.unfinished|\.cache|lost\+found)$/

/**
 * Lets only the user of this process use the files and folders that the process creates from now on, whatever the umask of its shell:
 * the database contains email addresses, hashes of passwords and secrets of webhooks.
 */
export function keepFilesPrivate(): void {
  process.umask(ofGroupAndOthers)
}

/**
 * Creates a folder for this user only, and the folders above it. Returns the uppermost one that it created. Node’s recursive `mkdir`
 * never returns in /proc, where the system denies that the parent exists.
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

/**
 * Returns the paths on which other users of the machine have rights: DATA_DIR, and what Medley has stored there. What is inside a
 * folder without rights of others is closed to them too, so an open folder comes after its content.
 */
export async function listOpen(dataDir: string): Promise<string[]> {
  const names = await namesIn(dataDir)
  const own = names.filter((name) => ownNames.test(name)).map((name) => join(dataDir, name))
  const open: string[] = []
  for (const path of own) if (hasRightsOfOthers(await lstat(path).catch(() => undefined))) open.push(path)
  if (hasRightsOfOthers(await stat(dataDir).catch(() => undefined))) open.push(dataDir)
  return open
}

/**
 * Removes the rights of others on the paths of `listOpen`, which an earlier version or a copy has left. Returns the paths where that
 * is not possible: they belong to another user, or DATA_DIR contains files of other programs, which may need the rights.
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

/** Removes the rights of others on a file, or on everything in a folder and then on the folder. Returns whether it could. */
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
 * Links have no rights of their own, and Windows has other ones. The group of another user’s folder is often this process’s own: that
 * is how volumes are lent to containers.
 */
function hasRightsOfOthers(entry: Stats | undefined): boolean {
  if (!entry || entry.isSymbolicLink() || process.platform === 'win32') return false
  const isOwn = entry.uid === process.getuid?.()
  return (entry.mode & (isOwn ? ofGroupAndOthers : ofOthers)) !== 0
}

const namesIn = (folder: string) => readdir(folder).catch(() => [])
