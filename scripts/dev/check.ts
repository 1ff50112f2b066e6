import { spawn } from 'node:child_process'

if (process.argv.includes('--help')) {
  console.log(`npm run check

Runs all static checks in parallel: types (tsc), lint and import rules (oxlint), formatting (oxfmt), unused code and
dependencies (knip), bundle size (npm run bundle), translations (npm run messages -- --check) and licences of dependencies (npm run
licences).
Exits with 1 if a check fails. npm run format fixes the formatting.`)
  process.exit()
}

const checks: [name: string, command: string, ...args: string[]][] = [
  ['types', 'tsc', '-p', 'tsconfig.json'],
  ['lint', 'oxlint', '--deny-warnings'],
  ['format', 'oxfmt', '--check', '.'],
  ['unused code', 'knip', '--no-progress'],
  ['bundle size', 'node', 'scripts/dev/bundle.ts'],
  ['messages', 'node', 'scripts/dev/messages.ts', '--check'],
  ['licences', 'node', 'scripts/dev/licences.ts'],
]

const results = await Promise.all(
  checks.map(async ([name, command, ...args]) => {
    const startedAt = performance.now()
    const { code, output } = await run(command, args)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(
      `${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)${code === 0 ? '' : `\n${output}`}`,
    )
    return code
  }),
)
process.exitCode = results.some((code) => code !== 0) ? 1 : 0

/** npm has put node_modules/.bin in PATH. */
function run(command: string, args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}
