import { z } from 'zod'
import { errorRefs } from './errors.ts'
import { importServices } from './import-formats.ts'
import { listVisibilities } from './lists.ts'
import { diaryStatuses, idSources, kindNames } from './media.ts'
import { notificationSettings } from './notifications.ts'
import { reportTargets } from './moderation.ts'
import { byFlag } from './review-flags.ts'
import { id, time } from './scalars.ts'

/** The version of `medley.json`. It increases with every change that breaks readers of the previous version. */
export const exportVersion = 1

export const exportFormats = ['zip', 'json'] as const

const titleRef = z.int().positive().meta({ description: 'The `ref` of a title of this file.', example: 12 })
const name = z.string().meta({ example: 'lantern_moth' })
const ratingGiven = z.string().nullable().meta({
  description: 'The rating on the scale of the service that it was imported from.',
  example: '4.5/5',
})
const date = z.string().nullable().meta({
  description: '`YYYY-MM-DD`, or `YYYY-MM` or `YYYY` if the exact date is unknown.',
  example: '2026-05-04',
})
const text = z.string().meta({ example: 'Stays with you.' })

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

const exportedReview = z.object({
  title: titleRef,
  rating: z.int().min(1).max(5).meta({ description: 'Stars.', example: 4 }),
  ratingGiven,
  text: text.meta({ description: 'Blank if the member only rated.' }),
  ...byFlag(() => z.boolean()),
  createdAt: time,
  updatedAt: time,
  ratedAt: time,
})

const exportedEntry = z.object({
  title: titleRef,
  status: z.enum(diaryStatuses),
  startedOn: date,
  finishedOn: date,
  isAgain: z.boolean(),
  ratingGiven,
  text: text.meta({ description: 'The private note.' }),
  origin: z.string().nullable().meta({
    description: 'Identifies the entry at the service that it was imported from.',
    example: 'letterboxd:entry:aEh4eZ',
  }),
  createdAt: time,
  updatedAt: time,
})

const exportedList = z.object({
  ref: z.int().positive().meta({
    description: 'Identifies the list within this file; on the instance that wrote the file, its id.',
    example: 3,
  }),
  name: z.string().meta({ example: 'Films about distance' }),
  description: text,
  isRanked: z.boolean().meta({ description: 'Whether the order is a ranking.' }),
  visibility: z.enum(listVisibilities),
  tags: z.array(z.string()).meta({ example: ['space'] }),
  createdAt: time,
  updatedAt: time,
})

const exportedListItem = z.object({
  list: z.int().positive().meta({ description: 'The `ref` of a list of this file.', example: 3 }),
  listName: z.string().meta({ description: 'The name of the list.', example: 'Films about distance' }),
  title: titleRef,
  note: text,
  addedAt: time,
})

const listOfOther = z.object({
  id: z.int().positive().meta({ description: 'The id on the server that wrote the file.', example: 3 }),
  name: z.string().meta({ example: 'Films about distance' }),
  owner: name,
  createdAt: time,
})

const authorOfReview = name.nullable().meta({
  description: 'The author of the review; null if the member can no longer see what they write.',
})

/** A member whom the member has blocked, muted or asked to follow. */
const otherMember = z.object({
  username: name,
  id: z
    .int()
    .positive()
    .meta({ description: 'The id of the member on the server that wrote the file.', example: 7 }),
  createdAt: time,
})

const exportedImport = z.object({
  service: z.enum(importServices),
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

/** `medley.json`, which `GET /export` returns and an import reads. */
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
      username: name,
      createdAt: time,
      bio: text.optional().meta({ description: 'What the member says about themselves.' }),
    }),
    notificationSettings: notificationSettings.output
      .optional()
      .meta({ description: 'Missing if the member has not changed them.' }),
    titles: z.array(exportedTitle).meta({ description: 'Every title that another part refers to.' }),
    reviews: z.array(exportedReview).meta({ description: 'Ratings, with or without a text.' }),
    diary: z.array(exportedEntry),
    favorites: z.array(
      z.object({
        title: titleRef,
        createdAt: time,
        place: z.int().optional().meta({
          description: 'The highest comes first; 0 if the member has not put it in order.',
          example: 0,
        }),
      }),
    ),
    lists: z.array(exportedList),
    listItems: z.array(exportedListItem).meta({ description: 'The titles of the lists, in order.' }),
    likedLists: z.array(listOfOther).meta({ description: 'Lists of other members, and own ones.' }),
    followedLists: z.array(listOfOther),
    editedLists: z.array(listOfOther).meta({ description: 'Lists of others that the member edits.' }),
    followRequests: z.array(otherMember).meta({ description: 'Requests to follow private members.' }),
    blocked: z.array(otherMember),
    muted: z.array(otherMember),
    following: z.array(
      z.object({
        username: name,
        id: z
          .int()
          .optional()
          .meta({ description: 'The id of the member on the server that wrote the file.', example: 7 }),
        createdAt: time,
      }),
    ),
    reactions: z
      .array(
        z.object({
          title: titleRef,
          author: authorOfReview,
          reaction: z.enum(['like', 'dislike']),
        }),
      )
      .meta({ description: 'Reactions to the reviews of other members.' }),
    comments: z
      .array(
        z.object({
          title: titleRef,
          author: authorOfReview,
          text,
          hasSpoilers: z.boolean(),
          createdAt: time,
        }),
      )
      .meta({ description: 'Comments on reviews.' }),
    reports: z
      .array(
        z.object({
          target: z.enum(reportTargets),
          targetId: z.int(),
          category: z.string().meta({ example: 'spam' }),
          comment: z.string().meta({ example: '' }),
          createdAt: time,
          outcome: z.string().nullable().meta({ example: 'handled' }),
        }),
      )
      .meta({ description: 'What the member has reported.' }),
    decisions: z
      .array(
        z.object({
          action: z.string().meta({ example: 'remove' }),
          text: text.meta({ description: 'The text that it is about.' }),
          reason: z.string().meta({ example: 'Advertises a shop.' }),
          createdAt: time,
          endedAt: time.nullable(),
          appeal: z.string().nullable().meta({ example: null }),
          answer: z.string().nullable().meta({ example: null }),
        }),
      )
      .meta({ description: 'Decisions of moderators about the member.' }),
    imports: z.array(exportedImport),
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
  },
}

/** The exports in the API document; they are routes, not procedures, because their responses are streams. */
export const exportPaths = {
  '/export': {
    get: {
      operationId: 'exportData',
      summary: 'Download all data of the caller',
      description:
        'Ratings, reviews, diary, favorites, lists, follows, reactions, comments and the unused lines of imports. `zip` contains ' +
        '`medley.json`, the same as CSV, and files that Letterboxd and Goodreads import; `json` is `medley.json` alone. ' +
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
