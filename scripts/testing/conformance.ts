import { TRPCError } from '@trpc/server'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { expect } from 'vitest'
import type { RecordedExamples } from '#server/http/document/openapi-document.ts'
import type { OpenApiDocument, Operation } from '#server/http/document/openapi-schema.ts'
import type { Schema } from '#server/http/document/openapi-schema.ts'
import { type ErrorBody, statusOf } from '#server/calls/errors.ts'
import { uncountedWork } from './event-loop.ts'

export type SentRequest = {
  method: string
  url: string
  accept?: string | null | undefined
  authorization?: string | null | undefined
}
export type ReceivedResponse = { status: number; headers: Headers; body: string }

const isNotRest = (path: string) => /^\/(openapi\.json|docs|uploads|assets|trpc)(\/|$)/.test(path)

const unroutedStatuses = [400, 404, 405, 408, 429, 431, 503]
/** Sent before the request is routed. */
const parserStatuses = [408, 431]

const isStream = (type: string | null) => type?.startsWith('text/event-stream') === true

export function conformanceTo(
  document: OpenApiDocument,
): (request: SentRequest, response: ReceivedResponse) => string | undefined {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: false })
  addFormats.default(ajv)
  // Addresses may have letters of any script.
  ajv.addFormat('email', true)
  ajv.addSchema(closed(document), 'document')
  const validators = new Map<string, ValidateFunction>()
  const fault = (pointer: string, body: unknown): string | undefined => {
    let validate = validators.get(pointer)
    if (!validate) {
      validate = uncountedWork(() => ajv.compile({ $ref: `document#${pointer}` }))
      validators.set(pointer, validate)
    }
    return validate(body) ? undefined : ajv.errorsText(validate.errors)
  }
  const errorFault = (body: unknown, status: number) => {
    const code = (body as ErrorBody).code
    return (
      fault('/components/schemas/ApiError', body) ??
      (statusOf(new TRPCError({ code })) === status || status === 431 ? undefined : `the code ${code}`)
    )
  }
  const find = operationFinder(document)

  return ({ method, url, accept, authorization }, { status, headers, body }) => {
    const path = url.replace(/^https?:\/\/[^/]+/, '').split('?', 1)[0]!
    const type = headers.get('content-type') ?? ''
    const isRead = method === 'GET' || method === 'HEAD'
    if (!headers.has('cache-control')) return 'no Cache-Control'
    if (
      isNotRest(path) ||
      (isRead &&
        (status === 200 || status === 404) &&
        type.startsWith('text/html') &&
        accept?.includes('text/html'))
    )
      return undefined
    // The document describes caching in its introduction, not at each operation.
    if (status === 304) return isRead && body === '' && headers.has('etag') ? undefined : 'a 304'
    if (status === 405 && !headers.has('allow')) return 'no Allow'
    if (method === 'OPTIONS' && status === 204)
      return headers.has('allow') || headers.has('access-control-allow-methods') ? undefined : 'no Allow'
    const found = find(method === 'HEAD' ? 'get' : method.toLowerCase(), path)
    const response = found?.operation.responses[status]
    if (isStream(type)) return response?.content?.['text/event-stream'] ? undefined : 'an event stream'
    if (!type.startsWith('application/json')) {
      const documented = Object.keys(response?.content ?? {})
      return documented.includes(type.split(';', 1)[0]!) ? undefined : `the content type “${type}”`
    }
    if ((status === 429 || status === 503) && !Number(headers.get('retry-after'))) return 'no Retry-After'

    if (status === 401 && !headers.get('www-authenticate')?.startsWith('Bearer')) return 'no WWW-Authenticate'
    // A HEAD must not use up the verification link.
    const refusesHead = method === 'HEAD' && found?.operation.operationId === 'verifyEmail'
    if (!response && !refusesHead && !(found ? parserStatuses : unroutedStatuses).includes(status))
      return 'the status'
    if (method === 'HEAD') return body === '' ? undefined : 'a body'
    let json: unknown
    try {
      json = JSON.parse(body)
    } catch {
      return 'a body that is not JSON'
    }
    if (!found || !response || response.$ref) return errorFault(json, status)
    const faultAt = (...steps: (string | number)[]) =>
      fault(
        ['paths', found.path, method.toLowerCase(), ...steps]
          .map((step) => `/${escape(String(step))}`)
          .join(''),
        json,
      )
    const difference = faultAt('responses', status, 'content', 'application/json', 'schema')
    // An access token may lack `read`; a login never does.
    const mayBeShort = found.operation['x-response-without-read'] && authorization?.startsWith('Bearer mdl_')
    return difference && mayBeShort ? faultAt('x-response-without-read') : difference
  }
}

