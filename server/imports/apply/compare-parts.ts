import type { ImportPart, PartDiff } from '#shared/contracts/imports.ts'
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
import { besidePasses, comparePlays, type PassEdits, type PlayWrite } from './compare-plays.ts'
import { pick } from '#server/imports/pick.ts'
import {
  compareReviews,
  compareValue,
  type OwnReview,
  type ReviewValues,
  type ReviewWrite,
} from './compare-reviews.ts'
import { findParts, type UnknownEpisodes } from './find-parts.ts'
import type { ImportContext } from '#server/imports/context.ts'
import type { TitleRecord } from '#server/imports/match/join.ts'
import { entryOf } from '#server/imports/read/formats/records.ts'
import type { Adds } from '#server/imports/facts.ts'
import type { ImportTitleState } from '#shared/domain/import-states.ts'

export type Current = {
  /** By the id of the season or the episode; null for the title. */
  reviews: ReadonlyMap<number | null, OwnReview>
  entries: readonly StoredEntry[]
  isFavorite: boolean
  listNotes: ReadonlyMap<number, string>
}
/** What imports last wrote, by the id of the row. */
export type Journal = {
  reviews: ReadonlyMap<number | null, Partial<ReviewValues>>
  entries: ReadonlyMap<number, EntryValues>
  hasFavorite: boolean
  listNotes: ReadonlyMap<number, string>
}
export type Choice = 'create' | 'skip' | 'mine' | 'file' | 'both'

export type Writes = {
  reviews: ReviewWrite[]
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
export type Change = {
  parts: Partial<Record<ImportPart, PartDiff>>
  writes: Writes
  adds: Partial<Adds>
  unknown?: UnknownEpisodes
  /** Why plays are left out. */
  note?: string
}

export const isOfPart = ({ part_id }: ReviewWrite) => part_id !== null

export function stateOf(parts: Change['parts']): ImportTitleState {
  return Object.values(parts).reduce<PartDiff | undefined>(worse, undefined) ?? 'notKept'
}

type Compared = { record: TitleRecord; title_key: string; decision: { choice?: Choice } | null }
type Comparison = ImportContext & {
  /** Null if the title is not known, or is going to be created. */
  titleId: number | null
  lists: ImportLists
}

/** Writes what is missing, what an earlier import wrote and nobody changed since, and conflicts that the file wins. */
export async function compareParts(
  { record, title_key, decision }: Compared,
  { current, journal }: { current: Current; journal: Journal },
  { db, row, options, now, titleId, lists }: Comparison,
): Promise<Change> {
  // A rating or text that the format of the service cannot hold exactly is the same if it is what an export for it says.
  const { service, user_id: userId } = row
  const choice = decision?.choice
  const fileWins =
    choice === 'file' || (choice !== 'mine' && choice !== 'both' && options.conflicts === 'file')
  const isWritten = (part: PartDiff) => part !== 'same' && (part !== 'conflict' || fileWins)

  const found = await findParts(db, titleId, record)
  const viewedAt = lastViewing(record, now)
  const reviewing = { service, isWritten, viewedAt, now }
  const reviews = await compareReviews(record, { current, journal }, found, reviewing)
  const plays = await comparePlays(db, { titleId, title_key, userId, service, fileWins }, found)
  const joined = record.entries.map((entry) => toEntryToWrite(entry, now))
  const { others, here, passes } = besidePasses(joined, current.entries, plays)
  const compared = compareEntries(others, here, journal.entries, { service, isWritten })
  const entries = withoutDerived(compared.writes)
  const parts: Change['parts'] = {
    ...reviews.parts,
    ...(compared.part && { entries: compared.part }),
    ...(plays.part && { episodes: plays.part }),
  }
  if (choice === 'both') addToDiary()
  const favoriteSince = compareFavorite()
  const listItems = compareListItems()
  const written = { reviews: reviews.writes, entries, plays: plays.writes }
  const writes = { ...written, passes, favoriteSince, listItems }
  const notes = { ...(found.unknown && { unknown: found.unknown }), ...(plays.note && { note: plays.note }) }
  return { parts, writes, adds: addsOf(writes), ...notes }

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
    const added = entryOf({ status: 'finished', text, ratingGiven: rating_given, addedOn: viewedAt })
    entries.push({ ...toEntryToWrite(added, now), id: null })
  }

  function compareFavorite(): string | undefined {
    if (!record.isFavorite) return undefined
    parts.favorite = compareValue(true, current.isFavorite || undefined, journal.hasFavorite || undefined)
    return isWritten(parts.favorite) ? (record.favoriteOn ?? now.toISOString()) : undefined
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

function addsOf({ reviews, entries, plays, favoriteSince, listItems }: Writes): Partial<Adds> {
  const ofTitle = reviews.find(({ part_id }) => part_id === null)
  const counts = {
    ratings: Number(ofTitle?.hasRating ?? false),
    reviews: Number(ofTitle?.hasText ?? false),
    halves: reviews.filter(({ isHalf }) => isHalf).length,
    partReviews: reviews.filter(isOfPart).length,
    entries: entries.length,
    episodes: plays.length,
    favorites: Number(favoriteSince !== undefined),
    listItems: listItems.length,
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}

function lastViewing(record: TitleRecord, now: Date): string | null {
  const times = record.entries.flatMap(({ finishedOn }) => pastTime(finishedOn, now) ?? [])
  return times.sort().at(-1) ?? null
}
