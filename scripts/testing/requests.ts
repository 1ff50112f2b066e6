import { METHODS } from 'node:http'
import fc from 'fast-check'
import type { AnyProcedure } from '@trpc/server'
import type { OpenApiDocument, Schema } from '#server/http/document/openapi-schema.ts'
import { jsonSchemaOf } from '#server/calls/described.ts'
import type { AppRouter } from '#server/router.ts'
import { formWith } from './form.ts'

/** Many, because some requests end their own session. */
export const liveTokens = Array.from({ length: 200 }, (_, index) => `live-${index}`)

type SentHeaders = Record<string, string | string[]>
export type Sent = { method: string; url: string; headers: SentHeaders; body?: string | Buffer | undefined }

const oneOf = (texts: string) => fc.constantFrom(...texts.split('|'))

const strangeText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({
    unit: oneOf('\ud800|\udfff|\0|\u0007|\u202e|\ufeff|\u2028|a| |\n|%|_|\\|"|\'|😀|İ|ß|\u0301'),
    maxLength: 60,
  }),
  oneOf('| |null|true|0|__proto__|\' or 1=1 --|"*|a* OR b|../../etc/passwd|${7*7}|<script>'),
  fc.integer({ min: 150, max: 30_000 }).map((length) => 'ä'.repeat(length)),
)
const strangeNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 1.5, 1e21, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63), 1e-9),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
)
const deep = fc.integer({ min: 10, max: 2_000 }).map((depth) => {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { text: value }
  return value
})
const strangeValue = fc.oneof(
  fc.constantFrom(null, true, false, [], {}, [[]], [1], { id: 1 }, { toString: 1 }, { length: 3 }),
  strangeText,
  strangeNumber,
  deep,
  fc.jsonValue({ maxDepth: 3 }),
)

/** Accepted as far as the schema says. */
function validValue(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.oneOf) {
    const { oneOf: variants, ...common } = schema
    const merged = variants.map((one) => ({
      ...common,
      properties: { ...common.properties, ...one.properties },
      required: [...(common.required ?? []), ...(one.required ?? [])],
    }))
    return fc.oneof(...merged.map(validValue))
  }
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(validValue))
  if (schema.properties) {
    const { properties, required = [], examples } = schema
    const shapes = Object.entries(properties).map(([name, property]) => [name, validValue(property)])
    const record = fc.record(Object.fromEntries(shapes) as Record<string, fc.Arbitrary<unknown>>, {
      requiredKeys: required,
    })
    return examples ? fc.oneof(fc.constantFrom(...examples), record) : record
  }
  switch (schema.type) {
    case 'integer':
      return fc.oneof(
        fc.integer({ min: 1, max: Math.min(40, schema.maximum ?? 40) }),
        fc.constant(schema.example),
      )
    case 'string':
      if (schema.pattern || schema.format) return fc.constant(schema.example)
      return fc.oneof(
        fc.string({
          unit: 'grapheme',
          minLength: schema.minLength ?? 0,
          maxLength: Math.min(60, schema.maxLength ?? 60),
        }),
        fc.constant(schema.example),
      )
    case 'array':
      return fc.array(validValue(schema.items ?? {}), { minLength: 1, maxLength: 4 })
    case 'boolean':
      return fc.boolean()
    default:
      return fc.constant(null)
  }
}

const encode = (value: unknown) => encodeURIComponent(String(value).toWellFormed())
const brokenEncoding = oneOf('%|%zz|%00|%ff|%E0%A4%A|%c0%ae|%u0041|%25|+|%2f|%2e%2e|..|%20')
const pathPart = fc.oneof(
  { weight: 2, arbitrary: strangeText.map((text) => encode(text.slice(0, 2_000)) || '%20') },
  { weight: 2, arbitrary: brokenEncoding },
  { weight: 2, arbitrary: strangeNumber.map(encode) },
  { weight: 1, arbitrary: fc.constantFrom('1'.repeat(5_000)) },
  { weight: 1, arbitrary: oneOf('popular|me|network|١٢|1;x=1|0x10|1,2').map(encode) },
)

const junkQuery = fc.oneof(
  oneOf('&&&|=|%|%zz=1|limit[]=1|limit[$gt]=1|__proto__=1|__proto__[x]=1|constructor=1|id=3|userId=3'),
  oneOf('limit=1&limit=2|page=1&page=1|q=a&q=b'),
  fc.tuple(strangeText, strangeText).map((pair) => pair.map(encode).join('=').slice(0, 4_000)),
)

