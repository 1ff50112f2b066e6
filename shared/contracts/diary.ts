import { z } from 'zod'
import * as exported from './exported.ts'
import * as limits from '#shared/domain/limits.ts'
import { type DiaryStatus, diaryStatuses, kindNames, perKind, progressUnits } from '#shared/domain/kinds.ts'
import { numberText } from '#shared/texts/formats.ts'
import { messages } from '#shared/texts/messages.ts'
import { halfCounts, starCounts } from './ratings.ts'
import { namesOneTitle, oneKey, titleKeys } from './reviews.ts'
import {
  count,
  cursor,
  id,
  idList,
  limit,
  message,
  nextCursor,
  person,
  rating,
  stars,
  text,
  time,
  titleCard,
} from './scalars.ts'
import { listVisibilities } from '#shared/domain/visibilities.ts'

const diaryStatus = z.enum(diaryStatuses).meta({
  description:
    '`started` and `paused` are in progress; `finished` and `dropped` are over; `want` is the want list.',
})

const diaryVisibility = z.enum(listVisibilities).exclude(['link']).meta({
  description: 'Who may read a diary besides its owner: nobody, the owner’s followers, or everyone.',
})
export type DiaryVisibility = z.infer<typeof diaryVisibility>

const kind = z.enum(kindNames)

export const writtenDay = z.iso
  .date(messages.dateInvalid)
  .refine((value) => value >= limits.diaryDateMin, messages.dateTooEarly)
  .meta({ maxLength: limits.diaryDateMin.length })

const givenDate = writtenDay
  .nullable()
  .optional()
  .meta({ description: '`YYYY-MM-DD`, in the member’s time zone.', example: '2026-05-04' })

const shownDate = z.string().nullable().meta({
  description: '`YYYY-MM-DD`, or `YYYY-MM` or `YYYY` if the exact date is unknown.',
  example: '2026-05-04',
})

/** Derived from the last step; see server/diary/rules.ts. */
const entryProgress = z
  .object({
    unit: z.enum(progressUnits).meta({ example: 'page' }),
    value: z.number().min(0).meta({ example: 120 }),
    total: z.int().nullable().meta({
      description: 'Of the title, in this unit; 100 for percent. Null if it is not known.',
      example: 412,
    }),
    percent: z.int().min(0).max(100).nullable().meta({
      description: 'Rounded down; null without a total.',
      example: 29,
    }),
  })
  .meta({ id: 'EntryProgress', description: 'How far a member is in a movie, a book or a game.' })
export type EntryProgress = z.infer<typeof entryProgress>

const entry = z
  .object({
    id,
    status: diaryStatus,
    startedOn: shownDate,
    finishedOn: shownDate.meta({ description: 'The day it was finished or dropped.' }),
    isAgain: z.boolean().meta({ description: 'Whether it was watched, read or played before.' }),
    createdAt: time,
    updatedAt: time,
    title: titleCard,
    runtime: z.int().nullable().meta({
      description: 'The runtime of a movie, or of an episode of a TV show, in minutes.',
      example: 136,
    }),
    pageCount: z.int().nullable().meta({ description: 'The number of pages of a book.', example: null }),
    rating: stars.nullable().meta({
      description: 'The member’s current rating of the title; null if there is none.',
      example: 4,
    }),
    progress: entryProgress.nullable().meta({
      description:
        'Of the last step of the entry; null without steps. The progress of a TV show are its plays.',
    }),
  })
  .meta({
    id: 'DiaryEntry',
    description: 'One time that a member watched, read or played a title, or wants to.',
  })

export const ownEntry = entry
  .extend({
    text: z.string().meta({ description: 'A private note.', example: 'With Ada, at the old cinema.' }),
    ratingGiven: z.string().nullable().meta({
      description: 'The rating at that time, on the scale of the service that it was imported from.',
      example: '4.5/5',
    }),
  })
  .meta({ id: 'OwnDiaryEntry', description: 'A diary entry with the fields that only its owner sees.' })

const diarySort = z.enum(['newest', 'release', 'average'])
export type DiarySort = z.infer<typeof diarySort>

const year = z
  .int()
  .min(Number(limits.diaryDateMin.slice(0, 4)))
  .max(9999)
  .meta({ example: 2026 })

