import type { ImportOptions, ImportPart, PartDiff } from '#shared/contracts/imports.ts'
import { isOver } from '#shared/domain/kinds.ts'
import { isRatingAt } from '#shared/domain/export-formats.ts'
import { toTenths } from '#shared/domain/ratings.ts'
import type { ListItemRow } from '#server/lists/tables.ts'
import { flagColumns, type ReviewRow } from '#server/reviews/tables.ts'
import type { ImportListRow } from '#server/imports/tables.ts'
import { toFlagColumns, toFlags } from '#server/reviews/rules.ts'
import {
  compareEntries,
  entryFields,
  isSameEntry,
  isSameText,
  type EntryValues,
  type EntryWrite,
  pastTime,
  toEntryToWrite,
  type StoredEntry,
  worse,
} from './compare-entries.ts'
import { besidePasses, type PassEdits } from './compare-passes.ts'
import type { ComparedPlays, PlayWrite } from './compare-plays.ts'
import type { TitleRecord } from '#server/imports/match/join.ts'
import type { Adds } from '#server/imports/facts.ts'
import type { ImportTitleState } from '#shared/domain/import-states.ts'

/** For the rating, and for the text. Each list changes together. */
export const reviewFields = [
  ['rating', 'rating_given'],
  ['text', ...flagColumns],
] as const
export type ReviewValues = Pick<ReviewRow, (typeof reviewFields)[number][number]>

export function pick<Row extends object, Key extends keyof Row>(
  row: Row,
  keys: readonly Key[],
): Pick<Row, Key> {
  return Object.fromEntries(keys.map((key) => [key, row[key]])) as Pick<Row, Key>
}
export const reviewColumns = reviewFields.flat()
type StoredReview = ReviewValues & Pick<ReviewRow, 'created_at' | 'updated_at' | 'rated_at'>
export type Current = {
  review: (StoredReview & { id: number }) | undefined
  entries: readonly StoredEntry[]
  isFavorite: boolean
  listNotes: ReadonlyMap<number, string>
}
/** What imports last wrote, by the id of the row. */
export type Journal = {
  review: Partial<ReviewValues> | undefined
  entries: ReadonlyMap<number, EntryValues>
  hasFavorite: boolean
  listNotes: ReadonlyMap<number, string>
}
export type Choice = 'create' | 'skip' | 'mine' | 'file' | 'both'

export type Writes = {
  review: StoredReview | undefined
  entries: EntryWrite[]
  plays: PlayWrite[]
  /** By the number of the pass. */
  passes: PassEdits
  favoriteSince: string | undefined
  listItems: (Pick<ListItemRow, 'note' | 'added_at'> & {
    list: ImportListRow
    position: number
    before: string | undefined
  })[]
}
export type ImportLists = ReadonlyMap<string, ImportListRow>
export type Change = { parts: Partial<Record<ImportPart, PartDiff>>; writes: Writes; adds: Partial<Adds> }

/** For ratings without a date: outside of all spans of days, so that an import does not make a title popular. */
const unknownTime = '1970-01-01T00:00:00.000Z'

/** Spans of days begin in 1970. */
const knownTime = (time: string | null) => (time !== null && time > unknownTime ? time : unknownTime)

export function stateOf(parts: Change['parts']): ImportTitleState {
  return Object.values(parts).reduce<PartDiff | undefined>(worse, undefined) ?? 'notKept'
}

/** `service`: a rating or text that its format cannot hold exactly is the same if it is what an export for it says. */
type Comparison = {
  service: string
  options: ImportOptions
  choice: Choice | undefined
  lists: ImportLists
  /** Missing if the file has no episodes that are known here. */
  plays: ComparedPlays | undefined
  now: Date
}

export function fileWinsWith(
  { conflicts }: Pick<ImportOptions, 'conflicts'>,
  choice: Choice | undefined,
): boolean {
  return choice === 'file' || (choice !== 'mine' && choice !== 'both' && conflicts === 'file')
}

