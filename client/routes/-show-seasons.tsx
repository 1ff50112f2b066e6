import { PartRating, type RatedPart } from '#client/progress/part-rating.ts'
import { SeasonList } from '#client/progress/season-list.tsx'
import { PartStars } from '#client/reviews/part-stars.tsx'

const ratingOf = (rated: RatedPart) => <PartStars {...rated} />

export function ShowSeasons({ id, className }: { id: number; className?: string }) {
  return (
    <PartRating value={ratingOf}>
      <SeasonList id={id} className={className} />
    </PartRating>
  )
}
