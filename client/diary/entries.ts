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

/** Returns the word of an entry’s status: “Watching”, “Read again”. */
export function statusWord(
  { words }: KindFacts,
  { status, isAgain }: Pick<ShownEntry, 'status' | 'isAgain'>,
): string {
  return status === 'finished' && isAgain ? words.diary.again : words.diary[status]
}

/**
 * Returns the entry that a new status belongs to: the one under way, else the one wanted. Undefined if the title has only
 * entries that are over, or none: then a new status is a new entry.
 */
export function currentEntry(entries: readonly Entry[]): Entry | undefined {
  return (
    entries.find(({ status }) => status === 'started' || status === 'paused') ??
    entries.find(({ status }) => status === 'want')
  )
}

/** Groups entries, sorted by their last date, by month: `2026-05`, or `2026` or an empty text if that is all that is known. */
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
