import { noteOf } from '#shared/texts/import-notes.ts'
import {
  descriptionMax,
  importLinesMax,
  listNoteMax,
  listTagMax,
  listTagsMax,
  listTitleMax,
} from '#shared/domain/limits.ts'
import type { SettingsChange } from '#shared/contracts/notifications.ts'
import type { ReviewFlags } from '#shared/domain/review-flags.ts'
import type { ImportService } from '#shared/domain/import-formats.ts'
import {
  type DiaryStatus,
  type IdSource,
  isOver,
  type Kind,
  kindNames,
  kinds,
  type ProgressUnit,
} from '#shared/domain/kinds.ts'
import type { ListVisibility } from '#shared/domain/visibilities.ts'
import { truncate } from '#shared/texts/truncate.ts'
import { lineOf, type ParsedDate } from './values.ts'

/** Sources other than `IdSource` only join the lines of one file. */
export type ParsedId = { source: IdSource | ImportService; id: string }

/** How far the member was on a day. */
export type ParsedStep = {
  unit: ProgressUnit
  hundredths: number
  day: string
  text: string
  createdAt: ParsedDate
}

const blankEntry = {
  startedOn: null as ParsedDate | null,
  finishedOn: null as ParsedDate | null,
  isAgain: false,
  /** Of the plays of a show, as the file says. */
  pass: null as number | null,
  ratingGiven: null as string | null,
  text: '',
  /** At the service, as in `letterboxd:entry:aEh4eZ`. */
  origin: null as string | null,
  addedOn: null as ParsedDate | null,
  updatedOn: null as ParsedDate | null,
  steps: [] as readonly ParsedStep[],
}
export type ParsedEntry = typeof blankEntry & {
  status: DiaryStatus
  /** Says only that the title was finished once: dropped if another entry says so too. Never set in a joined record. */
  isImplied?: boolean
  /** Of a complete history: every time after the first is again. Never set in a joined record. */
  isOfHistory?: true
  /** Begins with the first play and ends with the last. Never set in a joined record. */
  isOfPlays?: true
}

/** If nothing is said: nobody else may read it. */
const blankList = {
  description: '',
  isRanked: false,
  visibility: 'private' as ListVisibility,
  tags: [] as readonly string[],
  createdOn: null as ParsedDate | null,
  updatedOn: null as ParsedDate | null,
}
/** `key` identifies it at the service. */
export type ParsedList = typeof blankList & { key: string; name: string }

/** `name` is used unless the file describes the list; `position` counts from 1. */
export type ParsedListItem = Pick<ParsedList, 'key' | 'name'> & {
  position: number
  note: string
  addedOn: ParsedDate | null
}

/** How far readers must be in the title: an episode, a page or a percentage. */
export type ParsedSafe = { season: number; number: number } | { page: number } | { percent: number }

/** Restored as they were. A review without a text has the flags too. */
type RestoredReview = ReviewFlags & {
  rating: number
  ratingGiven: string | null
  createdAt: string
  updatedAt: string
  safeUpTo?: ParsedSafe | undefined
}

export type ParsedReview = {
  /** `isOfTitle`: the current rating, which wins over one of a single viewing. */
  rating: { given: string; on: ParsedDate | null; isOfTitle: boolean } | null
  review: { text: string; hasSpoilers: boolean; on: ParsedDate | null } | null
  restored?: RestoredReview
}

/** A season, or an episode of one. `id` is at a source, as in `tmdb:62085`. */
export type ParsedPart = { season: number; number: number | null; id: string | null }

/** Within a title: “2” or “2×4”. */
export const placeOf = ({ season, number }: Pick<ParsedPart, 'season' | 'number'>): string =>
  number === null ? `${season}` : `${season}×${number}`

