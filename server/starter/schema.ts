import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Kind, kinds } from '#shared/domain/kinds.ts'

const text = (pattern: RegExp) => z.string().regex(pattern)
const slug = text(/^[a-z0-9-]+$/).describe(
  'Unique within its kind. Never changed once released: it is the title’s external id.',
)
const username = text(/^[\w.-]{2,30}$/)
const language = text(/^[a-z]{2}$/)
const daysAgo = z.number().min(0).describe('Days before the time of loading.')
const $schema = z.string().describe('The JSON Schema that editors check this file against.')

const title = z.strictObject({
  slug,
  name: z.string(),
  otherNames: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Names that the search finds too: original, earlier or short ones.'),
  original: z
    .strictObject({ language, name: z.string(), romanised: z.string().optional() })
    .optional()
    .describe('The name in the language of the title, and the same in Latin letters, if it is not `name`.'),
  names: z
    .record(language, z.string())
    .optional()
    .describe('Names in other languages, if they are not `name`.'),
  tagline: z.string().nullable().describe('One line, written for Medley.'),
  overview: z.string().describe('30 to 80 words, written for Medley.'),
  releaseDate: text(/^\d{4}(-\d\d-\d\d)?$/).describe(
    'The first release; only the year if the day is uncertain.',
  ),
  genres: z.array(z.string()).min(1).describe('With the names that the external source uses.'),
  creators: z
    .array(z.string())
    .min(1)
    .describe('Directors, TV creators, authors or developers, as credited.'),
  runtime: z.int().optional().describe('Minutes, of a movie or a typical episode.'),
  pageCount: z.int().optional(),
  lastAirYear: z.int().optional().describe('Of a TV show that has ended.'),
  seasonCount: z.int().optional().describe('Of a TV show that has ended.'),
  series: z.string().optional().describe('Of a book, with its position, if any: `Dune, 1`.'),
  platforms: z.array(z.string()).optional(),
  isbn13: text(/^\d{13}$/).optional(),
  olid: text(/^OL\d+[WM]$/)
    .optional()
    .describe('An Open Library work or edition.'),
  tmdbId: z.int().optional(),
  tvdbId: z.int().optional().describe('Of a TV show, which files of other services name.'),
  igdbId: z.int().optional(),
  fame: z.int().min(1).max(100).describe('Popularity: orders titles that have equally many ratings.'),
})
export type StarterTitle = z.infer<typeof title>

const member = z.strictObject({
  username,
  hasPortrait: z.boolean(),
  joinedDaysAgo: daysAgo,
  follows: z.record(username, daysAgo).describe('Days ago by username.'),
  favorites: z
    .record(z.string(), daysAgo)
    .describe('Days ago by starter id, for example `movies/the-matrix`.'),
})
export type DemoMember = z.infer<typeof member>

const episodeAt = text(/^[1-9]\d*x[1-9]\d*$/)
const safeUpTo = episodeAt
  .optional()
  .describe(
    'Withheld from those who have not seen this episode of the TV show: `2x7` is the seventh of season 2.',
  )

const review = z.strictObject({
  slug,
  episode: episodeAt.optional().describe('The review is about this episode of the TV show, not the show.'),
  by: username,
  daysAgo,
  rating: z.int().min(1).max(5),
  text: z.string().min(1).optional(),
  hasSpoilers: z.boolean().optional(),
  safeUpTo,
  comments: z.array(z.strictObject({ by: username, daysAgo, text: z.string().min(1), safeUpTo })).optional(),
  likes: z.array(username).optional(),
  dislikes: z.array(username).optional(),
})

const list = z.strictObject({
  by: username,
  editors: z.array(username).optional(),
  title: z.string().min(1),
  description: z.string().optional(),
  isRanked: z.boolean().optional(),
  tags: z.array(z.string()),
  daysAgo,
  likes: z.array(username),
  items: z.array(
    z.strictObject({
      title: z.string().describe('A starter id, for example `movies/the-matrix`.'),
      note: z.string().optional(),
      by: username.optional().describe('The editor who added it, if not the owner.'),
    }),
  ),
})

const plays = z.strictObject({
  by: username,
  title: z.string().describe('The starter id of a TV show, for example `tv-shows/dark`.'),
  marks: z
    .array(
      z.strictObject({
        daysAgo,
        upTo: text(/^[1-9]\d*(x[1-9]\d*)?$/).describe(
          'The last episode: `2x3` is the third of season 2, `2` the last of season 2.',
        ),
        pass: z.int().min(1).optional().describe('2 for the second time. 1 if it is missing.'),
        watchedOn: z
          .enum(['airDate', 'unknown'])
          .optional()
          .describe('The day of the mark if it is missing.'),
      }),
    )
    .min(1)
    .describe('From the first one to the last. Each adds the episodes that are not watched yet.'),
  stated: z
    .strictObject({ status: z.enum(['paused', 'dropped']), daysAgo })
    .optional()
    .describe('Said after the last mark.'),
})

const day = String.raw`\d{4}-\d\d-\d\d`
const show = z.strictObject({
  seasons: z
    .array(text(new RegExp(`^(?:\\d+(?: on ${day}| from ${day} to ${day})?(?:, (?!$)|$))+$`)))
    .min(1)
    .describe(
      'From season 1, how many episodes aired when: `7 from 2022-02-25 to 2022-04-08` names the days of the first and the last one, ' +
        '`2 on 2022-02-18` the day of all, `3` none.',
    ),
  names: z
    .array(z.array(z.string().min(1)))
    .optional()
    .describe('Of the episodes of each season from season 1; empty if they are not certain.'),
})
export type StarterShow = z.infer<typeof show>

/** `<name>.schema.json` is the JSON Schema of each. */
export const files = {
  titles: z.strictObject({ $schema, titles: z.array(title) }),
  members: z.strictObject({
    $schema,
    members: z.array(member).describe('Append new members: portraits are named by position.'),
  }),
  reviews: z.strictObject({ $schema, reviews: z.array(review) }),
  stories: z.strictObject({
    $schema,
    stories: z
      .record(slug, z.array(text(/^[a-z-]+\/[a-z0-9-]+$/)).min(2))
      .describe('Titles that tell the same story, as `<path of the kind>/<slug>`.'),
  }),
  lists: z.strictObject({ $schema, lists: z.array(list) }),
  plays: z.strictObject({
    $schema,
    plays: z.array(plays).describe('Once for a member and a show. They replace the entry of the diary.'),
  }),
  episodes: z.strictObject({
    $schema,
    shows: z.record(slug, show).describe('By the slug of the show. Only what is certain.'),
  }),
}

export function readKind<Name extends 'titles' | 'reviews'>(name: Name, kind: Kind) {
  const file = `${name === 'reviews' ? 'reviews/' : ''}${kinds[kind].path}.json`
  return existsSync(join(import.meta.dirname, file)) ? readData(name, file) : undefined
}

/** Throws if the file does not match its schema. */
export function readData<Name extends keyof typeof files>(name: Name, file: string) {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8')
  return files[name].parse(JSON.parse(text)) as z.infer<(typeof files)[Name]>
}
