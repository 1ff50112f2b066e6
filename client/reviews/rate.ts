import { queryClient, runMutation, showFailure } from '#client/app/trpc.ts'
import { getMyRating } from '#client/titles/my-titles.ts'
import type { StarCount } from '#client/ui/stars-input.tsx'
import { shortStars } from '#shared/domain/ratings.ts'
import { toasts } from '#client/ui/toasts.ts'
import { removeReview, savingReview } from './write-hooks.ts'
import { type NamedTitle, reviewedKey } from './title.ts'
import { t } from '#shared/domain/message.ts'

/** The next rating replaces the toast, so that ten ratings are not ten toasts. */
let shown: AbortController | undefined

export function rateTitle(title: NamedTitle, stars: StarCount): void {
  const before = getMyRating(queryClient, title.id)
  if (before === stars) return
  save(title, stars, (review) => {
    shown?.abort()
    shown = new AbortController()
    toasts.add({
      tone: 'success',
      title: t`“${title.name}”: ${shortStars(stars)} of 5 stars`,
      signal: shown.signal,
      // Without the former rating, nothing can be restored.
      ...(before !== undefined && {
        action: {
          label: t`Undo`,
          onAction: () =>
            before === null ? removeReview(title, review, t`Rating removed`) : save(title, before),
        },
      }),
    })
  })
}

function save(
  title: NamedTitle,
  rating: number,
  onSaved?: (review: { id: number; rating: number }) => void,
): void {
  runMutation(savingReview(title), { ...reviewedKey(title), rating }).then(
    ({ review }) => onSaved?.(review),
    (error) => showFailure(t`Your rating was not saved`, error, () => save(title, rating, onSaved)),
  )
}
