import type { ImportOptions, ImportPart, ImportTitleState, PartDiff } from '#shared/imports.ts'
import { isOver } from '#shared/media.ts'
import { type EntryRow, flagColumns } from '#server/db/tables.ts'
import type { ImportListRow, ListItemRow, ReviewRow } from '#server/db/tables.ts'
import { toFlagColumns, toFlags } from '#server/reviews/rules.ts'
import type { ParsedEntry } from './formats/parsed.ts'
import { timeOf, type TitlePlan } from './plan.ts'
import type { Adds } from './progress.ts'

/** The columns of a review that an import compares: those of the rating, and those of the text. Each list changes together. */
export const reviewFields = [
  ['rating', 'rating_given'],
  ['text', ...flagColumns],
] as const
export type ReviewValues = Pick<ReviewRow, (typeof reviewFields)[number][number]>

/** Returns some columns of a row. */
export function pick<Row extends object, Key extends keyof Row>(
  row: Row,
  keys: readonly Key[],
): Pick<Row, Key> {
  return Object.fromEntries(keys.map((key) => [key, row[key]])) as Pick<Row, Key>
}
export const reviewColumns = reviewFields.flat()
type StoredReview = ReviewValues & Pick<ReviewRow, 'created_at' | 'updated_at' | 'rated_at'>
/** The columns of a diary entry that an import compares. Each list changes together. */
export const entryFields = [
  ['status', 'started_on', 'finished_on', 'is_again'],
  ['rating_given'],
  ['text'],
] as const
/** The columns of a diary entry that an import writes. */
export type EntryValues = Pick<EntryRow, (typeof entryFields)[number][number] | 'origin'>
type StoredEntry = EntryValues & { id: number }

/** What the member has of a title. */
export type Current = {
  review: (StoredReview & { id: number }) | undefined
  entries: readonly StoredEntry[]
  isFavorite: boolean
  /** Its notes in the member’s lists, by the id of the list. */
  listNotes: ReadonlyMap<number, string>
}
/** What imports of the member last wrote of the title, by the id of the row. */
export type Journal = {
  review: Partial<ReviewValues> | undefined
  entries: ReadonlyMap<number, EntryValues>
  hasFavorite: boolean
  listNotes: ReadonlyMap<number, string>
}
/** What a member decides: see `ImportDecision`. */
export type Choice = 'create' | 'skip' | 'mine' | 'file' | 'both'

export type Writes = {
  review: StoredReview | undefined
  entries: { id: number | null; values: EntryValues; createdAt: string; updatedAt: string }[]
  favoriteSince: string | undefined
  /** `before`: the note of the title, if the list has it. */
  listItems: (Pick<ListItemRow, 'note' | 'added_at'> & {
    list: ImportListRow
    position: number
    before: string | undefined
  })[]
}
/** The lists of an import, by their keys. */
export type ImportLists = ReadonlyMap<string, ImportListRow>
export type Diff = { parts: Partial<Record<ImportPart, PartDiff>>; writes: Writes; adds: Partial<Adds> }

/** The time of ratings without a date: outside of all spans of days, so that an import does not make a title popular. */
const unknownTime = '1970-01-01T00:00:00.000Z'

const severity: readonly PartDiff[] = ['same', 'new', 'newer', 'conflict']

function worse(a: PartDiff | undefined, b: PartDiff): PartDiff {
  return a === undefined || severity.indexOf(b) > severity.indexOf(a) ? b : a
}

/** Returns the state of a title from the differences of its parts. */
export function stateOf(parts: Diff['parts']): ImportTitleState {
  return Object.values(parts).reduce<PartDiff | undefined>(worse, undefined) ?? 'notKept'
}

type Comparison = { options: ImportOptions; choice: Choice | undefined; lists: ImportLists; now: Date }

/**
 * Compares a plan with what the member has and with what earlier imports wrote, part by part, and returns what to write: what is
 * missing, what an earlier import wrote and nobody changed since, and conflicts that the file wins.
 */
