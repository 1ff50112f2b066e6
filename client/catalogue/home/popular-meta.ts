import type { Formats } from '#client/ui/formats.ts'
import { messages } from '#shared/texts/messages.ts'

export function popularMeta(
  entry: { reviewCount: number; reviewAverage: number | null },
  { count, decimal }: Formats,
): string[] {
  const { reviewCount, reviewAverage } = entry
  const parts = [
    reviewCount > 0 && `${count(reviewCount)} recent ${reviewCount === 1 ? 'review' : 'reviews'}`,
    reviewAverage !== null && `${decimal(reviewAverage, 1)} ★ average`,
  ].filter((part) => part !== false)
  return parts.length > 0 ? parts : [messages.tapToSee]
}
