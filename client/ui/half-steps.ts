import { type Bar, barOf, type RatingStep, ratingSteps } from '#shared/domain/ratings.ts'

/** The ratings of one star. The first star has no half. */
export function stepsOf(count: Bar, hasHalves: boolean): readonly RatingStep[] {
  return hasHalves ? ratingSteps.filter((stars) => barOf(stars) === count) : [count]
}

/** Returns n½ for n, and n for n½; nothing for 5. */
export function halfOf(stars: number | null): RatingStep | undefined {
  return ratingSteps.find(
    (step) => stars !== null && step !== stars && Math.floor(step) === Math.floor(stars),
  )
}

export const isHalfKey = (key: string) => key === '.' || key === ','