/** Writes what is missing, what an earlier import wrote and nobody changed since, and conflicts that the file wins. */
export function compareParts(
  record: TitleRecord,
  { current, journal }: { current: Current; journal: Journal },
  { service, options, choice, lists, plays, now }: Comparison,
): Change {
  const fileWins = fileWinsWith(options, choice)
  const isWritten = (part: PartDiff) => part !== 'same' && (part !== 'conflict' || fileWins)
  const parts: Change['parts'] = {}
  const adds: Partial<Adds> = {}

  const review = compareReview()
  const joined = record.entries.map((entry) => toEntryToWrite(entry, now))
  const { others, here, passes } = besidePasses(joined, current.entries, plays)
  const { part, writes } = compareEntries(others, here, journal.entries, { service, isWritten })
  const entries = withoutDerived(writes)
  if (part) parts.entries = part
  if (plays?.part) parts.episodes = plays.part
  if (choice === 'both') addToDiary()
  const favoriteSince = compareFavorite()
  const listItems = compareListItems()
  if (entries.length > 0) adds.entries = entries.length
  if (listItems.length > 0) adds.listItems = listItems.length
  const playWrites = plays?.writes ?? []
  if (playWrites.length > 0) adds.episodes = playWrites.length
  return { parts, adds, writes: { review, entries, plays: playWrites, passes, favoriteSince, listItems } }

  /** The plays say the status and the dates of a pass. */
  function withoutDerived(writes: readonly EntryWrite[]): EntryWrite[] {
    return writes.flatMap((write) => {
      const own = current.entries.find(({ id }) => id === write.id)
      if (!own || own.pass === null) return write
      const values = { ...write.values, ...pick(own, [...entryFields[0], 'origin']) }
      return isSameEntry(values, own) ? [] : { ...write, values }
    })
  }

  function compareReview(): StoredReview | undefined {
    const { rating, restored } = record
    const isAsItWas = restored !== undefined && restored.rating === rating?.stars
    const before = current.review
    const review = record.isTextWithoutRating ? null : record.review
    const written = journal.review && (journal.review.text ?? '')
    const ratedAt = rating?.ratedAt ?? lastViewing(record, now)
    const changedAt = review?.writtenAt ?? ratedAt
    const after = before ? { ...before } : newReview()
    if (rating && isWritten((parts.rating = compareRating(rating, before)))) {
      after.rated_at = before?.rating === toTenths(rating.stars) ? before.rated_at : knownTime(ratedAt)
      after.rating = toTenths(rating.stars)
      after.rating_given = isAsItWas ? restored.ratingGiven : rating.given
      adds.ratings = 1
      if (!Number.isInteger(rating.stars)) adds.halves = 1
    }
    if (review && isWritten((parts.review = compareText(review.text, before?.text, written)))) {
      const flags = toFlagColumns({ ...toFlags(after), ...restored, ...review })
      Object.assign(after, { text: review.text, ...flags })
      adds.reviews = 1
    }
    if (!adds.ratings && !adds.reviews) return undefined
    if (before && changedAt && changedAt > before.updated_at) after.updated_at = changedAt
    return after

    /** Without a rating, it is not written. */
    function newReview(): StoredReview {
      const created_at = restored?.createdAt ?? changedAt ?? now.toISOString()
      const times = { created_at, updated_at: restored?.updatedAt ?? created_at, rated_at: unknownTime }
      return { rating: 0, rating_given: null, text: '', ...toFlagColumns(restored ?? {}), ...times }
    }
  }

  function compareRating(
    { stars, given }: NonNullable<TitleRecord['rating']>,
    before: StoredReview | undefined,
  ): PartDiff {
    // With a journal, the member deleted what an earlier import wrote.
    if (!before) return journal.review ? 'conflict' : 'new'
    const { rating, rating_given } = before
    if (rating === toTenths(stars) && (rating_given === null || rating_given === given)) return 'same'
    if (isRatingAt(service, before, given)) return 'same'
    const { review } = journal
    return review?.rating === rating && review.rating_given === rating_given ? 'newer' : 'conflict'
  }

  function addToDiary(): void {
    const isTextLost = parts.review === 'conflict'
    if (parts.rating !== 'conflict' && !isTextLost) return
    const text = isTextLost ? (record.review?.text ?? '') : ''
    const rating_given = record.rating?.given ?? null
    if (current.entries.some((entry) => entry.text === text && entry.rating_given === rating_given)) return
    const entry = entries.findLast(({ values }) => isOver(values.status))
    if (entry) {
      if (text !== '') entry.values.text = text
      entry.values.rating_given ??= rating_given
      return
    }
    const dates = { started_on: null, finished_on: null, is_again: 0 }
    const values = { status: 'finished' as const, ...dates, rating_given, text, origin: null }
    const updatedAt = now.toISOString()
    entries.push({ id: null, values, createdAt: lastViewing(record, now) ?? updatedAt, updatedAt })
  }

  function compareFavorite(): string | undefined {
    if (!record.isFavorite) return undefined
    parts.favorite = compareValue(true, current.isFavorite || undefined, journal.hasFavorite || undefined)
    if (!isWritten(parts.favorite)) return undefined
    adds.favorites = 1
    return record.favoriteOn ?? now.toISOString()
  }

  function compareListItems(): Writes['listItems'] {
    return record.listItems.flatMap(({ key, position, note, addedOn }) => {
      const list = lists.get(key)
      // Left out, or deleted since.
      if (!list || (list.list_id === null && list.state !== 'new')) return []
      const part = list.list_id === null ? 'new' : compareListItem(list.list_id, note)
      parts.lists = worse(parts.lists, part)
      if (!isWritten(part)) return []
      const before = current.listNotes.get(list.list_id ?? 0)
      return [{ list, position, note, added_at: pastTime(addedOn, now) ?? now.toISOString(), before }]
    })
  }

  /** A change by the member is no question: it stays unless the file wins. */
  function compareListItem(listId: number, note: string): PartDiff {
    const own = current.listNotes.get(listId)
    if (note === '' && own !== undefined) return 'same'
    const part = compareValue(note, own, journal.listNotes.get(listId))
    return part !== 'conflict' ? part : fileWins ? 'newer' : 'same'
  }
}

/** Compares the file, the member and an earlier import; undefined if there is none. An empty text is filled, unless the member has emptied it. */
function compareValue<Value>(file: Value, own: Value | undefined, written: Value | undefined): PartDiff {
  if (own === undefined) return written === undefined ? 'new' : 'conflict'
  if (own === file) return 'same'
  if (own === '' && !written) return 'new'
  return own === written ? 'newer' : 'conflict'
}

/** The white space of a text that has passed through HTML differs. */
function compareText(file: string, own: string | undefined, written: string | undefined): PartDiff {
  return own !== undefined && isSameText(file, own) ? 'same' : compareValue(file, own, written)
}

function lastViewing(record: TitleRecord, now: Date): string | null {
  const times = record.entries.flatMap(({ finishedOn }) => pastTime(finishedOn, now) ?? [])
  return times.sort().at(-1) ?? null
}
