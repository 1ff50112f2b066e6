import { t } from '#shared/domain/message.ts'
import { z } from 'zod'
import { csvFields, importOrigins, servicesWith } from '#shared/domain/import-formats.ts'
import * as limits from '#shared/domain/limits.ts'
import { diaryStatuses, kindNames } from '#shared/domain/kinds.ts'
import { listVisibilities } from '#shared/domain/visibilities.ts'
import { anyOf } from '#shared/texts/formats.ts'
import { errorRefs } from './errors.ts'
import { count, id, rating, time, titleCard } from './scalars.ts'
import { importListStates, importStates } from '#shared/domain/import-states.ts'

const service = z.enum(importOrigins).meta({
  description:
    'The service that the file comes from; `csv` is any other file with a column of titles, `originals` a restoration of rounded ratings, which has no file.',
})

export const importParts = [
  'rating',
  'review',
  'partReviews',
  'entries',
  'episodes',
  'favorite',
  'lists',
] as const
export type ImportPart = (typeof importParts)[number]
export const partDiff = z.enum(['new', 'same', 'newer', 'conflict'])
export type PartDiff = z.infer<typeof partDiff>

const shelfTarget = z.enum([...diaryStatuses, 'skip'])
const shelves = z.record(z.string().max(200), shelfTarget).meta({
  description: 'The diary status of each shelf or status of the file that Medley does not know.',
  example: { abandoned: 'dropped' },
})

/** When an option changes, all titles are compared again. */
export const importOptions = z
  .object({
    halves: z.enum(['up', 'down']).meta({
      description:
        'Whether a rating exactly between two steps becomes the higher or the lower one: 4.25 of 5 with half stars, 4.5 of 5 without.',
    }),
    halfStars: z.boolean().meta({
      description:
        'Whether ratings become half stars, or else whole stars. Until it is sent, true if the file has halves.',
    }),
    conflicts: z.enum(['mine', 'file']).meta({
      description: 'What wins where the file differs from what the member wrote here.',
    }),
    missing: z.enum(['skip', 'create']).meta({
      description: 'Whether titles that are in no catalogue are created.',
    }),
    ratings: z.boolean(),
    reviews: z.boolean(),
    entries: z.boolean(),
    favorites: z.boolean(),
    follows: z.boolean().meta({
      description: 'Whether an export of this server restores whom the member followed. Nobody is notified.',
    }),
    lists: z.boolean().meta({
      description: 'Whether lists are created. Those that have the name of a list of the member add to it.',
    }),
    likes: z.boolean().meta({ description: 'Whether liked titles become favorites.' }),
    shelfLists: z.boolean().meta({ description: 'Whether the shelves of Goodreads become lists.' }),
    longTexts: z.enum(['cut', 'skip']).meta({
      description: 'Whether texts longer than 10,000 characters are cut or left out.',
    }),
    shows: z.enum(['started', 'finished']).meta({
      description: 'The diary status of TV shows of which some episodes were seen.',
    }),
    dates: z.enum(['auto', 'mdy', 'dmy']).meta({
      description: 'The order of day and month in dates such as 1/5/23.',
    }),
    kind: z.enum(kindNames).meta({ description: 'The kind of titles, if the file does not name it.' }),
    scale: z.int().min(2).max(100).meta({ description: 'The highest rating of the file.', example: 10 }),
    skipSources: z.boolean().meta({
      description:
        'Whether titles whose external source does not respond are treated as not found, instead of waiting.',
    }),
    shelves,
    columns: z.partialRecord(z.enum(csvFields), z.string().max(200)).meta({
      description:
        'The column of a CSV file that holds each field. `note` is private: it becomes the note of a diary entry.',
      example: { name: 'Title', rating: 'My rating' },
    }),
  })
  .meta({ id: 'ImportOptions' })
export type ImportOptions = z.infer<typeof importOptions>

export const defaultImportOptions: ImportOptions = {
  halves: 'up',
  halfStars: false,
  conflicts: 'mine',
  missing: 'skip',
  ratings: true,
  reviews: true,
  entries: true,
  favorites: true,
  follows: true,
  lists: true,
  likes: false,
  shelfLists: false,
  longTexts: 'cut',
  shows: 'started',
  dates: 'auto',
  kind: 'movie',
  scale: 5,
  skipSources: false,
  shelves: {},
  columns: {},
}

const unclearOptions = ['columns', 'scale'] as const
export type UnclearOption = (typeof unclearOptions)[number]

export const ratingGiven = z.string().meta({ description: 'A rating on its own scale.', example: '4.5/5' })

