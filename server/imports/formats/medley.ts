import { byFlag } from '#shared/review-flags.ts'
import { z } from 'zod'
import { ratingMax, ratingMin } from '#shared/limits.ts'
import { listVisibilities } from '#shared/lists.ts'
import { diaryStatuses, idPatterns, type IdSource, kindNames } from '#shared/media.ts'
import { changeNotificationSettings, type SettingsChange } from '#shared/notifications.ts'
import type { Files, Format } from './format.ts'
import type { Parsed, ParsedTitle } from './parsed.ts'
import { headOf } from './read-csv.ts'
import { readJson } from './read-json.ts'
import { baseOf, jsonRecord, unreadable } from './tables.ts'
import {
  dateOf,
  dayOf,
  entryOf,
  lineOf,
  listItemOf,
  listOf,
  noName,
  parsedTitle,
  textOf,
  unexpected,
} from './values.ts'

// An export names each title once; the reader puts the title into each record that refers to it.

/** The lists of an export whose items are records, and those that Medley does not import. */
const notKept = ['reactions', 'comments', 'imports'] as const
/** Not a list. */
const settings = 'notificationSettings'
const itemLists = ['reviews', 'diary', 'favorites', 'lists', 'listItems', 'following', ...notKept] as const
const sections = [...itemLists, settings] as const
const headBytes = 64 * 1024

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
  ...byFlag(() => z.boolean().catch(false)),
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
const list = z.object({
  ref,
  name: z.string(),
  description: z.string().catch(''),
  isRanked: z.boolean().catch(false),
  visibility: z.enum(listVisibilities).catch('private'),
  tags: z.array(z.string()).catch([]),
  createdAt: time.nullish(),
  updatedAt: time.nullish(),
})
const listItem = z.object({
  list: ref,
  listName: z.string().catch(''),
  note: z.string().catch(''),
  addedAt: time.nullish(),
})
const follow = z.object({
  username: z.string().min(1).max(100),
  id: z.int().positive().nullish().catch(null),
  createdAt: time.nullish(),
})

/** The record that the reader makes of an item. */
const record = z.object({
  section: z.enum(sections),
  instance: z.string().catch(''),
  title: title.nullish().catch(null),
  item: z.unknown(),
})

const titled = z.object({ title: ref }).loose()

/** Returns what is kept of an item of `titles`; null if it is not a title. */
function keptOf(item: unknown): z.infer<typeof title> | null {
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

/** The format is named before the lists, but other keys may come first. */
function isHead(head: string): boolean {
  return (
    /^\ufeff?\s*\{/.test(head) && /"format"\s*:\s*"medley"/.test(head) && /"version"\s*:\s*1\b/.test(head)
  )
}

const isMain = (file: string) => file === '' || baseOf(file) === 'medley.json'

async function* records(files: Files): ReturnType<NonNullable<Format['records']>> {
  const bytes = await files.read(files.names.find(isMain)!)
  // The titles are needed first; a file may list them last.
  const titles = new Map<string, z.infer<typeof title>>()
  let instance = ''
  for (const each of readJson(bytes, files.count)) {
    if (!('value' in each)) continue
    if (each.section === 'instance' && typeof each.value === 'string') instance = lineOf(each.value)
    const kept = each.section === 'titles' ? keptOf(each.value) : null
    if (kept) titles.set(String(kept.ref), kept)
    files.refuse(titles.size)
  }
  for (const each of readJson(bytes, files.count)) {
    const { section, index } = each
    if (!('value' in each)) yield unreadable(section, each)
    else if (index > 0 === (section !== settings) && (sections as readonly string[]).includes(section)) {
      const { data } = titled.safeParse(each.value)
      const about = data ? (titles.get(String(data.title)) ?? null) : null
      yield jsonRecord(section, Math.max(index, 1), { section, instance, title: about, item: each.value })
    }
  }
}

export const medley: Format = {
  async isZip({ files, readHead }) {
    const file = files.find(isMain)
    return file !== undefined && isHead(headOf(await readHead(file, headBytes)))
  },
  isJson: isHead,
  records,
  parse({ record: { line }, notes, json }) {
    const parsed = record.safeParse(json())
    if (!parsed.success) return unexpected
    const { section, instance, title, item } = parsed.data
    const what = notKept.find((each) => each === section)
    if (what) return { type: 'notKept', what }
    const keyOf = (ref: string | number) => `${instance} ${ref}`
    if (section === 'lists') {
      const { data } = list.safeParse(item)
      if (!data) return unexpected
      const { ref: own, description, createdAt, updatedAt, ...others } = data
      return listOf({
        ...others,
        key: keyOf(own),
        description: textOf(description, [], { isHtml: false }),
        createdOn: dateOf(createdAt ?? '', []),
        updatedOn: dateOf(updatedAt ?? '', []),
      })
    }
    if (section === 'following') {
      const { data } = follow.safeParse(item)
      if (!data) return unexpected
      const { id = null } = data
      const on = dateOf(data.createdAt ?? '', [])
      return { type: 'follow', follow: { instance, username: lineOf(data.username), id, on } }
    }
    if (section === settings) {
      const { data } = changeNotificationSettings.input.safeParse(item)
      return data ? { type: 'settings', settings: data as SettingsChange } : unexpected
    }
    const name = lineOf(title?.name ?? '')
    if (!title || name === '') return noName

    const instant = (value: string | null | undefined) => dateOf(value ?? '', notes)
    const titleWith = (fields: Partial<ParsedTitle>): Parsed => ({
      type: 'title',
      title: parsedTitle({
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
        ...fields,
      }),
    })

    if (section === 'listItems') {
      const { data } = listItem.safeParse(item)
      if (!data) return unexpected
      const note = textOf(data.note, notes, { isHtml: false })
      const about = { key: keyOf(data.list), name: data.listName || 'List', position: line }
      return titleWith({ listItems: [listItemOf({ ...about, note, addedOn: instant(data.addedAt) })] })
    }
    if (section === 'favorites') {
      const favoriteOn = instant(favorite.safeParse(item).data?.createdAt)
      return titleWith({ isFavorite: true, ...(favoriteOn !== null && { favoriteOn }) })
    }
    if (section === 'diary') {
      const { data } = entry.safeParse(item)
      if (!data) return unexpected
      const updatedOn = instant(data.updatedAt)
      return titleWith({
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
      })
    }
    const { data } = review.safeParse(item)
    if (!data) return unexpected
    const { rating } = data
    const flags = byFlag((_flag, name) => data[name])
    const ratingGiven = data.ratingGiven ?? null
    const text = textOf(data.text, notes, { isHtml: false })
    const createdAt = instant(data.createdAt)
    const updatedAt = createdAt && (instant(data.updatedAt) ?? createdAt)
    // An unknown date is written as the start of 1970, and needs no note.
    const ratedOn = dateOf(data.ratedAt ?? '', [])
    return titleWith({
      rating: { given: ratingGiven ?? `${rating}/5`, on: ratedOn, isOfTitle: true },
      review: text === '' ? null : { text, hasSpoilers: flags.hasSpoilers, on: createdAt },
      ...(createdAt?.includes('T') && {
        restored: { rating, ratingGiven, ...flags, createdAt, updatedAt: updatedAt! },
      }),
    })
  },
}
