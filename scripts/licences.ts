import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** Licences of production packages that are compatible with our MIT licence. */
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
/** Packages with other licences that are allowed if they are used unmodified, with the reason. A name may end with `*`. */
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
    reason: 'fonts, distributed unmodified',
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

Checks the licences of all production dependencies, on every platform, as recorded in the lockfile of the current folder.
Exits with 1 if a licence is not allowed. --list also prints the packages.
Allowed:    ${allowed.join(', ')}
${exceptions.map(({ licence, names, reason }) => `${licence}: ${names.join(', ')} (${reason})`).join('\n')}`)
  process.exit()
}

type Lock = {
  packages: Record<string, { version?: string; license?: string; dev?: boolean; link?: boolean }>
}
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock
const byLicence = new Map<string, Set<string>>()
for (const [path, { version, license = 'none', dev, link }] of Object.entries(lock.packages)) {
  // Workspaces have no licence of their own, and dev dependencies are not distributed.
  if (!path.includes('node_modules/') || dev || link) continue
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

/** Evaluates a SPDX expression: `A AND B` requires both, `A OR B` one. Refuses anything more complex, for a person to review. */
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