const importSummary = z
  .object({
    id,
    service,
    fileName: z.string().meta({ description: 'Empty without a file.', example: 'letterboxd-maria.zip' }),
    state: z.enum(importStates).meta({ example: 'done' }),
    total: count.meta({ description: 'The number of titles, or of steps of what is being done.' }),
    done: count.meta({ description: 'How many of `total` are done.' }),
    counts: z.record(z.string(), count).meta({
      description: 'The number of titles by state, and of lines that are `unreadable` or `repeated`.',
      example: { new: 412, ambiguous: 23, same: 5 },
    }),
    changes: count.meta({ description: 'The number of titles that applying the import adds to or changes.' }),
    createdAt: time,
    appliedAt: time.nullable(),
    undoneAt: time.nullable().meta({ example: null }),
  })
  .meta({ id: 'ImportSummary' })

const importDetail = importSummary
  .extend({
    parts: z
      .object({
        ratings: count,
        reviews: count,
        partReviews: count.meta({ description: 'Ratings and reviews of seasons and episodes.' }),
        entries: count,
        episodes: count.meta({ description: 'Episodes watched, each time of each.' }),
        favorites: count,
        listItems: count.meta({ description: 'Titles of lists.' }),
        titles: count,
        follows: count,
        lists: count,
        settings: count.meta({ description: '1 if the notification settings change.' }),
      })
      .meta({
        description: 'What applying the import adds or changes; afterwards, what it added or changed.',
      }),
    ratings: z
      .array(
        z.object({
          given: ratingGiven,
          stars: rating,
          isHalf: z.boolean().meta({
            description: 'Whether it is exactly between two steps, so that `halves` decides.',
            example: false,
          }),
          isRounded: z
            .boolean()
            .meta({ description: 'Whether the stars are another value.', example: false }),
          count,
        }),
      )
      .meta({ description: 'The ratings of the file and the stars that they become.' }),
    rounded: count.meta({
      description: 'Ratings that are rounded. The original is kept as `ratingGiven`.',
    }),
    halfStars: z.object({
      count: count.meta({
        description: 'Ratings that are a half, or would be with the option `halfStars`.',
      }),
      turnsOn: z.boolean().meta({
        description: 'Whether applying the import turns on half stars in the settings of the member.',
        example: true,
      }),
    }),
    withoutRating: count.meta({
      description: 'Reviews without a rating; their text is kept in the diary.',
    }),
    longTexts: count.meta({ description: 'Titles with a text that is longer than 10,000 characters.' }),
    unclearDates: count.meta({
      description:
        'Titles with a date such as 1/5/23 whose order of day and month no date of the file shows.',
    }),
    unknownEpisodes: count.meta({
      description:
        'Episodes and seasons of the file that the catalogue does not have. The notes of their titles name them.',
      example: 0,
    }),
    notKept: z.array(z.object({ what: z.string().meta({ example: 'comments' }), count })).meta({
      description: 'What the file contains and Medley does not import.',
    }),
    shelves: z.array(z.object({ name: z.string().meta({ example: 'to-buy' }), count })).meta({
      description: 'Shelves or statuses of the file that Medley does not know.',
    }),
    columns: z.array(z.string().meta({ example: 'Title' })).meta({
      description: 'The columns of a CSV file of an unknown service.',
    }),
    unclear: z.array(z.enum(unclearOptions)).meta({
      description:
        'The options that the file leaves open until the member chooses them: `columns` if no column of titles was recognized, `scale` if the highest rating is a guess.',
      example: ['scale'],
    }),
    missingKeys: z.array(z.string().meta({ example: 'TMDB' })).meta({
      description:
        'External sources that this server has no key for; their titles are looked up locally only.',
    }),
    waitingFor: z.string().nullable().meta({
      description:
        'The source that asked for a pause. While the import is paused for lack of space: `disk` if the server has none, `quota` if the caller’s imports have added too much in 24 hours or hold too much.',
      example: null,
    }),
    nextAt: time.nullable().meta({
      description: 'When the import resumes after a pause.',
      example: null,
    }),
    options: importOptions,
  })
  .meta({ id: 'Import' })
export type ImportDetail = z.infer<typeof importDetail>

export const importOutput = z.object({ import: importDetail })
const ofImport = z.object({ id })

export const listImports = { output: z.object({ imports: z.array(importSummary) }) }
export const getImport = { input: ofImport, output: importOutput }
export const importAction = { input: ofImport, output: importOutput }
const givenShelves = shelves
  .refine((given) => Object.keys(given).length <= limits.importShelvesMax, {
    error: t`shelves: must be at most ${limits.importShelvesMax}`,
  })
  .meta({ maxProperties: limits.importShelvesMax })

