import type { AnyProcedure } from '@trpc/server'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { type Caller, prepareCalls, roleOf } from '#scripts/testing/calls.ts'
import { conformanceTo } from '#scripts/testing/conformance.ts'
import { blockedMs, isBlockedTooLong, leaveUnwatched } from '#scripts/testing/event-loop.ts'
import { fieldsOf, type HostileText, hostileTexts, type InputField } from '#scripts/testing/hostile-texts.ts'
import { buildApp } from './app.ts'
import { openApiDocument } from '#server/http/document/openapi-document.ts'
import type { RestMeta } from '#server/calls/described.ts'
import { api, appRouter } from './router.ts'
import { aServer } from './testing.ts'
import { noWeb } from '#server/http/pages/web.ts'

// These tests measure each call themselves.
beforeEach(leaveUnwatched)

const server = await aServer({ RATE_LIMITS: 'off' })
// Without the response cache, and without the version of the database that other caches depend on, so that a repeated call runs
// again.
const config = { ...server.config, cacheBytes: 0 }
const services = { ...server.services, config, db: server.db.withoutPlugins() }
const app = await buildApp(services, { web: noWeb })
const { calls, newCaller } = await prepareCalls(server)
const faultOf = conformanceTo(openApiDocument(api))
afterAll(() => app.close())

/** Until the server no longer sheds load. */
const retryOptions = { timeout: 20_000, interval: 100 }

type Transport = 'tRPC' | 'REST'
type Request = { method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; url: string; payload?: object }
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyProcedure>)
/** Node’s HTTP parser, which `inject` bypasses, refuses longer URLs. */
const urlMax = 12_000
/** The router refuses longer path parameters. */
const pathPartMax = 4_000

/** Returns the request for `input`; undefined if the transport cannot carry it. */
function requestFor(
  transport: Transport,
  path: string,
  { _def: { type, meta } }: AnyProcedure,
  input: Record<string, unknown>,
): Request | undefined {
  if (transport === 'tRPC') {
    if (type === 'mutation') return { method: 'POST', url: `/trpc/${path}`, payload: input }
    return within({ method: 'GET', url: `/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}` })
  }
  const { openapi } = (meta ?? {}) as Partial<RestMeta>
  if (!openapi) return undefined
  const method = openapi.method as Request['method']
  const rest = { ...input }
  let isTooLong = false
  const url = openapi.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const part = encoded(rest[name])
    // An empty segment or one of dots would change the path.
    if (part.length > pathPartMax || /^(\.|%2e)*$/i.test(part)) isTooLong = true
    delete rest[name]
    return part
  })
  if (isTooLong) return undefined
  if (method !== 'GET' && method !== 'DELETE') return within({ method, url, payload: rest })
  const query = Object.entries(rest).map(([name, value]) => `${name}=${encoded(value)}`)
  return within({ method, url: `${url}?${query.join('&')}` })
}

/** A URL cannot contain a lone surrogate. */
const encoded = (value: unknown) => encodeURIComponent(String(value).toWellFormed())
const within = (request: Request) => (request.url.length <= urlMax ? request : undefined)

/** Normalizes a text as documented: well-formed, NFC, trimmed, and without control characters other than the line break. */
function normalized(text: string): string {
  const clean = Array.from(
    text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replaceAll('\t', ' ').toWellFormed(),
  )
    .filter((character) => character === '\n' || !removed.test(character))
    .join('')
    .normalize('NFC')
    .trim()
  return invisible.test(clean) ? '' : clean
}
const removed = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u
const invisible = /^[\s\p{Default_Ignorable_Code_Point}]*$/u
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

/** Returns all values of a property in a response, at any depth. */
function valuesOf(name: string, body: unknown): unknown[] {
  if (typeof body !== 'object' || body === null) return []
  const direct =
    !Array.isArray(body) && Object.hasOwn(body, name) ? [(body as Record<string, unknown>)[name]] : []
  return [...direct, ...Object.values(body).flatMap((value) => valuesOf(name, value))]
}

/** The property of a response with what was written, if another one has a field of the same name: an entry has a note of its own. */
const writtenAs: Record<string, string> = { 'diary.addStep': 'step' }

/** The fields whose returned text was compared with the text sent. */
const compared = new Set<string>()

