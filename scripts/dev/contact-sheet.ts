import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    only: { type: 'string', default: '' },
    out: { type: 'string', default: 'dist/contact-sheet' },
  },
})
if (values.help) {
  console.log(`npm run contact-sheet [-- --only pattern] [--out dist/contact-sheet]

Runs client/e2e/states.test.ts with a screenshot of every state of every screen, in both themes and at both widths, and shows them
on one page, index.html. --only takes the states whose name matches. Exits with 1 if the test fails: a state that is not reached,
a violation of axe, horizontal scrolling, a covered control, an error on the console.`)
  process.exit()
}

rmSync(values.out, { recursive: true, force: true })
mkdirSync(values.out, { recursive: true })
const { status } = spawnSync('npm', ['test', '--', 'client/e2e/states.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, CONTACT_SHEET: values.out, STATES: values.only },
})
process.exitCode = status ?? 1

/** The ends of the pictures’ names. */
const columns = ['desktop, light', 'desktop, dark', 'phone, light', 'phone, dark']
const pictures = readdirSync(values.out).sort()
const states = [...new Set(pictures.map((file) => file.split(' · ')[0]!))]
const cell = (file: string) =>
  pictures.includes(file)
    ? `<td><a href="${encodeURIComponent(file)}"><img src="${encodeURIComponent(file)}" loading="lazy" alt=""></a></td>`
    : '<td>missing</td>'
const row = (state: string) =>
  `<tr><th>${state}</th>${columns.map((column) => cell(`${state} · ${column}.png`)).join('')}</tr>`
const index = join(values.out, 'index.html')
writeFileSync(
  index,
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Contact sheet</title>
<style>body{font:14px system-ui;margin:1rem}th,td{text-align:left;vertical-align:top;padding:.5rem}
thead th{position:sticky;top:0;background:#fff}
img{display:block;width:20rem;height:26rem;object-fit:contain;object-position:top left}</style>
<table><thead><tr><th>State</th>${columns.map((column) => `<th>${column}</th>`).join('')}</tr></thead>
${states.map(row).join('\n')}
</table></html>
`,
)
console.log(`${states.length} states, ${pictures.length} screenshots: ${index}`)
