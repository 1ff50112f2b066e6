import { commaList, useFormats } from '#client/ui/formats.ts'
import { StarIcon } from '#client/ui/stars.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import type { NetworkRating } from './hooks.ts'
import { plural, t } from '#shared/domain/message.ts'

export function RatedBy({ rating }: { rating: NetworkRating | undefined }) {
  const { decimal } = useFormats()
  if (rating === undefined) return null
  const { raters, count, average } = rating
  const [first = '', second] = raters.map(({ username }) => username)
  const given = decimal(average, 1)
  const others = count - (second === undefined || count > 2 ? 1 : 2)
  return (
    <p className="flex items-center gap-1 text-meta text-muted">
      <StarIcon className="text-star" />
      <span aria-hidden className="font-semibold text-ink tabular-nums">
        {given}
      </span>
      <span aria-hidden dir="auto" className="truncate">
        {others > 0 ? `${first} +${others}` : commaList([first, second])}
      </span>
      <VisuallyHidden>
        {others > 0
          ? plural(others, {
              one: `${given} on average by ${first} and # other`,
              other: `${given} on average by ${first} and # others`,
            })
          : t`${given} on average by ${commaList([first, second])}`}
      </VisuallyHidden>
    </p>
  )
}
