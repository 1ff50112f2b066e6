import { messages } from '#shared/messages.ts'

const whole = new Intl.NumberFormat()
const decimal = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** The parts of the line under a popular title, to stand with “ · ” between: “3 recent reviews”, “4.2 ★ average”. */
export function popularMeta(entry: { reviewCount: number; reviewAverage: number | null }): string[] {
  const { reviewCount, reviewAverage } = entry
  const parts = [
    reviewCount > 0 && `${whole.format(reviewCount)} recent ${reviewCount === 1 ? 'review' : 'reviews'}`,
    reviewAverage !== null && `${decimal.format(reviewAverage)} ★ average`,
  ].filter((part) => part !== false)
  return parts.length > 0 ? parts : [messages.tapToSee]
}
