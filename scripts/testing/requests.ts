import { METHODS } from 'node:http'
import fc from 'fast-check'
import type { AnyProcedure } from '@trpc/server'
import { z } from 'zod'
import type { Operation as DocumentedOperation } from '#server/http/document/openapi-schema.ts'
import type { OpenApiDocument } from '#server/http/document/openapi-schema.ts'
import type { Schema } from '#server/http/document/openapi-schema.ts'
import { inputOf } from '#server/http/api/rest.ts'
import type { AppRouter } from '#server/router.ts'

/** Tokens of valid sessions on a fuzzed server. Many, because some requests end their own session. */
export const liveTokens = Array.from({ length: 200 }, (_, index) => `live-${index}`)

type SentHeaders = Record<string, string | string[]>
export type Sent = { method: string; url: string; headers: SentHeaders; body?: string | Buffer | undefined }

/** Generates one of the texts separated by bars. */
const oneOf = (texts: string) => fc.constantFrom(...texts.split('|'))

/** Generates unusual and malicious text. */
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

/** Generates values that an input schema accepts, as far as the schema says. */
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
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('1'.repeat(5_000), 'popular', 'me', 'network', '١٢', '1;x=1', '0x10', '1,2')
      .map(encode),
  },
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

const contentTypes = fc.oneof(
  { weight: 8, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'text/plain',
      'application/JSON; charset=utf-8',
      'application/json; charset=utf-16',
      'application/json;;;',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'a/b/c',
      'application/xml',
      'x'.repeat(3_000),
    ),
  },
)
const tokens = fc.oneof(
  {
    weight: 10,
    arbitrary: fc
      .constantFrom(...liveTokens)
      .map((token): string | string[] | undefined => `Bearer ${token}`),
  },
  { weight: 2, arbitrary: fc.constant(undefined) },
  {
    weight: 2,
    arbitrary: fc.oneof(
      fc.constantFrom<string | string[]>(
        'Bearer',
        'Bearer ',
        'Basic dTpw',
        'bearer live-0',
        'Bearer live-0 live-1',
        `Bearer ${'x'.repeat(9_000)}`,
        ['Bearer live-0', 'Bearer live-1'],
        'Bearer \xe4\xf6',
      ),
      fc.string({ unit: 'grapheme-ascii', maxLength: 50 }).map((text) => `Bearer ${text}`),
    ),
  },
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
)

type Operation = DocumentedOperation & { path: string; method: string }

function operationsOf({ paths, components }: OpenApiDocument) {
  const resolved = (_key: string, value: Schema | null): Schema | null =>
    value?.$ref ? components.schemas[value.$ref.split('/').at(-1)!]! : value
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      ...operation,
      ...(operation.requestBody && {
        requestBody: JSON.parse(JSON.stringify(operation.requestBody, resolved)) as NonNullable<
          Operation['requestBody']
        >,
      }),
    })),
  )
}

const mostly = <T>(weight: number, usual: fc.Arbitrary<T>, ...unusual: fc.Arbitrary<T>[]) =>
  fc.oneof({ weight, arbitrary: usual }, ...unusual.map((arbitrary) => ({ weight: 1, arbitrary })))

/** Generates the URL with its parameters filled in, only with valid ones if `isValid`. */
function urlOf({ path, parameters = [] }: Operation, isValid: boolean): fc.Arbitrary<string> {
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const filled = inPath.reduce(
    (url, { name, schema }) => {
      const valid = validValue(schema).map(encode)
      const value = isValid ? valid : mostly(2, valid, pathPart)
      return fc.tuple(url, value).map(([text, part]) => text.replace(`{${name}}`, () => part))
    },
    fc.constant(path) as fc.Arbitrary<string>,
  )
  const pairs = inQuery.map(({ name, schema, required }) => {
    const valid = validValue(schema).map((value) => `${name}=${encode(value)}`)
    const invalid = strangeValue.map((value) =>
      `${name}=${encode(typeof value === 'object' ? JSON.stringify(value) : value)}`.slice(0, 9_000),
    )
    const given = isValid ? valid : mostly(2, valid, invalid)
    return required
      ? isValid
        ? given
        : mostly(8, given, fc.constant(''))
      : mostly(1, given, fc.constant(''))
  })
  const query = fc
    .tuple(fc.tuple(...pairs), isValid ? fc.constant('') : mostly(3, fc.constant(''), junkQuery))
    .map(([known, junk]) => [...known, junk].filter(Boolean).join('&'))
  return fc.tuple(filled, query).map(([url, text]) => (text ? `${url}?${text}` : url))
}

