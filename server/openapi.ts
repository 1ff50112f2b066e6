import { generateOpenApiDocument } from 'trpc-to-openapi'
import { z } from 'zod'
import { messages } from '#shared/messages.ts'
import { uploadAnswer } from '#shared/uploads.ts'
import { type RestMeta, restProcedures } from './rest.ts'
import type { AppRouter } from './router.ts'
import type { ErrorAnswer } from './trpc.ts'

/** The OpenAPI 3.1 document of everything the REST door answers. */
export function openApiDocument(router: AppRouter, publicUrl: string): OpenApiDocument {
  const document = generateOpenApiDocument(router, {
    title: 'Medley',
    description,
    version: '1.0.0',
    openApiVersion: '3.1.0',
    baseUrl: '/',
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'The `token` of `POST /auth/login`.' },
    },
    defs: { Error: errorBody },
    paths: pathsOfNoProcedure,
  }) as unknown as OpenApiDocument

  document.info = {
    ...document.info,
    contact: { name: 'Those who run this server', url: publicUrl },
    license: { name: 'MIT', identifier: 'MIT' },
  }
  document.servers = serversOf(publicUrl)
  document.tags = Object.entries(tags).map(([name, description]) => ({ name, description }))
  const { schemas } = document.components
  // The generator's own idea of errors, one schema for each code.
  for (const name of Object.keys(schemas)) if (name.startsWith('error.')) delete schemas[name]
  document.components.responses = Object.fromEntries(
    Object.entries(errors).map(([status, { name, description, answer }]) => [
      name,
      {
        description,
        ...(status === '429' || status === '503' ? { headers: { 'Retry-After': retryAfter } } : {}),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: answer } },
      },
    ]),
  )

  for (const [, procedure] of restProcedures(router)) {
    const meta = procedure._def.meta as RestMeta
    const { openapi, aliases = [] } = meta
    const method = openapi.method.toLowerCase()
    const operation = document.paths[openapi.path]![method]!
    complete(operation, meta)
    for (const { path, operationId } of aliases)
      (document.paths[path] ??= {})[method] = { ...operation, operationId }
  }
  document.paths = withOneNameForIds(document.paths)
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    for (const { content } of [operation.requestBody ?? {}, ...Object.values(operation.responses)]) {
      const json = content?.['application/json']
      if (json) json.example ??= exampleOf(json.schema, schemas)
    }
  }
  return withoutNoise(document)
}

/** What the generator does not know: the real statuses and errors, and who may call. */
function complete(operation: Operation, { openapi, status = 200, otherStatus, readsToken }: RestMeta): void {
  const { content } = operation.responses['200']!
  const listed = Array.isArray(openapi.errorResponses) ? openapi.errorResponses : []
  const isMemberOnly = openapi.protect !== false
  const usual = openapi.method === 'GET' ? 'What was asked for.' : 'Done.'
  operation.responses = {
    [status]: { description: openapi.successDescription ?? (status === 201 ? 'Created.' : usual), content },
    ...(otherStatus && { [otherStatus.status]: { description: otherStatus.description, content } }),
    ...errorResponses([
      ...(isMemberOnly ? [401] : []),
      ...(openapi.method === 'GET' ? [] : [413, 415]),
      ...listed,
      400,
      429,
      500,
      503,
    ]),
  }
  operation.security = isMemberOnly ? [{ bearer: [] }] : readsToken ? [{}, { bearer: [] }] : []
  if (operation.parameters?.length === 0) delete operation.parameters
  for (const parameter of operation.parameters ?? []) {
    if (parameter.schema.description) parameter.description = parameter.schema.description
  }
}

/**
 * A path and its methods share the names of its parameters, and a path that differs by such a name alone may not stand
 * twice: an id is `id` here, whatever the procedure calls it.
 */
function withOneNameForIds(paths: OpenApiDocument['paths']): OpenApiDocument['paths'] {
  const renamed: OpenApiDocument['paths'] = {}
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const parameters = operation.parameters?.map((parameter) =>
        parameter.in === 'path' && parameter.name === 'userId' ? { ...parameter, name: 'id' } : parameter,
      )
      ;(renamed[path.replace('{userId}', '{id}')] ??= {})[method] = {
        ...operation,
        ...(parameters ? { parameters } : {}),
      }
    }
  }
  return renamed
}

/** The first is right wherever this server is reached; the second is for who keeps a copy of the document. */
function serversOf(publicUrl: string): { url: string; description: string }[] {
  const isLocal = /^https?:\/\/(localhost|127\.|\[::1\])/.test(publicUrl)
  return [
    { url: '/', description: 'The host that this document comes from' },
    ...(isLocal ? [] : [{ url: publicUrl, description: 'The public address' }]),
  ]
}

