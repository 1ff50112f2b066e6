import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { checkedFetch, conformanceTo, operationFinder } from '#scripts/testing/conformance.ts'
import { caseless } from '#server/db/fold.ts'
import { buildApp } from './app.ts'
import { openImports } from '#server/imports/work.ts'
import type { OpenApiDocument } from '#server/http/openapi-document.ts'
import { aServer } from './testing.ts'
import { noWeb } from '#server/http/web.ts'

const root = join(import.meta.dirname, '..')
/** A client that knows only the OpenAPI document. Not compiled with this repository. */
const externalClient = join(root, 'scripts/testing/stranger')

const server = await aServer({ RATE_LIMITS: 'off' })
const imports = openImports({
  ...server.services,
  log: { info() {}, warn() {}, error: (details: object) => console.error(details) },
})
const app = await buildApp({ ...server.services, imports }, { web: noWeb })
let baseUrl: string
let document: OpenApiDocument

beforeAll(async () => {
  baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as OpenApiDocument
})
afterAll(async () => {
  await imports.close()
  await app.close()
})

test('a client with types generated from the OpenAPI document compiles in strict mode', () => {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'client-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const file of ['a-members-day.ts', 'package.json', 'tsconfig.json'])
    cpSync(join(externalClient, file), join(folder, file))
  const run = (program: string, args: string[], input?: string) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      cwd: folder,
      encoding: 'utf8',
      ...(input ? { input } : {}),
    })
    return status === 0 ? 'success' : stdout + stderr
  }
  const generator = join(externalClient, 'node_modules/openapi-typescript/bin/cli.js')
  expect(run(generator, ['--output', 'medley.d.ts'], JSON.stringify(document))).toBe('success')
  expect(run(join(root, 'node_modules/typescript/bin/tsc'), ['-p', '.'])).toBe('success')
})

test('a client of two members calls every documented operation, and every response conforms to the document', async () => {
  const program = new URL('../scripts/testing/stranger/a-members-day.ts', import.meta.url).href
  const { aMembersDay } = (await import(program)) as { aMembersDay: (surroundings: object) => Promise<void> }
  const fetchChecked = checkedFetch(document)
  const find = operationFinder(document)
  const called = new Set<string | undefined>()
  await aMembersDay({
    baseUrl,
    async fetch(request: Request) {
      const { pathname } = new URL(request.url)
      called.add(find(request.method.toLowerCase(), pathname)?.operation.operationId)
      return fetchChecked(request)
    },
    mailedToken,
    picture: new Blob([
      await sharp({ create: { width: 400, height: 400, channels: 3, background: '#a33' } })
        .png()
        .toBuffer(),
    ]),
  })
  const documented = Object.values(document.paths).flatMap((path) => Object.values(path))
  expect(documented.map(({ operationId }) => operationId).filter((id) => !called.has(id))).toEqual([])
})

test('the conformance check reports responses that are not in the document', () => {
  const faultOf = conformanceTo(document)
  const headers = new Headers({ 'content-type': 'application/json' })
  const fault = (url: string, status: number, body: object) =>
    faultOf({ method: 'GET', url }, { status, headers, body: JSON.stringify(body) })
  expect(fault('/books/popular?days=3', 200, { popular: [] })).toBeUndefined()
  expect(fault('/books/popular', 200, { popular: [], secret: 1 })).toContain('additional properties')
  expect(fault('/books/popular', 200, { popular: [{ id: 1 }] })).toContain('required property')
  expect(fault('/books/popular', 404, { message: 'Not found.', code: 'NOT_FOUND' })).toBe('the status')
  expect(fault('/books/7', 404, { message: 'Not found.', code: 'NOT_FOUND' })).toBeUndefined()
  expect(fault('/books/7', 404, { message: 'Not found.', code: 'BAD_REQUEST' })).toBe('the code BAD_REQUEST')
  expect(fault('/books/7', 404, { error: 'Not found.' })).toContain('required property')
  expect(fault('/nowhere', 200, {})).toBe('the status')
})

/** Returns the token of the newest link in the outbox. */
async function mailedToken(email: string): Promise<string> {
  const mails = await server.db
    .selectFrom('outbox')
    .select(['recipient', 'message'])
    .orderBy('id', 'desc')
    .execute()
  const mail = mails.find(({ recipient }) => caseless(recipient) === caseless(email))
  return /token=([\w-]+)/.exec(mail!.message)![1]!
}
