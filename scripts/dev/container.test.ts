import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startS3 } from '#scripts/testing/s3.ts'

// The job `image` of .github/workflows/ci.yml builds the image and runs the containers.

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'medley-container-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the Compose files conform to the specification and pass the linter', async () => {
  const lint = (file: string) => run(join(root, 'node_modules/.bin/dclint'), ['--quiet', file], { cwd: root })
  for (const file of ['compose.yaml', 'compose.postgres.yaml'])
    await expect(lint(file)).resolves.toMatchObject({ stderr: '' })
  const wrong = join(folder, 'wrong.yaml')
  writeFileSync(wrong, 'services: { a: { imagee: "debian:12" } }\n')
  await expect(lint(wrong)).rejects.toMatchObject({ code: 1 })
})

type Service = {
  extends?: object
  environment?: Record<string, string>
  command?: string[]
  read_only?: boolean
  ports?: string[]
}
const compose = (file: string) =>
  parse(readFileSync(join(root, file), 'utf8'), { merge: true }) as {
    services: Record<string, Service>
  }

test('Compose runs one process on SQLite, or two workers on Postgres with a bucket', () => {
  const { services } = compose('compose.yaml')
  expect(Object.keys(services)).toEqual(['medley'])
  expect(services.medley!.environment).not.toHaveProperty('DATABASE_URL')
  // Ports are published on loopback only: a reverse proxy on the same machine is expected.
  for (const port of services.medley!.ports!) expect(port).toMatch(/^127\.0\.0\.1:/)
  expect(services.medley!.read_only).toBe(true)
  const { medley, ...others } = compose('compose.postgres.yaml').services
  expect(medley!.extends).toEqual({ file: 'compose.yaml', service: 'medley' })
  expect(medley!.environment).toMatchObject({
    WORKERS: '2',
    DATABASE_URL: expect.stringMatching(/^postgres:/),
    S3_BUCKET: 'medley',
  })
  for (const { ports } of Object.values(others)) expect(ports).toBeUndefined()
})

test('no password has a default, and none is a part of a URL', () => {
  const file = readFileSync(join(root, 'compose.postgres.yaml'), 'utf8')
  const secrets = [...file.matchAll(/\$\{(\w*(?:PASSWORD|SECRET)\w*)(.*?)\}/g)]
  expect(new Set(secrets.map(([, name]) => name))).toEqual(
    new Set(['POSTGRES_PASSWORD', 'S3_SECRET_ACCESS_KEY']),
  )
  for (const [, name, rest] of secrets) expect(rest, name).toMatch(/^:\?./)
  expect(file).not.toMatch(/:\/\/[^\s]*\$\{/)
})

test('the service bucket creates the bucket, and succeeds if it exists', async () => {
  const s3 = await startS3({ allowsListing: true })
  try {
    const [script] = compose('compose.postgres.yaml').services.bucket!.command!
    const bucket = (name: string) =>
      run(process.execPath, ['--input-type=module', '--eval', script!], {
        cwd: root,
        env: { ...process.env, ...s3.env, S3_REGION: 'us-east-1', S3_BUCKET: name },
      })
    await bucket('another')
    await bucket('another')
    await expect(bucket('Not_A_Bucket!')).rejects.toMatchObject({ code: 1 })
  } finally {
    await s3.remove()
  }
})
