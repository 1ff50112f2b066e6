import { PartRating } from '#client/progress/part-rating.ts'
import type { RatedPart } from '#client/titles/rated-part.ts'
import { SeasonList } from '#client/progress/season-list.tsx'
import { PartStars } from '#client/reviews/part-stars.tsx'
import { SeasonReviews } from '#client/reviews/season-reviews.tsx'

const ratingOf = (rated: RatedPart) => {
  const { part, name, showId } = rated
  return (
    <>
      <PartStars {...rated} />
      {'seasonId' in part ? <SeasonReviews season={{ kind: 'tvShow', id: showId, part, name }} /> : null}
    </>
  )
}

export function ShowSeasons({ id, className }: { id: number; className?: string }) {
  return (
    <PartRating value={ratingOf}>
      <SeasonList id={id} className={className} />
    </PartRating>
  )
}