export function diffPlan(
  plan: TitlePlan,
  { current, journal }: { current: Current; journal: Journal },
  { options, choice, lists, now }: Comparison,
): Diff {
  const fileWins =
    choice === 'file' || (choice !== 'mine' && choice !== 'both' && options.conflicts === 'file')
  const isWritten = (part: PartDiff) => part !== 'same' && (part !== 'conflict' || fileWins)
  const parts: Diff['parts'] = {}
  const adds: Partial<Adds> = {}

  const planned = options.entries ? plan.entries.map((entry) => valuesOf(entry, now)) : []
  const review = diffReview()
  const entries = diffEntries()
  if (choice === 'both') addToDiary()
  const favoriteSince = diffFavorite()
  const listItems = diffListItems()
  if (entries.length > 0) adds.entries = entries.length
  if (listItems.length > 0) adds.listItems = listItems.length
  return { parts, adds, writes: { review, entries, favoriteSince, listItems } }

  function diffReview(): StoredReview | undefined {
    const rating = options.ratings ? plan.rating : null
    const written = options.reviews && plan.review && !plan.isTextWithoutRating ? plan.review : null
    const before = current.review
    const { restored } = plan
    const ratedAt = rating?.ratedAt ?? lastViewing(plan, now)
    const given = rating && {
      rating: rating.stars,
      rating_given: restored ? restored.ratingGiven : rating.given,
      rated_at: ratedAt ?? unknownTime,
    }
    if (!before) {
      if (!given) return undefined
      // With a journal, the member deleted what an earlier import wrote.
      const part = journal.review ? 'conflict' : 'new'
      parts.rating = part
      if (written) parts.review = part
      if (!isWritten(part)) return undefined
      adds.ratings = 1
      if (written) adds.reviews = 1
      const created_at = restored?.createdAt ?? written?.writtenAt ?? ratedAt ?? now.toISOString()
      const flags = toFlagColumns({ ...restored, ...written })
      const updated_at = restored?.updatedAt ?? created_at
      return { ...given, text: written?.text ?? '', ...flags, created_at, updated_at }
    }
    const after = { ...before }
    if (rating && isWritten((parts.rating = diffRating(before, rating)))) {
      Object.assign(after, given, rating.stars === before.rating && { rated_at: before.rated_at })
      adds.ratings = 1
    }
    if (written && isWritten((parts.review = diffText(before, written.text)))) {
      const flags = toFlagColumns({ ...toFlags(before), ...restored, ...written })
      Object.assign(after, { text: written.text, ...flags })
      adds.reviews = 1
    }
    if (!adds.ratings && !adds.reviews) return undefined
    const changedAt = written?.writtenAt ?? ratedAt
    if (changedAt && changedAt > before.updated_at) after.updated_at = changedAt
    return after
  }

  function diffRating(before: StoredReview, { stars, given }: NonNullable<TitlePlan['rating']>): PartDiff {
    const { rating, rating_given } = before
    if (rating === stars && (rating_given === null || rating_given === given)) return 'same'
    const { review } = journal
    return review?.rating === rating && review.rating_given === rating_given ? 'newer' : 'conflict'
  }

  function diffText(before: StoredReview, text: string): PartDiff {
    if (before.text === text) return 'same'
    if (before.text === '') return journal.review?.text ? 'conflict' : 'new'
    return journal.review?.text === before.text ? 'newer' : 'conflict'
  }

  function diffEntries(): Writes['entries'] {
    const writes: Writes['entries'] = []
    const free = new Map(current.entries.map((entry) => [entry.id, entry]))
    const isUntouched = (entry: StoredEntry) => {
      const written = journal.entries.get(entry.id)
      return written !== undefined && isSameEntry(written, entry)
    }
    const set = (part: PartDiff, values: EntryValues, at: number, id: number | null = null) => {
      parts.entries = worse(parts.entries, part)
      if (id !== null) free.delete(id)
      const { createdAt, updatedAt } = planned[at]!
      if (isWritten(part)) writes.push({ id, values, createdAt, updatedAt })
    }
    /** Adds the text and the rating of the file to an entry of the member that has none. */
    const fill = ({ id, ...before }: StoredEntry, values: EntryValues, at: number) => {
      const text = before.text || values.text
      const filled = { ...before, text, rating_given: before.rating_given ?? values.rating_given }
      if (!isSameEntry(before, filled)) set('new', filled, at, id)
      else set(values.text === '' || values.text === before.text ? 'same' : 'conflict', values, at, id)
    }
    const rest: [EntryValues, number][] = []
    for (const [at, { values: given }] of planned.entries()) {
      const rows = [...free.values()]
      const values = comparable(given)
      const known =
        rows.find((row) => values.origin !== null && row.origin === values.origin) ??
        rows.find((row) => isSameViewing(row, values))
      if (!known) rest.push([values, at])
      else if (isSameEntry(known, { ...values, is_again: known.is_again })) set('same', values, at, known.id)
      else if (isUntouched(known))
        set('newer', { ...values, origin: known.origin ?? values.origin }, at, known.id)
      else if (isSameViewing(known, values)) fill(known, values, at)
      else set('conflict', values, at, known.id)
    }
    const finished = current.entries.filter(({ status }) => status === 'finished')
    for (const [values, at] of rest) {
      const rows = [...free.values()]
      const replaced = rows.find(
        (row) => isUntouched(row) && isReplacedBy(row, values) && !isExcluded(values, row.id),
      )
      const open = isOpen(values) ? rows.find(isOpen) : undefined
      if (values.status === 'finished' && isUndated(values) && finished.length > 0) {
        const isKnown = values.text === '' || current.entries.some(({ text }) => text === values.text)
        const blank = rows.find(({ status, text }) => status === 'finished' && text === '')
        if (isKnown) parts.entries = worse(parts.entries, 'same')
        else if (blank) fill(blank, values, at)
        else set(partOfNew(values), values, at)
      } else if (replaced) set('newer', values, at, replaced.id)
      else if (open) set('conflict', values, at, open.id)
      else if (isOpen(values) && current.entries.some((row) => isOver(row.status) && endsAfter(row, values)))
        set('conflict', values, at)
      else set(partOfNew(values), values, at)
    }
    return writes

    /** Whether the member has another entry that excludes this one. */
    function isExcluded(values: EntryValues, exceptId: number): boolean {
      return current.entries.some((other) => other.id !== exceptId && excludes(other, values))
    }

    /**
     * An origin may name the same entry in a later state, as the first of several reads of a book. It never takes back that a
     * title was finished, nor a date that is known, and never makes a second entry of those that exclude each other.
     */
    function comparable(values: EntryValues): EntryValues {
      const row = current.entries.find(({ origin }) => origin !== null && origin === values.origin)
      if (!row) return values
      if (isExcluded(values, row.id) || (isOver(row.status) && !isOver(values.status)))
        return { ...values, origin: null }
      const { started_on, finished_on } = row
      return isOver(row.status) && isUndated(values) ? { ...values, started_on, finished_on } : values
    }

    /** An entry that an earlier import wrote, and that the member does not have any more, was changed or deleted. */
    function partOfNew(values: EntryValues): PartDiff {
      const isGone = [...journal.entries.values()].some(
        (written) => isSameViewing(written, values) && written.origin === values.origin,
      )
      return isGone ? 'conflict' : 'new'
    }
  }

  /** Adds the rating and the text that lost against the member’s own to the diary. */
  function addToDiary(): void {
    const isTextLost = parts.review === 'conflict'
    if (parts.rating !== 'conflict' && !isTextLost) return
    const text = isTextLost ? (plan.review?.text ?? '') : ''
    const rating_given = plan.rating?.given ?? null
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
    entries.push({ id: null, values, createdAt: lastViewing(plan, now) ?? updatedAt, updatedAt })
  }

  function diffFavorite(): string | undefined {
    if (!options.favorites || !plan.isFavorite) return undefined
    parts.favorite = current.isFavorite ? 'same' : journal.hasFavorite ? 'conflict' : 'new'
    if (!isWritten(parts.favorite)) return undefined
    adds.favorites = 1
    return plan.favoriteOn ?? now.toISOString()
  }

  function diffListItems(): Writes['listItems'] {
    return plan.listItems.flatMap(({ key, position, note, addedOn }) => {
      const list = lists.get(key)
      // Left out, or deleted since.
      if (!list || (list.list_id === null && list.state !== 'new')) return []
      const part = list.list_id === null ? 'new' : diffListItem(list.list_id, note)
      parts.lists = worse(parts.lists, part)
      if (!isWritten(part)) return []
      const before = current.listNotes.get(list.list_id ?? 0)
      return [{ list, position, note, added_at: pastTime(addedOn, now) ?? now.toISOString(), before }]
    })
  }

  /** What the member has changed is no question: it stays unless the file wins. */
  function diffListItem(listId: number, note: string): PartDiff {
    const own = current.listNotes.get(listId)
    const written = journal.listNotes.get(listId)
    const changed = fileWins ? 'newer' : 'same'
    if (own === undefined) return written === undefined ? 'new' : changed
    if (note === '' || own === note) return 'same'
    if (own === '' && !written) return 'new'
    return own === written ? 'newer' : changed
  }
}

