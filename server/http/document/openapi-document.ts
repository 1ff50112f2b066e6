import type { AnyProcedure } from '@trpc/server'
import { generateOpenApiDocument } from 'trpc-to-openapi'
import { z } from 'zod'
import packageJson from '../../../package.json' with { type: 'json' }
import { apiError, errorRefs, errorResponses } from '#shared/contracts/errors.ts'
import { auditPaths } from '#shared/contracts/audit.ts'
import { exportPaths } from '#shared/contracts/export.ts'
import { importPaths } from '#shared/contracts/imports.ts'
import { notificationPaths } from '#shared/contracts/notifications.ts'
import { livePaths, namesOneSubject, namesOneTitle, subjectKeys } from '#shared/contracts/reviews.ts'
import { feedPaths } from '#shared/contracts/web-feeds.ts'
import { type RequiredScope, scopes } from '#shared/domain/scopes.ts'
import { uploadPaths } from '#shared/contracts/uploads.ts'
import type { AppRouter } from '#server/router.ts'
import { requiredScope, returnsStored } from '#server/calls/procedures.ts'
import { sharePaths } from '#server/share/document.ts'
import { healthPaths } from '#shared/contracts/health.ts'
import recorded from './openapi-examples.json' with { type: 'json' }
import { serversOf } from './openapi.ts'
import { addHeaderDocs } from './openapi-headers.ts'
import { description, headers, type HeaderName, rateLimitHeaders } from './openapi-info.ts'
import {
  exampleOf,
  type Media,
  type OpenApiDocument,
  type Operation,
  type Response,
  type Schema,
  tidySchema,
  writtenSchema,
} from './openapi-schema.ts'
import { definitionOf, inputOf, type RestMeta, restProcedures } from '#server/calls/described.ts'

export type Api = { router: AppRouter; sections: Record<string, string> }

const defaultUrl = 'http://localhost:3000'

/**
 * Adds what trpc-to-openapi does not support: aliases, statuses other than 200, shared error responses and headers, optional
 * authentication, names of schemas, “exactly one of these ids”, and examples.
 */