const blankTitle = () => ({
  otherNames: [] as string[],
  year: null as number | null,
  authors: [] as string[],
  ids: [] as ParsedId[],
  rating: null as ParsedReview['rating'],
  review: null as ParsedReview['review'],
  /** Of seasons and episodes, each with a rating. */
  partReviews: [] as (ParsedPart & ParsedReview)[],
  entries: [] as ParsedEntry[],
  /** See `playOf`. */
  plays: [] as string[],
  isFavorite: false,
  favoriteOn: null as ParsedDate | null,
  listItems: [] as ParsedListItem[],
  /** Corrected or ignored: see `noteOf`. */
  notes: [] as string[],
})
/** Text is cleaned: no HTML, no control characters. */
export type ParsedTitle = ReturnType<typeof blankTitle> & {
  kind: Kind
  name: string
  restored?: RestoredReview
  /** Only the member knows which of the titles of one name and year is meant. */
  isNamesake?: true
  /** A text is then no sign that it was watched. */
  hasUnknownStatus?: true
}

export type ParsedFollow = { instance: string; username: string; id: number | null; on: ParsedDate | null }

/** For CSV, columns by name; for JSON, values by path. */
export type Row = Record<string, string>
export type FileRecord = { file: string; line: number; raw: Row }
/** `problem` is a note: see `noteOf`. */
export type UnreadableRecord = { file: string; line: number; problem: string }
export type Records = AsyncGenerator<FileRecord | UnreadableRecord>

/** `what` names what Medley does not store, such as `comments`. */
export type LineRecord =
  | { type: 'title'; title: ParsedTitle; notKept?: string[] }
  | { type: 'follow'; follow: ParsedFollow }
  | { type: 'list'; list: ParsedList }
  | { type: 'settings'; settings: SettingsChange }
  | { type: 'unreadable'; problem: string }
  | { type: 'notKept'; what: string }

export function entryOf(fields: Pick<ParsedEntry, 'status'> & Partial<ParsedEntry>): ParsedEntry {
  return { ...blankEntry, ...fields }
}

export function parsedTitle(fields: Pick<ParsedTitle, 'kind' | 'name'> & Partial<ParsedTitle>): ParsedTitle {
  return { ...blankTitle(), ...fields }
}

const listIdMax = 300

export function listOf(
  fields: Pick<ParsedList, 'key' | 'name'> & Partial<ParsedList>,
): Extract<LineRecord, { type: 'list' }> {
  const list = { ...blankList, ...fields }
  const tags = list.tags.slice(0, 5 * listTagsMax).map(tagOf)
  return {
    type: 'list',
    list: {
      ...list,
      key: lineOf(list.key, listIdMax),
      name: lineOf(list.name, listTitleMax) || 'List',
      description: truncate(list.description, descriptionMax),
      tags: [...new Set(tags)].filter(Boolean).slice(0, listTagsMax),
    },
  }
}

