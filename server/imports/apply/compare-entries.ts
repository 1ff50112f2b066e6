import type { PartDiff } from '#shared/contracts/imports.ts'
import { isRatingAt, statusAt } from '#shared/domain/export-formats.ts'
import { isOver } from '#shared/domain/kinds.ts'
import type { EntryRow, StepRow } from '#server/diary/tables.ts'
import type { ParsedEntry } from '#server/imports/read/formats/records.ts'
import { timeOf } from '#server/imports/read/formats/values.ts'
import { pick } from '#server/imports/pick.ts'

export const entryFields = [
  ['status', 'started_on', 'finished_on', 'is_again'],
  ['rating_given'],
  ['text'],
] as const
const entryColumns = [...entryFields.flat(), 'origin'] as const
export type EntryValues = Pick<EntryRow, (typeof entryFields)[number][number] | 'origin'>
export type StoredEntry = EntryValues & Pick<EntryRow, 'id' | 'updated_at' | 'pass'>

type StepWrite = Pick<StepRow, 'unit' | 'hundredths' | 'day' | 'text' | 'created_at'>

/** `pass`: as the file says. `steps`: of an entry that is added. */
export type EntryToWrite = { values: EntryValues; pass: number | null; steps: StepWrite[] } & Pick<
  EntryRow,
  'created_at' | 'updated_at'
>
export type EntryWrite = EntryToWrite & { id: number | null }

const severity: readonly PartDiff[] = ['same', 'new', 'newer', 'conflict']

export function worse(a: PartDiff | undefined, b: PartDiff): PartDiff {
  return a === undefined || severity.indexOf(b) > severity.indexOf(a) ? b : a
}

/** With the member’s own entries and the entries that earlier imports wrote. Also returns the worst difference. */
export function compareEntries(
  joined: readonly EntryToWrite[],
  current: readonly StoredEntry[],
  journal: ReadonlyMap<number, EntryValues>,
  { service, isWritten }: { service: string; isWritten: (part: PartDiff) => boolean },
): { part: PartDiff | undefined; writes: EntryWrite[] } {
  const writes: EntryWrite[] = []
  let worst: PartDiff | undefined
  const free = new Map(current.map((entry) => [entry.id, entry]))
  const isUntouched = (entry: StoredEntry) => {
    const written = journal.get(entry.id)
    return written !== undefined && isSameEntry(written, entry)
  }
  const set = (part: PartDiff, entry: EntryToWrite, id: number | null = null) => {
    worst = worse(worst, part)
    if (id !== null) free.delete(id)
    if (isWritten(part)) writes.push({ ...entry, id })
  }
  /** Only into an entry without text or rating. */
  const fill = (own: StoredEntry, entry: EntryToWrite) => {
    const { values } = entry
    const before = pick(own, entryColumns)
    const text = before.text || values.text
    const filled = { ...before, text, rating_given: before.rating_given ?? values.rating_given }
    if (!isSameEntry(before, filled)) set('new', { ...entry, values: filled }, own.id)
    else set(values.text === '' || isSameText(values.text, before.text) ? 'same' : 'conflict', entry, own.id)
  }
  const rest: { entry: EntryToWrite; hasNoOrigin: boolean }[] = []
  for (const given of joined) {
    const rows = [...free.values()]
    const found = comparable(given.values)
    const hasOrigin = (row: StoredEntry) => found.origin !== null && row.origin === found.origin
    // The same read may have another number in its origin.
    const known =
      rows.find((row) => hasOrigin(row) && isSameViewing(row, found)) ??
      rows.find((row) => isSameViewing(row, found)) ??
      rows.find(hasOrigin)
    const values = known ? completed(found, known) : found
    const entry = { ...given, values }
    if (!known) rest.push({ entry, hasNoOrigin: given.values.origin === null })
    else if (isSameEntry(known, { ...values, is_again: known.is_again })) set('same', entry, known.id)
    else if (isUntouched(known))
      set('newer', { ...given, values: { ...values, origin: known.origin ?? values.origin } }, known.id)
    else if (isSameViewing(known, values)) fill(known, entry)
    else set('conflict', entry, known.id)
  }
  const finished = current.filter(({ status }) => status === 'finished')
  for (const { entry, hasNoOrigin } of rest) {
    const { values } = entry
    const rows = [...free.values()]
    const replaced = rows.find(
      (row) => isUntouched(row) && isReplacedBy(row, values) && !isExcluded(values, row.id),
    )
    const open = isOpen(values) ? rows.find(isOpen) : undefined
    const held = hasNoOrigin ? rows.find((row) => isHeldAs(row, values)) : undefined
    if (values.status === 'finished' && isUndated(values) && finished.length > 0) {
      const isKnown = values.text === '' || current.some(({ text }) => text === values.text)
      const blank = rows.find(({ status, text }) => status === 'finished' && text === '')
      if (isKnown) worst = worse(worst, 'same')
      else if (blank) fill(blank, entry)
      else set(partOfNew(values), entry)
    } else if (held) fill(held, { ...entry, values: completed(values, held) })
    else if (replaced) set('newer', entry, replaced.id)
    else if (open) set('conflict', entry, open.id)
    else if (isOpen(values) && current.some((row) => isOver(row.status) && endsAfter(row, values)))
      set('conflict', entry)
    else set(partOfNew(values), entry)
  }
  return { part: worst, writes }

  /** A blank takes nothing back, and a rating in the steps of the service is the same. */
  function completed(values: EntryValues, row: StoredEntry): EntryValues {
    const { text, rating_given } = values
    const stored = { rating: null, rating_given: row.rating_given }
    const isSameRating =
      rating_given === null || (row.rating_given !== null && isRatingAt(service, stored, rating_given))
    return {
      ...values,
      text: text === '' || isSameText(text, row.text) ? row.text : text,
      rating_given: isSameRating ? row.rating_given : rating_given,
    }
  }

  /** Returns whether a file without ids of its service says the entry, without dates that it does not have. */
  function isHeldAs(row: StoredEntry, { status, started_on, finished_on }: EntryValues): boolean {
    return (
      (row.status === status || statusAt(service, row.status) === status) &&
      (started_on === null || started_on === row.started_on) &&
      (finished_on === null || finished_on === row.finished_on)
    )
  }

  function isExcluded(values: EntryValues, exceptId: number): boolean {
    return current.some((other) => other.id !== exceptId && excludes(other, values))
  }

  /**
   * An origin may name the same entry in a later state, as the first of several reads of a book. It never takes back that a title was
   * finished, nor a known date, and never makes a second entry of two that exclude each other.
   */
  function comparable(values: EntryValues): EntryValues {
    const row = current.find(({ origin }) => origin !== null && origin === values.origin)
    if (!row) return values
    if (isExcluded(values, row.id) || (isOver(row.status) && !isOver(values.status)))
      return { ...values, origin: null }
    const { started_on, finished_on } = row
    return isOver(row.status) && isUndated(values) ? { ...values, started_on, finished_on } : values
  }

  /** The member has changed or deleted what an earlier import wrote. */
  function partOfNew(values: EntryValues): PartDiff {
    const isGone = [...journal.values()].some(
      (written) => isSameViewing(written, values) && written.origin === values.origin,
    )
    return isGone ? 'conflict' : 'new'
  }
}

