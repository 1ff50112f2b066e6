import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** Of what is built in and served, or runs beside it. All of them go together with our MIT. */
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
/** What may be used as it comes, and for what reason; `*` ends a name. */
const exceptions: { licence: string; names: string[]; reason: string }[] = [
  {
    licence: 'LGPL-3.0-or-later',
    names: ['@img/sharp-*'],
    reason: 'libvips, a library file of its own that anybody can exchange',
  },
  {
    licence: 'MPL-2.0',
    names: ['lightningcss', 'lightningcss-*'],
    reason: 'builds the styles; nothing of it is in them, and no file of it is changed',
  },
  {
    licence: 'OFL-1.1',
    names: ['@fontsource/*', '@fontsource-variable/*'],
    reason: 'fonts, handed on unchanged',
  },
  {
    licence: 'CC-BY-4.0',
    names: ['caniuse-lite'],
    reason: 'data about browsers that the build reads; none of it is handed on',
  },
]

const { values } = parseArgs({ options: { help: { type: 'boolean' }, list: { type: 'boolean' } } })
if (values.help) {
  console.log(`npm run licences [-- --list]

Which licences the packages have that production needs, on every platform, by the lockfile in this folder. Ends with 1
where one is not among those that go together with ours. --list names the packages.
Always:     ${allowed.join(', ')}
${exceptions.map(({ licence, names, reason }) => `${licence}: ${names.join(', ')} (${reason})`).join('\n')}`)
  process.exit()
}

type Lock = {
  packages: Record<string, { version?: string; license?: string; dev?: boolean; link?: boolean }>
}
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock
const byLicence = new Map<string, Set<string>>()
for (const [path, { version, license = 'none', dev, link }] of Object.entries(lock.packages)) {
  // Ours have no licence of their own; what only the tests need is not handed on.
  if (!path.includes('node_modules/') || dev || link) continue
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  if (!isAllowed(license, name)) {
    console.error(`${name} ${version}: ${license} is not among the licences that we can use.`)
    process.exitCode = 1
  }
  byLicence.set(license, (byLicence.get(license) ?? new Set()).add(`${name} ${version}`))
}
for (const [licence, packages] of [...byLicence].sort(([, a], [, b]) => b.size - a.size)) {
  console.log(`${String(packages.size).padStart(4)} ${licence}`)
  if (values.list) for (const name of [...packages].sort()) console.log(`       ${name}`)
}

/** `A AND B` needs both, of `A OR B` one will do; what is more involved than that is for a person to read. */
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