const tagOf = (tag: string) => lineOf(tag.replace(/^#+/, ''), listTagMax).toLowerCase()

/** Texts have valid lengths. A position that is none is the last one. */
export function listItemOf(
  fields: Pick<ParsedListItem, 'key' | 'name' | 'position'> & Partial<ParsedListItem>,
): ParsedListItem {
  const { key, name, position, note = '', addedOn = null } = fields
  const isPosition = Number.isInteger(position) && position > 0 && position <= importLinesMax
  return {
    key: lineOf(key, listIdMax),
    name: lineOf(name, listTitleMax),
    position: isPosition ? position : importLinesMax,
    note: truncate(note, listNoteMax),
    addedOn,
  }
}

function withoutBlanks<Fields extends object>(fields: Fields, blank: Partial<Fields>): Partial<Fields> {
  const said: Partial<Fields> = {}
  for (const key of Object.keys(fields) as (keyof Fields)[]) {
    const value = fields[key]
    if (value !== blank[key] && !(Array.isArray(value) && value.length === 0)) said[key] = value
  }
  return said
}
const nothingSaid: Partial<Said> = blankTitle()

type Said = Omit<ParsedTitle, 'rating' | 'review' | 'partReviews'> & { partReviews: readonly object[] }
export function withoutBlanksOf<Title extends Said>(title: Title): object {
  const entries = title.entries.map((entry) => withoutBlanks(entry, blankEntry))
  return withoutBlanks<Said>({ ...title, entries: entries as ParsedEntry[] }, nothingSaid)
}

export function withBlanks<Title extends Said>(stored: Title): Title {
  const { entries = [] } = stored as Partial<Said>
  return { ...blankTitle(), ...stored, entries: entries.map(entryOf) }
}

/** As JSON; empty if it cannot be read. */
export function toStored(record: LineRecord): string {
  return JSON.stringify(
    record.type === 'title' ? { ...record, title: withoutBlanksOf(record.title) } : record,
  )
}

export function fromStored(json: string): LineRecord {
  const record = JSON.parse(json) as LineRecord
  return record.type === 'title' ? { ...record, title: withBlanks(record.title) } : record
}

export const unreadable = { type: 'unreadable', problem: noteOf('unreadable') } as const
export const noName = { type: 'unreadable', problem: noteOf('noName') } as const
export const unexpected = { type: 'unreadable', problem: noteOf('unexpectedItem') } as const

/** Null without a status; undefined if it is not known. */
export type MaybeEntry = Partial<Omit<ParsedEntry, 'status'>> & { status: DiaryStatus | null | undefined }

type TitleFields = Partial<Omit<ParsedTitle, 'ids' | 'rating' | 'review' | 'partReviews' | 'entries'>> &
  Pick<ParsedTitle, 'kind' | 'name'> & {
    /** What the rating and the review are about; without it, the title. */
    part?: ParsedPart | undefined
    ids?: readonly (readonly [source: ParsedId['source'], id: string | null | undefined])[]
    rating?: string | null
    ratedOn?: ParsedDate | null
    isRatingOfViewing?: boolean
    review?: string
    reviewedOn?: ParsedDate | null
    hasSpoilers?: boolean
    entries?: readonly MaybeEntry[]
    notKept?: readonly (string | false)[]
  }

const isOfOtherKind = (source: ParsedId['source'], kind: Kind) =>
  kindNames.some((other) => other !== kind && isIdSourceOf(source, other)) && !isIdSourceOf(source, kind)
const isIdSourceOf = (source: ParsedId['source'], kind: Kind) =>
  (kinds[kind].idSources as readonly ParsedId['source'][]).includes(source)

/** Leaves out ids of other kinds, null ratings, blank reviews, texts without a rating about a part, entries without a status, and dates that a status cannot have. */
export function titleOf(fields: TitleFields): LineRecord {
  if (fields.name === '') return noName
  const { ids = [], rating, ratedOn = null, isRatingOfViewing = false, notKept = [], ...others } = fields
  const {
    review = '',
    reviewedOn = null,
    hasSpoilers = false,
    entries = [],
    part,
    restored,
    ...title
  } = others
  const said: ParsedReview = {
    rating: rating ? { given: rating, on: ratedOn, isOfTitle: !isRatingOfViewing } : null,
    review: review === '' ? null : { text: review, hasSpoilers, on: reviewedOn },
    ...(restored && { restored }),
  }
  const left = [...notKept, part !== undefined && !rating && review !== '' && 'partReviews'].filter(
    (what) => what !== false,
  )
  return {
    type: 'title',
    title: parsedTitle({
      ...title,
      ids: ids.flatMap(([source, id]) => (id && !isOfOtherKind(source, title.kind) ? [{ source, id }] : [])),
      ...(part ? { partReviews: said.rating ? [{ ...part, ...said }] : [] } : said),
      entries: entries.flatMap(({ status, ...entry }) => {
        if (!status) return []
        const startedOn = status === 'want' ? null : (entry.startedOn ?? null)
        const finishedOn = isOver(status) ? (entry.finishedOn ?? null) : null
        // An empty origin would be the origin of many entries.
        return [entryOf({ ...entry, origin: entry.origin || null, status, startedOn, finishedOn })]
      }),
      ...(entries.some(({ status }) => status === undefined) && { hasUnknownStatus: true }),
    }),
    ...(left.length > 0 && { notKept: left }),
  }
}
