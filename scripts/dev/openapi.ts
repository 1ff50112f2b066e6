import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { help: { type: 'boolean' }, check: { type: 'boolean' }, examples: { type: 'boolean' } },
})
if (values.help) {
  console.log(`npm run openapi [-- --check] [-- --examples]

Writes docs/openapi.json, which the server returns at /openapi.json with its own URL.
--check writes nothing, and exits with 1 if the copy is out of date.
--examples first records an example of each operation that has none or an outdated one, from the calls of server/contract.test.ts.
To record an example anew, delete it in server/http/document/openapi-examples.json.`)
  process.exit()
}

const root = join(import.meta.dirname, '../..')
if (values.examples) {
  // The calls are compared with the document that the server returns.
  spawnSync(process.execPath, [import.meta.filename], { stdio: 'inherit' })
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--project=sqlite',
      'server/contract.test.ts',
      '-t=every documented operation can be called',
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, RECORD_EXAMPLES: 'yes' } },
  )
  if (status !== 0) process.exit(1)
}

const { openApiDocument } = await import('#server/http/document/openapi-document.ts')
const { api } = await import('#server/router.ts')
const file = join(root, 'docs/openapi.json')
const text = `${JSON.stringify(openApiDocument(api), null, 2)}\n`
if (!values.check) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.log('docs/openapi.json is out of date. Run npm run openapi.')
  process.exitCode = 1
}
