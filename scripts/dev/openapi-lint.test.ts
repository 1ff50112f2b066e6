import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { expect, onTestFinished, test } from 'vitest'
import type { OpenApiDocument } from '#server/http/document/openapi-schema.ts'

const root = join(import.meta.dirname, '../..')
const copy = join(root, 'docs/openapi.json')

/** By default Redocly checks for updates and sends telemetry. */
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
function lint(file: string) {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/@redocly/cli/bin/cli.js', 'lint', file, '--format=json'],
    { cwd: root, encoding: 'utf8', env: { ...process.env, ...quiet } },
  )
  if (!stdout) throw new Error(stderr)
  return JSON.parse(stdout) as {
    totals: object
    problems: { ruleId: string; message: string; ignored?: boolean }[]
  }
}

test('the document passes Redocly’s strict rules, except for two pairs of paths that are ambiguous as templates only', () => {
  const { totals, problems } = lint('docs/openapi.json')
  expect(problems.filter(({ ignored }) => !ignored)).toEqual([])
  expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 2 })
})

test('the document passes Spectral’s rules for OpenAPI without a finding', async () => {
  const linter = new spectral.Spectral()
  linter.setRuleset({ extends: [rulesets.oas as spectral.RulesetDefinition] })
  const document = JSON.parse(readFileSync(copy, 'utf8')) as OpenApiDocument
  expect(await linter.run(document)).toEqual([])
  const health = document.paths['/healthz']!
  delete health.get!.description
  const findings = await linter.run({ ...document, paths: { '/healthz': health } })
  expect(findings.map(({ code }) => code)).toContain('operation-description')
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
