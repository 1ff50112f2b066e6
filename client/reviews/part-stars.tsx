import { useId, useState } from 'react'
import type { RatedPart } from '#client/titles/rated-part.ts'
import { IconButton } from '#client/ui/button.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { StarIcon, starsText } from '#client/ui/stars.tsx'
import { shortStars } from '#shared/domain/ratings.ts'
import { plural, t } from '#shared/domain/message.ts'
import { QuickRating } from './quick-rating.tsx'

/** The ratings of a season or an episode in a row of a list. The stars take a line of their own once they are wanted. */
export function PartStars({ title, avg, count, rating }: RatedPart) {
  const { name } = title
  const [isOpen, setOpen] = useState(false)
  const starsId = useId()
  const { decimal } = useFormats()
  const ratings = plural(count, { one: '# rating', other: '# ratings' })
  return (
    <>
      {avg === null ? null : (
        <span className="shrink-0 text-meta text-muted tabular-nums" title={ratings}>
          <span aria-hidden>{decimal(avg, 1)}</span>
          <span className="sr-only">{t`${decimal(avg, 1)} on average, ${ratings}`}</span>
        </span>
      )}
      {rating === undefined ? null : (
        <IconButton
          label={
            rating === null ? t`Rate ${name}` : t`Your rating of ${name}: ${starsText(rating)}. Change it`
          }
          variant="ghost"
          aria-expanded={isOpen}
          aria-controls={isOpen ? starsId : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <StarIcon className={rating === null ? '*:fill-none *:stroke-2' : 'text-star'} />
          {rating === null ? null : (
            <span aria-hidden className="text-meta tabular-nums">
              {shortStars(rating)}
            </span>
          )}
        </IconButton>
      )}
      {isOpen ? (
        <div id={starsId} className="order-last flex basis-full justify-end pb-2">
          <QuickRating title={title}>{(stars) => stars}</QuickRating>
        </div>
      ) : null}
    </>
  )
}