function bodyOf({ requestBody }: Operation, isValid: boolean): fc.Arbitrary<string | Buffer | undefined> {
  const schema = requestBody?.content?.['application/json']?.schema
  if (!schema) return isValid ? fc.constant(undefined) : mostly(6, fc.constant(undefined), brokenJson)
  const valid = validValue(schema)
  if (isValid) return valid.map((value) => JSON.stringify(value))
  const shapes = [schema, ...(schema.oneOf ?? [])]
  const names = [...shapes.flatMap(({ properties }) => Object.keys(properties ?? {})), 'id', 'unknown']
  const corrupted = fc
    .tuple(valid, fc.constantFrom(...names), strangeValue)
    .map(([value, name, strange]) => ({ ...(value as object), [name]: strange }))
  const incomplete = fc
    .tuple(valid, fc.constantFrom(...names))
    .map(([value, name]) => ({ ...(value as object), [name]: undefined }))
  return fc.oneof(
    { weight: 6, arbitrary: corrupted.map((value): string | Buffer => JSON.stringify(value)) },
    { weight: 1, arbitrary: incomplete.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: strangeValue.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: valid.map((value) => JSON.stringify(value).slice(0, -1)) },
    { weight: 2, arbitrary: brokenJson },
  )
}

const multipart = fc
  .tuple(
    mostly(
      3,
      fc.constant('image'),
      strangeText.map((text) => JSON.stringify(text.slice(0, 200)).slice(1, -1)),
    ),
    fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom(
        Buffer.from('89504e470d0a1a0a', 'hex'),
        Buffer.from('GIF89a\0\0\0\0'),
        Buffer.from('RIFF\0\0\0\0WEBPVP8 '),
        Buffer.alloc(70_000, 1),
      ),
    ),
    fc.constantFrom(
      '\r\n--x--\r\n',
      '\r\n--x',
      '',
      '\r\n--x\r\ncontent-disposition: form-data\r\n\r\n\r\n--x--',
    ),
  )
  .map(([field, bytes, end]) =>
    Buffer.concat([
      Buffer.from(`--x\r\ncontent-disposition: form-data; name="${field}"; filename="a.png"\r\n\r\n`),
      bytes,
      Buffer.from(end),
    ]),
  )

function sentTo(operation: Operation, isValid: boolean): fc.Arbitrary<Sent> {
  const isUpload = operation.path === '/upload'
  return fc
    .record({
      method: isValid
        ? fc.constant(operation.method)
        : mostly(
            12,
            fc.constant(operation.method),
            fc.constantFrom(...METHODS.filter((method) => method !== 'CONNECT')),
          ),
      url: urlOf(operation, isValid),
      body: isUpload ? multipart : bodyOf(operation, isValid),
      token: tokens,
      type: isValid ? fc.constant('application/json') : contentTypes,
      odd: isValid ? fc.constant({} as SentHeaders) : mostly(12, fc.constant({} as SentHeaders), oddHeaders),
    })
    .map(({ method, url, body, token, type, odd }) => ({
      method,
      url,
      body,
      headers: {
        ...(token ? { authorization: token } : {}),
        ...(isUpload ? { 'content-type': 'multipart/form-data; boundary=x' } : {}),
        ...(body === undefined || isUpload ? {} : { 'content-type': type }),
        // Node rejects such headers before it knows the method, and sends a body even to HEAD.
        ...(method === 'HEAD' && odd['x-large'] ? {} : odd),
      },
    }))
}

