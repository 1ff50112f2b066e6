import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

type Lockfile = { packages: Record<string, { version?: string; optional?: boolean }> }

/** What the build reads beside `shared/`: for the app, and for the texts of the server. */
const ofBuilt = { app: 'client/**/*.{ts,tsx,css,html,svg,webmanifest,woff2}', texts: 'server/**/*.ts' }

/**
 * The sources, and the versions of all packages. Not package-lock.json itself: npm rewrites it, and leaves out optional packages of other
 * platforms.
 */
export async function hashSources(root: string, ofWhat: keyof typeof ofBuilt = 'app'): Promise<string> {
  const patterns = [ofBuilt[ofWhat], 'shared/**/*.ts', 'scripts/dev/messages/*.ts', 'shared/locales/*.po']
  const files = (await Array.fromAsync(glob(patterns, { cwd: root })))
    // The router plugin writes the route tree while it builds.
    .filter((file) => !file.endsWith('.gen.ts'))
    .sort()
  const hash = createHash('sha256')
  for (const file of files) {
    const content = await readFile(join(root, file))
    hash.update(`${file} ${content.length}\n`).update(content)
  }
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lockfile
  for (const [path, { version, optional }] of Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)))
    if (path !== '' && !optional) hash.update(`${path} ${version}\n`)
  return hash.digest('hex')
}
