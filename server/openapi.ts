import { generateOpenApiDocument } from 'trpc-to-openapi'
import { z } from 'zod'
import { uploadAnswer } from '#shared/uploads.ts'
import { restProcedures } from './rest.ts'
import type { AppRouter } from './router.ts'
import type { Meta } from './trpc.ts'

const errorBody = z
  .object({
    message: z.string(),
    code: z.string(),
    issues: z
      .array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))
      .optional(),
    requestId: z.string().optional(),
  })
  .meta({ id: 'Error', description: 'Every error of every call.' })

type Operation = {
  operationId: string
  responses: Record<string, { description: string; content?: object; headers?: object }>
  security?: unknown[]
  parameters?: { in: string }[]
}

const errorWords: Record<number, string> = {
  400: 'The request is not valid; `issues` names the fields.',
  401: 'No token, or a dead one.',
  403: 'Not allowed to this member.',
  404: 'There is no such thing.',
  409: 'Taken.',
  413: 'Larger than allowed.',
  415: 'Not the content type that is asked for.',
  429: 'Too many requests; `Retry-After` says when to come back.',
  502: 'The outside source answered nonsense.',
  503: 'Not available right now: an outside source, or this server under load.',
  500: 'Something went wrong here; `requestId` finds it in the log.',
}

/** The OpenAPI 3.1 document of everything the REST door answers. */
export function openApiDocument(router: AppRouter, baseUrl: string) {
  const document = generateOpenApiDocument(router, {
    title: 'Medley',
    description: description,
    version: '1.0.0',
    openApiVersion: '3.1.0',
    baseUrl,
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'The `token` of POST /auth/login.' },
    },
    defs: { Error: errorBody },
    license: { name: 'MIT', identifier: 'MIT' } as never,
    tags: [
      'Accounts',
      'Movies',
      'TV shows',
      'Books',
      'Games',
      'Items',
      'Reviews',
      'Social',
      'Favorites',
      'Search and sync',
      'Uploads',
      'Operations',
    ],
  }) as unknown as { paths: Record<string, Record<string, Operation>> }

  const error = (status: number) => ({
    description: errorWords[status]!,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    ...(status === 429
      ? { headers: { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds.' } } }
      : {}),
  })
  const withErrors = (statuses: number[]) =>
    Object.fromEntries(statuses.map((status) => [status, error(status)]))

  for (const [, procedure] of restProcedures(router)) {
    const {
      openapi,
      aliases = [],
      status = 200,
    } = procedure._def.meta as Meta & { openapi: NonNullable<Meta['openapi']> }
    const operation = document.paths[openapi.path]![openapi.method.toLowerCase()]!
    const success = operation.responses['200']!
    const listed = Array.isArray(openapi.errorResponses) ? openapi.errorResponses : []
    const isMemberOnly = openapi.protect !== false
    operation.responses = {
      [status]: {
        ...success,
        description: openapi.successDescription ?? (status === 201 ? 'Created.' : 'Done.'),
      },
      ...withErrors([...new Set([400, ...(isMemberOnly ? [401] : []), ...listed, 429, 500])].sort()),
    }
    // No token is needed, and one is understood.
    if (!isMemberOnly) operation.security = [{}, { bearer: [] }]
    for (const [index, alias] of aliases.entries()) {
      const path = (document.paths[alias] ??= {})
      path[openapi.method.toLowerCase()] = {
        ...operation,
        operationId: `${operation.operationId}-${index + 2}`,
      }
    }
  }

  document.paths['/upload'] = {
    post: {
      operationId: 'upload',
      summary: 'Upload a picture',
      description:
        'JPG, PNG, GIF, WebP or AVIF by content, 5 MB at most. It is re-encoded to WebP, which drops its metadata; an animated picture keeps its first frame. What nothing refers to after a day is removed.',
      tags: ['Uploads'],
      security: [{}, { bearer: [] }],
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              required: ['image'],
              properties: { image: { type: 'string', format: 'binary' } },
            },
          },
        },
      },
      responses: {
        201: {
          description:
            'Created. The address is a path on this host and ends with the width of its largest size; the smaller ones of 160, 320, 640 and 1280 pixels stand beside it.',
          content: { 'application/json': { schema: z.toJSONSchema(uploadAnswer) } },
        },
        ...withErrors([400, 413, 415, 429, 500]),
      },
    } as never,
  }
  return document
}

const description = `A social catalogue of movies, TV shows, books and games.

Send \`Accept: application/json\` (or none): some addresses are pages of the web app for a browser that asks for \`text/html\`.
Times are ISO 8601 in UTC. Ids are positive integers. Addresses of pictures are paths on this host, or https addresses of the outside source.
Reads that need no token understand one: a dead token there is the same as none.`