/** Texts that passed through HTML differ in white space. */
export function isSameText(a: string, b: string): boolean {
  return a === b || withoutBlanks(a) === withoutBlanks(b)
}

const withoutBlanks = (text: string) => text.replace(/\s+/g, ' ').trim()

const isOpen = ({ status }: Pick<EntryRow, 'status'>) => status === 'started' || status === 'paused'

/** A title can have only one of the two. */
function excludes(a: Pick<EntryRow, 'status'>, b: Pick<EntryRow, 'status'>): boolean {
  return (isOpen(a) && isOpen(b)) || (a.status === 'want' && b.status === 'want')
}

type Dates = Pick<EntryRow, 'started_on' | 'finished_on'>
const isUndated = ({ started_on, finished_on }: Dates) => started_on === null && finished_on === null
const hasSameDates = (a: Dates, b: Dates) => a.started_on === b.started_on && a.finished_on === b.finished_on
export const isSameViewing = (a: EntryValues, b: EntryValues) => a.status === b.status && hasSameDates(a, b)

function endsAfter(over: Dates, open: Dates): boolean {
  const end = over.finished_on ?? over.started_on
  return open.started_on === null || end === null || end >= open.started_on
}

/** A title that was wanted or begun is over, or a date became known. */
function isReplacedBy(row: EntryValues, values: EntryValues): boolean {
  if (row.status === 'want') return values.status !== 'want'
  if (isOpen(row)) return isOver(values.status)
  return (
    row.status === 'finished' && values.status === 'finished' && isUndated(row) && !hasSameDates(row, values)
  )
}

export function isSameEntry(a: EntryValues, b: EntryValues): boolean {
  return entryFields.flat().every((column) => a[column] === b[column])
}

export function toEntryToWrite(entry: ParsedEntry, now: Date): EntryToWrite {
  const { startedOn: started_on, finishedOn: finished_on, ratingGiven: rating_given } = entry
  const { status, text, origin, pass } = entry
  const pastOf = (...dates: (string | null)[]) =>
    dates.map((date) => pastTime(date, now)).find((time) => time !== null) ?? now.toISOString()
  return {
    values: { status, started_on, finished_on, is_again: Number(entry.isAgain), rating_given, text, origin },
    pass,
    created_at: pastOf(entry.addedOn, finished_on ?? started_on),
    updated_at: pastOf(entry.updatedOn),
    steps: entry.steps.map(({ createdAt, ...step }) => ({ ...step, created_at: pastOf(createdAt) })),
  }
}

/** Null if it is later than now in UTC. */
export function pastTime(date: string | null, now: Date): string | null {
  const time = date === null ? null : timeOf(date)
  return time !== null && time <= now.toISOString() ? time : null
}
