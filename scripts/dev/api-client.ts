import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { help: { type: 'boolean' }, out: { type: 'string' } } })
if (values.help) {
  console.log(`npm run api-client [-- --out=FOLDER]

Builds the npm package @medley/client in dist/api-client, or in FOLDER: a typed client of the REST API. Its types are generated
from docs/openapi.json. To publish it: npm publish ./dist/api-client`)
  process.exit()
}

const root = join(import.meta.dirname, '../..')
const source = join(root, 'scripts/api-client')
const target = resolve(values.out ?? join(root, 'dist/api-client'))
const readJson = <Content>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as Content
const { version, license } = readJson<{ version: string; license: string }>(join(root, 'package.json'))
const { devDependencies } = readJson<{ devDependencies: { 'openapi-fetch': string } }>(
  join(source, 'package.json'),
)

// Below the root, so that the compiler finds openapi-fetch.
const cache = join(root, 'node_modules/.cache')
mkdirSync(cache, { recursive: true })
const unfinished = mkdtempSync(join(cache, 'api-client-'))
const generator = join(source, 'node_modules/openapi-typescript/bin/cli.js')
// By default, a property of a request with a default value would be required.
run(generator, [join(root, 'docs/openapi.json'), '--output', 'schema.d.ts', '--default-non-nullable=false'])
cpSync(join(source, 'index.ts'), join(unfinished, 'index.ts'))
writeFileSync(
  join(unfinished, 'package.json'),
  JSON.stringify(
    {
      name: '@medley/client',
      version,
      description: 'A typed client of the Medley API.',
      license,
      type: 'module',
      sideEffects: false,
      exports: { '.': { types: './index.d.ts', default: './index.js' } },
      files: ['index.js', 'index.d.ts', 'schema.d.ts'],
      engines: { node: '>=20' },
      dependencies: { 'openapi-fetch': `^${devDependencies['openapi-fetch']}` },
    },
    null,
    2,
  ),
)
const strict = '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess'
const output =
  '--declaration --target es2023 --module nodenext --lib es2024,dom,dom.iterable,dom.asynciterable'
const compiler = join(root, 'node_modules/typescript/bin/tsc')
run(compiler, ['--ignoreConfig', 'index.ts', ...`${strict} ${output}`.split(' ')])
rmSync(join(unfinished, 'index.ts'))
cpSync(join(source, 'README.md'), join(unfinished, 'README.md'))
cpSync(join(root, 'LICENSE'), join(unfinished, 'LICENSE'))
rmSync(target, { recursive: true, force: true })
cpSync(unfinished, target, { recursive: true })
rmSync(unfinished, { recursive: true })

function run(program: string, args: string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: unfinished,
    encoding: 'utf8',
  })
  if (status === 0) return
  console.error(stdout + stderr)
  process.exit(1)
}
