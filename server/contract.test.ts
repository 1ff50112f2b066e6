import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { checkedFetch, conformanceTo, exampleFaults, operationFinder } from '#scripts/testing/conformance.ts'
import { openRecorder } from '#scripts/testing/examples.ts'
import { openStranger } from '#scripts/testing/stranger.ts'
import { caseless } from '#server/db/fold.ts'
import recorded from '#server/http/openapi-examples.json' with { type: 'json' }
import { buildApp } from './app.ts'
import { openImports } from '#server/imports/work.ts'
import type { OpenApiDocument } from '#server/http/openapi-schema.ts'
import { aServer } from './testing.ts'
import { noWeb } from '#server/http/web.ts'

/** The project of a third party, which uses @medley/client. Not compiled with this repository. */
const stranger = openStranger()
afterAll(() => stranger.remove())

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

test.skipIf(inject('postgresUrl'))('a project that installs @medley/client compiles in strict mode', () => {
  const compiler = join(import.meta.dirname, '../node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', '.'], {
    cwd: stranger.folder,
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([0, ''])
})

test('a client of two members calls every documented operation, and every response conforms to the document', async () => {
  const program = pathToFileURL(join(stranger.folder, 'a-members-day.ts')).href
  const { aMembersDay } = (await import(program)) as { aMembersDay: (surroundings: object) => Promise<void> }
  const fetchChecked = checkedFetch(document)
  const find = operationFinder(document)
  const called = new Set<string | undefined>()
  const recorder = openRecorder(document)
  await aMembersDay({
    baseUrl,
    async fetch(request: Request) {
      const { method, url, headers } = request
      // A stream is not in the document, and its body does not end.
      if (headers.get('accept') === 'text/event-stream') return fetch(request)
      const isJson = headers.get('content-type')?.startsWith('application/json')
      const body = isJson ? await request.clone().text() : undefined
      called.add(find(method.toLowerCase(), new URL(url).pathname)?.operation.operationId)
      const response = await fetchChecked(request)
      const isRecorded = response.ok && response.headers.get('content-type')?.startsWith('application/json')
      if (isRecorded) recorder.record({ method, url, request: body }, await response.clone().text())
      return response
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
  // npm run openapi -- --examples
  if (process.env.RECORD_EXAMPLES) recorder.save()
})

test('every operation has a recorded example, which conforms to its schemas', () => {
  expect(exampleFaults(document, recorded)).toEqual([])
})

test('an example that is missing, outdated or left over is reported', () => {
  const { login: _login, ...others } = recorded
  const examples = { ...others, getMovie: { response: { movie: {} } }, getNothing: {} }
  expect(exampleFaults(document, examples)).toEqual([
    expect.stringMatching(/^getMovie: .*required property/),
    expect.stringMatching(/^getNothing: /),
    expect.stringMatching(/^login: no request/),
    expect.stringMatching(/^login: no response/),
  ])
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
