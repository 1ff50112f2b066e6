import { Avatar } from '#client/ui/avatar.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { Histogram } from '#client/ui/histogram.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import type { Ratings } from './histogram.ts'
import { useMyReview, useRaters } from './hooks.ts'
import type { ReviewedTitle } from './title.ts'

type Rater = { username: string; avatarUrl: string | null; rating: number }

export function NetworkHistogram({ title, counts }: { title: ReviewedTitle; counts: Ratings['counts'] }) {
  const raters = useRaters(title).data?.raters ?? []
  return (
    <>
      <Histogram
        counts={counts}
        label="Ratings of people you follow"
        above={(stars) => facesOf(raters.filter(({ rating }) => rating === stars))}
        className="mt-4 h-36"
      />
      {raters.length === 0 ? null : (
        <VisuallyHidden>
          {`Rated by ${raters.map(({ username, rating }) => `${username} (${rating})`).join(', ')}`}
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
      Where you differ: you gave {rating}, {difference} {rating > average ? 'above' : 'below'} the average.
    </p>
  )
}
