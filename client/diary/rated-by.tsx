import { useFormats } from '#client/ui/formats.ts'
import { StarIcon } from '#client/ui/stars.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import type { NetworkRating } from './hooks.ts'

export function RatedBy({ rating }: { rating: NetworkRating | undefined }) {
  const { decimal } = useFormats()
  if (rating === undefined) return null
  const { raters, count, average } = rating
  const [first, second] = raters.map(({ username }) => username)
  const others = count - (second === undefined || count > 2 ? 1 : 2)
  return (
    <p className="flex items-center gap-1 text-meta text-muted">
      <StarIcon className="text-star" />
      <span className="font-semibold text-ink tabular-nums">{decimal(average, 1)}</span>{' '}
      <VisuallyHidden>on average by</VisuallyHidden>{' '}
      <span dir="auto" className="truncate">
        {others > 0 ? `${first} +${others}` : [first, second].filter(Boolean).join(', ')}
      </span>
    </p>
  )
}