const tooMuch = Buffer.alloc(1_100_000, ' ')

const brokenJson = fc.oneof(
  oneOf(`{|[|"|{"a":}|{"rating":01}|{'rating':1}|{"rating":1e999}|{"rating":1,"rating":"x"}|{} {}|\ufeff{}`),
  oneOf('NaN|undefined|null|[]|"text"|4| |\0|--x--').map((text): string | Buffer => text),
  oneOf('{"__proto__":{"x":1},"rating":4}|{"constructor":{"prototype":{"x":1}}}'),
  fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.integer({ min: 1_000, max: 100_000 }).map((depth) => '['.repeat(depth)),
  fc.integer({ min: 1_000, max: 20_000 }).map((depth) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)),
  fc.constantFrom(Buffer.from('{"text":"caf\xe9"}', 'latin1'), tooMuch),
)

/** The usual value is generated `weight` times as often as each unusual one. */
const mostly = <T>(weight: number, usual: fc.Arbitrary<T>, ...unusual: fc.Arbitrary<T>[]) =>
  fc.oneof({ weight, arbitrary: usual }, ...unusual.map((arbitrary) => ({ weight: 1, arbitrary })))

const contentTypes = mostly(
  8,
  fc.constant('application/json'),
  oneOf(
    '|text/plain|application/JSON; charset=utf-8|application/json; charset=utf-16|application/json;;;|application/x-www-form-urlencoded|multipart/form-data|multipart/form-data; boundary=x|a/b/c|application/xml',
  ),
  fc.constant('x'.repeat(3_000)),
)
const authorizations = mostly<SentHeaders>(
  5,
  fc.constantFrom(...liveTokens).map((token) => ({ authorization: `Bearer ${token}` })),
  fc.constant({}),
  fc
    .oneof(
      oneOf('Bearer|Bearer |Basic dTpw|bearer live-0|Bearer live-0 live-1|Bearer \xe4\xf6'),
      fc.constantFrom<string | string[]>(`Bearer ${'x'.repeat(9_000)}`, ['Bearer live-0', 'Bearer live-1']),
      fc.string({ unit: 'grapheme-ascii', maxLength: 50 }).map((text) => `Bearer ${text}`),
    )
    .map((authorization) => ({ authorization })),
)
const oddHeaders = fc.constantFrom<SentHeaders>(
  { accept: '*/*;q=x,,;;' },
  { accept: 'text/html' },
  { accept: 'x'.repeat(5_000) },
  { 'user-agent': '\xe4'.repeat(4_000) },
  { 'content-encoding': 'gzip' },
  { 'accept-version': '1.x' },
  { 'accept-encoding': 'identity;q=0' },
  { 'x-forwarded-for': '::1, \xff, 999.999.999.999' },
  { 'x-http-method-override': 'DELETE' },
  { 'if-none-match': '*', range: 'bytes=9-1' },
  { 'idempotency-key': 'the-same' },
  { 'idempotency-key': '' },
  { 'idempotency-key': ['one', 'two'] },
  { 'idempotency-key': '\xe4'.repeat(4_000) },
  { 'if-match': '*', 'if-none-match': 'W/"x"' },
  { 'if-match': `${'"",'.repeat(2_000)}W/` },
  { cookie: 'a=b; '.repeat(500) },
  { host: 'evil.example' },
  { expect: 'the best' },
  { 'x-large': 'x'.repeat(20_000) },
  { 'trpc-accept': 'application/jsonl' },
  { accept: 'application/jsonl' },
  { 'trpc-accept': 'text/event-stream' },
  { 'x-trpc-source': '\xe4' },
)

const oddities = {
  authorization: authorizations,
  type: contentTypes,
  odd: mostly(12, fc.constant<SentHeaders>({}), oddHeaders),
  broken: mostly(12, fc.constant(undefined), brokenJson),
}
type Oddities = {
  [Name in keyof typeof oddities]: (typeof oddities)[Name] extends fc.Arbitrary<infer T> ? T : never
}

