import { spawn } from 'node:child_process'

if (process.argv.includes('--help')) {
  console.log(`npm run check

Types (tsc), lint and the import law (oxlint), format (oxfmt), dead code and dependencies (knip), what a page
loads before its first content (npm run bundle), and licences of dependencies (npm run licences), all at once.
Ends with 1 where one complains. npm run format mends the format.`)
  process.exit()
}

const checks: [name: string, command: string, ...args: string[]][] = [
  ['types', 'tsc', '-p', 'tsconfig.json'],
  ['lint', 'oxlint', '--deny-warnings'],
  ['format', 'oxfmt', '--check', '.'],
  ['dead code', 'knip', '--no-progress'],
  ['page weight', 'node', 'scripts/bundle.ts'],
  ['licences', 'node', 'scripts/licences.ts'],
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

/** npm puts node_modules/.bin on the path. */
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
