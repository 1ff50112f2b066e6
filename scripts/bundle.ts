import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'

/** Budgets for the JavaScript that a page starts with: KB (1024 bytes) of gzip, and files. */
const pages = [
  { name: 'Home', route: 'index', budget: 141, filesMax: 6 },
  { name: 'detail', route: 'movies.$movieId', budget: 158, filesMax: 11 },
  { name: 'Search', route: 'search', budget: 147, filesMax: 9 },
]

const { values } = parseArgs({ options: { help: { type: 'boolean' }, chunks: { type: 'boolean' } } })
if (values.help) {
  console.log(`npm run bundle [-- --chunks]

Measures the gzipped JavaScript that each page starts with: the entry, the chunks of the route and their
static imports. Builds the client if the build is stale. Exits with 1 if a page is over its budget. --chunks lists the files.
${pages.map(({ name, budget, filesMax }) => `  ${name}: at most ${budget} KB in ${filesMax} files`).join('\n')}`)
  process.exit()
}

type Manifest = Record<string, { file: string; imports?: string[] }>

const root = join(import.meta.dirname, '..')
const built = spawnSync(process.execPath, [join(import.meta.dirname, 'build.ts'), '--if-stale'], {
  stdio: 'inherit',
})
if (built.status !== 0) process.exit(1)
const folder = join(root, 'dist/client')
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest
const sizes = new Map<string, number>()

for (const { name, route, budget, filesMax } of pages) {
  const chunks = [...filesOf(route)].map((file) => ({ file, size: sizeOf(file) }))
  const total = chunks.reduce((sum, { size }) => sum + size, 0)
  const isOver = total > budget * 1024 || chunks.length > filesMax
  if (isOver) process.exitCode = 1
  console.log(
    `${isOver ? 'OVER' : 'ok  '} ${name.padEnd(7)} ${kb(total)} KB of ${budget} KB in ${chunks.length} of ${filesMax} files`,
  )
  if (!values.chunks && !isOver) continue
  for (const { file, size } of chunks.sort((a, b) => b.size - a.size)) console.log(`     ${kb(size)} ${file}`)
}

/** Returns the files of the entry and of a route's chunks, with their static imports. */
function filesOf(route: string): Set<string> {
  const parts = Object.keys(manifest).filter((key) => key.startsWith(`routes/${route}.tsx?tsr-split=`))
  const wanted = ['index.html', ...parts]
  if (parts.length === 0) throw new Error(`The build has no route ${route}.`)
  const files = new Set<string>()
  for (const key of wanted) {
    const chunk = manifest[key]
    if (chunk === undefined) throw new Error(`The build has no ${key}.`)
    if (files.has(chunk.file)) continue
    files.add(chunk.file)
    wanted.push(...(chunk.imports ?? []))
  }
  return files
}

function sizeOf(file: string): number {
  const known = sizes.get(file)
  if (known !== undefined) return known
  const size = gzipSync(readFileSync(join(folder, file)), { level: 9 }).length
  sizes.set(file, size)
  return size
}

function kb(bytes: number): string {
  return (bytes / 1024).toFixed(1).padStart(6)
}
