import { z } from 'zod'
import { ratingMax, ratingMin } from '#shared/limits.ts'
import { diaryStatuses, type IdSource, kindNames } from '#shared/media.ts'
import type { Format, Reading } from './reading.ts'
import { cell, dateOf, dayOf, entryOf, lineOf, noName, readingOf, textOf } from './values.ts'

// An export names each title once; the reader puts the title into each record that refers to it.

/** The lists of an export whose items are records. */
export const medleySections = [
  'reviews',
  'diary',
  'favorites',
  'following',
  'reactions',
  'comments',
  'imports',
] as const

const number = /^[1-9]\d{0,14}$/
const idPatterns: Record<IdSource, RegExp> = {
  'tmdb-movie': number,
  'tmdb-tv': number,
  imdb: /^tt\d{5,10}$/,
  tvdb: number,
  isbn13: /^97[89]\d{10}$/,
  'olid-edition': /^OL\d{1,12}M$/,
  'olid-work': /^OL\d{1,12}W$/,
  igdb: number,
  starter: /^[\w-]{1,20}\/[\w-]{1,100}$/,
}
const isIdSource = (source: string): source is IdSource => Object.hasOwn(idPatterns, source)

const ref = z.union([z.string().max(200), z.number()])
const creators = z.array(z.string()).catch([])
const ids = z
  .array(z.object({ source: z.string(), id: z.union([z.string().max(100), z.number()]) }))
  .catch([])
const title = z.object({
  ref,
  kind: z.enum(kindNames),
  name: z.string(),
  year: z.int().min(1000).max(9999).nullish().catch(null),
  creators,
  ids,
})
const time = z.string().max(40)
const given = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,2})?\/[1-9]\d{0,2}$/)
  .nullish()
  .catch(null)
const review = z.object({
  rating: z.int().min(ratingMin).max(ratingMax),
  ratingGiven: given,
  text: z.string().catch(''),
  hasSpoilers: z.boolean().catch(false),
  createdAt: time,
  updatedAt: time.nullish(),
  ratedAt: time.nullish(),
})
const entry = z.object({
  status: z.enum(diaryStatuses),
  startedOn: time.nullish(),
  finishedOn: time.nullish(),
  isAgain: z.boolean().catch(false),
  ratingGiven: given,
  text: z.string().catch(''),
  origin: z.string().max(200).nullish().catch(null),
  createdAt: time.nullish(),
  updatedAt: time.nullish(),
})
const favorite = z.object({ createdAt: time.nullish() })
const follow = z.object({
  username: z.string().min(1).max(100),
  id: z.int().positive().nullish().catch(null),
  createdAt: time.nullish(),
})

/** The record that the reader makes of an item. */
const record = z.object({
  section: z.enum(medleySections),
  instance: z.string().catch(''),
  title: title.nullish().catch(null),
  item: z.unknown(),
})

const titled = z.object({ title: ref }).loose()

/** Returns the `ref` of the title that an item refers to; null if it refers to none. */
export function medleyRefOf(item: unknown): string | null {
  const parsed = titled.safeParse(item)
  return parsed.success ? String(parsed.data.title) : null
}

/** Returns what is kept of an item of `titles`; null if it is not a title. */
export function medleyTitleOf(item: unknown): z.infer<typeof title> | null {
  const parsed = title.safeParse(item)
  if (!parsed.success) return null
  const { ids, creators, name, ...kept } = parsed.data
  return {
    ...kept,
    name: name.slice(0, 1_200),
    creators: creators.slice(0, 10).map((each) => each.slice(0, 200)),
    ids: ids.slice(0, 20),
  }
}

const unexpected = { type: 'unreadable', problem: 'This item has an unexpected form.' } as const
const notKept: Record<string, string> = {
  reactions: 'reactions',
  comments: 'comments',
  imports: 'imports',
}

export const medley: Format = {
  interpret(row) {
    const parsed = record.safeParse(JSON.parse(cell(row, 'json') || 'null'))
    if (!parsed.success) return unexpected
    const { section, instance, title, item } = parsed.data
    if (Object.hasOwn(notKept, section)) return { type: 'notKept', what: notKept[section]! }
    if (section === 'following') {
      const { data } = follow.safeParse(item)
      if (!data) return unexpected
      const { id = null } = data
      const username = lineOf(data.username)
      return { type: 'follow', follow: { instance, username, id, on: dateOf(data.createdAt ?? '', []) } }
    }
    const name = lineOf(title?.name ?? '')
    if (!title || name === '') return noName

    const notes: string[] = []
    const about: Pick<Reading, 'kind' | 'name' | 'year' | 'authors' | 'ids' | 'notes'> = {
      kind: title.kind,
      name,
      year: title.year ?? null,
      authors: title.creators.map((each) => lineOf(each, 100)).filter(Boolean),
      ids: [
        { source: 'medley', id: lineOf(`${instance} ${title.ref}`, 300) },
        ...title.ids.flatMap(({ source, id }) =>
          isIdSource(source) && idPatterns[source].test(String(id)) ? [{ source, id: String(id) }] : [],
        ),
      ],
      notes,
    }
    const instant = (value: string | null | undefined) => dateOf(value ?? '', notes)

    if (section === 'favorites') {
      const on = favorite.safeParse(item).data?.createdAt
      const favoriteOn = instant(on)
      const reading = readingOf({ ...about, isFavorite: true, ...(favoriteOn !== null && { favoriteOn }) })
      return { type: 'title', reading }
    }
    if (section === 'diary') {
      const { data } = entry.safeParse(item)
      if (!data) return unexpected
      const updatedOn = instant(data.updatedAt)
      return {
        type: 'title',
        reading: readingOf({
          ...about,
          entries: [
            entryOf({
              status: data.status,
              startedOn: dayOf(instant(data.startedOn)),
              finishedOn: dayOf(instant(data.finishedOn)),
              isAgain: data.isAgain,
              ratingGiven: data.ratingGiven ?? null,
              text: textOf(data.text, notes, { isHtml: false }),
              origin: data.origin ? lineOf(data.origin) : null,
              addedOn: instant(data.createdAt),
              ...(updatedOn !== null && { updatedOn }),
            }),
          ],
        }),
      }
    }
    const { data } = review.safeParse(item)
    if (!data) return unexpected
    const text = textOf(data.text, notes, { isHtml: false })
    const createdAt = instant(data.createdAt)
    // An unknown date is written as the start of 1970, and needs no note.
    const ratedAt = dateOf(data.ratedAt ?? '', [])
    const rating = data.ratingGiven ?? `${data.rating}/5`
    return {
      type: 'title',
      reading: readingOf({
        ...about,
        rating: { given: rating, on: ratedAt, isOfTitle: true },
        review: text === '' ? null : { text, hasSpoilers: data.hasSpoilers, on: createdAt },
        ...(createdAt?.includes('T') && {
          restored: {
            rating: data.rating,
            ratingGiven: data.ratingGiven ?? null,
            hasSpoilers: data.hasSpoilers,
            createdAt,
            updatedAt: instant(data.updatedAt) ?? createdAt,
          },
        }),
      }),
    }
  },
}