const lengths = {
  maxMinutes: z.int().min(1).max(100_000).optional().meta({
    description: 'Only titles whose `runtime` is known and not longer, and those that `maxPages` allows.',
    examples: [],
  }),
  maxPages: z.int().min(1).max(100_000).optional().meta({
    description: 'Only titles whose `pageCount` is known and not larger, and those that `maxMinutes` allows.',
    examples: [],
  }),
}
export type MaxLength = { maxMinutes?: number | undefined; maxPages?: number | undefined }

const listing = {
  kind: kind.optional(),
  ...lengths,
  status: diaryStatus.optional(),
  year: year.optional().meta({ description: 'Only entries with a date in this year.' }),
  sort: diarySort.default('newest').meta({
    description:
      'Always descending. `newest` sorts by the last date of an entry; entries without a date come last, the last added first. `release` sorts by the release date of the title, `average` by its average rating.',
  }),
  limit: limit(limits.listPageSize),
  cursor: cursor.meta({
    description: 'The `nextCursor` of the previous page, with the same `sort`.',
    examples: [],
  }),
}
const page = <Entry extends z.ZodType>(one: Entry) =>
  z.object({
    entries: z.array(one),
    nextCursor,
  })

/** The sort, and the sort key and id of the last entry. */
export const diaryCursor = z.tuple([
  diarySort,
  z.union([z.string().regex(/^[\d-]{0,10}$/), z.int().min(0)]),
  id,
])

const onMyServices = z.boolean().optional().meta({
  description:
    'True: only movies and TV shows that a streaming service of the caller has in a subscription, free or with advertising, in the caller’s country (see `PATCH /users/me/providers`). Only titles whose offers are known count: those of want lists are refreshed about once a day.',
  examples: [],
})

export const listDiary = { input: z.object({ ...listing, onMyServices }), output: page(ownEntry) }
export const userDiary = { input: z.object({ id, ...listing }), output: page(entry) }
export type DiaryListing = Omit<z.output<typeof userDiary.input>, 'id'>

export const myDiary = {
  input: z.object(titleKeys).refine(namesOneTitle, { error: messages.oneTitle }),
  output: z.object({
    status: diaryStatus.nullable().meta({
      description:
        'The status of the entry in progress, otherwise of the newest one that is over, otherwise `want`; null without entries.',
    }),
    entries: z.array(ownEntry),
  }),
}

const percent = z.int().min(0).max(100).nullable().meta({
  description:
    'Of the aired episodes of a TV show, how many are played; of another title, what the last step says. Null without plays or steps, and without a known total.',
  example: 37,
})
export const diaryMarks = {
  input: z.object({ itemIds: idList(/[1-9]\d{0,14}/, '12,7') }),
  output: z.object({
    marks: z.array(z.object({ itemId: id, status: diaryStatus, percent })).meta({
      description: 'The current status of each title that has one, as in `GET /diary/mine`.',
    }),
  }),
}

export const pickWanted = {
  input: z.object({
    kind: kind.optional(),
    ...lengths,
    onMyServices,
    isRatedByNetwork: z.boolean().optional().meta({
      description: 'True: only titles that people whom the caller follows rated.',
    }),
    not: id.optional().meta({ description: 'The id of an entry that is not picked.', examples: [] }),
    seed: z.int().min(0).max(2_147_483_647).default(0).meta({
      description: 'A random number. Equal numbers pick the same entry of the same list.',
      example: 1_234,
    }),
  }),
  output: z.object({
    entry: ownEntry.nullable().meta({ description: 'Null if no title of the want list matches.' }),
    count: count.meta({
      description: `How many titles matched, of the newest ${numberText(limits.pickedFromMax)} of the want list.`,
    }),
  }),
}

const written = {
  startedOn: givenDate,
  finishedOn: givenDate,
  isAgain: z.boolean().optional().meta({ example: false }),
  text: text(limits.reviewTextMax).optional().meta({ example: 'With Ada, at the old cinema.' }),
}
export type DiaryWritten = z.output<z.ZodObject<typeof written>> & { status?: DiaryStatus | undefined }

const entryOutput = z.object({ entry: ownEntry })

export const createEntry = {
  input: z
    .object({ ...titleKeys, status: diaryStatus, ...written })
    .refine(namesOneTitle, { error: messages.oneTitle })
    .meta({
      description: `Exactly ${oneKey} is required.`,
      examples: [
        { movieId: 12, status: 'want' },
        { itemId: 12, status: 'finished', finishedOn: '2026-05-04' },
      ],
    }),
  output: entryOutput,
}

