import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { PageScripts } from '#client/server.tsx'

/** Budgets for the JavaScript that a page starts with: KB (1024 bytes) of gzip, and files. */
const pages = [
  { name: 'Home', route: 'index', budget: 142, filesMax: 5 },
  { name: 'detail', route: 'movies.$movieId', budget: 159, filesMax: 7 },
  { name: 'Search', route: 'search', budget: 147, filesMax: 6 },
]
/** The same for the page of a member, each of which is requested at once: any page may start with so many files, and so many KB. */
const members = { budget: 300, filesMax: 16 }

/** Its sections need many parts, and few open it. */
const administration = '_member.admin.$'

const { values } = parseArgs({ options: { help: { type: 'boolean' }, chunks: { type: 'boolean' } } })
if (values.help) {
  console.log(`npm run bundle [-- --chunks]

Measures the gzipped JavaScript that each page starts with: the entry, the chunks of the route and their static imports; for
members also the parts that they load at once. The server’s first response names all of these files, so that they are requested
together. Builds the client if the build is stale. Exits with 1 if a page is over its budget. --chunks lists the files.
${pages.map(({ name, budget, filesMax }) => `  ${name}: at most ${budget} KB in ${filesMax} files`).join('\n')}
  each page of a member: at most ${members.budget} KB in ${members.filesMax} files`)
  process.exit()
}

const root = join(import.meta.dirname, '../..')
const built = spawnSync(process.execPath, [join(import.meta.dirname, 'build.ts'), '--if-stale'], {
  stdio: 'inherit',
})
if (built.status !== 0) process.exit(1)
const folder = join(root, 'dist/client')
const scripts = JSON.parse(readFileSync(join(folder, '.vite/pages.json'), 'utf8')) as Record<
  string,
  PageScripts
>
const sizes = new Map<string, number>()

for (const { name, route, ...limits } of pages) check(name, scripts[route]!.files, limits)
for (const [route, { files, memberFiles }] of Object.entries(scripts))
  check(`member: ${route}`, [...files, ...memberFiles], {
    ...members,
    ...(route === administration && { filesMax: 20 }),
  })

/** Prints the size of a page’s files, and lists them if they are over a limit. */
function check(name: string, files: string[], { budget, filesMax }: typeof members): void {
  const chunks = files.map((file) => ({ file, size: sizeOf(file) }))
  const total = chunks.reduce((sum, { size }) => sum + size, 0)
  const isOver = total > budget * 1024 || chunks.length > filesMax
  if (isOver) process.exitCode = 1
  console.log(
    `${isOver ? 'OVER' : 'ok  '} ${name.padEnd(44)} ${kb(total)} KB of ${budget} KB in ${chunks.length} of ${filesMax} files`,
  )
  if (!values.chunks && !isOver) return
  for (const { file, size } of chunks.sort((a, b) => b.size - a.size)) console.log(`     ${kb(size)} ${file}`)
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