/** Generates tRPC calls, single and batched, valid and invalid in the same ways as the REST requests. */
function trpcRequests(router: AppRouter): fc.Arbitrary<Sent> {
  const known = Object.entries(router._def.procedures as unknown as Record<string, AnyProcedure>).map(
    ([path, procedure]) => {
      const schema = inputOf(procedure)
      const input = schema ? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema) : {}
      const valid = validValue(input)
      const names = [...Object.keys(input.properties ?? {}), 'unknown']
      const corrupted = fc
        .tuple(valid, fc.constantFrom(...names), strangeValue)
        .map(([value, name, strange]) => ({ ...(value as object), [name]: strange }))
      return {
        type: procedure._def.type as string,
        call: fc.record({
          path: fc.constant(path),
          input: mostly(4, valid, corrupted, corrupted, strangeValue),
        }),
      }
    },
  )
  const callsOf = (type: string) =>
    fc.oneof(...known.filter((one) => one.type === type).map(({ call }) => call))
  const unknown = fc.record({
    path: fc.oneof(oneOf('catalogue.nothing|toString|__proto__|movies|movies.|.byId|,'), pathPart),
    input: strangeValue,
  })
  const batchOf = (call: fc.Arbitrary<{ path: string; input: unknown }>) =>
    fc.array(mostly(12, call, unknown), { minLength: 1, maxLength: 22 })
  const calls = fc.oneof(
    { weight: 6, arbitrary: batchOf(callsOf('query')) },
    { weight: 3, arbitrary: batchOf(callsOf('mutation')) },
    { weight: 1, arbitrary: batchOf(fc.oneof(...known.map(({ call }) => call))) },
    { weight: 6, arbitrary: fc.oneof(...known.map(({ call }) => call)).map((call) => [call]) },
  )
  return fc
    .record({
      calls,
      method: mostly(8, oneOf('GET|POST'), oneOf('HEAD|PUT|PATCH|DELETE|OPTIONS')),
      batch: mostly(8, fc.constant('batch=1'), oneOf('|batch=0|batch=1&batch=1|batch=0&batch=1|b%61tch=1')),
      comma: mostly(20, fc.constant(','), oneOf('%2C|%252C|;|%20|,,')),
      inputs: mostly(12, fc.constant(undefined), strangeValue),
      broken: mostly(12, fc.constant(undefined), brokenJson),
      token: tokens,
      type: contentTypes,
      odd: mostly(
        12,
        fc.constant({} as SentHeaders),
        oddHeaders,
        fc.constantFrom<SentHeaders>(
          { 'trpc-accept': 'application/jsonl' },
          { accept: 'application/jsonl' },
          { 'trpc-accept': 'text/event-stream' },
          { 'x-trpc-source': '\xe4' },
        ),
      ),
    })
    .map(({ calls, method, batch, comma, inputs, broken, token, type, odd }) => {
      const all = inputs ?? Object.fromEntries(calls.map(({ input }, at) => [at, input]))
      const json = JSON.stringify(batch === '' ? calls[0]!.input : all)
      const hasBody = method !== 'GET' && method !== 'HEAD'
      const query = [batch, hasBody ? '' : `input=${broken === undefined ? encode(json) : '{'}`]
      return {
        method,
        url: `/trpc/${calls.map(({ path }) => path).join(comma)}?${query.filter(Boolean).join('&')}`.slice(
          0,
          // Node answers 431 with a body even to HEAD, which its client rejects.
          method === 'HEAD' ? 3_000 : 15_000,
        ),
        ...(hasBody && { body: broken ?? json }),
        headers: {
          ...(token ? { authorization: token } : {}),
          ...(hasBody ? { 'content-type': type } : {}),
          ...(method === 'HEAD' && odd['x-large'] ? {} : odd),
        },
      }
    })
}

/** Requests to unknown paths and to files. */
const otherRequests: fc.Arbitrary<Sent> = fc.oneof(
  fc
    .record({
      method: fc.constantFrom('GET', 'POST', 'DELETE', 'HEAD', 'OPTIONS'),
      start: oneOf(
        '/|//|/movies/1/|/uploads/|/docs/|/docs/changelog/|/assets/|/sitemaps/|/trpc|/trpc/|/favorite-movies/|/nowhere/',
      ),
      part: pathPart,
      type: contentTypes,
      body: brokenJson,
    })
    .map(({ method, start, part, type, body }) => ({
      method,
      url: start + part,
      headers: { 'content-type': type },
      ...(method === 'POST' ? { body } : {}),
    })),
)

/**
 * Generates mostly invalid requests to both transports, some to unknown paths and to files, and some that register the same name again
 * and again, because requests with random values seldom conflict with each other.
 */
export function invalidRequests(document: OpenApiDocument, router: AppRouter): fc.Arbitrary<Sent> {
  const operations = operationsOf(document)
  const operation = fc.constantFrom(...operations)
  const register = operations.find(({ operationId }) => operationId === 'register')!
  return fc.oneof(
    { weight: 10, arbitrary: operation.chain((one) => sentTo(one, false)) },
    { weight: 5, arbitrary: trpcRequests(router) },
    { weight: 1, arbitrary: otherRequests },
    { weight: 1, arbitrary: sentTo(register, true) },
  )
}

/** Generates requests that match the OpenAPI document. Ids may not exist or not belong together: the document cannot say. */
export function validRequests(document: OpenApiDocument): fc.Arbitrary<Sent> {
  return fc.constantFrom(...operationsOf(document)).chain((one) => sentTo(one, true))
}
