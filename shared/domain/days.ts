export const dayMs = 86_400_000

/** `day` is `2026-05-04`. Negative counts are days before. */
export function plusDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + count * dayMs).toISOString().slice(0, 10)
}

/** At UTC+14, the latest day in all time zones: it has begun somewhere. */
export function latestDay(now: Date): string {
  return new Date(now.getTime() + 14 * 60 * 60_000).toISOString().slice(0, 10)
}
