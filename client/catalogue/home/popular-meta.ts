import type { Formats } from '#client/ui/formats.ts'
import { messages } from '#shared/texts/messages.ts'
import { plural, t } from '#shared/domain/message.ts'

export function popularMeta(
  entry: { reviewCount: number; reviewAverage: number | null },
  { decimal }: Pick<Formats, 'decimal'>,
): string[] {
  const { reviewCount, reviewAverage } = entry
  const parts = [
    reviewCount > 0 && plural(reviewCount, { one: '# recent review', other: '# recent reviews' }),
    reviewAverage !== null && t`${decimal(reviewAverage, 1)} ★ average`,
  ].filter((part) => part !== false)
  return parts.length > 0 ? parts : [messages.tapToSee]
}