export function exampleFaults(document: OpenApiDocument, examples: RecordedExamples): string[] {
  const ajv = new Ajv2020({ strict: false, validateSchema: false })
  addFormats.default(ajv)
  ajv.addFormat('email', true)
  ajv.addSchema(document, 'request').addSchema(closed(document), 'response')
  const jsonOf = (content: Operation['responses'][string]['content']) =>
    content?.['application/json']?.schema.$ref
  const operations = new Map(
    Object.values(document.paths)
      .flatMap((path) => Object.values(path))
      .map((operation) => [operation.operationId, operation]),
  )
  return [...new Set([...operations.keys(), ...Object.keys(examples)])].sort().flatMap((id) => {
    const operation = operations.get(id)
    const example = examples[id]
    if (!operation) return [`${id}: there is no such operation`]
    const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))![1]
    return [
      { ref: jsonOf(operation.requestBody?.content), value: example?.request, name: 'request' },
      { ref: jsonOf(success.content), value: example?.response, name: 'response' },
    ].flatMap(({ ref, value, name }) => {
      if (ref === undefined) return []
      if (value === undefined) return [`${id}: no ${name} is recorded. Run npm run openapi -- --examples`]
      const validate = ajv.compile({ $ref: `${name}${ref}` })
      return validate(value) ? [] : [`${id}: the ${name}: ${ajv.errorsText(validate.errors)}`]
    })
  })
}

/** Documented objects are open to additions, but this version’s objects have no others. */
function closed(document: OpenApiDocument): OpenApiDocument {
  const text = JSON.stringify(document, (_key, value: Schema | null) =>
    value?.type === 'object' && value.properties && !value.oneOf
      ? { additionalProperties: false, ...value }
      : value,
  )
  return JSON.parse(text) as OpenApiDocument
}

function escape(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/** As the server routes: static segments win over parameters, whatever the method. */
export function operationFinder({ paths }: OpenApiDocument) {
  const templates = Object.keys(paths)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`) }))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)
  return (method: string, path: string) => {
    const template = templates.find(({ pattern }) => pattern.test(path))
    const operation = template && paths[template.path]![method]
    return operation && { path: template.path, operation }
  }
}

/** Compares every response with the app’s OpenAPI document. */
export async function checkResponses(app: FastifyInstance): Promise<void> {
  const inject = app.inject.bind(app)
  const faultOf = conformanceTo((await inject('/openapi.json')).json())
  app.inject = (async (given: InjectOptions | string) => {
    const options = typeof given === 'string' ? { url: given } : given
    const response = await inject(options)
    const { method = 'GET', url } = options
    const { accept, authorization } = (options.headers ?? {}) as Record<string, string | undefined>
    const request = { method, url: String(url), accept, authorization }
    const headers = new Headers(response.headers as Record<string, string>)
    expectDocumented(faultOf, request, { status: response.statusCode, headers, body: response.body })
    return response
  }) as never
}

/** Compares every response with the OpenAPI document. */
export function checkedFetch(document: OpenApiDocument): (input: Request) => Promise<Response> {
  const faultOf = conformanceTo(document)
  return async (request) => {
    const { method, url, headers } = request
    const response = await fetch(request)
    const { status } = response
    // A stream does not end.
    const body = isStream(response.headers.get('content-type')) ? '' : await response.clone().text()
    expectDocumented(
      faultOf,
      { method, url, accept: headers.get('accept'), authorization: headers.get('authorization') },
      { status, headers: response.headers, body },
    )
    return response
  }
}

function expectDocumented(
  faultOf: ReturnType<typeof conformanceTo>,
  request: SentRequest,
  response: ReceivedResponse,
): void {
  const fault = faultOf(request, response)
  const text = `${request.method} ${request.url}: ${response.status} ${response.body.slice(0, 500)}`
  expect(fault, `${text}\nThe response differs from the OpenAPI document`).toBeUndefined()
}
