import { useEffect, useRef } from 'react'
import type { NamedTitle } from '#client/app/kinds.ts'
import { showFailure } from '#client/app/trpc.ts'
import { showDone } from '#client/ui/toasts.ts'
import { useIsFavorite, useSetFavorite } from './favorite-hooks.ts'

/** Adds a title to the member's favorites, or removes it, once it is known which. A toast offers to undo it. Renders nothing. */
export function FavoriteAct({ title }: { title: NamedTitle }) {
  const { data } = useIsFavorite(title)
  const setFavorite = useSetFavorite(title)
  const isDone = useRef(false)

  function set(next: boolean) {
    setFavorite.mutate(next, {
      onSuccess: () =>
        showDone(`“${title.name}” is ${next ? 'a' : 'no longer a'} favorite`, () => set(!next)),
      onError: (error) => showFailure('Your favorites were not changed', error),
    })
  }

  useEffect(() => {
    if (data === undefined || isDone.current) return
    isDone.current = true
    set(!data.isFavorite)
  })
  return null
}
