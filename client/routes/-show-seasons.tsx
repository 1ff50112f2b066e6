import { PartRating } from '#client/progress/part-rating.ts'
import type { RatedPart } from '#client/titles/rated-part.ts'
import { SeasonList } from '#client/progress/season-list.tsx'
import { PartStars } from '#client/reviews/part-stars.tsx'
import { SeasonReviews } from '#client/reviews/season-reviews.tsx'
import { hasPage } from '#client/reviews/title.ts'

const ratingOf = (rated: RatedPart) => (
  <>
    <PartStars {...rated} />
    {hasPage(rated.title) ? null : <SeasonReviews season={rated.title} />}
  </>
)

export function ShowSeasons({ id, className }: { id: number; className?: string }) {
  return (
    <PartRating value={ratingOf}>
      <SeasonList id={id} className={className} />
    </PartRating>
  )
}
