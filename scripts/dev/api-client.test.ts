import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { variation } from '#scripts/testing/variation.ts'
import { setPassword } from '#server/accounts/credentials-store.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { buildApp } from '#server/app.ts'
import { quickStart } from '#server/http/document/quick-start.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { aMember, aServer, aTitle } from '#server/testing.ts'
import { openClientProject } from '#scripts/testing/client-project.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const project = openClientProject()
afterAll(() => project.remove())
const installed = join(project.folder, 'node_modules/@medley/client')

type Result = { data?: unknown; error?: unknown; response: Response }
type ApiClient = {
  GET: (path: string, init?: object) => Promise<Result>
  POST: (path: string, init?: object) => Promise<Result>
  items: (path: string, init?: object) => AsyncGenerator<unknown>
  live: (title: object) => AsyncGenerator<{ ratings: { total: number } }>
}
const { createMedley } = (await import(pathToFileURL(join(installed, 'index.js')).href)) as {
  createMedley: (options: object) => ApiClient
}

/** Starts a server with this handler. Returns a client of it, and the requests it has received. */
async function aClientOf(handler: RequestListener, options: object = {}) {
  const received: { method: string | undefined; key: string | undefined; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { method, headers } = request
      received.push({ method, key: headers['idempotency-key'] as string | undefined, body })
      response.setHeader('content-type', 'application/json')
      handler(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { client: createMedley({ baseUrl: `http://127.0.0.1:${port}/`, ...options }), received }
}

test('the package has types, a README and a licence, and less than 8 KB of code', () => {
  const { name, dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    name: string
    dependencies: object
  }
  expect([name, Object.keys(dependencies)]).toEqual(['@medley/client', ['openapi-fetch']])
  for (const file of ['index.d.ts', 'schema.d.ts', 'README.md', 'LICENSE'])
    expect(readFileSync(join(installed, file), 'utf8')).not.toBe('')
  expect(gzipSync(readFileSync(join(installed, 'index.js'))).length).toBeLessThan(8 * 1024)
})

test('a POST that fails on the network, with 409 or with 429 is sent again with the same Idempotency-Key', async () => {
  const { client, received } = await aClientOf((request, response) => {
    // The first try still runs when the second one arrives.
    if (received.length === 1) request.socket.destroy()
    else if (received.length === 2) response.writeHead(409, { 'retry-after': '0' }).end('{}')
    else if (received.length === 3) response.writeHead(429, { 'retry-after': '0' }).end('{}')
    else response.writeHead(201).end('{"review":{}}')
  })
  const body = { movieId: 1, rating: 5 }
  const { response } = await client.POST('/reviews', { body })
  expect(response.status).toBe(201)
  expect(received.map(({ body }) => JSON.parse(body) as unknown)).toEqual([body, body, body, body])
  const [key, ...others] = received.map(({ key }) => key)
  expect(key).toMatch(/^[\da-f]{32}$/)
  expect(others).toEqual([key, key, key])
})

test('a 503 without Retry-After, one that asks for a long time, and other errors are returned', async () => {
  for (const [status, headers] of [
    [503, {}],
    [409, {}],
    [503, { 'retry-after': '3600' }],
    [404, { 'retry-after': '0' }],
  ] as const) {
    const { client, received } = await aClientOf((_request, response) =>
      response.writeHead(status, headers).end('{"message":"No.","code":"NOT_FOUND"}'),
    )
    const { response, error } = await client.GET('/movies/popular')
    expect([response.status, received.length, received[0]!.key]).toEqual([status, 1, undefined])
    expect(error).toMatchObject({ message: 'No.' })
  }
})

test('after the last retry the response is returned', async () => {
  const { client, received } = await aClientOf(
    (_request, response) => response.writeHead(503, { 'retry-after': '0' }).end('{"message":"Busy."}'),
    { retries: 2 },
  )
  expect((await client.GET('/movies/popular')).response.status).toBe(503)
  expect(received.length).toBe(3)
})

test('a signal ends the wait for a retry', async () => {
  const leaving = new AbortController()
  const { client } = await aClientOf((_request, response) => {
    response.writeHead(429, { 'retry-after': '50' }).end('{}')
    response.on('finish', () => leaving.abort(new Error('Left.')))
  })
  await expect(client.GET('/movies/popular', { signal: leaving.signal })).rejects.toThrow()
})

test('items of a list are read by its cursor, and changes by `since` to the last one', async () => {
  const urls: string[] = []
  const { client } = await aClientOf((request, response) => {
    urls.push(request.url!)
    const isLast = request.url!.endsWith('=two')
    const items = isLast ? [3] : [1, 2]
    const nextCursor = isLast ? null : 'two'
    const isList = request.url!.startsWith('/items')
    const body = isList ? { items, nextCursor } : { changes: items, nextCursor: 'two', hasMore: !isLast }
    response.end(JSON.stringify(body))
  })
  const itemsOf = async (path: string, query: object) => {
    const found = []
    for await (const item of client.items(path, { params: { query } })) found.push(item)
    return found
  }
  expect(await itemsOf('/items', { limit: 2 })).toEqual([1, 2, 3])
  expect(await itemsOf('/users/me/changes', { since: 'one' })).toEqual([1, 2, 3])
  const changes = ['/users/me/changes?since=one', '/users/me/changes?since=two']
  expect(urls).toEqual(['/items?limit=2', '/items?limit=2&cursor=two', ...changes])
})

test('live events go on after the stream ends, and a refused stream is an error', async () => {
  let streams = 0
  const { client } = await aClientOf((request, response) => {
    if (request.url === '/reviews/live?movieId=2')
      return response.writeHead(404).end('{"message":"None.","code":"NOT_FOUND","reason":"NEW"}')
    response.setHeader('content-type', 'text/event-stream')
    response.write(': ping\r\n\r\n: ping\n\nda')
    return response.end(`ta: {"ratings":{"total":${++streams}},"reviews":[]}\n\n`)
  })
  const totals: number[] = []
  for await (const { ratings } of client.live({ movieId: 1 })) if (totals.push(ratings.total) === 2) break
  expect(totals).toEqual([1, 2])
  await expect(client.live({ movieId: 2 }).next()).rejects.toMatchObject({
    code: 'NOT_FOUND',
    reason: 'NEW',
    message: 'None.',
  })
})

variation('the programs of the quick start run', async () => {
  const server = await aServer({ RATE_LIMITS: 'off' })
  const app = await buildApp(server.services, { web: noWeb })
  onTestFinished(() => app.close())
  const member = await aMember(server.db)
  await setPassword(server.db, member.id, await hashPassword('medley-demo'), new Date())
  expect(await aTitle(server.db, 'book')).toBe(1)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const commands: Record<string, string> = { sh: 'sh', ts: process.execPath, py: 'python3' }
  const compiled = join(project.folder, 'tsconfig.json')
  for (const { language, code } of quickStart(origin)) {
    const file = join(project.folder, `quick-start.${language}`)
    writeFileSync(file, code.replace('demo@medley.example', `${member.username}@example.org`))
    const { stdout } = await run(commands[language]!, [file], { cwd: project.folder })
    expect(stdout, language).toMatch(/\d{4}-\d\d-\d\dT/)
  }
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', compiled])
})
