import { allKinds, isOver, type KindDefinition } from '#shared/domain/media.ts'
import type { Entry, ShownEntry, Year } from './hooks.ts'

/** Returns today’s date in the time zone of this device, as `YYYY-MM-DD`. */
export function today(now = new Date()): string {
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${now.getFullYear()}-${month}-${day}`
}

/** Returns the last date of an entry, which may lack the day or the month; empty if it has none. */
export function dayOf({ startedOn, finishedOn }: Pick<ShownEntry, 'startedOn' | 'finishedOn'>): string {
  return finishedOn ?? startedOn ?? ''
}

/** Returns the label of an entry’s status: “Watching”, “Read again”. */
export function statusWord(
  { words }: KindDefinition,
  { status, isAgain }: Pick<ShownEntry, 'status' | 'isAgain'>,
): string {
  return status === 'finished' && isAgain ? words.diary.again : words.diary[status]
}

/**
 * Returns the entry that a new status applies to: the one in progress, otherwise the one on the want list. Returns undefined if there
 * is neither: the new status then is a new entry.
 */
export function currentEntry(entries: readonly Entry[]): Entry | undefined {
  return (
    entries.find(({ status }) => status === 'started' || status === 'paused') ??
    entries.find(({ status }) => status === 'want')
  )
}

/** Returns the entry that a press on the status of a title changes: the current one, or the last one. */
export function shownEntry(entries: readonly Entry[]): Entry | undefined {
  return currentEntry(entries) ?? entries[0]
}

/** Returns what an unsaved note is about (`KeptTexts`): the entry that a new status applies to, or an earlier one. */
export function keptNoteOf(titleId: number, entry: Pick<Entry, 'id' | 'status'> | undefined): string {
  return `note of ${titleId}${entry !== undefined && isOver(entry.status) ? ` in ${entry.id}` : ''}`
}

/**
 * Groups entries, which must be sorted by their last date, by month. `month` is `2026-05`, `2026` for dates without a month, or an
 * empty string for entries without a date.
 */
export function byMonth<One extends ShownEntry>(
  entries: readonly One[],
): { month: string; entries: One[] }[] {
  return groups(entries, (entry) => dayOf(entry).slice(0, 7)).map(([month, ofMonth]) => ({
    month,
    entries: ofMonth,
  }))
}

/** Groups entries, which must be sorted by their last date, by this date. */
export function byDay<One extends ShownEntry>(entries: readonly One[]): { day: string; entries: One[] }[] {
  return groups(entries, dayOf).map(([day, ofDay]) => ({ day, entries: ofDay }))
}

function groups<One>(list: readonly One[], keyOf: (one: One) => string): [string, One[]][] {
  const found: [string, One[]][] = []
  for (const one of list) {
    const key = keyOf(one)
    if (found.at(-1)?.[0] !== key) found.push([key, []])
    found.at(-1)![1].push(one)
  }
  return found
}

/** Returns the length of a title, for display: “136 min”, “412 pages”; empty if it is unknown. */
export function lengthText({ runtime, pageCount }: Pick<ShownEntry, 'runtime' | 'pageCount'>): string {
  if (runtime !== null) return `${runtime} min`
  return pageCount === null ? '' : `${pageCount} ${pageCount === 1 ? 'page' : 'pages'}`
}

/** Returns the number of finished entries of a month, of all kinds. */
export function countOfMonth(month: Year['months'][number]): number {
  return allKinds.reduce((sum, { kind }) => sum + month[kind], 0)
}

/** Returns the longest run of days with entries; null without one of at least two days. `days` are sorted. */
export function longestStreak(
  days: readonly { date: string }[],
): { from: string; to: string; days: number } | null {
  let best: { from: string; to: string; days: number } | null = null
  let from = 0
  for (const [at, { date }] of days.entries()) {
    if (at > 0 && daysBetween(days[at - 1]!.date, date) !== 1) from = at
    const length = at - from + 1
    if (length >= 2 && length > (best?.days ?? 0)) best = { from: days[from]!.date, to: date, days: length }
  }
  return best
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
}
