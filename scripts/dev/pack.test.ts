import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import commands from '../../bin/commands.json' with { type: 'json' }
import { aDataFolder, outsideEnvironment, startProgram } from '#scripts/testing/program.ts'
import { packApiClient } from '#scripts/testing/client-project.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'medley-pack-'))
const app = join(folder, 'app')
const medley = join(app, 'node_modules/.bin/medley')
const data = aDataFolder()
afterAll(async () => {
  data.remove()
  await rm(folder, { recursive: true, force: true })
})

const env = { ...outsideEnvironment(), DATA_DIR: data.folder, npm_config_loglevel: 'error' }
/** The paths in the tarball. */
let paths: string[]

beforeAll(async () => {
  const npm = (args: string[], cwd: string) => run('npm', args, { cwd, env, maxBuffer: 1e8 })
  await npm(['pack', '--pack-destination', folder], root)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const tarball = join(folder, `medley-${version}.tgz`)
  const { stdout } = await run('tar', ['-tzf', tarball], { maxBuffer: 1e8 })
  paths = stdout
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''))
  mkdirSync(app)
  const options = ['--omit=peer', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await npm(['install', ...options, tarball, packApiClient(folder)], app)
}, 600_000)

test('npm install leaves the tree of a fresh clone as it is, and npm ci accepts its lockfile', async () => {
  const clone = join(folder, 'clone')
  await run('git', ['clone', '--quiet', '--depth=1', `file://${root}`, clone])
  // As edited here: a package that was added without its entries in the lockfile fails before the commit.
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(root, file), join(clone, file))
  const before = await run('git', ['diff'], { cwd: clone, maxBuffer: 1e8 })
  // Resolves the whole tree, and writes the lockfile as an installation does.
  await run('npm', ['install', '--package-lock-only', '--prefer-offline'], { cwd: clone, env })
  await run('npm', ['ci', '--dry-run', '--prefer-offline'], { cwd: clone, env, maxBuffer: 1e8 })
  expect((await run('git', ['diff'], { cwd: clone, maxBuffer: 1e8 })).stdout).toBe(before.stdout)
  const { stdout } = await run('git', ['ls-files', '--others', '--exclude-standard'], { cwd: clone })
  expect(stdout).toBe('')
})

test('the tarball contains the program, the web app and the README, and neither sources nor tests', () => {
  expect(paths).toEqual(
    expect.arrayContaining([
      'package.json',
      'README.md',
      'LICENSE',
      '.env.example',
      'bin/medley.js',
      'dist/app/server/main.js',
      'dist/app/shared/domain/kinds.js',
      'dist/app/migrations/0001-first.js',
      'dist/app/dist/client/index.html',
      'dist/app/dist/server/server.js',
    ]),
  )
  const pictures = paths.filter((path) => path.startsWith('dist/app/server/starter/pictures/'))
  expect(pictures).toHaveLength(readdirSync(join(root, 'server/starter/pictures')).length)
  expect(
    paths.filter((path) => /\.tsx?$|\.test\.|testing|^(server|client|shared|scripts|data)\//.test(path)),
  ).toEqual([])
})

test('an installation has neither build tools nor test tools, nor a library that is bundled in the web app', () => {
  for (const name of [
    'vite',
    'tailwindcss',
    'vitest',
    'typescript',
    'playwright-core',
    'react',
    '@tanstack/react-router',
  ])
    expect(existsSync(join(app, 'node_modules', name)), name).toBe(false)
})

test('every module of the program can be loaded', async () => {
  // main.js starts the server when it is loaded; another test runs it.
  const modules = paths.filter(
    (path) => /^dist\/app\/(server|shared|migrations)\/.*\.js$/.test(path) && !path.endsWith('/main.js'),
  )
  const imports = modules.map((path) => `await import(${JSON.stringify(`./node_modules/medley/${path}`)})`)
  expect(imports.length).toBeGreaterThan(50)
  await run(process.execPath, ['--input-type=module', '--eval', imports.join('\n')], { cwd: app, env })
})

test('the tarball that replaces node-gyp contains the files of its folder', async () => {
  const source = join(root, 'scripts/dev/no-compiler')
  for (const file of ['package.json', 'node-gyp.js']) {
    const packed = await run('tar', ['-xzOf', join(source, 'no-compiler-1.0.0.tgz'), `package/${file}`])
    expect(packed.stdout).toBe(readFileSync(join(source, file), 'utf8'))
  }
})

test('medley prints its version and its commands, and rejects an unknown command', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  expect((await run(medley, ['--version'], { cwd: app, env })).stdout.trim()).toBe(version)
  expect((await run(medley, ['--help'], { cwd: app, env })).stdout).toMatch(
    /start[^]*migrate[^]*backup[^]*verify[^]*move/,
  )
  for (const command of Object.keys(commands).filter((name) => name !== 'start'))
    expect((await run(medley, [command, '--help'], { cwd: app, env })).stdout).toContain(`medley ${command}`)
  await expect(run(medley, ['backupp'], { cwd: app, env })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no command backupp'),
  })
})