export function openApiDocument({ router, sections }: Api): OpenApiDocument {
  const document = generateOpenApiDocument(router, {
    title: 'Medley',
    description,
    version: packageJson.version,
    openApiVersion: '3.1.0',
    baseUrl: '/',
    contact: { name: 'The operators of this server', url: defaultUrl },
    license: { name: 'MIT', identifier: 'MIT' },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'The `token` of `POST /auth/login`.' },
      accessToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'mdl_…',
        description: `The \`secret\` of \`POST /users/me/tokens\`. \`x-required-scope\` of each call names the scope that it requires. ${Object.entries(
          scopes,
        )
          .map(([name, explanation]) => `\`${name}\`: ${explanation}`)
          .join(' ')}`,
      },
    },
    defs: { ApiError: apiError },
    paths: {
      ...uploadPaths,
      ...importPaths,
      ...exportPaths,
      ...auditPaths,
      ...livePaths,
      ...notificationPaths,
      ...feedPaths,
      ...sharePaths,
      ...healthPaths,
    } as never,
  }) as unknown as OpenApiDocument

  document.servers = serversOf(defaultUrl)
  // Feeds first: Redocly reports a path that is ambiguous with an earlier one, and ignores two that come later (.redocly.lint-ignore.yaml).
  const isFeed = ([path]: [string, unknown]) => path in feedPaths
  const generated = Object.entries(document.paths)
  document.paths = Object.fromEntries([
    ...generated.filter(isFeed),
    ...generated.filter((entry) => !isFeed(entry)),
  ])
  document.tags = Object.entries(sections).map(([name, description]) => ({ name, description }))
  const { components, paths } = document
  // The generator adds an error schema for each code.
  const own = Object.entries(components.schemas).filter(([name]) => !name.startsWith('error.'))
  components.schemas = Object.fromEntries(own.map(([name, schema]) => [name, tidySchema(schema)]))
  components.responses = sharedErrorResponses()
  components.headers = headers

  for (const [, procedure] of restProcedures(router)) {
    const meta = definitionOf(procedure).meta as RestMeta
    const method = meta.openapi.method.toLowerCase()
    const operation = paths[meta.openapi.path]![method]!
    complete(operation, meta, requiredScope(definitionOf(procedure).type, meta))
    describeParameters(operation, inputOf(procedure)?.shape)
    if (requiresOneTitle(procedure)) requireOneTitle(operation)
    if (meta.openapi.method === 'GET') addHeaders(operation, ['ETag'])
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  )
  const findName = nameFinder(components.schemas)
  for (const { path, operation } of operations) {
    tidy(operation)
    nameSchemas(operation, components.schemas, findName)
    if (path in feedPaths || path in sharePaths) addHeaders(operation, ['ETag'])
    if (!(path in healthPaths)) addHeaders(operation, rateLimitHeaders)
  }
  for (const [, procedure] of restProcedures(router)) addWritten(document, procedure)
  addHeaderDocs(document, router)
  for (const [, procedure] of restProcedures(router)) {
    const { openapi, aliases = [] } = definitionOf(procedure).meta as RestMeta
    const method = openapi.method.toLowerCase()
    for (const { path, operationId } of aliases)
      (paths[path] ??= {})[method] = { ...structuredClone(paths[openapi.path]![method]!), operationId }
  }
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path)))
    addExamples(operation, components.schemas)
  return document
}

function complete(
  operation: Operation,
  { openapi, requiresMember = false, status = 200, otherStatus, readsToken, cost }: RestMeta,
  scope: RequiredScope | null,
): void {
  const { content } = operation.responses['200']!
  const isRead = openapi.method === 'GET'
  const own = Array.isArray(openapi.errorResponses) ? openapi.errorResponses : []
  const success = openapi.successDescription ?? (status === 201 ? 'Created.' : isRead ? 'OK.' : 'Done.')
  operation.description ??= `${operation.summary}.`
  operation.responses = {
    [status]: { description: success, content },
    ...(otherStatus && {
      [otherStatus.status]: { description: otherStatus.description, content: { ...content } },
    }),
    ...errorRefs([
      ...(requiresMember ? [401] : []),
      ...(scope ? [403] : []),
      ...(isRead ? [] : [413, 415]),
      ...own,
      400,
      429,
      500,
      503,
    ]),
  } as Operation['responses']
  operation.security =
    requiresMember || readsToken
      ? [
          ...(requiresMember ? [] : [{}]),
          { bearer: [] },
          ...(scope && scope !== 'session' ? [{ accessToken: [] }] : []),
        ]
      : []
  // OpenAPI 3.1 would allow the scope as a role above, but linters accept scopes of OAuth only.
  if (scope && scope !== 'session') operation['x-required-scope'] = scope
  if (cost) operation['x-rate-limit-cost'] = cost
  if (operation.parameters?.length === 0) delete operation.parameters
}

/** An extension, because OpenAPI has one schema per status: alternatives would not describe the response to logins and tokens with `read`. */
function addWritten({ paths, components: { schemas } }: OpenApiDocument, procedure: AnyProcedure): void {
  const meta = definitionOf(procedure).meta as RestMeta
  const { type } = definitionOf(procedure)
  const scope = requiredScope(type, meta)
  // A token without `read` cannot make other calls.
  if (!returnsStored(type, meta) || scope === 'read' || scope === 'session') return
  const operation = paths[meta.openapi.path]![meta.openapi.method.toLowerCase()]!
  const response = Object.entries(operation.responses).find(isSuccess)![1]
  const input = inputOf(procedure)
  const sent = input ? tidySchema(plainSchema(input)) : {}
  const written = writtenSchema(response.content!['application/json']!.schema, sent, schemas)
  if (written) operation['x-response-without-read'] = written
}

/** The generator drops descriptions outside of `optional()`. */
function describeParameters({ parameters = [] }: Operation, shape: z.ZodRawShape = {}): void {
  for (const parameter of parameters) {
    const { description = parameter.schema.description } = z.globalRegistry.get(shape[parameter.name]!) ?? {}
    if (description) parameter.description = description
  }
}

const isSuccess = ([status]: [status: string, response: Response]) => status.startsWith('2')

function addHeaders(operation: Operation, names: readonly HeaderName[]): void {
  const refs = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
  for (const [, response] of Object.entries(operation.responses).filter(isSuccess))
    response.headers = { ...response.headers, ...refs }
}

function requiresOneTitle(procedure: AnyProcedure): boolean {
  const checks = inputOf(procedure)?._zod.def.checks ?? []
  const rules: unknown[] = [namesOneTitle, namesOneSubject]
  return checks.some((check) => rules.includes((check._zod.def as { fn?: unknown }).fn))
}

/** OpenAPI has no such rule for query parameters: an extension lists their names. */
function requireOneTitle(operation: Operation): void {
  const names = Object.keys(subjectKeys)
  const inQuery = (operation.parameters ?? []).map(({ name }) => name).filter((name) => names.includes(name))
  if (inQuery.length > 0) operation['x-exactly-one-of'] = inQuery
  for (const media of Object.values(operation.requestBody?.content ?? {})) {
    const { properties = {}, ...others } = media.schema
    const isId = ([name]: [string, Schema]) => names.includes(name)
    const ids = Object.entries(properties).filter(isId)
    media.schema = {
      ...others,
      properties: Object.fromEntries(Object.entries(properties).filter((one) => !isId(one))),
      oneOf: ids.map(([name, schema]) => ({
        type: 'object',
        title: `By ${name}`,
        properties: { [name]: schema },
        required: [name],
      })),
    }
  }
}

function tidy(operation: Operation): void {
  for (const parameter of operation.parameters ?? []) {
    // The generator does not convert the parameters of paths that are not procedures.
    if (parameter.schema instanceof z.ZodType) parameter.schema = plainSchema(parameter.schema)
    parameter.schema = tidySchema(parameter.schema)
  }
  for (const { content } of [operation.requestBody ?? {}, ...Object.values(operation.responses)])
    for (const media of Object.values(content ?? {})) media.schema = tidySchema(media.schema)
}

function plainSchema(schema: z.ZodType): Schema {
  const { $schema: _version, ...plain } = z.toJSONSchema(schema, { io: 'input' })
  return plain as Schema
}

function nameFinder(schemas: Record<string, Schema>): (schema: Schema) => string | undefined {
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]))
  return (schema) => names.get(JSON.stringify(schema))
}

/** `ListReviewsResponse`. Throws if another schema has the name. */
function nameSchemas(
  operation: Operation,
  schemas: Record<string, Schema>,
  findName: (schema: Schema) => string | undefined,
): void {
  const prefix = operation.operationId.replace(/^./, (letter) => letter.toUpperCase())
  const name = (media: Media | undefined, suffix: string) => {
    if (!media || !(media.schema.properties ?? media.schema.anyOf)) return
    const found = findName(media.schema) ?? `${prefix}${suffix}`
    const taken = schemas[found]
    if (taken && JSON.stringify(taken) !== JSON.stringify(media.schema))
      throw new Error(`There are two schemas named ${found}.`)
    schemas[found] = media.schema
    media.schema = { $ref: `#/components/schemas/${found}` }
  }
  for (const media of Object.values(operation.requestBody?.content ?? {})) name(media, 'Request')
  for (const [status, { content }] of Object.entries(operation.responses))
    name(content?.['application/json'], status.startsWith('2') ? 'Response' : `${status}Response`)
}

