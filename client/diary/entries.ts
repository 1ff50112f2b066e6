import { allKinds, isOver, type KindDefinition } from '#shared/domain/kinds.ts'
import type { DiaryEntry, ShownEntry, Year } from './hooks.ts'
import { decimalText, plural, t } from '#shared/domain/message.ts'
import { dayMs } from '#shared/domain/days.ts'

export function today(now = new Date()): string {
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${now.getFullYear()}-${month}-${day}`
}

/** The start or end of an entry, which may lack the day or the month; empty without a date. */
export function dayOf({ startedOn, finishedOn }: Pick<ShownEntry, 'startedOn' | 'finishedOn'>): string {
  return finishedOn ?? startedOn ?? ''
}

export function statusWord(
  { words }: KindDefinition,
  { status, isAgain }: Pick<ShownEntry, 'status' | 'isAgain'>,
): string {
  return status === 'finished' && isAgain ? words.diary.again : words.diary[status]
}

/** The entry that a new status applies to: in progress, otherwise on the want list. Undefined: the new status is a new entry. */
export function currentEntry(entries: readonly DiaryEntry[]): DiaryEntry | undefined {
  return (
    entries.find(({ status }) => status === 'started' || status === 'paused') ??
    entries.find(({ status }) => status === 'want')
  )
}

/** The current entry, or the last one. */
export function shownEntry(entries: readonly DiaryEntry[]): DiaryEntry | undefined {
  return currentEntry(entries) ?? entries[0]
}

/** The name of an unsaved note (`KeptTexts`): of the entry that a new status applies to, or an earlier one. */
export function keptNoteOf(titleId: number, entry: Pick<DiaryEntry, 'id' | 'status'> | undefined): string {
  return `note of ${titleId}${entry !== undefined && isOver(entry.status) ? ` in ${entry.id}` : ''}`
}

/** Entries must be sorted by last date. `month` is `2026-05`, `2026` without a month, or empty without a date. */
export function byMonth<One extends ShownEntry>(
  entries: readonly One[],
): { month: string; entries: One[] }[] {
  return groups(entries, (entry) => dayOf(entry).slice(0, 7)).map(([month, ofMonth]) => ({
    month,
    entries: ofMonth,
  }))
}

/** Entries must be sorted by last date. */
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

/** “136 min”, “412 pages”; empty if unknown. */
export function lengthText({ runtime, pageCount }: Pick<ShownEntry, 'runtime' | 'pageCount'>): string {
  if (runtime !== null) return t`${runtime} min`
  return pageCount === null ? '' : plural(pageCount, { one: '# page', other: '# pages' })
}

/** “Page 120 of 412”, “30 %”; without a total the value alone. */
export function reachedText({ unit, value, total }: Reached): string {
  const shown = decimalText(value)
  if (unit === 'percent') return t`${shown} %`
  if (unit === 'page') return total === null ? t`Page ${shown}` : t`Page ${shown} of ${total}`
  if (unit === 'minutes') return total === null ? t`${shown} min` : t`${shown} of ${total} min`
  return t`${shown} h`
}
type Reached = Pick<NonNullable<ShownEntry['progress']>, 'unit' | 'value' | 'total'>

export function countOfMonth(month: Year['months'][number]): number {
  return allKinds.reduce((sum, { kind }) => sum + month[kind], 0)
}

/** Null without at least two days in a row. `days` are sorted. */
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
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}
