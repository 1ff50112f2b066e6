/** A count on a profile: 999, 1.2k, 12k. */
export function formatCount(count: number): string {
  if (count < 1_000) return String(count)
  if (count < 10_000) return `${(count / 1_000).toFixed(1)}k`
  return `${Math.round(count / 1_000)}k`
}
