import { createContext, useContext } from 'react'
import {
  bars,
  type HalfCounts,
  type RatingStep,
  ratingSteps,
  type StarCounts,
} from '#shared/domain/ratings.ts'

/** Whether the member rates in half stars. */
export const HalfStars = createContext(false)

export function useHalfStars(): boolean {
  return useContext(HalfStars)
}

export type Counts = { counts: Readonly<StarCounts>; halfCounts: Readonly<HalfCounts> }

/** Nine bars for who rates in half stars, otherwise five. */
export function useBars({ counts, halfCounts }: Counts): { stars: RatingStep; count: number }[] {
  return useHalfStars()
    ? ratingSteps.map((stars) => ({ stars, count: halfCounts[stars] }))
    : bars.map((stars) => ({ stars, count: counts[stars] }))
}

export function barColumns(shown: readonly unknown[]): string {
  return shown.length === bars.length ? 'grid-cols-5 gap-1.5' : 'grid-cols-9 gap-0.5 sm:gap-1.5'
}
