import { useEffect, useRef } from 'react'
import { toasts } from '#client/ui/toasts.ts'
import { showFailure } from '#client/trpc.ts'
import type { KindDefinition } from '#shared/media.ts'
import { useIsFavorite, useSetFavorite } from './favorite-hooks.ts'

/** Adds a title to the member's favorites, or removes it, once it is known which. A toast offers to undo it. Renders nothing. */
export function FavoriteAct({
  definition,
  id,
  name,
}: {
  definition: KindDefinition
  id: number
  name: string
}) {
  const { data } = useIsFavorite(definition, id)
  const setFavorite = useSetFavorite(definition, id)
  const isDone = useRef(false)

  function set(next: boolean) {
    setFavorite.mutate(next, {
      onSuccess: () =>
        toasts.add({
          tone: 'success',
          title: next ? `“${name}” is a favorite` : `“${name}” is no longer a favorite`,
          action: { label: 'Undo', onAction: () => set(!next) },
        }),
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