test('medley serves pages with their styles and data, verifies its database, and exits with 0 on SIGTERM', async () => {
  const server = await startProgram({ DATA_DIR: data.folder }, { command: [medley], cwd: app, baseEnv: env })
  try {
    const page = await fetch(server.url, { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-type')).toContain('text/html')
    // Pages of the web app have inline styles; the API document links to a stylesheet.
    const html = await page.text()
    expect(html).toContain('<style>')
    const [, script] = /"(assets\/index-[^"]+\.js)"/.exec(html)!
    expect((await fetch(`${server.url}/${script}`)).status).toBe(200)
    const changelog = await (await fetch(`${server.url}/docs/changelog`)).text()
    expect(changelog).toContain('The first version')
    const [, stylesheet] = /<link rel="stylesheet"[^>]* href="([^"]+)"/.exec(changelog)!
    const styles = await fetch(new URL(stylesheet!, server.url))
    expect(styles.headers.get('content-type')).toContain('text/css')
    expect((await styles.text()).length).toBeGreaterThan(1_000)

    const popular = await fetch(`${server.url}/movies/popular`)
    expect(popular.headers.get('content-type')).toContain('application/json')
    expect(popular.status).toBe(200)
    expect((await run(medley, ['verify'], { cwd: app, env })).stdout).toContain(
      'Every counter equals its recount',
    )
    await run(medley, ['backup', join(folder, 'backup')], { cwd: app, env })
    expect(existsSync(join(folder, 'backup/medley.sqlite'))).toBe(true)
  } finally {
    expect(await server.end()).toBe(0)
  }
})

test('@medley/client is installed beside it with openapi-fetch only', async () => {
  const { stdout } = await run('npm', ['ls', '--json', '@medley/client', 'openapi-fetch'], { cwd: app, env })
  const { dependencies } = JSON.parse(stdout) as { dependencies: Record<string, { dependencies: object }> }
  expect(Object.keys(dependencies['@medley/client']!.dependencies)).toEqual(['openapi-fetch'])
  const program = `const { createMedley, MedleyError } = await import('@medley/client')
    const client = createMedley({ baseUrl: 'http://127.0.0.1:9', retries: 0 })
    await client.GET('/movies/popular').catch(() => console.log(typeof client.items, MedleyError.name))`
  expect((await run(process.execPath, ['--eval', program], { cwd: app, env })).stdout).toBe(
    'function MedleyError\n',
  )
})

test('medley reads .env in the current folder, and environment variables take precedence', async () => {
  const { DATA_DIR: _, ...rest } = env
  writeFileSync(join(app, '.env'), `DATA_DIR=${join(folder, 'nowhere')}\n`)
  await expect(run(medley, ['verify'], { cwd: app, env: rest })).rejects.toMatchObject({
    stderr: expect.stringContaining(join(folder, 'nowhere')),
  })
  expect((await run(medley, ['verify'], { cwd: app, env })).stdout).toContain(
    'Every counter equals its recount',
  )
})