const isOpen = ({ status }: Pick<EntryRow, 'status'>) => status === 'started' || status === 'paused'

/** Whether a title can have only one of two entries. */
function excludes(a: Pick<EntryRow, 'status'>, b: Pick<EntryRow, 'status'>): boolean {
  return (isOpen(a) && isOpen(b)) || (a.status === 'want' && b.status === 'want')
}

type Dates = Pick<EntryRow, 'started_on' | 'finished_on'>
const isUndated = ({ started_on, finished_on }: Dates) => started_on === null && finished_on === null
const hasSameDates = (a: Dates, b: Dates) => a.started_on === b.started_on && a.finished_on === b.finished_on
const isSameViewing = (a: EntryValues, b: EntryValues) => a.status === b.status && hasSameDates(a, b)

/** Whether an entry that is over may have ended after one that is open began. */
function endsAfter(over: Dates, open: Dates): boolean {
  const end = over.finished_on ?? over.started_on
  return open.started_on === null || end === null || end >= open.started_on
}

/** Whether a new entry continues an older one: a title that was wanted or begun is over, or a date became known. */
function isReplacedBy(row: EntryValues, values: EntryValues): boolean {
  if (row.status === 'want') return values.status !== 'want'
  if (isOpen(row)) return isOver(values.status)
  return (
    row.status === 'finished' && values.status === 'finished' && isUndated(row) && !hasSameDates(row, values)
  )
}

