import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { PageScripts } from '#client/server.tsx'
import { members, visitors } from './page-budgets.ts'

/** Visitors open these, or become members there. */
const isForVisitors = (route: string) =>
  !/^(_member|create-item|unsubscribe|keep-account|verify-email)\b/.test(route)

const { values } = parseArgs({ options: { help: { type: 'boolean' }, chunks: { type: 'boolean' } } })
if (values.help) {
  console.log(`npm run bundle [-- --chunks]

Measures the gzipped JavaScript that each page starts with: the entry, the chunks of the route and their static imports; for
members also the parts that they load at once. The server’s first response names all of these files, so that they are requested
together. Builds the client if the build is stale. Exits with 1 if a page is over its budget. --chunks lists the files.
  each page of visitors: at most ${visitors.budget} KB in ${visitors.filesMax} files
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

for (const [route, { files, memberFiles }] of Object.entries(scripts)) {
  if (isForVisitors(route)) check(route, files, visitors)
  check(`member: ${route}`, [...files, ...memberFiles], members)
}

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
