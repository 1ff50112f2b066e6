import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type NamedTitle, titleKey } from '#client/app/kinds.ts'
import { getMyRating } from '#client/titles/my-titles.ts'
import type { StarCount } from '#client/ui/stars-input.tsx'
import { toasts } from '#client/ui/toasts.ts'
import { showFailure } from '#client/app/trpc.ts'
import { useRemoveReview, useSaveReview } from './write-hooks.ts'

/** The toast of the latest rating. The next rating replaces it, so that ten ratings are not ten toasts. */
let shown: AbortController | undefined

/** Rates a title once, when it is rendered. A toast offers to undo it. Renders nothing. */
export function RateAct({ title, stars }: { title: NamedTitle; stars: StarCount }) {
  const queryClient = useQueryClient()
  const save = useSaveReview(title)
  const remove = useRemoveReview(title)
  const isDone = useRef(false)

  function rate(rating: number, onSaved?: (review: { id: number; rating: number }) => void) {
    save.mutate(
      { ...titleKey(title), rating },
      {
        onSuccess: ({ review }) => onSaved?.(review),
        onError: (error) => showFailure('Your rating was not saved', error, () => rate(rating, onSaved)),
      },
    )
  }

  useEffect(() => {
    if (isDone.current) return
    isDone.current = true
    const before = getMyRating(queryClient, title.id)
    if (before === stars) return
    rate(stars, (review) => {
      shown?.abort()
      shown = new AbortController()
      toasts.add({
        tone: 'success',
        title: `“${title.name}”: ${stars} of 5 stars`,
        signal: shown.signal,
        // Without the rating from before, nothing can be restored.
        ...(before !== undefined && {
          action: {
            label: 'Undo',
            onAction: () => (before === null ? remove(review, 'Rating removed') : rate(before)),
          },
        }),
      })
    })
  })
  return null
}