/** Whether two entries say the same. */
function isSameEntry(a: EntryValues, b: EntryValues): boolean {
  return entryFields.flat().every((column) => a[column] === b[column])
}

/** Converts an entry of a plan to columns. */
function valuesOf(
  { status, startedOn, finishedOn, isAgain, ratingGiven, text, origin, addedOn, updatedOn }: ParsedEntry,
  now: Date,
): { values: EntryValues; createdAt: string; updatedAt: string } {
  const dates = { started_on: startedOn, finished_on: finishedOn }
  const values = { status, ...dates, is_again: Number(isAgain), rating_given: ratingGiven, text, origin }
  const latest = now.toISOString()
  const createdAt = pastTime(addedOn, now) ?? pastTime(finishedOn ?? startedOn, now) ?? latest
  return { values, createdAt, updatedAt: pastTime(updatedOn, now) ?? latest }
}

/** Returns the time of a date, unless it is later than now in UTC. */
function pastTime(date: string | null | undefined, now: Date): string | null {
  const time = date ? timeOf(date) : null
  return time !== null && time <= now.toISOString() ? time : null
}

/** Returns the time of the last dated entry that is over. */
function lastViewing(plan: TitlePlan, now: Date): string | null {
  const times = plan.entries.flatMap(({ finishedOn }) => pastTime(finishedOn, now) ?? [])
  return times.sort().at(-1) ?? null
}
