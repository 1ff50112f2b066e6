import type { KindFacts } from '#shared/media.ts'
import type { Entry, ShownEntry } from './hooks.ts'

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
  { words }: KindFacts,
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

/**
 * Groups entries, which must be sorted by their last date, by month. `month` is `2026-05`, `2026` for dates without a month, or an
 * empty string for entries without a date.
 */
export function byMonth<One extends ShownEntry>(
  entries: readonly One[],
): { month: string; entries: One[] }[] {
  const groups: { month: string; entries: One[] }[] = []
  for (const entry of entries) {
    const month = dayOf(entry).slice(0, 7)
    if (groups.at(-1)?.month !== month) groups.push({ month, entries: [] })
    groups.at(-1)!.entries.push(entry)
  }
  return groups
}
