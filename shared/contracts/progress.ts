import { z } from 'zod'
import * as exported from './exported.ts'
import * as limits from '#shared/domain/limits.ts'
import { diaryStatuses, type Kind, kindNames } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { average } from './ratings.ts'
import { count, cursor, id, idList, limit, message, nextCursor, stars, time, titleCard } from './scalars.ts'

const partNumber = z.int().min(0).max(limits.partNumberMax)
const seasonNumber = partNumber.meta({ description: 'The number of a season; 0 are specials.', example: 1 })
const airDate = z.string().nullable().meta({
  description: '`YYYY-MM-DD`, or `YYYY-MM` or `YYYY` if the exact date is unknown.',
  example: '2026-05-04',
})
const name = z.string().meta({ description: 'Blank if it is unknown.', example: 'The Ferry' })

const plain = z
  .object({
    id,
    season: seasonNumber,
    number: count.meta({ description: 'Within the season.', example: 3 }),
    name,
    airDate,
    airsAt: time.nullable().meta({ description: 'The exact time, if it is known.' }),
    runtime: z.int().nullable().meta({ description: 'In minutes.', example: 42 }),
  })
  .meta({ id: 'Episode', description: 'An episode of a TV show.' })
export type Episode = z.infer<typeof plain>

const watchedOn = z.string().nullable().meta({
  description: '`YYYY-MM-DD`, or `YYYY-MM` or `YYYY`; null if the day is unknown.',
  example: '2026-05-04',
})

const isAired = z.boolean().meta({
  description:
    'Whether `airsAt` has passed, or the day has begun in the time zone of the caller’s notification settings. An episode without a date has aired if a later one has.',
})
export const airedEpisode = plain.extend({ isAired }).meta({ id: 'AiredEpisode' })

const rated = {
  avg: average.meta({ description: 'Of all ratings of it, in stars; null without ratings.' }),
  count: count.meta({ description: 'The number of its ratings.', example: 12 }),
}
const ownRating = stars.nullable().meta({ description: 'The caller’s; null without one.', example: 4.5 })

const episode = plain
  .extend({
    isAired,
    ...rated,
    mine: z
      .object({
        isPlayed: z.boolean().meta({ description: 'In the newest pass.' }),
        playCount: count.meta({ description: 'In all passes.', example: 1 }),
        watchedOn: watchedOn.meta({ description: 'Of the last play.' }),
        rating: ownRating,
      })
      .nullable()
      .meta({ description: 'What the caller watched and rated; null for a visitor.' }),
  })
  .meta({ id: 'ShownEpisode', description: 'An episode, with what the caller watched and rated.' })
export type ShownEpisode = z.infer<typeof episode>

const season = z
  .object({
    id,
    number: seasonNumber,
    name,
    airDate,
    episodeCount: count.meta({ example: 10 }),
    airedCount: count.meta({ example: 8 }),
    ...rated,
    mine: z
      .object({
        playedCount: count.meta({ description: 'Episodes played in the newest pass.', example: 3 }),
        status: z.enum(['none', 'started', 'finished']),
        rating: ownRating,
      })
      .nullable()
      .meta({ description: 'What the caller watched and rated; null for a visitor.' }),
  })
  .meta({ id: 'Season', description: 'A season of a TV show.' })
export type Season = z.infer<typeof season>

const progress = z
  .object({
    status: z.enum(diaryStatuses).nullable().meta({
      description:
        'Of the newest pass: `finished` if each episode of each season that has begun is played. Without plays, the status in the diary.',
    }),
    pass: count.meta({ description: 'The number of the newest pass; 0 without plays.', example: 1 }),
    playedCount: count.meta({
      description: 'Episodes played in the newest pass, without specials.',
      example: 3,
    }),
    airedCount: count.meta({ description: 'Without specials.', example: 8 }),
    episodeCount: count.meta({ description: 'Without specials.', example: 10 }),
    percent: z
      .int()
      .min(0)
      .max(100)
      .meta({ description: 'Of the aired episodes, how many are played, rounded down.', example: 37 }),
    next: plain.nullable().meta({
      description:
        'The first aired episode after the furthest played one, otherwise the first that was skipped.',
    }),
    newSeason: z.int().nullable().meta({
      description: 'The number of a season that began after the caller had finished all earlier ones.',
      example: null,
    }),
  })
  .meta({ id: 'Progress', description: 'How far the caller is in a TV show.' })
export type Progress = z.infer<typeof progress>