/** Without what Node itself refuses. */
function sent(
  { authorization, type, odd }: Pick<Oddities, 'authorization' | 'type' | 'odd'>,
  { method, url, body }: Omit<Sent, 'headers'>,
): Sent {
  const headers = {
    ...authorization,
    ...(body !== undefined && { 'content-type': type }),
    // Node rejects such headers before it knows the method, and sends a body even to HEAD.
    ...(method === 'HEAD' && odd['x-large'] ? {} : odd),
  }
  // Node answers 431 with a body even to HEAD, which its client rejects.
  return { method, url: url.slice(0, method === 'HEAD' ? 3_000 : 15_000), headers, body }
}

/** One property has another value, or none; or the value is no input. */
function invalidInput(schema: Schema): fc.Arbitrary<unknown> {
  const shapes = [schema, ...(schema.oneOf ?? [])]
  const names = [...shapes.flatMap(({ properties }) => Object.keys(properties ?? {})), 'id', 'unknown']
  const corrupted = fc
    .tuple(validValue(schema), fc.constantFrom(...names), mostly(6, strangeValue, fc.constant(undefined)))
    .map(([value, name, strange]) => ({ ...(value as object), [name]: strange }))
  return mostly(8, corrupted as fc.Arbitrary<unknown>, strangeValue)
}

/** The schema has all parameters, or the properties of the body. */
type Operation = {
  path: string
  method: string
  id: string
  schema: Schema
  body: 'json' | 'form' | undefined
}

function operationsOf({ paths, components }: OpenApiDocument): Operation[] {
  const resolved = (_key: string, value: Schema | null): Schema | null =>
    value?.$ref ? components.schemas[value.$ref.split('/').at(-1)!]! : value
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, operationId: id }]) => {
      const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {}
      const {
        properties,
        required = [],
        ...rest
      } = JSON.parse(JSON.stringify(json?.schema ?? {}, resolved)) as Schema
      const given = parameters.filter((parameter) => parameter.in !== 'header')
      const schemas = Object.fromEntries(given.map(({ name, schema }) => [name, schema]))
      const names = given.filter((one) => one.required).map(({ name }) => name)
      const schema = {
        ...rest,
        properties: { ...schemas, ...properties },
        required: [...names, ...required],
      }
      return { path, method: method.toUpperCase(), id, schema, body: json ? 'json' : form && 'form' }
    }),
  )
}

const forms = fc
  .tuple(
    mostly(
      6,
      oneOf('image|file'),
      strangeText.map((text) => JSON.stringify(text.slice(0, 200)).slice(1, -1)),
    ),
    fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      oneOf('\x89PNG\r\n\x1a\n|GIF89a\0\0\0\0|RIFF\0\0\0\0WEBPVP8 ').map((text) =>
        Buffer.from(text, 'latin1'),
      ),
      fc.constant(Buffer.alloc(70_000, 1)),
    ),
    oneOf('--x--\r\n|--x||--x\r\ncontent-disposition: form-data\r\n\r\n\r\n--x--'),
  )
  .map(([field, bytes, end]) =>
    Buffer.concat([
      formWith(bytes, 'a.png', field).payload.subarray(0, -'--x--\r\n'.length),
      Buffer.from(end),
    ]),
  )

function requestsOf(operation: Operation, isValid: boolean): fc.Arbitrary<Sent> {
  const { path, method, schema, body } = operation
  const usual = <T>(weight: number, value: T, unusual: fc.Arbitrary<T>) =>
    isValid ? fc.constant(value) : mostly(weight, fc.constant(value), unusual)
  return fc
    .record({
      ...oddities,
      ...(isValid && { type: fc.constant('application/json'), odd: fc.constant<SentHeaders>({}) }),
      method: usual(12, method, fc.constantFrom(...METHODS.filter((name) => name !== 'CONNECT'))),
      input: isValid ? validValue(schema) : mostly(1, validValue(schema), invalidInput(schema)),
      part: usual<string | undefined>(3, undefined, pathPart),
      junk: usual(3, '', junkQuery),
      broken: usual<string | Buffer | undefined>(3, undefined, brokenJson),
      form: body === 'form' ? forms : fc.constant(undefined),
    })
    .map(({ method, input, part, junk, broken, form, ...headers }) => {
      const given = { ...(input as Record<string, unknown> | null) }
      const text = (name: string) =>
        encode(typeof given[name] === 'object' ? JSON.stringify(given[name]) : given[name]).slice(0, 9_000)
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
        const own = text(name) || '%20'
        delete given[name]
        return part ?? own
      })
      const inQuery = body ? [] : Object.keys(given).filter((name) => given[name] !== undefined)
      const query = [...inQuery.map((name) => `${encode(name)}=${text(name)}`), junk]
        .filter(Boolean)
        .join('&')
      return sent(
        { ...headers, type: form ? 'multipart/form-data; boundary=x' : headers.type },
        {
          method,
          url: query ? `${filled}?${query}` : filled,
          body: form ?? broken ?? (body && JSON.stringify(Object(input) === input ? given : input)),
        },
      )
    })
}

