import { t } from './message.ts'

/** In the order of the API. Each is a column of `reviews`. */
export const reviewFlags = {
  hasSpoilers: {
    column: 'has_spoilers',
    description: 'Whether the author has marked the text as revealing the plot.',
    label: t`My review contains spoilers`,
    heading: t`Spoilers`,
  },
} as const

export type ReviewFlag = keyof typeof reviewFlags
export type ReviewFlags = Record<ReviewFlag, boolean>
export type FlagColumn = (typeof reviewFlags)[ReviewFlag]['column']

export const flagNames = Object.keys(reviewFlags) as ReviewFlag[]

export function byFlag<Value>(
  valueOf: (flag: (typeof reviewFlags)[ReviewFlag], name: ReviewFlag) => Value,
): Record<ReviewFlag, Value> {
  const values = flagNames.map((name) => [name, valueOf(reviewFlags[name], name)])
  return Object.fromEntries(values) as Record<ReviewFlag, Value>
}
