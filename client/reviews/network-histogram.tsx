import type { RouterOutputs } from '#client/app/trpc.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { barOf, shortStars } from '#shared/domain/ratings.ts'
import { useHalfStars } from '#client/ui/half-stars.ts'
import { commaList, useFormats } from '#client/ui/formats.ts'
import { Histogram } from '#client/ui/histogram.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import type { Ratings } from './histogram.ts'
import { useMyReview, useRaters } from './hooks.ts'
import type { ReviewedTitle } from './title.ts'
import { isolated, t } from '#shared/domain/message.ts'

type Rater = RouterOutputs['movies']['networkRaters']['raters'][number]

export function NetworkHistogram({ title, ratings }: { title: ReviewedTitle; ratings: Ratings }) {
  const hasHalves = useHalfStars()
  const raters = useRaters(title).data?.raters ?? []
  return (
    <>
      <Histogram
        ratings={ratings}
        label="Ratings of people you follow"
        above={(stars) =>
          facesOf(raters.filter(({ rating }) => (hasHalves ? rating : barOf(rating)) === stars))
        }
        className="mt-4 h-36"
      />
      {raters.length === 0 ? null : (
        <VisuallyHidden>
          Rated by{' '}
          {commaList(raters.map(({ username, rating }) => `${isolated(username)} (${shortStars(rating)})`))}
        </VisuallyHidden>
      )}
    </>
  )
}

function facesOf(raters: readonly Rater[]) {
  return (
    <span className="flex justify-center -space-x-2.5">
      {raters.slice(0, 2).map(({ username, avatarUrl }) => (
        <span key={username} title={username} className="rounded-full border-2 border-surface">
          <Avatar name={username} src={avatarUrl} size="sm" className="size-6!" />
        </span>
      ))}
    </span>
  )
}

/** Only a difference of a star or more. */
export function Difference({ title, average }: { title: ReviewedTitle; average: number | null }) {
  const { decimal } = useFormats()
  const rating = useMyReview(title).data?.rating
  if (rating === undefined || average === null || Math.abs(rating - average) < 1) return null
  const difference = decimal(Math.abs(rating - average), 1)
  return (
    <p className="mt-3 text-meta text-muted">
      {rating > average
        ? t`Where you differ: you gave ${shortStars(rating)}, ${difference} above the average.`
        : t`Where you differ: you gave ${shortStars(rating)}, ${difference} below the average.`}
    </p>
  )
}