export const listUpNext = {
  input: z.object({ limit: limit(limits.upNextPageSize), cursor }),
  output: z.object({
    entries: z.array(
      z
        .object({
          title: titleCard,
          episode: plain,
          progress,
          leftCount: count.meta({
            description: 'Aired episodes that are not played, without specials.',
            example: 5,
          }),
          newSeason: progress.shape.newSeason,
        })
        .meta({ id: 'UpNextEntry' }),
    ),
    nextCursor,
  }),
}
/** The last activity, and the entry of the diary. */
export const upNextCursor = z.tuple([z.string(), id])

const calendarDay = z.iso
  .date(messages.dateInvalid)
  .refine((value) => value >= limits.diaryDateMin, messages.dateTooEarly)
  .meta({ maxLength: limits.diaryDateMin.length })
const calendarStatuses = ['want', 'started', 'paused', 'finished'] as const

const calendarFilters = {
  kind: z.enum(kindNames).optional().meta({ description: 'Only titles of this kind.', examples: [] }),
  status: z
    .enum(calendarStatuses)
    .optional()
    .meta({ description: 'Only titles with this status.', examples: [] }),
}
export const listCalendar = {
  input: z.object({
    from: calendarDay.optional().meta({
      description: 'By default the current day in the time zone of the caller’s notification settings.',
      example: '2026-05-04',
    }),
    to: calendarDay
      .optional()
      .meta({ description: 'By default 30 days after `from`.', example: '2026-06-03' }),
    ...calendarFilters,
  }),
  output: z.object({
    entries: z
      .array(
        z
          .object({
            date: z.string().meta({
              description: 'In the time zone of the caller’s notification settings, if the time is known.',
              example: '2026-05-04',
            }),
            airsAt: time.nullable().meta({ description: 'The exact time, if it is known.' }),
            title: titleCard,
            episode: plain.nullable().meta({ description: 'Null for the release of another title.' }),
            isPlayed: z.boolean().meta({ description: 'In the newest pass.' }),
            status: z.enum(calendarStatuses).meta({ example: 'started' }),
          })
          .meta({ id: 'CalendarEntry' }),
      )
      .meta({ description: `In the order of their dates; at most the first ${limits.calendarMax}.` }),
  }),
}
export type CalendarEntry = z.output<typeof listCalendar.output>['entries'][number]
export type CalendarFilters = {
  kind?: Kind | undefined
  status?: CalendarEntry['status'] | undefined
}

export const getCalendarLink = {
  output: z.object({
    createdAt: time.nullable().meta({ description: 'Null if the caller has no link.' }),
  }),
}
export const createCalendarLink = {
  output: z.object({
    url: z.string().meta({
      description: 'For calendar apps. The server does not return it again.',
      example: 'https://medley.example/calendar/Vq5WmJ0hTz1bqL0y3GkS8c2uYdR7nXfE4pA6iKjHoZs.ics',
    }),
  }),
}
export const removeCalendarLink = { output: message }

/** The query of the file. */
export const calendarFile = z.object({ secret: z.string(), ...calendarFilters })

const batchTypes = ['mark', 'unmark', 'import', 'player'] as const
export type BatchType = (typeof batchTypes)[number]
const playSource = z.string().meta({
  description: '`member`, or the service of an import.',
  example: 'member',
})

const episodeSource = z.string().nullable().meta({
  description:
    'The source of the episodes, such as `tmdb`, `tvmaze` or `starter`; null without episodes. Whoever shows episodes of `tvmaze` must name and link it, and their license, CC BY-SA 4.0.',
  example: 'tvmaze',
})

const shownProgress = progress.nullable().meta({ description: 'Null for a visitor.' })

export const listSeasons = {
  input: z.object({ id }),
  output: z.object({ seasons: z.array(season), progress: shownProgress, source: episodeSource }),
}

export const getSeason = {
  input: z.object({ id, number: seasonNumber }),
  output: z.object({ season, episodes: z.array(episode) }),
}

export const getEpisode = {
  input: z.object({ id }),
  output: z.object({
    episode,
    title: titleCard,
    isGone: z.boolean().meta({
      description:
        'Whether the source does not have it any longer. It does not count then, and can be neither marked nor newly reviewed.',
      example: false,
    }),
    previousId: id
      .nullable()
      .meta({ description: 'The episode before, also of another season; null for the first.' }),
    nextId: id.nullable().meta({ example: 13 }),
    source: episodeSource,
  }),
}

