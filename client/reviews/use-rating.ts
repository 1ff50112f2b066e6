import { useState } from 'react'
import { type StarCount, starWords } from '#client/ui/stars-input.tsx'
import { starsText } from '#client/ui/stars.tsx'
import { showFailure } from '#client/app/trpc.ts'
import type { Review } from './hooks.ts'
import { removeReview, useSaveReview } from './write-hooks.ts'
import { type NamedTitle, reviewedKey } from './title.ts'
import { t } from '#shared/domain/message.ts'

/**
 * Saved as soon as it is chosen; null removes it, which can be undone. `said` is for screen readers. `settle` shows the saved rating again
 * after another call of `save`.
 */
export function useRating(title: NamedTitle, review: Review | null) {
  const save = useSaveReview(title)
  const [said, setSaid] = useState('')
  // The stars show it at once, and the next click compares with it.
  const [chosen, setChosen] = useState<StarCount>()
  const rating = chosen ?? ((review?.rating ?? null) as StarCount | null)
  const settle = () => setChosen(undefined)

  function rate(next: StarCount | null) {
    if (next === null) return clear()
    setSaid('')
    setChosen(next)
    save.mutate(
      { ...reviewedKey(title), rating: next },
      {
        onSuccess: () => setSaid(saidOf(title.name, next)),
        onError: (error) => showFailure(t`Your rating was not saved`, error, () => rate(next)),
        // Callbacks of `mutate` run for the latest call only.
        onSettled: settle,
      },
    )
  }

  function clear() {
    if (review !== null) removeReview(title, review, t`Rating removed`)
  }

  return { rating, rate, save, settle, said, setSaid }
}

function saidOf(name: string, stars: StarCount): string {
  const word = starWords[stars - 1]
  return word === undefined
    ? t`You gave “${name}” ${starsText(stars)}.`
    : t`You gave “${name}” ${stars} of 5 stars: ${word}.`
}
