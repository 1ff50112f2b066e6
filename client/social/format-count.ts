import type { Formats } from '#client/ui/formats.ts'

export function formatCount(count: number, decimal: Formats['decimal']): string {
  if (count < 1_000) return String(count)
  if (count < 10_000) return `${decimal(count / 1_000, 1)}k`
  return `${Math.round(count / 1_000)}k`
}
