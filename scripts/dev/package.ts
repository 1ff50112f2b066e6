import { existsSync } from 'node:fs'
import { cp, glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import commands from '../../bin/commands.json' with { type: 'json' }

if (process.argv.includes('--help')) {
  console.log(`Writes dist/app: the program of an installed package. It has the tree of the sources, with the types stripped, because Node
does not strip types below node_modules. Line and column numbers stay the same, so that stack traces match the sources.
Includes the built web app: run npm run build first. npm pack does both.`)
  process.exit()
}

const root = join(import.meta.dirname, '../..')
const target = join(root, 'dist/app')
const programs = [
  ...Object.values(commands).map(([program]) => program),
  'scripts/commands/command',
  'scripts/commands/backup-folder',
]

// Renamed once it is complete.
const unfinished = `${target}.unfinished`
await rm(unfinished, { recursive: true, force: true })
const files = glob(['{server,shared,migrations}/**/*', ...programs.map((program) => `${program}.ts`)], {
  cwd: root,
  withFileTypes: true,
})
for await (const entry of files) {
  if (!entry.isFile() || /\.test\.ts$|^(testing|fakes)\.ts$/.test(entry.name)) continue
  if (/\bfixtures\b/.test(entry.parentPath.slice(root.length))) continue
  const from = join(entry.parentPath, entry.name)
  const to = join(unfinished, from.slice(root.length))
  await mkdir(dirname(to), { recursive: true })
  if (from.endsWith('.ts'))
    await writeFile(to.replace(/\.ts$/, '.js'), toJavaScript(await readFile(from, 'utf8')))
  else await cp(from, to)
}
// Without the files of which languages are written.
const filter = (path: string) => !/[/\\]\.vite[/\\](marked|messages\.json)/.test(path)
for (const folder of ['client', 'server', 'languages'])
  if (existsSync(join(root, 'dist', folder)))
    await cp(join(root, 'dist', folder), join(unfinished, 'dist', folder), { recursive: true, filter })
await cp(join(root, 'CHANGELOG.md'), join(unfinished, 'CHANGELOG.md'))
await cp(join(root, 'docs/openapi.json'), join(unfinished, 'docs/openapi.json'))

const { version, imports } = packageJson
await writeFile(join(unfinished, 'package.json'), JSON.stringify({ version, type: 'module', imports }))
await rm(target, { recursive: true, force: true })
await rename(unfinished, target)

function toJavaScript(code: string): string {
  return stripTypeScriptTypes(code).replaceAll(
    /(\bfrom |\bimport |\bimport\()'((?:#|\.{1,2}\/)[^']+)\.ts'/g,
    "$1'$2.js'",
  )
}