const givenDay = z
  .union([
    z.enum(['now', 'airDate', 'unknown']),
    z.iso
      .date(messages.dateInvalid)
      .refine((value) => value >= limits.diaryDateMin, messages.dateTooEarly)
      .meta({ maxLength: limits.diaryDateMin.length }),
  ])
  .meta({
    description:
      '`YYYY-MM-DD`, not in the future; `now`: the current day in the time zone of the member; `airDate`: the day on which each episode aired; `unknown`.',
    example: 'now',
  })

const oneSelector = (keys: readonly string[]) => (input: object) =>
  keys.filter((key) => (input as Record<string, unknown>)[key] !== undefined).length === 1

const passNumber = z.int().min(1).max(limits.passesMax)

export const setProgress = {
  input: z
    .object({
      id,
      episodeIds: z.array(id).min(1).max(limits.markedMax).optional().meta({ examples: [] }),
      upTo: id.optional().meta({
        description: 'All episodes up to this one, without specials; or one special.',
        examples: [],
      }),
      season: seasonNumber.optional(),
      watchedOn: givenDay.default('now'),
      again: z.boolean().optional().meta({ description: 'Begins a new pass.', examples: [] }),
      pass: passNumber.optional().meta({
        description: 'A pass that exists, or the next one. Repeating the call then changes nothing.',
        examples: [],
      }),
    })
    .refine(oneSelector(['episodeIds', 'upTo', 'season']), { error: messages.oneSelector })
    .refine((input) => input.again === undefined || input.pass === undefined, {
      error: messages.passOrAgain,
    }),
  output: z.object({
    progress,
    batch: z
      .object({
        id,
        addedCount: count.meta({ example: 3 }),
        skippedCount: count.meta({ description: 'Played before in this pass, or not aired.', example: 0 }),
      })
      .nullable()
      .meta({ description: 'Null if nothing was added.' }),
  }),
}

export const unsetProgress = {
  input: z
    .object({
      id,
      episodeIds: idList(/[1-9]\d{0,14}/, '12,13')
        .optional()
        .meta({ examples: [] }),
      season: seasonNumber.optional(),
      pass: passNumber.optional().meta({ description: 'All plays of this pass.', examples: [] }),
    })
    .refine(oneSelector(['episodeIds', 'season', 'pass']), { error: messages.oneSelector }),
  output: z.object({
    removedCount: count.meta({ example: 3 }),
    progress,
    batchId: id
      .nullable()
      .meta({ description: 'Its undo brings the plays back. Null if nothing was removed.' }),
  }),
}

const play = z
  .object({
    id,
    title: titleCard,
    episode: plain,
    pass: count.meta({ example: 1 }),
    watchedOn,
    source: playSource,
    batch: id.nullable().meta({ description: 'The batch that added it.' }),
  })
  .meta({ id: 'Play', description: 'An episode that a member watched.' })
export type Play = z.infer<typeof play>

export const listPlays = {
  input: z.object({ id, limit: limit(limits.listPageSize), cursor }),
  output: z.object({ plays: z.array(play), nextCursor }),
}
export const idCursor = z.tuple([id])
export const editPlay = { input: z.object({ id, watchedOn: givenDay }), output: z.object({ play }) }
/** The day, blank if it is unknown, and the play. */
export const playCursor = z.tuple([z.string().regex(/^[\d-]{0,10}$/), id])
export const removePlay = { input: z.object({ id }), output: z.object({ progress }) }

export const exportedPlay = z.object({
  title: exported.titleRef,
  season: seasonNumber,
  episode: count.meta({ description: 'The number of the episode within its season.', example: 3 }),
  episodeId: z.string().nullable().meta({
    description: 'The id of the episode at a source.',
    example: 'tmdb:62085',
  }),
  pass: count.meta({ description: '1 for the first time.', example: 1 }),
  watchedOn,
  watchedAt: time.nullable().meta({ description: 'Null unless it was marked when it was watched.' }),
  source: playSource,
  origin: z.string().nullable().meta({
    description: 'Identifies the play at the service that it was imported from.',
    example: null,
  }),
  createdAt: time,
})

const batch = z
  .object({
    id,
    type: z.enum(batchTypes).meta({ example: 'mark' }),
    source: playSource,
    count: count.meta({ description: 'Plays that it added or removed.', example: 10 }),
    importId: id.nullable().meta({ example: null }),
    createdAt: time,
    undoneAt: time.nullable(),
  })
  .meta({ id: 'Batch', description: 'What one call or import did with plays.' })
export type Batch = z.infer<typeof batch>
export const changedBatch = batch

export const listBatches = {
  input: z.object({ limit: limit(limits.listPageSize), cursor }),
  output: z.object({ batches: z.array(batch), nextCursor }),
}
export const getBatch = { input: z.object({ id }), output: z.object({ batch }) }
