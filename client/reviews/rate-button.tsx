import type { NamedTitle } from '#client/app/kinds.ts'
import { useKnownRating } from '#client/titles/my-titles.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { commaList, givenText } from '#client/ui/formats.ts'
import { StarIcon, starsText } from '#client/ui/stars.tsx'
import { shortStars } from '#shared/domain/ratings.ts'
import { useMyReview } from './hooks.ts'
import { t } from '#shared/domain/message.ts'

/** A name has the visible text. */
const named = (rating: number) =>
  Number.isInteger(rating)
    ? t`Your rating ${starsText(rating)}`
    : t`Your rating ${shortStars(rating)}, ${starsText(rating)}`

/** Shows the member's rating of a title, and leads to the stars of “Share Your Take”: the one place of the page to rate. */
export function RateButton({ title }: { title: NamedTitle }) {
  const mine = useMyReview(title)
  // The page loads the member's review; a rating that is being saved is newer.
  const known = useKnownRating(title.id)
  const rating = known !== null && known.at >= mine.dataUpdatedAt ? known.rating : (mine.data?.rating ?? null)
  const imported = mine.data?.rating === rating ? (mine.data.ratingGiven ?? null) : null
  const given = imported === null ? undefined : t`${givenText(imported)} in the imported file`
  return (
    <ButtonLink
      href="#take"
      aria-label={rating === null ? t`Rate` : t`${commaList([named(rating), given])}. Change your rating`}
      title={given}
      className="min-w-20 tabular-nums"
      icon={<StarIcon className={rating === null ? '*:fill-none *:stroke-2' : 'text-star'} />}
      onClick={(event) => {
        const take = document.querySelector('#take')
        const star =
          take?.querySelector<HTMLElement>('[data-stars]:checked') ??
          take?.querySelector<HTMLElement>('[data-stars]')
        // A visitor has no stars: the link leads to the section.
        if (!take || !star) return
        event.preventDefault()
        take.scrollIntoView({ block: 'center' })
        star.focus({ preventScroll: true })
      }}
    >
      {rating === null ? t`Rate` : t`Your rating ${shortStars(rating)}`}
    </ButtonLink>
  )
}