function trpcRequests(router: AppRouter): fc.Arbitrary<Sent> {
  const known = Object.entries(router._def.procedures as unknown as Record<string, AnyProcedure>).map(
    ([path, procedure]) => {
      const schema = jsonSchemaOf(procedure) as Schema
      const input = mostly(1, validValue(schema), invalidInput(schema))
      return { type: procedure._def.type as string, call: fc.record({ path: fc.constant(path), input }) }
    },
  )
  const callsOf = (type = '') =>
    fc.oneof(...known.filter((one) => one.type.startsWith(type)).map(({ call }) => call))
  const unknown = fc.record({
    path: fc.oneof(oneOf('catalogue.nothing|toString|__proto__|movies|movies.|.byId|,'), pathPart),
    input: strangeValue,
  })
  const batchOf = (call: ReturnType<typeof callsOf>) =>
    fc.array(mostly(12, call, unknown), { minLength: 1, maxLength: 22 })
  return fc
    .record({
      ...oddities,
      calls: fc.oneof(
        { weight: 6, arbitrary: batchOf(callsOf('query')) },
        { weight: 3, arbitrary: batchOf(callsOf('mutation')) },
        { weight: 1, arbitrary: batchOf(callsOf()) },
        { weight: 6, arbitrary: callsOf().map((call) => [call]) },
      ),
      method: mostly(8, oneOf('GET|POST'), oneOf('HEAD|PUT|PATCH|DELETE|OPTIONS')),
      batch: mostly(8, fc.constant('batch=1'), oneOf('|batch=0|batch=1&batch=1|batch=0&batch=1|b%61tch=1')),
      comma: mostly(20, fc.constant(','), oneOf('%2C|%252C|;|%20|,,')),
      inputs: mostly(12, fc.constant(undefined), strangeValue),
    })
    .map(({ calls, method, batch, comma, inputs, broken, ...headers }) => {
      const all = inputs ?? Object.fromEntries(calls.map(({ input }, at) => [at, input]))
      const json = JSON.stringify(batch === '' ? calls[0]!.input : all)
      const hasBody = method !== 'GET' && method !== 'HEAD'
      const query = [batch, hasBody ? '' : `input=${broken === undefined ? encode(json) : '{'}`]
      const url = `/trpc/${calls.map(({ path }) => path).join(comma)}?${query.filter(Boolean).join('&')}`
      return sent(headers, { method, url, body: hasBody ? (broken ?? json) : undefined })
    })
}

const otherRequests = fc
  .record({
    ...oddities,
    method: oneOf('GET|POST|DELETE|HEAD|OPTIONS'),
    start: oneOf(
      '/|//|/movies/1/|/uploads/|/docs/|/docs/changelog/|/assets/|/sitemaps/|/trpc|/trpc/|/favorite-movies/|/nowhere/',
    ),
    part: pathPart,
  })
  .map(({ method, start, part, broken, ...headers }) =>
    sent(headers, { method, url: start + part, body: method === 'POST' ? broken : undefined }),
  )

/** Some register the same name again and again, because random values seldom conflict with each other. */
export function invalidRequests(document: OpenApiDocument, router: AppRouter): fc.Arbitrary<Sent> {
  const operations = operationsOf(document)
  const register = operations.find(({ id }) => id === 'register')!
  return fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...operations).chain((one) => requestsOf(one, false)) },
    { weight: 5, arbitrary: trpcRequests(router) },
    { weight: 1, arbitrary: otherRequests },
    { weight: 1, arbitrary: requestsOf(register, true) },
  )
}

/** Ids may not exist or not belong together: the document cannot say. */
export function validRequests(document: OpenApiDocument): fc.Arbitrary<Sent> {
  return fc.constantFrom(...operationsOf(document)).chain((one) => requestsOf(one, true))
}
