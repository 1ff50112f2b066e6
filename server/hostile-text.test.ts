import type { hash as hashType, verify as verifyType } from '@node-rs/argon2'
import type { AnyProcedure } from '@trpc/server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Caller, prepareCalls } from '#scripts/testing/calls.ts'
import { conformanceTo } from '#scripts/testing/conformance.ts'
import { blockedMs, isBlockedTooLong } from '#scripts/testing/event-loop.ts'
import { fieldsOf, type HostileText, hostileTexts, type InputField } from '#scripts/testing/hostile-texts.ts'
import { buildApp } from './app.ts'
import { openApiDocument } from '#server/http/openapi-document.ts'
import type { RestMeta } from '#server/http/rest.ts'
import { appRouter } from './router.ts'
import { aServer } from './testing.ts'
import { noWeb } from '#server/http/web.ts'

type Argon2 = { hash: typeof hashType; verify: typeof verifyType }
// The real library at its lowest cost: hundreds of passwords are hashed here, and how long that takes is not the point.
vi.mock('@node-rs/argon2', async (load) => {
  const { hash, verify } = await load<Argon2>()
  const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 }
  const unknown = await hash('nobody knows it', cheap)
  return {
    hash: (password: string) => hash(password, cheap),
    verify: (known: string, password: string) => verify(known.includes('m=8,') ? known : unknown, password),
  }
})

const server = await aServer({ RATE_LIMITS: 'off' })
const app = await buildApp(server.services, { web: noWeb })
const { calls, newCaller } = await prepareCalls(server)
const faultOf = conformanceTo(openApiDocument(appRouter, server.config.publicUrl))
afterAll(() => app.close())

/** For how long a server that is busy may stay so. */
const calmMs = { timeout: 20_000, interval: 100 }

type Transport = 'tRPC' | 'REST'
type Request = { method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; url: string; payload?: object }
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyProcedure>)
/** A longer address is refused by Node's parser, which `inject` does without. */
const addressMax = 12_000
/** A path parameter that is longer is refused by the router. */
const pathPartMax = 4_000

/** The request for `input`; undefined where the transport cannot carry it. */
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
    // An empty part is another address, and so is one of dots.
    if (part.length > pathPartMax || /^(\.|%2e)*$/i.test(part)) isTooLong = true
    delete rest[name]
    return part
  })
  if (isTooLong) return undefined
  if (method !== 'GET' && method !== 'DELETE') return within({ method, url, payload: rest })
  const query = Object.entries(rest).map(([name, value]) => `${name}=${encoded(value)}`)
  return within({ method, url: `${url}?${query.join('&')}` })
}

/** An address holds no lone surrogate. */
const encoded = (value: unknown) => encodeURIComponent(String(value).toWellFormed())
const within = (request: Request) => (request.url.length <= addressMax ? request : undefined)

/** What the documentation says of a text: well-formed, NFC, no control characters but the line break, trimmed. */
function cleaned(text: string): string {
  const kept = Array.from(
    text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replaceAll('\t', ' ').toWellFormed(),
  )
    .filter((character) => character === '\n' || !removed.test(character))
    .join('')
    .normalize('NFC')
    .trim()
  return invisible.test(kept) ? '' : kept
}
const removed = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u
const invisible = /^[\s\p{Default_Ignorable_Code_Point}]*$/u
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

/** Every value of this name in a response, however deep. */
function valuesOf(name: string, body: unknown): unknown[] {
  if (typeof body !== 'object' || body === null) return []
  const own =
    !Array.isArray(body) && Object.hasOwn(body, name) ? [(body as Record<string, unknown>)[name]] : []
  return [...own, ...Object.values(body).flatMap((value) => valuesOf(name, value))]
}

/** Returned texts that were compared with what had been sent, by field. */
const compared = new Set<string>()

