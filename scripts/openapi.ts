import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openApiDocument } from '#server/http/openapi-document.ts'
import { appRouter } from '#server/router.ts'

const { values } = parseArgs({ options: { help: { type: 'boolean' }, check: { type: 'boolean' } } })
if (values.help) {
  console.log(`npm run openapi [-- --check]

Writes docs/openapi.json, a copy of the document that the server returns at /openapi.json.
--check writes nothing, and exits with 1 if the copy is out of date.`)
  process.exit()
}

const file = join(import.meta.dirname, '../docs/openapi.json')
const text = `${JSON.stringify(openApiDocument(appRouter, 'http://localhost:3000'), null, 2)}\n`
if (!values.check) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.log('docs/openapi.json is out of date. Run npm run openapi.')
  process.exitCode = 1
}
