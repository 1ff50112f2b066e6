import type { ReactNode } from 'react'
import { useMyRating } from '#client/titles/my-titles.ts'
import { type StarCount, StarsInput } from '#client/ui/stars-input.tsx'
import { useMyReview } from './hooks.ts'
import { useRating } from './use-rating.ts'
import type { NamedTitle } from './title.ts'
import { t } from '#shared/domain/message.ts'

/** `children` get the stars, so that they can be closed while a rating is being saved. */
export function QuickRating({
  title,
  children,
}: {
  title: NamedTitle
  children: (stars: ReactNode) => ReactNode
}) {
  const mine = useMyReview(title)
  const known = useMyRating(title.id)
  const review = mine.data ?? null
  const { rating, rate, said } = useRating(title, review)
  return children(
    <>
      <StarsInput
        label={t`Your rating of “${title.name}”`}
        hideLabel
        compact
        value={rating ?? ((known ?? null) as StarCount | null)}
        onChange={rate}
        // A rating cannot be removed from a review with text; that review is deleted on the page of the title.
        required={review === null || review.text !== ''}
      />
      <p role="status" className="sr-only">
        {said}
      </p>
    </>,
  )
}
