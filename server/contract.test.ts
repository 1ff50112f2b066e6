import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { leaveUnwatched, withoutWatch } from '#scripts/testing/event-loop.ts'
import { checkedFetch, conformanceTo, exampleFaults, operationFinder } from '#scripts/testing/conformance.ts'
import { openRecorder } from '#scripts/testing/examples.ts'
import { type Caller, prepareCalls, roleOf } from '#scripts/testing/calls.ts'
import { openClientProject } from '#scripts/testing/client-project.ts'
import { kinds } from '#shared/domain/kinds.ts'
import recorded from '#server/http/document/openapi-examples.json' with { type: 'json' }
import { buildApp } from './app.ts'
import { restProcedures } from '#server/calls/described.ts'
import type { OpenApiDocument } from '#server/http/document/openapi-schema.ts'
import { appRouter } from './router.ts'
import { aServer, browserCookie } from './testing.ts'
import type { Meta } from '#server/calls/procedures.ts'
import { noWeb } from '#server/http/pages/web.ts'

/** The project of a third party, which uses @medley/client. Not compiled with this repository. */
const project = openClientProject()
afterAll(() => project.remove())

const server = await aServer({ RATE_LIMITS: 'off' })
const app = await buildApp(server.services, { web: noWeb })
let baseUrl: string
let document: OpenApiDocument

beforeAll(async () => {
  baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as OpenApiDocument
})
afterAll(() => app.close())

