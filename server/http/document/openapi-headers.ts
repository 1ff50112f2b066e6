import { idempotencyHours } from '#shared/domain/limits.ts'
import { errorRefs, errorResponses } from '#shared/contracts/errors.ts'
import type { AppRouter } from '#server/router.ts'
import type { OpenApiDocument, Operation, Parameter } from './openapi-schema.ts'
import type { HeaderName, requestHeaders } from './openapi-info.ts'
import { definitionOf, inputOf, type RestMeta, restProcedures } from '#server/calls/described.ts'

/** Scripts of other origins may send these only: see cors.ts. */
type HeaderParameter = Parameter & { name: (typeof requestHeaders)[number] }

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: `Makes a retry safe: within ${idempotencyHours} hours, a request with the same key returns the response of the first one.`,
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$', example: 'b3c1f0a2-7d5e' },
} satisfies HeaderParameter
const ifMatch = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag` of the review. If its author has changed the rating or the text since, the response is 412 and nothing changes.',
  schema: { type: 'string', example: 'W/"qN3vZc0aXw_1.6Jq0w1mXb0cGq3rT5uYzPA"' },
} satisfies HeaderParameter

export function addHeaderDocs({ paths, components }: OpenApiDocument, router: AppRouter): void {
  // No operation returns a 405.
  delete components.responses[errorResponses[405].name]
  for (const [, procedure] of restProcedures(router)) {
    const { openapi, requiresMember, location } = definitionOf(procedure).meta as RestMeta
    const { output } = definitionOf(procedure) as { output?: { shape?: object } }
    const own = Array.isArray(openapi.errorResponses) ? openapi.errorResponses : []
    const operation = paths[openapi.path]![openapi.method.toLowerCase()]!
    if (openapi.method === 'POST' && requiresMember) addIdempotencyKey(operation)
    if (own.includes(412)) addParameter(operation, ifMatch)
    if (location) addResponseHeader(operation, 'Location')
    const isPaged = 'nextCursor' in (output?.shape ?? {}) || 'page' in (inputOf(procedure)?.shape ?? {})
    if (isPaged) addResponseHeader(operation, 'Link')
  }
  for (const path of ['/upload', '/imports']) {
    const upload = paths[path]!['post']!
    addIdempotencyKey(upload)
    addResponseHeader(upload, 'Location')
  }
}

function addIdempotencyKey(operation: Operation): void {
  addParameter(operation, idempotencyKey)
  addResponseHeader(operation, 'Idempotency-Replayed')
  operation.responses = { ...operation.responses, ...errorRefs([409, 422]) }
}

function addParameter(operation: Operation, parameter: Parameter): void {
  operation.parameters = [...(operation.parameters ?? []), parameter]
}

function addResponseHeader(operation: Operation, name: HeaderName): void {
  for (const [status, response] of Object.entries(operation.responses)) {
    if (response.$ref || (name === 'Location' && status !== '201')) continue
    response.headers = { ...response.headers, [name]: { $ref: `#/components/headers/${name}` } }
  }
}
