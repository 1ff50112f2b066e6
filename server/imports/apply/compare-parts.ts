import type { ImportOptions, ImportPart, PartDiff } from '#shared/contracts/imports.ts'
import { isOver } from '#shared/domain/kinds.ts'
import type { ListItemRow } from '#server/lists/tables.ts'
import type { ImportListRow } from '#server/imports/tables.ts'
import {
  compareEntries,
  entryFields,
  isSameEntry,
  type EntryValues,
  type EntryWrite,
  pastTime,
  toEntryToWrite,
  type StoredEntry,
  worse,
} from './compare-entries.ts'
import { besidePasses, type PassEdits } from './compare-passes.ts'
import type { ComparedPlays, PlayWrite } from './compare-plays.ts'
import {
  type ComparedPartReviews,
  compareReview,
  compareValue,
  type OwnReview,
  type PartReviewWrite,
  pick,
  type ReviewValues,
  type ReviewWrite,
} from './compare-reviews.ts'
import type { FoundParts } from './find-parts.ts'
import type { TitleRecord } from '#server/imports/match/join.ts'
import type { Adds } from '#server/imports/facts.ts'
import type { ImportTitleState } from '#shared/domain/import-states.ts'

export type Current = {
  review: OwnReview | undefined
  /** By the id of the season or the episode. */
  partReviews: ReadonlyMap<number, OwnReview>
  entries: readonly StoredEntry[]
  isFavorite: boolean
  listNotes: ReadonlyMap<number, string>
}
/** What imports last wrote, by the id of the row. */
export type Journal = {
  review: Partial<ReviewValues> | undefined
  partReviews: ReadonlyMap<number, Partial<ReviewValues>>
  entries: ReadonlyMap<number, EntryValues>
  hasFavorite: boolean
  listNotes: ReadonlyMap<number, string>
}
export type Choice = 'create' | 'skip' | 'mine' | 'file' | 'both'

export type Writes = {
  review: ReviewWrite | undefined
  partReviews: PartReviewWrite[]
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

export function stateOf(parts: Change['parts']): ImportTitleState {
  return Object.values(parts).reduce<PartDiff | undefined>(worse, undefined) ?? 'notKept'
}

/** `service`: a rating or text that its format cannot hold exactly is the same if it is what an export for it says. */
type Comparison = {
  service: string
  fileWins: boolean
  choice: Choice | undefined
  lists: ImportLists
  /** Missing if the file says nothing about seasons and episodes. */
  found: FoundParts | undefined
  plays: ComparedPlays | undefined
  partReviews: ComparedPartReviews
  now: Date
}

export function fileWinsWith(
  { conflicts }: Pick<ImportOptions, 'conflicts'>,
  choice: Choice | undefined,
): boolean {
  return choice === 'file' || (choice !== 'mine' && choice !== 'both' && conflicts === 'file')
}

export const isWrittenIf = (fileWins: boolean) => (part: PartDiff) =>
  part !== 'same' && (part !== 'conflict' || fileWins)

/** Writes what is missing, what an earlier import wrote and nobody changed since, and conflicts that the file wins. */
export function compareParts(
  record: TitleRecord,
  { current, journal }: { current: Current; journal: Journal },
  { service, fileWins, choice, lists, found, plays, partReviews, now }: Comparison,
): Change {
  const isWritten = isWrittenIf(fileWins)
  const parts: Change['parts'] = {}
  const adds: Partial<Adds> = {}

  const reviewing = { service, isWritten, now, findEpisode: found?.find, viewedAt: lastViewing(record, now) }
  const { write: review, ...verdicts } = compareReview(
    { ...record, review: record.isTextWithoutRating ? null : record.review },
    { before: current.review, journal: journal.review },
    reviewing,
  )
  Object.assign(parts, verdicts)
  if (review?.hasRating) adds.ratings = 1
  if (review?.hasText) adds.reviews = 1
  if (partReviews.part) parts.partReviews = partReviews.part
  if (partReviews.writes.length > 0) adds.partReviews = partReviews.writes.length
  const halves = [review ?? [], partReviews.writes].flat().filter(({ isHalf }) => isHalf).length
  if (halves > 0) adds.halves = halves
  const joined = record.entries.map((entry) => toEntryToWrite(entry, now))
  const { others, here, passes } = besidePasses(joined, current.entries, plays)
  const { part, writes: entryWrites } = compareEntries(others, here, journal.entries, { service, isWritten })
  const entries = withoutDerived(entryWrites)
  if (part) parts.entries = part
  if (plays?.part) parts.episodes = plays.part
  if (choice === 'both') addToDiary()
  const favoriteSince = compareFavorite()
  const listItems = compareListItems()
  if (entries.length > 0) adds.entries = entries.length
  if (listItems.length > 0) adds.listItems = listItems.length
  const playWrites = plays?.writes ?? []
  if (playWrites.length > 0) adds.episodes = playWrites.length
  const writes = {
    review,
    partReviews: partReviews.writes,
    entries,
    plays: playWrites,
    passes,
    favoriteSince,
    listItems,
  }
  return { parts, adds, writes }

  /** The plays say the status and the dates of a pass. */
  function withoutDerived(writes: readonly EntryWrite[]): EntryWrite[] {
    return writes.flatMap((write) => {
      const own = current.entries.find(({ id }) => id === write.id)
      if (!own || own.pass === null) return write
      const values = { ...write.values, ...pick(own, [...entryFields[0], 'origin']) }
      return isSameEntry(values, own) ? [] : { ...write, values }
    })
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
    entries.push({ id: null, values, createdAt: lastViewing(record, now) ?? updatedAt, updatedAt, steps: [] })
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

function lastViewing(record: TitleRecord, now: Date): string | null {
  const times = record.entries.flatMap(({ finishedOn }) => pastTime(finishedOn, now) ?? [])
  return times.sort().at(-1) ?? null
}