export const editEntry = {
  input: z.object({ id, status: diaryStatus.optional(), ...written }),
  output: entryOutput,
}
export const removeEntry = { input: z.object({ id }), output: message }

export const visibility = { output: z.object({ visibility: diaryVisibility }) }
export const setVisibility = {
  input: z.object({
    // Earlier versions called it `everyone`.
    visibility: z.preprocess(
      (value: DiaryVisibility | 'everyone') => (value === 'everyone' ? 'public' : value),
      diaryVisibility,
    ),
  }),
  output: visibility.output,
}

export const diaryAccess = {
  input: z.object({ id }),
  output: z.object({
    isVisible: z.boolean().meta({ description: 'Whether the caller may read the diary.' }),
  }),
}

const counts = perKind(() => count)
const dated = z.object({ date: z.string().meta({ example: '2026-05-04' }), title: titleCard }).nullable()

export const diaryYear = {
  input: z.object({ id, year }),
  output: z
    .object({
      year,
      total: count.meta({ description: 'Finished entries with a date in the year.' }),
      kinds: z.object(counts),
      months: z.array(z.object({ month: z.int().meta({ example: 5 }), ...counts })).meta({
        description: 'All twelve months. An entry whose date is only a year counts in none of them.',
      }),
      days: z
        .array(z.object({ date: z.string().meta({ example: '2026-05-04' }), count }))
        .meta({ description: 'The days with entries, oldest first.' }),
      minutes: count.meta({
        description: 'The minutes of the finished movies, as far as their runtimes are known.',
      }),
      pages: count.meta({
        description: 'The pages of the finished books, as far as they are known.',
      }),
      titles: z.array(titleCard).meta({
        description: `The titles in the order of their first dates, at most ${limits.yearTitlesMax}; those with a picture if there are more.`,
      }),
      ratings: starCounts.meta({
        description:
          'The member’s current ratings of these titles. A half counts in the bar above it: 3.5 in `4`.',
      }),
      halfRatings: halfCounts.meta({ description: 'The number of each of these ratings.' }),
      highestRated: z
        .array(z.object({ title: titleCard, rating }))
        .meta({ description: 'At most five titles.' }),
      genres: z
        .array(z.object({ name: z.string().meta({ example: 'Drama' }), count }))
        .meta({ description: 'The most common genres, at most five.' }),
      decades: z
        .array(z.object({ decade: z.int().meta({ example: 1990 }), count }))
        .meta({ description: 'The most common decades of release, at most five.' }),
      first: dated.meta({ description: 'The first entry with an exact date.' }),
      last: dated.meta({ description: 'The last entry with an exact date.' }),
      previousYear: year
        .nullable()
        .meta({ description: 'The nearest earlier year with a dated entry.', example: 2025 }),
      nextYear: year
        .nullable()
        .meta({ description: 'The nearest later year with a dated entry.', example: null }),
    })
    .meta({ id: 'DiaryYear' }),
}
export type DiaryYear = z.infer<typeof diaryYear.output>

export const yearTwin = {
  input: diaryYear.input,
  output: z.object({
    twin: z
      .object({
        user: person,
        commonCount: count.meta({ description: 'Titles that both finished in the year, of those compared.' }),
        titles: z.array(titleCard).meta({ description: 'At most five of these titles.' }),
      })
      .nullable()
      .meta({ description: 'Null if nobody has at least three of these titles.' }),
  }),
}

export const exportedEntry = z.object({
  ref: z.int().positive().meta({ description: 'Identifies the entry within the file.', example: 12 }),
  title: exported.titleRef,
  status: z.enum(diaryStatuses),
  startedOn: exported.date,
  finishedOn: exported.date,
  isAgain: z.boolean(),
  pass: count
    .nullable()
    .meta({ description: 'Of the plays of a TV show, those whose entry it is.', example: null }),
  ratingGiven: exported.ratingGiven,
  text: exported.text.meta({ description: 'The private note.' }),
  origin: z.string().nullable().meta({
    description: 'Identifies the entry at the service that it was imported from.',
    example: 'letterboxd:entry:aEh4eZ',
  }),
  createdAt: time,
  updatedAt: time,
})
