import { globSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** Compatible with our MIT licence. */
const allowed = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Unlicense',
]
/** Allowed if used unmodified. A name may end with `*`. */
const exceptions: { licence: string; names: string[]; reason: string }[] = [
  {
    licence: 'LGPL-3.0-or-later',
    names: ['@img/sharp-*'],
    reason: 'libvips, a separate shared library that a user can replace',
  },
  {
    licence: 'MPL-2.0',
    names: ['lightningcss', 'lightningcss-*'],
    reason: 'a build tool; its files are not modified and not part of the output',
  },
  {
    licence: 'OFL-1.1',
    names: ['@fontsource/*', '@fontsource-variable/*'],
    reason:
      'fonts without reserved names: client/fonts has subsets of them under the same licence, which they contain',
  },
  {
    licence: 'CC-BY-4.0',
    names: ['caniuse-lite'],
    reason: 'browser data that the build reads; not distributed',
  },
]

const { values } = parseArgs({ options: { help: { type: 'boolean' }, list: { type: 'boolean' } } })
if (values.help) {
  console.log(`npm run licences [-- --list]

Checks the licences of everything that is distributed, on every platform, as recorded in the lockfile of the current folder:
production dependencies, and the packages that are bundled into the web app.
Exits with 1 if a licence is not allowed. --list also prints the packages.
Allowed:    ${allowed.join(', ')}
${exceptions.map(({ licence, names, reason }) => `${licence}: ${names.join(', ')} (${reason})`).join('\n')}`)
  process.exit()
}

type Package = {
  version?: string
  license?: string
  dev?: boolean
  link?: boolean
  dependencies?: Record<string, string>
}
type Lock = { packages: Record<string, Package> }
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock
const builtIn = findBuiltIn()
const byLicence = new Map<string, Set<string>>()
for (const [path, { version, license = 'none', dev, link }] of Object.entries(lock.packages)) {
  // Workspaces have no licence of their own. Dev dependencies are distributed only if they are bundled into the web app.
  if (!path.includes('node_modules/') || (dev && !builtIn.has(path)) || link) continue
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  if (!isAllowed(license, name)) {
    console.error(`${name} ${version}: the licence ${license} is not allowed.`)
    process.exitCode = 1
  }
  byLicence.set(license, (byLicence.get(license) ?? new Set()).add(`${name} ${version}`))
}
for (const [licence, packages] of [...byLicence].sort(([, a], [, b]) => b.size - a.size)) {
  console.log(`${String(packages.size).padStart(4)} ${licence}`)
  if (values.list) for (const name of [...packages].sort()) console.log(`       ${name}`)
}

function findBuiltIn(): Set<string> {
  const found = new Set<string>()
  const add = (name: string, from: string) => {
    const path = [...ancestors(from), '']
      .map((folder) => `${folder}node_modules/${name}`)
      .find((each) => lock.packages[each])
    if (!path || found.has(path)) return
    found.add(path)
    for (const dependency of Object.keys(lock.packages[path]!.dependencies ?? {})) add(dependency, path)
  }
  const sources = globSync('client/**/*.{ts,tsx,css}', {
    exclude: ['client/e2e/**', '**/*.test.*', '**/vite.config.ts'],
  })
  for (const file of sources)
    for (const [, name] of readFileSync(file, 'utf8').matchAll(
      /(?:\bfrom |\bimport |\bimport\()'((?:@[\w-]+\/)?[a-z][\w.-]*)/g,
    ))
      add(name!, '')
  return found
}

/** Innermost first, each with a trailing slash. */
function ancestors(path: string): string[] {
  const parts = path.split('/node_modules/')
  return parts
    .map((_, index) => `${parts.slice(0, parts.length - index).join('/node_modules/')}/`)
    .filter((each) => each !== '/')
}

/** `A AND B` requires both, `A OR B` one. Refuses anything more complex, for a person to review. */
function isAllowed(expression: string, name: string): boolean {
  const is = (licence: string) =>
    allowed.includes(licence) ||
    exceptions.some(
      (each) => each.licence === licence && each.names.some((pattern) => matches(pattern, name)),
    )
  return expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every(is))
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}
