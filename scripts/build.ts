import { glob, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { help: { type: 'boolean' }, 'if-stale': { type: 'boolean' } } })
if (values.help) {
  console.log(`npm run build [-- --if-stale]

Builds the client into dist/client. --if-stale does so only where a source is newer than the last build.`)
  process.exit()
}

const root = join(import.meta.dirname, '..')
if (!values['if-stale'] || (await isStale())) {
  console.log('Building the web app…')
  const { build } = await import('vite')
  await build({ configFile: join(root, 'client/vite.config.ts'), logLevel: 'warn' })
}

async function isStale(): Promise<boolean> {
  const builtAt = await modifiedAt('dist/client/index.html')
  if (builtAt === 0) return true
  for await (const file of glob(['client/**/*.{ts,tsx,css,html,svg}', 'shared/*.ts', 'package-lock.json'], {
    cwd: root,
  })) {
    // The router plugin writes the route tree while it builds.
    if (!file.endsWith('.gen.ts') && (await modifiedAt(file)) > builtAt) return true
  }
  return false
}

async function modifiedAt(file: string): Promise<number> {
  return stat(join(root, file)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}
