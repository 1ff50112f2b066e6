import { z } from 'zod'
import { errorRefs } from './errors.ts'
import * as exported from './exported.ts'
import { exportParts } from './features.ts'
import { exportServices } from '#shared/domain/export-formats.ts'
import { idSources, kindNames } from '#shared/domain/kinds.ts'
import { notificationSettings } from './notifications.ts'
import { languageSettings } from './languages.ts'
import { watchSettings } from './offers.ts'
import { halfStars, id, time } from './scalars.ts'

/** Increases with every change that breaks readers of the previous version. */
export const exportVersion = 1

export const exportFormats = ['zip', 'json', ...exportServices] as const

const exportedTitle = z.object({
  ref: z.int().positive().meta({
    description: 'Identifies the title within this file; on the instance that wrote the file, its id.',
    example: 12,
  }),
  kind: z.enum(kindNames),
  name: z.string().meta({ example: 'The Long Way' }),
  year: z.int().nullable().meta({ description: 'The year of release.', example: 1999 }),
  creators: z
    .array(z.string())
    .meta({ description: 'Directors, creators, authors or developers, by kind.', example: ['Ada Doe'] }),
  ids: z.array(
    z.object({
      source: z.enum(idSources),
      id: z.string().meta({ example: '603' }),
    }),
  ),
  createdHere: z.boolean().optional().meta({
    description: 'True if a member of the instance created the title: no external source knows it.',
    examples: [],
  }),
})

/** `GET /export` returns it and an import reads it. */
export const exportFile = z
  .object({
    format: z.literal('medley'),
    version: z.literal(exportVersion),
    exportedAt: time,
    instance: z.string().meta({
      description: 'The public URL of the server that wrote the file.',
      example: 'https://medley.example',
    }),
    member: z.object({
      username: exported.username,
      createdAt: time,
      bio: exported.text.optional().meta({ description: 'What the member says about themselves.' }),
      halfStars: halfStars.optional(),
      languageSettings: languageSettings.optional(),
      watchSettings: watchSettings
        .optional()
        .meta({ description: 'The country and the streaming services of the member.' }),
    }),
    notificationSettings: notificationSettings.output
      .optional()
      .meta({ description: 'Missing if the member has not changed them.' }),
    titles: z.array(exportedTitle).meta({ description: 'Every title that another part refers to.' }),
    ...exportParts(),
  })
  .meta({ id: 'Export', description: 'All data of a member.' })
export type ExportFile = z.infer<typeof exportFile>

const query = z.object({ format: z.enum(exportFormats).default('zip').meta({ example: 'json' }) })
const download = {
  description: 'The download, as an attachment.',
  content: {
    'application/zip': {
      schema: z.string().meta({ format: 'binary', description: 'The zip.' }),
    },
    'application/json': { schema: exportFile },
    'text/csv': {
      schema: z.string().meta({ description: 'The file for a service.' }),
      example:
        'Const,Your Rating,Date Rated,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,Release Date,Directors\r\n' +
        'tt0137523,9,2026-01-04,The Long Way,The Long Way,https://www.imdb.com/title/tt0137523,Movie,,,1999,,,,Ada Doe\r\n',
    },
  },
}

/** Routes, not procedures, because their responses are streams. */
export const exportPaths = {
  '/export': {
    get: {
      operationId: 'exportData',
      summary: 'Download all data of the caller',
      description:
        'Everything that the caller has written or set, and the unused lines of imports. `zip` contains ' +
        '`medley.json`, the same as CSV, and files for other services; `json` is `medley.json` alone; the name of a service ' +
        'is the file for it alone: CSV, and a zip for Trakt. An import reads each of them. ' +
        '`/docs/export` describes the files, `/docs/export-1.schema.json` is the JSON Schema of `medley.json`. Does not contain ' +
        'the email, the password or sessions. Not a snapshot: changes during the download may be missing. One download ' +
        'at a time per member, and 10 an hour (429).',
      tags: ['Accounts'],
      security: [{ bearer: [] }, { accessToken: [] }],
      'x-required-scope': 'read',
      requestParams: { query },
      responses: { 200: download, ...errorRefs([400, 401, 403, 429, 500, 503]) },
    },
  },
  '/admin/members/{id}/export': {
    get: {
      operationId: 'exportMember',
      summary: 'Download all data of a member',
      description:
        'What the member downloads with `GET /export`, for a legal request. The audit log records each download.',
      tags: ['Administration'],
      security: [{ bearer: [] }, { accessToken: [] }],
      'x-required-scope': 'admin',
      requestParams: { path: z.object({ id }), query },
      responses: { 200: download, ...errorRefs([400, 401, 403, 404, 429, 500, 503]) },
    },
  },
}
