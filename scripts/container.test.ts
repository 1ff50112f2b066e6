import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startS3 } from './testing/s3.ts'

// The job `image` of .github/workflows/ci.yml builds the image and runs the containers.

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'medley-container-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

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
const compose = () =>
  parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true }) as {
    services: Record<string, Service>
  }

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

test('the service bucket creates the bucket, and succeeds if it exists', async () => {
  const s3 = await startS3({ allowsListing: true })
  try {
    const [script] = compose().services.bucket!.command!
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
