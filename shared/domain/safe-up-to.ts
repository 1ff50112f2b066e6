import { type Kind, kinds } from './kinds.ts'

/** How far a reader must be in a title to read a text about it. */
export const safeUnits = ['episodeId', 'page', 'percent'] as const
export type SafeUnit = (typeof safeUnits)[number]

export function safeUnitsOf(kind: Kind): readonly SafeUnit[] {
  const unit = kinds[kind].progressUnit
  if (unit === null) return ['episodeId']
  return unit === 'page' ? ['page', 'percent'] : ['percent']
}
