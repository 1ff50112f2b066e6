import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { environment } from '#server/config.ts'

const root = join(import.meta.dirname, '../..')
const files = { example: join(root, '.env.example'), page: join(root, 'docs/running.md') }

/** The table stands between two comments of the page. */
export function describeSettings(): Record<keyof typeof files, string> {
  const defaults = environment.parse({}) as Record<string, string | number | undefined>
  const settings = Object.entries(environment.shape).map(([name, schema]) => ({
    name,
    value: String(defaults[name] ?? ''),
    description: schema.description!,
  }))
  const rows = settings.map(
    ({ name, value, description }) => `| \`${name}\` |${value && ` \`${value}\``} | ${description} |\n`,
  )
  const table = ['| variable | default | meaning |\n| --- | --- | --- |\n', ...rows].join('')
  const lines = settings.map(
    ({ name, value, description }) =>
      `# ${description.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')}.\n#${name}=${value}\n`,
  )
  return {
    example: `# All variables that Medley reads, with their defaults. Copy this file to .env, then uncomment and edit the lines you need.
# Environment variables take precedence over this file. An empty value counts as unset.

${lines.join('')}`,
    page: readFileSync(files.page, 'utf8').replace(
      /(<!-- settings -->\n\n)[^]*?(\n<!-- \/settings -->)/,
      (_, begin: string, end: string) => begin + table + end,
    ),
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { help: { type: 'boolean' } } })
  if (values.help) {
    console.log(`npm run settings

Writes the variables of server/config.ts into docs/running.md and .env.example, with their defaults and descriptions.`)
    process.exit()
  }
  const described = describeSettings()
  writeFileSync(files.example, described.example)
  writeFileSync(files.page, described.page)
}