/** A value of a schema, made of the examples of its parts; a property with an empty list of them is left out. */
function exampleOf(schema: Schema, schemas: Record<string, Schema>): unknown {
  const { example, examples, $ref, anyOf, properties, items, const: only, enum: values } = schema
  if (examples) return examples[0]
  if (example !== undefined) return example
  if ($ref) return exampleOf(schemas[$ref.split('/').at(-1)!]!, schemas)
  if (anyOf) return exampleOf(anyOf[0]!, schemas)
  if (items) return [exampleOf(items, schemas)]
  if (properties) {
    const shown = Object.entries(properties).filter(([, { examples }]) => examples?.length !== 0)
    return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property, schemas)]))
  }
  return only ?? values?.[0] ?? schema.default ?? schema.type === 'boolean'
}

/** A copy without what says nothing: the bounds of exact integers, empty lists of examples. */
function withoutNoise(document: OpenApiDocument): OpenApiDocument {
  const text = JSON.stringify(document, (key, value: unknown) => {
    const isBound =
      (key === 'minimum' || key === 'maximum') && Math.abs(value as number) === Number.MAX_SAFE_INTEGER
    const isEmpty = key === 'examples' && Array.isArray(value) && value.length === 0
    return isBound || isEmpty ? undefined : value
  })
  return JSON.parse(text) as OpenApiDocument
}

/** Every error that a call can answer. */
const errors: Record<number, { name: string; description: string; answer: ErrorAnswer }> = {
  400: {
    name: 'BadRequest',
    description: 'The request is not valid. Where fields are at fault, `issues` names them.',
    answer: {
      message: 'limit: Too big: expected number to be <=100',
      code: 'BAD_REQUEST',
      issues: [{ path: ['limit'], message: 'limit: Too big: expected number to be <=100' }],
    },
  },
  401: {
    name: 'Unauthorized',
    description: 'No token, or a dead one; at a login, a wrong email or password.',
    answer: { message: messages.pleaseLogIn, code: 'UNAUTHORIZED' },
  },
  403: {
    name: 'Forbidden',
    description: 'Not allowed to this member, or the password is wrong.',
    answer: { message: messages.reviewNotYours, code: 'FORBIDDEN' },
  },
  404: {
    name: 'NotFound',
    description: 'There is no such thing.',
    answer: { message: messages.notFound, code: 'NOT_FOUND' },
  },
  408: {
    name: 'RequestTimeout',
    description: 'The body paused for ten seconds, or did not arrive within thirty.',
    answer: { message: messages.uploadTooSlow, code: 'TIMEOUT' },
  },
  409: {
    name: 'Conflict',
    description: 'The username or the email is somebody else’s.',
    answer: { message: messages.usernameTaken, code: 'CONFLICT' },
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body is larger than allowed: 1 MB, a picture 5 MB.',
    answer: { message: messages.bodyTooLarge, code: 'PAYLOAD_TOO_LARGE' },
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not of the content type that is asked for.',
    answer: { message: messages.wrongContentType, code: 'UNSUPPORTED_MEDIA_TYPE' },
  },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests; `Retry-After` says when to come back.',
    answer: { message: messages.tooManyRequests, code: 'TOO_MANY_REQUESTS' },
  },
  500: {
    name: 'InternalServerError',
    description: 'Something went wrong here; `requestId` finds it in the log.',
    answer: {
      message: messages.somethingWentWrong,
      code: 'INTERNAL_SERVER_ERROR',
      requestId: '3f2b8c1e-5d4a-4f6b-9a7c-2e1d0c9b8a7f',
    },
  },
  502: {
    name: 'BadGateway',
    description: 'The outside source answered nonsense.',
    answer: { message: messages.searchFailed, code: 'BAD_GATEWAY' },
  },
  503: {
    name: 'ServiceUnavailable',
    description: 'Not available right now: an outside source, or this server while it is busy or stopping.',
    answer: { message: messages.busy, code: 'SERVICE_UNAVAILABLE' },
  },
}

const errorBody = z
  .object({
    message: z.string().meta({ description: 'For the reader.' }),
    code: z
      .enum([...Object.values(errors).map(({ answer }) => answer.code), 'TIMEOUT'])
      .meta({ description: 'For the program; tells the same as the status.' }),
    issues: z
      .array(
        z.object({
          path: z
            .array(z.union([z.string(), z.int()]))
            .meta({ description: 'The names that lead to the field; empty for the whole request.' }),
          message: z.string(),
        }),
      )
      .optional()
      .meta({ description: 'The fields at fault, with 400.' }),
    requestId: z
      .string()
      .optional()
      .meta({ description: 'With 500: finds the failure in the server’s log.' }),
  })
  .meta({ id: 'Error', description: 'Every error of every call.' })

const retryAfter = {
  description: 'Seconds until the next try can succeed.',
  required: true,
  schema: { type: 'integer', minimum: 1, example: 30 },
}

function errorResponses(statuses: number[]): Record<string, { $ref: string }> {
  const known = [...new Set(statuses)].sort((a, b) => a - b)
  return Object.fromEntries(
    known.map((status) => [status, { $ref: `#/components/responses/${errors[status]!.name}` }]),
  )
}

const up = z.object({ status: z.literal('ok') })

