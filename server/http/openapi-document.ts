import { generateOpenApiDocument } from 'trpc-to-openapi'
import packageJson from '../../package.json' with { type: 'json' }
import { apiError, errorRefs, errorResponses } from '#shared/errors.ts'
import { livePaths } from '#shared/reviews.ts'
import { type RequiredScope, scopes } from '#shared/scopes.ts'
import { uploadPaths } from '#shared/uploads.ts'
import type { AppRouter } from '#server/router.ts'
import { requiredScope } from '#server/trpc/procedures.ts'
import { healthPaths } from '#shared/health.ts'
import { description, tags } from './openapi-info.ts'
import { type RestMeta, restProcedures } from './rest.ts'

/**
 * Returns the OpenAPI 3.1 document of all REST calls. trpc-to-openapi generates it from the procedures; what it cannot
 * know is added here: aliases, statuses other than 200, shared error responses, optional authentication, examples.
 */
export function openApiDocument(router: AppRouter, publicUrl: string): OpenApiDocument {
  const document = generateOpenApiDocument(router, {
    title: 'Medley',
    description,
    version: packageJson.version,
    openApiVersion: '3.1.0',
    baseUrl: '/',
    contact: { name: 'The operators of this server', url: publicUrl },
    license: { name: 'MIT', identifier: 'MIT' },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'The `token` of `POST /auth/login`.' },
      accessToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'mdl_…',
        description: `The \`secret\` of \`POST /users/me/tokens\`. Each call lists the scope that it requires. ${Object.entries(
          scopes,
        )
          .map(([name, explanation]) => `\`${name}\`: ${explanation}`)
          .join(' ')}`,
      },
    },
    defs: { Error: apiError },
    paths: { ...uploadPaths, ...livePaths, ...healthPaths } as never,
  }) as unknown as OpenApiDocument

  document.servers = serversOf(publicUrl)
  document.tags = Object.entries(tags).map(([name, description]) => ({ name, description }))
  const { schemas } = document.components
  // The generator adds an error schema of its own for each code.
  for (const name of Object.keys(schemas)) if (name.startsWith('error.')) delete schemas[name]
  document.components.responses = sharedErrorResponses()

  for (const [, procedure] of restProcedures(router)) {
    const meta = procedure._def.meta as RestMeta
    const method = meta.openapi.method.toLowerCase()
    const operation = document.paths[meta.openapi.path]![method]!
    complete(operation, meta, requiredScope(procedure._def.type, meta))
    for (const { path, operationId } of meta.aliases ?? [])
      (document.paths[path] ??= {})[method] = { ...operation, operationId }
  }
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    for (const { content } of [operation.requestBody ?? {}, ...Object.values(operation.responses)]) {
      const media = content?.['application/json'] ?? content?.['text/event-stream']
      if (media) media.example ??= exampleOf(media.schema, schemas)
    }
  }
  return withoutNoise(document)
}

function complete(
  operation: Operation,
  { openapi, status = 200, otherStatus, readsToken }: RestMeta,
  scope: RequiredScope | null,
): void {
  const { content } = operation.responses['200']!
  const isMemberOnly = openapi.protect !== false
  const isRead = openapi.method === 'GET'
  const own = Array.isArray(openapi.errorResponses) ? openapi.errorResponses : []
  const success = openapi.successDescription ?? (status === 201 ? 'Created.' : isRead ? 'OK.' : 'Done.')
  operation.responses = {
    [status]: { description: success, content },
    ...(otherStatus && { [otherStatus.status]: { description: otherStatus.description, content } }),
    ...errorRefs([
      ...(isMemberOnly ? [401] : []),
      ...(scope ? [403] : []),
      ...(isRead ? [] : [413, 415]),
      ...own,
      400,
      429,
      500,
      503,
    ]),
  }
  operation.security =
    isMemberOnly || readsToken
      ? [
          ...(isMemberOnly ? [] : [{}]),
          { bearer: [] },
          ...(scope && scope !== 'session' ? [{ accessToken: [scope] }] : []),
        ]
      : []
  if (operation.parameters?.length === 0) delete operation.parameters
  for (const parameter of operation.parameters ?? []) {
    if (parameter.schema.description) parameter.description = parameter.schema.description
  }
}

function sharedErrorResponses(): Record<string, Response> {
  const schema = { $ref: '#/components/schemas/Error' }
  const retryAfter = {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: { type: 'integer', minimum: 1, example: 30 },
  }
  const challenge = {
    description:
      'The challenge of RFC 6750: `Bearer`, with `error="invalid_token"`, or with `error="insufficient_scope"` and the missing `scope`.',
    schema: { type: 'string', example: 'Bearer error="insufficient_scope", scope="diary:write"' },
  }
  const headersOf: Record<string, object> = {
    401: { 'WWW-Authenticate': { ...challenge, required: true } },
    403: { 'WWW-Authenticate': challenge },
    429: { 'Retry-After': retryAfter },
    503: { 'Retry-After': retryAfter },
  }
  return Object.fromEntries(
    Object.entries(errorResponses).map(([status, { name, description, example }]) => [
      name,
      {
        description,
        ...(headersOf[status] && { headers: headersOf[status] }),
        content: { 'application/json': { schema, example } },
      },
    ]),
  )
}

/** The relative URL is right wherever the document is served from; the absolute one is for saved copies. */
function serversOf(publicUrl: string): OpenApiDocument['servers'] {
  const isLocal = /^https?:\/\/(localhost|127\.|\[::1\])/.test(publicUrl)
  return [
    { url: '/', description: 'The host that serves this document' },
    ...(isLocal ? [] : [{ url: publicUrl, description: 'The public URL' }]),
  ]
}

/** Builds an example value from the examples of a schema's parts. Properties with `examples: []` are left out. */
function exampleOf(schema: Schema, schemas: Record<string, Schema>): unknown {
  const { example, examples, $ref, anyOf, properties, items, const: constant, enum: values } = schema
  if (examples) return examples[0]
  if (example !== undefined) return example
  if ($ref) return exampleOf(schemas[$ref.split('/').at(-1)!]!, schemas)
  if (anyOf) return exampleOf(anyOf[0]!, schemas)
  if (items) return [exampleOf(items, schemas)]
  if (properties) {
    const shown = Object.entries(properties).filter(([, { examples }]) => examples?.length !== 0)
    return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property, schemas)]))
  }
  return constant ?? values?.[0] ?? schema.default ?? schema.type === 'boolean'
}

/** Removes zod's bounds of safe integers, and empty lists of examples. */
function withoutNoise(document: OpenApiDocument): OpenApiDocument {
  const text = JSON.stringify(document, (key, value: unknown) => {
    const isBound =
      (key === 'minimum' || key === 'maximum') && Math.abs(value as number) === Number.MAX_SAFE_INTEGER
    const isEmpty = key === 'examples' && Array.isArray(value) && value.length === 0
    return isBound || isEmpty ? undefined : value
  })
  return JSON.parse(text) as OpenApiDocument
}

/** The parts of an OpenAPI document that this server generates. */
export type OpenApiDocument = {
  openapi: string
  info: Record<string, unknown>
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> }
}
type Operation = {
  operationId: string
  summary: string
  parameters?: Parameter[]
  requestBody?: Response
  responses: Record<string, Response>
  security?: Record<string, string[]>[]
}
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema }
type Response = {
  $ref?: string
  description?: string
  content?: Record<string, { schema: Schema; example?: unknown }>
}
export type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  example?: unknown
  examples?: unknown[]
  default?: unknown
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  maximum?: number
}