/** Until they are recorded, examples come from the schemas. */
function addExamples(operation: Operation, schemas: Record<string, Schema>): void {
  const { request, response } = (recorded as Partial<RecordedExamples>)[operation.operationId] ?? {}
  const body = operation.requestBody?.content?.['application/json']
  if (body) body.example = request ?? exampleOf(body.schema, schemas)
  for (const entry of Object.entries(operation.responses)) {
    // Of a stream, the data of one event.
    const media = entry[1].content?.['application/json'] ?? entry[1].content?.['text/event-stream']
    if (media) media.example ??= (isSuccess(entry) ? response : undefined) ?? exampleOf(media.schema, schemas)
  }
}

export type RecordedExamples = Record<string, { request?: unknown; response?: unknown }>

function sharedErrorResponses(): Record<string, Response> {
  const schema = { $ref: '#/components/schemas/ApiError' }
  const headersOf: Record<string, HeaderName[]> = {
    401: ['WWW-Authenticate'],
    403: ['WWW-Authenticate'],
    429: ['Retry-After', ...rateLimitHeaders],
    503: ['Retry-After'],
  }
  return Object.fromEntries(
    Object.entries(errorResponses).map(([status, { name, description, example }]) => {
      const refs = (headersOf[status] ?? []).map((header) => [
        header,
        { $ref: `#/components/headers/${header}` },
      ])
      return [
        name,
        {
          description,
          ...(refs.length > 0 && { headers: Object.fromEntries(refs) }),
          content: { 'application/json': { schema, example } },
        },
      ]
    }),
  )
}