/** Returns the fault of a response to a text in this field; undefined if it has none. */
function faultIn(
  { transport, path, procedure, field }: Case,
  { text, isRefused }: HostileText,
  request: Request,
  response: Awaited<ReturnType<typeof send>>,
): string | undefined {
  const { statusCode: status, body } = response
  if (status >= 500) return `status ${status}`
  const headers = new Headers(response.headers as Record<string, string>)
  if (transport === 'REST') {
    const fault = faultOf(request, { status, headers, body })
    if (fault) return fault
  }
  // A stream sends its error as an event.
  if (procedure._def.type === 'subscription')
    return /^event: serialized-error\ndata: .*"httpStatus":4\d\d/m.test(body) ? undefined : 'no refusal'
  const json = JSON.parse(body) as { error?: { message?: unknown; data?: { httpStatus?: unknown } } }
  if (status >= 400) {
    const { message, data } = json.error ?? {}
    return transport === 'REST' || (typeof message === 'string' && data?.httpStatus === status)
      ? undefined
      : 'an error of another shape'
  }
  if (isRefused && field.isText) return 'the text is accepted'
  if (procedure._def.type !== 'mutation' || !field.isText) return undefined
  const sent = normalized(text)
  const written = writtenAs[path]
  const parts = written === undefined ? [json] : valuesOf(written, json)
  for (const value of parts.flatMap((part) => valuesOf(field.name, part))) {
    compared.add(`${path} ${field.name}`)
    const isSame = value === sent || value === oneLine(sent) || (sent === '' && value === null)
    if (!isSame) return `the text is returned as ${JSON.stringify(value)?.slice(0, 100)}`
  }
  return undefined
}

function send(request: Request, caller: Caller | undefined) {
  const headers = caller ? { authorization: `Bearer ${caller.token}` } : {}
  return app.inject({ ...request, headers })
}

type Case = { transport: Transport; path: string; procedure: AnyProcedure; field: InputField }
const isPostgres = inject('postgresUrl') !== null
/** On Postgres one transport and one role are enough: both transports execute the same SQL. */
const [transports, roles]: [Transport[], string[]] = isPostgres
  ? [['tRPC'], ['member']]
  : [
      ['tRPC', 'REST'],
      ['visitor', 'member'],
    ]
const cases: Case[] = procedures.flatMap(([path, procedure]) =>
  fieldsOf(procedure)
    // No text in place of a number or an enum reaches the database.
    .filter(({ isText }) => isText || !isPostgres)
    .flatMap((field) => transports.map((transport) => ({ transport, path, procedure, field }))),
)
/** If all texts are refused for the same reason, a few are enough: for numbers and enums, and for a visitor who must log in. */
const sample = (texts: HostileText[]) => texts.filter((_, index) => index % 5 === 0)
const isOpen = ({ _def: { meta } }: AnyProcedure) => !(meta as RestMeta | undefined)?.requiresMember

describe('hostile text', () => {
  let member: Caller
  beforeAll(async () => {
    // Warm-up: the first calls lazy-load code.
    const caller = await newCaller()
    for (const [path, procedure] of procedures) await calls[path]?.(await newCaller(roleOf(procedure)))
    await send(
      { method: 'POST', url: '/auth/login', payload: { email: 'a@b.example', password: 'x' } },
      caller,
    )
  })

  test.each(roles)(
    `in any field of any procedure, on ${transports.join(' and ')}, is refused or returned normalized, for a %s`,
    { timeout: 300_000 },
    async (role) => {
      const faults: string[] = []
      for (const current of cases) {
        const { transport, path, procedure, field } = current
        member = await newCaller(roleOf(procedure))
        const input = (await calls[path]?.(member)) ?? {}
        const caller = role === 'member' ? member : undefined
        const texts = hostileTexts(field.isText ? field.max : 100)
        for (const hostile of field.isText && (caller || isOpen(procedure)) ? texts : sample(texts)) {
          const request = requestFor(transport, path, procedure, { ...input, [field.name]: hostile.text })
          if (!request) continue
          // An earlier case may have registered the name, so that it would be refused as taken.
          if (field.name === 'username' && !hostile.text.includes('\0'))
            await server.db.deleteFrom('users').where('username', '=', hostile.text).execute()
          // A title that is already in the list keeps its note.
          if (path === 'lists.addItem') await server.db.deleteFrom('list_items').execute()
          let response!: Awaited<ReturnType<typeof send>>
          const work = async () => void (response = await send(request, caller))
          const ms = await blockedMs(work)
          // On a busy machine the server sheds load; retry until it responds.
          if (response.statusCode === 503)
            await vi.waitFor(() => work().then(() => expect(response.statusCode).not.toBe(503)), retryOptions)
          const where = `${transport} ${path} ${field.name}: ${hostile.name}`
          if (await isBlockedTooLong(ms, work))
            faults.push(`${where}: the event loop was blocked for ${ms} ms`)
          const fault = faultIn(current, hostile, request, response)
          if (fault) faults.push(`${where}: ${fault}: ${response.statusCode} ${response.body.slice(0, 200)}`)
        }
      }
      expect(faults.slice(0, 20)).toEqual([])
    },
  )

  test('was compared with the returned text for every field that is stored and shown', () => {
    expect([...compared]).toEqual(
      expect.arrayContaining([
        'accounts.register username',
        'accounts.updateProfile username',
        'movies.create description',
        'movies.create name',
        'reviews.addComment text',
        'reviews.edit text',
        'reviews.save text',
      ]),
    )
  })
})
