import { dayMs } from '#shared/domain/days.ts'

/** Days per span of a roll-up by days. Each divides the next, so that any window consists of at most 7 spans of each length. */
export const spanLengths = [1, 8, 64] as const

/** Whole days since 1970; the time is in ms. */
export function dayOf(time: number): number {
  return Math.floor(time / dayMs)
}

export function spanStart(day: number, days: number): number {
  return Math.floor(day / days) * days
}

export type Span = { days: number; start: number }

/** The window is the rest of its first day, whole days up to `eights`, spans of 8 days up to `sixtyFours`, and spans of 64 days without an end. */
export function divideWindow(now: Date, days: number) {
  const since = now.getTime() - days * dayMs
  const firstDay = dayOf(since)
  const eights = Math.ceil((firstDay + 1) / 8) * 8
  const sixtyFours = Math.ceil(eights / 64) * 64
  // The clock of another process may be ahead.
  const end = dayOf(now.getTime()) + 2
  return {
    since: new Date(since).toISOString(),
    firstDayEnd: new Date((firstDay + 1) * dayMs).toISOString(),
    firstDay,
    eights,
    sixtyFours,
    spans: [
      ...spansBetween(firstDay, Math.min(eights, end), 1),
      ...spansBetween(eights, Math.min(sixtyFours, end), 8),
      ...spansBetween(sixtyFours, end, 64),
    ],
  }
}
export type Window = ReturnType<typeof divideWindow>

function spansBetween(from: number, to: number, days: number): Span[] {
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / days)) }, (_, at) => ({
    days,
    start: from + at * days,
  }))
}