test.skipIf(inject('postgresUrl'))('a project that installs @medley/client compiles in strict mode', () => {
  const compiler = join(import.meta.dirname, '../node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', '.'], {
    cwd: project.folder,
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([0, ''])
})

type Result = { error?: unknown; response: Response }
type Client = Record<string, (path: string, init: object) => Promise<Result>>

test('every documented operation can be called through @medley/client, and its response conforms to the document', async () => {
  const installed = join(project.folder, 'node_modules/@medley/client/index.js')
  const { createMedley } = (await import(pathToFileURL(installed).href)) as {
    createMedley: (options: object) => Client
  }
  const fetchChecked = checkedFetch(document)
  const find = operationFinder(document)
  const called = new Set<string | undefined>()
  const recorder = openRecorder(document)
  const fetchRecorded = async (request: Request) => {
    const { method, url, headers } = request
    headers.set('cookie', browserCookie)
    called.add(find(method.toLowerCase(), new URL(url).pathname)?.operation.operationId)
    // A stream is not in the document, and its body does not end.
    if (headers.get('accept') === 'text/event-stream') return fetch(request)
    const isJson = headers.get('content-type')?.startsWith('application/json')
    const body = isJson ? await request.clone().text() : undefined
    const response = await fetchChecked(request)
    const isRecorded = response.ok && response.headers.get('content-type')?.startsWith('application/json')
    if (isRecorded) recorder.record({ method, url, request: body }, await response.clone().text())
    return response
  }
  const clientOf = (caller?: Caller) => createMedley({ baseUrl, token: caller?.token, fetch: fetchRecorded })
  const { calls, newCaller, titles } = await prepareCalls(server)

  for (const [name, procedure] of restProcedures(appRouter)) {
    const { method, path } = (procedure._def.meta as Required<Meta>).openapi
    const caller = await newCaller(roleOf(procedure))
    const input = Object.entries((await calls[name]!(caller)) ?? {})
    const isInPath = ([key]: [string, unknown]) => path.includes(`{${key}}`)
    const rest = Object.fromEntries(input.filter((field) => !isInPath(field)))
    const { error, response } = await clientOf(caller)[method]!(path, {
      params: {
        path: Object.fromEntries(input.filter(isInPath)),
        ...(['GET', 'DELETE'].includes(method) && { query: rest }),
      },
      ...(!['GET', 'DELETE'].includes(method) && { body: rest }),
    })
    expect([name, response.ok, error]).toEqual([name, true, undefined])
  }

  // Routes that are not procedures.
  const [caller, admin] = [await newCaller(), await newCaller('admin')]
  const client = clientOf(caller)
  const png = sharp({ create: { width: 400, height: 400, channels: 3, background: '#a33' } }).png()
  const aForm = (name: string, file: Blob, fileName: string) => {
    const form = new FormData()
    form.set(name, file, fileName)
    return { body: { [name]: '' }, bodySerializer: () => form }
  }
  const ratings = 'Const,Your Rating,Date Rated,Title,Year\ntt0133093,9,2020-01-02,The Matrix,1999\n'
  const id = (value: number) => ({ params: { path: { id: value } } })
  const { id: importId } = (await calls['imports.byId']!(caller)) as { id: number }
  const { id: reviewId } = (await calls['reviews.byId']!(caller)) as { id: number }
  const { id: listId } = (await calls['lists.byId']!(caller)) as { id: number }
  const others: [method: string, path: string, init?: object][] = [
    ['GET', '/healthz'],
    ['GET', '/readyz'],
    ['GET', '/oembed', { params: { query: { url: `${server.config.publicUrl}/movies/${titles.movie}` } } }],
    ['GET', '/export', { params: { query: { format: 'json' } } }],
    ['GET', '/imports/{id}/report', { ...id(importId), parseAs: 'text' }],
    ['POST', '/imports', aForm('file', new Blob([ratings]), 'ratings.csv')],
    ['POST', '/upload', aForm('image', new Blob([new Uint8Array(await png.toBuffer())]), 'me.png')],
    ['GET', '/users/{id}/reviews.atom', { ...id(caller.id), parseAs: 'text' }],
    ['GET', '/lists/{id}.atom', { ...id(listId), parseAs: 'text' }],
    ['POST', '/favorite-movies', { body: { movieId: titles.movie } }],
    ['PUT', '/diary/visibility', { body: { visibility: 'public' } }],
    ['POST', '/diary', { body: { itemId: titles.movie, status: 'finished', finishedOn: '2025-05-04' } }],
    ['GET', '/reviews/{id}/share.jpg', { ...id(reviewId), parseAs: 'blob' }],
    ['GET', '/lists/{id}/share.jpg', { ...id(listId), parseAs: 'blob' }],
    ['GET', '/users/{id}/share.jpg', { ...id(caller.id), parseAs: 'blob' }],
    [
      'GET',
      '/users/{id}/year/{year}/share.jpg',
      { params: { path: { id: caller.id, year: 2025 } }, parseAs: 'blob' },
    ],

    ...Object.values(kinds).flatMap(({ kind, path }): typeof others => [
      ['GET', `/${path}/{id}/reviews.atom`, { ...id(titles[kind]), parseAs: 'text' }],
      ['GET', `/users/{id}/favorite-${path}`, id(caller.id)],
    ]),
  ]
  const asJson = { query: { format: 'json' } }
  const ofAdmin: typeof others = [
    ['GET', '/admin/members/{id}/export', { params: { ...id(caller.id).params, ...asJson } }],
    ['GET', '/admin/audit.csv', { parseAs: 'text' }],
  ]
  for (const [method, path, init = {}] of [...others, ...ofAdmin]) {
    const { error, response } = await (path.startsWith('/admin/') ? clientOf(admin) : client)[method]!(
      path,
      init,
    )
    expect([path, response.ok, error]).toEqual([path, true, undefined])
  }
  for (const [path, params] of [
    ['/reviews/live', { query: { movieId: titles.movie } }],
    ['/notifications/live', {}],
  ] as const) {
    const live = await client['GET']!(path, {
      params,
      headers: { accept: 'text/event-stream' },
      parseAs: 'stream',
    })
    expect(live.response.headers.get('content-type')).toContain('text/event-stream')
    await live.response.body?.cancel()
  }

  const documented = Object.values(document.paths).flatMap((path) => Object.values(path))
  expect(documented.map(({ operationId }) => operationId).filter((name) => !called.has(name))).toEqual([])
  // npm run openapi -- --examples
  if (process.env.RECORD_EXAMPLES) await withoutWatch(() => recorder.save(recorded))
})

test.skipIf(inject('postgresUrl'))(
  'every operation has a recorded example, which conforms to its schemas',
  () => {
    // Compiles all schemas.
    leaveUnwatched()
    expect(exampleFaults(document, recorded)).toEqual([])
  },
)

test.skipIf(inject('postgresUrl'))('every operation shows an example of its request and its response', () => {
  const isBinary = (schema: object) => 'format' in schema && schema.format === 'binary'
  const missing = Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ operationId, requestBody, responses }) =>
      [requestBody?.content, ...Object.values(responses).map(({ content }) => content)].flatMap((content) =>
        Object.entries(content ?? {})
          .filter(([type, { schema, example }]) => {
            // A form contains a file.
            const isFile = isBinary(schema) || type === 'multipart/form-data'
            return !isFile && example === undefined
          })
          .map(([type]) => `${operationId}: ${type}`),
      ),
    )
  expect(missing).toEqual([])
})

test.skipIf(inject('postgresUrl'))('an example that is missing, outdated or left over is reported', () => {
  leaveUnwatched()
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
  const headers = new Headers({ 'content-type': 'application/json', 'cache-control': 'no-store' })
  const fault = (url: string, status: number, body: object, sent = headers) =>
    faultOf({ method: 'GET', url }, { status, headers: sent, body: JSON.stringify(body) })
  expect(fault('/books/popular?days=3', 200, { popular: [] })).toBeUndefined()
  expect(fault('/books/popular', 200, { popular: [], secret: 1 })).toContain('additional properties')
  expect(fault('/books/popular', 200, { popular: [{ id: 1 }] })).toContain('required property')
  expect(fault('/books/popular', 404, { message: 'Not found.', code: 'NOT_FOUND' })).toBe('the status')
  expect(fault('/books/7', 404, { message: 'Not found.', code: 'NOT_FOUND' })).toBeUndefined()
  expect(fault('/books/7', 404, { message: 'Not found.', code: 'BAD_REQUEST' })).toBe('the code BAD_REQUEST')
  expect(fault('/books/7', 404, { error: 'Not found.' })).toContain('required property')
  expect(fault('/nowhere', 200, {})).toBe('the status')
  const uncached = new Headers({ 'content-type': 'application/json' })
  expect(fault('/books/popular', 200, { popular: [] }, uncached)).toBe('no Cache-Control')
})
