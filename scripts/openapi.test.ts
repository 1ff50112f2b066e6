import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { OpenApiDocument } from '#server/http/openapi-document.ts'

const root = join(import.meta.dirname, '..')
const copy = join(root, 'docs/openapi.json')

/** By default Redocly checks for updates and sends telemetry. */
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
const run = (program: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(root, program), ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...quiet },
  })

function lint(file: string) {
  const { stdout, stderr } = run('node_modules/@redocly/cli/bin/cli.js', 'lint', file, '--format=json')
  if (!stdout) throw new Error(stderr)
  return JSON.parse(stdout) as { totals: object; problems: { ruleId: string; message: string }[] }
}

test('docs/openapi.json equals the document that the server returns', () => {
  const { status, stdout, stderr } = run('scripts/openapi.ts', '--check')
  expect([status, stdout + stderr]).toEqual([0, ''])
})

test('the document passes Redocly’s recommended rules without a warning', () => {
  const { totals, problems } = lint(copy)
  expect(problems).toEqual([])
  expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 })
})

test('the rules report a document that breaks them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'medley-openapi-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const document = JSON.parse(readFileSync(copy, 'utf8')) as OpenApiDocument
  delete document.paths['/reviews']!.post!.security
  document.paths['/items']!.get!.operationId = 'getItem'
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  const rules = lint(join(folder, 'openapi.json')).problems.map(({ ruleId }) => ruleId)
  expect(rules).toEqual(expect.arrayContaining(['security-defined', 'operation-operationId-unique']))
})