/** The calls that are no procedures. */
const pathsOfNoProcedure = {
  '/upload': {
    post: {
      operationId: 'uploadPicture',
      summary: 'Upload a picture',
      description:
        'JPG, PNG, GIF, WebP or AVIF, judged by its content; 5 MB, 25 megapixels (AVIF 12.5) and 16,384 pixels a side at most. It is re-encoded to WebP, which drops its metadata; an animation keeps its first frame. The `imageUrl` of the answer is what profiles and movies take. Its name ends with the width of the largest size; smaller ones of 160, 320, 640 and 1280 pixels stand beside it. What nothing refers to after a day is removed. No token is needed, since a sign-up may come with a picture; without one, a picture is kept 320 pixels wide at most, and removed after an hour unless an account takes it. A member can upload 200 pictures a day, or 100 MB as stored.',
      tags: ['Uploads'],
      security: [{}, { bearer: [] }],
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: z.object({ image: z.string().meta({ format: 'binary', description: 'The file.' }) }),
          },
        },
      },
      responses: {
        201: { description: 'Created.', content: { 'application/json': { schema: uploadAnswer } } },
        ...errorResponses([400, 408, 413, 415, 429, 500, 503]),
      },
    },
  },
  '/healthz': {
    get: {
      operationId: 'getHealth',
      summary: 'Whether the server runs',
      description: 'Touches nothing slow, and is never limited.',
      tags: ['Operations'],
      security: [],
      responses: {
        200: { description: 'It runs.', content: { 'application/json': { schema: up } } },
        ...errorResponses([400, 503]),
      },
    },
  },
  '/readyz': {
    get: {
      operationId: 'getReadiness',
      summary: 'Whether the database answers',
      tags: ['Operations'],
      security: [],
      responses: {
        200: { description: 'It answers.', content: { 'application/json': { schema: up } } },
        ...errorResponses([400, 429]),
        503: {
          description: 'It does not answer within a second, or the server is stopping.',
          content: {
            'application/json': {
              schema: z.union([z.object({ status: z.literal('unavailable') }), errorBody]),
            },
          },
        },
      },
    },
  },
} as never

const tags = {
  Accounts: 'Registration, the verification of emails, sessions, one’s own profile and password.',
  Movies: 'Movies: what is popular, one movie, how it is rated by all and by those whom the caller follows.',
  'TV shows': 'The same for TV shows.',
  Books: 'The same for books.',
  Games: 'The same for video games.',
  Items: 'The whole catalogue whatever the kind. An item has the id of its movie, TV show, book or game.',
  Reviews:
    'Ratings with or without a text, reactions and comments. A member has one review of a title; a rating alone is a review with a blank text: it counts, and is not listed.',
  Social: 'Who follows whom. Those whom the caller follows are the caller’s network.',
  Favorites: 'What members keep as favorites, kind by kind.',
  'Search and sync':
    'Searches here and at the outside sources (TMDB, Open Library, IGDB), and the calls that take a title over from there.',
  Uploads: 'Pictures.',
  Operations: 'For whoever watches over the server.',
}

const description = `A social catalogue of movies, TV shows, books and video games. Everything that the web app does goes through these calls.

**Data or page.** Some addresses are pages of the web app too. A \`GET\` whose \`Accept\` names \`text/html\`, and not JSON above it, gets the page; everything else gets the data. Send \`Accept: application/json\`, or none.

**Bodies** are JSON in UTF-8 (\`Content-Type: application/json\`), 1 MB at most; fields that are not documented are ignored. Answers are JSON. A \`GET\` can be asked as a \`HEAD\` too, but for \`/auth/verify-email\`.

**Tokens.** \`POST /auth/login\` answers a token; send it as \`Authorization: Bearer …\`. Where no token is needed, a dead one is the same as none.

**Errors** have the schema \`Error\`, whatever the call. An unknown address or method is 404; what is no valid HTTP is 400, too long headers are 431, a request that takes longer than 30 seconds to arrive is 408. Every answer carries \`X-Request-Id\`.

**Limits.** Calls are counted by address, and those of members by member; \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` tell how many are left. 429 comes with \`Retry-After\`. After a 5xx, try again once, a second later.

**Values.** Ids are positive integers. Times are ISO 8601 in UTC with milliseconds. Averages have four decimals, to be rounded by who shows them, and are null where nothing is rated. What is not known is null; lists are never null. Pictures are paths on this host, or https addresses of the outside source. Text is plain text, never HTML: trimmed, in Unicode NFC, without control characters but the line break, which is also how its length is counted.

**Lists.** \`limit\` is 1 to 100 and \`page\` counts from 1; outside that is 400.`

/** As much of OpenAPI as is made here. */
export type OpenApiDocument = {
  openapi: string
  info: Record<string, unknown>
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Answer> }
}
type Operation = {
  operationId: string
  summary: string
  parameters?: Parameter[]
  requestBody?: Answer
  responses: Record<string, Answer>
  security?: Record<string, string[]>[]
}
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema }
type Answer = {
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
