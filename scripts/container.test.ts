import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { validate } from 'dockerfile-utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { buildStages, inside, type Stage } from './testing/container.ts'
import { outsideEnvironment, startProgram } from './testing/program.ts'
import { startS3 } from './testing/s3.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'medley-container-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the Dockerfile passes the linter', () => {
  expect(validate(read('Dockerfile'))).toEqual([])
  expect(validate('FORM debian\nCMD ["x"]').length).toBeGreaterThan(0)
})

test('compose.yaml conforms to the Compose specification and passes the linter', async () => {
  const lint = (file: string) => run(join(root, 'node_modules/.bin/dclint'), ['--quiet', file], { cwd: root })
  await expect(lint('compose.yaml')).resolves.toMatchObject({ stderr: '' })
  const wrong = join(folder, 'wrong.yaml')
  writeFileSync(wrong, 'services: { a: { imagee: "debian:12" } }\n')
  await expect(lint(wrong)).rejects.toMatchObject({ code: 1 })
})

type Service = {
  profiles?: string[]
  environment?: Record<string, string>
  command?: string[]
  read_only?: boolean
  ports?: string[]
}
const compose = () => parse(read('compose.yaml'), { merge: true }) as { services: Record<string, Service> }

test('Compose runs one process on SQLite, or two workers on Postgres with a bucket in the profile postgres', () => {
  const { services } = compose()
  const withoutProfile = Object.keys(services).filter((name) => !services[name]!.profiles)
  expect(withoutProfile).toEqual(['medley'])
  expect(services.medley!.environment).not.toHaveProperty('DATABASE_URL')
  expect(services['medley-postgres']!.environment).toMatchObject({
    WORKERS: '2',
    DATABASE_URL: expect.stringMatching(/^postgres:/),
    S3_BUCKET: 'medley',
  })
  for (const name of ['medley', 'medley-postgres', 'bucket']) expect(services[name]!.read_only).toBe(true)
  // Ports are published on loopback only: a reverse proxy on the same machine is expected.
  for (const { ports = [] } of Object.values(services))
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
})

let image: Stage

/** Returns the container’s environment variables, with its paths mapped to this machine. */
function imageEnv(): Record<string, string> {
  const { PATH: _, ...own } = image.env
  return {
    ...outsideEnvironment(),
    ...own,
    DATA_DIR: inside(image, own.DATA_DIR!),
    NODE_COMPILE_CACHE: inside(image, own.NODE_COMPILE_CACHE!),
    PATH: [inside(image, '/app/node_modules/.bin'), '/usr/bin', '/bin'].join(delimiter),
  }
}

beforeAll(async () => {
  chmodSync(folder, 0o755)
  image = await buildStages(root, folder)
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', String(image.user), join(image.folder, 'data')])
}, 900_000)

test('the image holds the program and production dependencies, and nothing else', () => {
  expect(readdirSync(image.folder).sort()).toEqual(['app', 'data'])
  expect(readdirSync(join(image.folder, 'app')).sort()).toEqual([
    '.cache',
    'LICENSE',
    'bin',
    'dist',
    'node_modules',
    'package.json',
  ])
  for (const name of ['vite', 'vitest', 'typescript', 'react', 'tailwindcss', 'openapi-typescript'])
    expect(existsSync(join(image.folder, 'app/node_modules', name)), name).toBe(false)
})

test('the container runs as a non-root user, writes to its volume only, has its compile cache, is healthy, and exits with 0 on SIGTERM', async () => {
  expect(image.user).toBeGreaterThan(0)
  const uid = process.getuid?.() === 0 ? { uid: image.user! } : {}
  const env = imageEnv()
  const server = await startProgram(
    {
      DATA_DIR: env.DATA_DIR!,
      HOST: env.HOST!,
      NODE_ENV: env.NODE_ENV!,
      NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
    },
    { command: [...image.entrypoint, ...image.command], cwd: image.cwd, baseEnv: env, ...uid },
  )
  const { port } = new URL(server.url)
  const [command, ...args] = image.healthcheck
  const check = () => run(command!, args, { cwd: image.cwd, env: { ...env, PORT: port }, ...uid })
  try {
    await check()
    expect((await fetch(`http://127.0.0.1:${port}/movies/popular`)).status).toBe(200)
    expect(existsSync(join(image.folder, 'data/medley.sqlite'))).toBe(true)
    // The cache is for the image’s user only.
    if (uid.uid) expect(/ESM \S+\/server\/app\.js was accepted/.test(server.output())).toBe(true)
  } finally {
    expect(await server.end()).toBe(0)
  }
  await expect(check()).rejects.toMatchObject({ code: 1 })
  // The files outside of the volume belong to root, so the program works the same on a read-only root file system.
  if (uid.uid) {
    const owned = execFileSync('find', [
      join(image.folder, 'app'),
      '-uid',
      String(uid.uid),
      '-print',
      '-quit',
    ])
    expect(String(owned)).toBe('')
  }
}, 300_000)

test('the service bucket creates the bucket, and succeeds if it exists', async () => {
  const s3 = await startS3({ allowsListing: true })
  try {
    const [script] = compose().services.bucket!.command!
    const bucket = (name: string) =>
      run('node', ['--input-type=module', '--eval', script!], {
        cwd: image.cwd,
        env: { ...imageEnv(), ...s3.env, S3_REGION: 'us-east-1', S3_BUCKET: name },
      })
    await bucket('another')
    await bucket('another')
    await expect(bucket('Not_A_Bucket!')).rejects.toMatchObject({ code: 1 })
  } finally {
    await s3.remove()
  }
})