export const updateImport = {
  input: importOptions.partial().extend({ id, shelves: givenShelves.optional() }),
  output: importOutput,
}

export const originals = {
  output: z.object({
    count: count.meta({ description: 'The number of ratings that can be restored.' }),
    ratings: z
      .array(
        z.object({
          given: ratingGiven,
          from: rating.meta({ description: 'The whole stars.', example: 5 }),
          to: rating.meta({ description: 'The half that the original is.', example: 4.5 }),
          count,
        }),
      )
      .meta({ description: 'At most 500 kinds of them, the highest first.' }),
  }),
}
export const restoreOriginals = { output: importOutput }

export const listImportLists = {
  input: ofImport,
  output: z.object({
    lists: z.array(
      z.object({
        name: z.string().meta({ example: 'Films about distance' }),
        itemCount: count.meta({ description: 'The number of its titles in the file.' }),
        visibility: z.enum(listVisibilities).meta({
          description: 'Who may read the list if the import creates it.',
          example: 'private',
        }),
        state: z.enum(importListStates).meta({ example: 'new' }),
        listId: id.nullable().meta({ description: 'The list that it has become, or that was here already.' }),
      }),
    ),
  }),
}

export const previewUndo = {
  input: ofImport,
  output: z.object({
    removes: z.object({
      reviews: count,
      partReviews: count.meta({ description: 'Of seasons and episodes.' }),
      entries: count,
      episodes: count,
      favorites: count,
      listItems: count,
      titles: count,
      follows: count,
      lists: count,
    }),
    restores: count.meta({ description: 'The number of values that are restored.' }),
    keeps: z.array(z.object({ what: z.string().meta({ example: 'Review' }), title: titleCard })).meta({
      description: 'What stays because the member has changed it since; the first 100.',
    }),
    keepsCount: count,
    later: count.meta({
      description: 'What later imports have changed, which stays.',
    }),
    comments: count.meta({
      description: 'Comments and reactions by others that are removed with the reviews.',
    }),
  }),
}

/** Routes, not procedures, because their bodies are files. */
export const importPaths = {
  '/imports': {
    post: {
      operationId: 'createImport',
      summary: 'Upload a file to import',
      description:
        `An export of ${anyOf(servicesWith('zip'))} (zip), of ${anyOf(servicesWith('CSV'))} (CSV), ` +
        `of ${anyOf(servicesWith('JSON'))} (JSON), ` +
        'or any other CSV file with a column of titles; recognized by content. At most 32 MB and 100,000 lines. The lines are ' +
        'stored, the file is not. The server then looks the titles up, which does not change the member’s data. The import is then ' +
        '`ready` and shows what applying it would do. A member can have 3 imports that are not applied, and 50 ' +
        'in all; one more returns 409.',
      tags: ['Imports'],
      security: [{ bearer: [] }, { accessToken: [] }],
      'x-required-scope': 'imports',
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: z.object({ file: z.string().meta({ format: 'binary', description: 'The file.' }) }),
          },
        },
      },
      responses: {
        201: { description: 'Created.', content: { 'application/json': { schema: importOutput } } },
        ...errorRefs([400, 401, 403, 408, 409, 413, 415, 429, 500, 503]),
      },
    },
  },
  '/imports/{id}/report': {
    get: {
      operationId: 'getImportReport',
      summary: 'Download the lines of an import with their outcomes',
      description:
        'A CSV file in UTF-8. A cell that a spreadsheet would run as a formula, or that begins with an apostrophe, has an apostrophe before it.',
      tags: ['Imports'],
      security: [{ bearer: [] }, { accessToken: [] }],
      'x-required-scope': 'read',
      requestParams: { path: ofImport },
      responses: {
        200: {
          description: 'OK.',
          content: {
            'text/csv': {
              schema: z.string(),
              example: 'File,Line,Name,Outcome,Title,Note\r\nratings.csv,2,The Long Way,taken,12,\r\n',
            },
          },
        },
        ...errorRefs([400, 401, 403, 404, 429, 500, 503]),
      },
    },
  },
}

export const exportedImport = z.object({
  service: z.enum(importOrigins),
  fileName: z.string().meta({ example: 'goodreads_library_export.csv' }),
  createdAt: time,
  appliedAt: time.nullable(),
  lines: z
    .array(
      z.object({
        file: z.string().meta({ example: 'comments.csv' }),
        line: z.int().meta({ example: 7 }),
        raw: z.record(z.string(), z.string()).meta({
          description: 'The columns of the line, by name.',
          example: { Name: 'The Long Way' },
        }),
      }),
    )
    .meta({ description: 'Lines of the file that Medley does not import, such as comments.' }),
})