/** What is wrong with a response to a text in this field; undefined if nothing is. */
function faultIn(
  { transport, path, procedure, field }: Case,
  { text, isRefused }: HostileText,
  request: Request,
  answer: Awaited<ReturnType<typeof send>>,
): string | undefined {
  const { statusCode: status, body } = answer
  if (status >= 500) return `status ${status}`
  const headers = new Headers(answer.headers as Record<string, string>)
  if (transport === 'REST') {
    const fault = faultOf(request, { status, headers, body })
    if (fault) return fault
  }
  // A stream says in an event why it ends.
  if (procedure._def.type === 'subscription')
    return /^event: serialized-error\ndata: .*"httpStatus":4\d\d/m.test(body) ? undefined : 'no refusal'
  const json = JSON.parse(body) as { error?: { message?: unknown; data?: { httpStatus?: unknown } } }
  if (status >= 400) {
    const { message, data } = json.error ?? {}
    return transport === 'REST' || (typeof message === 'string' && data?.httpStatus === status)
      ? undefined
      : 'an error of another shape'
  }
  if (isRefused && field.isText) return 'it is taken'
  if (procedure._def.type !== 'mutation' || !field.isText) return undefined
  // A REST body or a tRPC input can hold a lone surrogate, an address cannot.
  const sent = cleaned(text)
  for (const value of valuesOf(field.name, json)) {
    compared.add(`${path} ${field.name}`)
    const isSame = value === sent || value === oneLine(sent) || (sent === '' && value === null)
    if (!isSame) return `it comes back as ${JSON.stringify(value)?.slice(0, 100)}`
  }
  return undefined
}

function send(request: Request, caller: Caller | undefined) {
  const headers = caller ? { authorization: `Bearer ${caller.token}` } : {}
  return app.inject({ ...request, headers })
}

type Case = { transport: Transport; path: string; procedure: AnyProcedure; field: InputField }
const cases: Case[] = procedures.flatMap(([path, procedure]) =>
  fieldsOf(procedure).flatMap((field) =>
    (['tRPC', 'REST'] as const).map((transport) => ({ transport, path, procedure, field })),
  ),
)
/** The texts that are wrong for a number or a choice are refused for one reason: some are enough. */
const wrongTexts = hostileTexts(100).filter((_, index) => index % 5 === 0)

describe('hostile text', () => {
  let member: Caller
  beforeAll(async () => {
    // The first calls load code.
    const caller = await newCaller()
    for (const [path] of procedures) if (calls[path]) await calls[path](caller)
    await send(
      { method: 'POST', url: '/auth/login', payload: { email: 'a@b.example', password: 'x' } },
      caller,
    )
  })

  test.each(['visitor', 'member'])(
    'in every field of every procedure at both transports is refused, or comes back clean, for a %s',
    { timeout: 300_000 },
    async (who) => {
      const faults: string[] = []
      for (const one of cases) {
        const { transport, path, procedure, field } = one
        member = await newCaller()
        const input = (await calls[path]?.(member)) ?? {}
        const caller = who === 'member' ? member : undefined
        for (const hostile of field.isText ? hostileTexts(field.max) : wrongTexts) {
          const request = requestFor(transport, path, procedure, { ...input, [field.name]: hostile.text })
          if (!request) continue
          // Taken by an earlier case, it would be refused for that.
          if (field.name === 'username')
            await server.db.deleteFrom('users').where('username', '=', hostile.text).execute()
          let answer!: Awaited<ReturnType<typeof send>>
          const work = async () => void (answer = await send(request, caller))
          const ms = await blockedMs(work)
          // On a busy machine the server sheds load; what matters here is what it says when it has time.
          if (answer.statusCode === 503)
            await vi.waitFor(() => work().then(() => expect(answer.statusCode).not.toBe(503)), calmMs)
          const where = `${transport} ${path} ${field.name}: ${hostile.name}`
          if (await isBlockedTooLong(ms, work)) faults.push(`${where}: the event loop was held for ${ms} ms`)
          const fault = faultIn(one, hostile, request, answer)
          if (fault) faults.push(`${where}: ${fault}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
        }
      }
      expect(faults.slice(0, 20)).toEqual([])
    },
  )

  test('is known to come back from the fields that are stored and shown', () => {
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
