import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const { resolve } = createRequire(import.meta.url)
const packageFolder = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Returns the path and version (as numbers) of the Node that npm installed for this platform; undefined if there is none. */
export function bundledNode() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
  for (const name of Object.keys(optionalDependencies)) {
    try {
      const manifest = resolve(`${name}/package.json`)
      const path = join(dirname(manifest), 'bin/node')
      const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
      if (existsSync(path)) return { path, version: version.split('.').map(Number) }
    } catch {
      // Not for this platform.
    }
  }
  return undefined
}

// The script `prepare` runs this file after an installation: npm 10 links node_modules/.bin/node, but removes the link together with
// the packages of other platforms, whose executable has the same name.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const node = bundledNode()
  const folder = join(packageFolder, 'node_modules/.bin')
  const link = join(folder, 'node')
  if (node && process.platform !== 'win32' && !lstatSync(link, { throwIfNoEntry: false }))
    symlinkSync(relative(folder, node.path), link)
}
