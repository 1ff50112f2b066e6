import { useId } from 'react'
import type { NamedTitle } from '#client/app/kinds.ts'
import { useKnownRating } from '#client/titles/my-titles.ts'
import { setTitleMenu, useTitleMenu } from '#client/titles/title-menu.ts'
import { Button } from '#client/ui/button.tsx'
import { givenText } from '#client/ui/formats.ts'
import { StarIcon, starsText } from '#client/ui/stars.tsx'
import { useMyReview } from './hooks.ts'

export function RateButton({ title }: { title: NamedTitle }) {
  const mine = useMyReview(title)
  // The page loads the member's review; a rating that is being saved is newer.
  const known = useKnownRating(title.id)
  const rating = known !== null && known.at >= mine.dataUpdatedAt ? known.rating : (mine.data?.rating ?? null)
  const imported = mine.data?.rating === rating ? (mine.data.ratingGiven ?? null) : null
  const given = imported === null ? undefined : `${givenText(imported)} in the imported file`
  const key = useId()
  const isOpen = useTitleMenu((menu) => menu?.key === key)
  return (
    <Button
      aria-label={
        rating === null
          ? 'Rate'
          : `${[`Your rating ${starsText(rating)}`, given].filter(Boolean).join(', ')}. Change your rating`
      }
      title={given}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      className="min-w-20 tabular-nums"
      icon={<StarIcon className={rating === null ? '*:fill-none *:stroke-2' : 'text-star'} />}
      onClick={({ currentTarget }) => setTitleMenu({ key, anchor: currentTarget, title, hasFavorite: false })}
    >
      {rating === null ? 'Rate' : `Your rating ${rating}`}
    </Button>
  )
}
