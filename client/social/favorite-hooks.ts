import { useMutation, useQuery } from '@tanstack/react-query'
import { useSession } from '#client/session.ts'
import { favoritesRouter, titleIdInput } from '#client/kinds.ts'
import { retryOnce, trpc, trpcClient } from '#client/trpc.ts'
import type { KindFacts } from '#shared/media.ts'

export function useIsFavorite(facts: KindFacts, id: number) {
  const { isFavorite } = favoritesRouter(trpc.useUtils(), facts)
  const isMember = useSession() !== null
  return useQuery({ ...isFavorite.queryOptions({ id }), enabled: isMember })
}

/** Adds a title to the member's favorites (true), or removes it. */
export function useSetFavorite(facts: KindFacts, id: number) {
  const utils = favoritesRouter(trpc.useUtils(), facts)
  const { add, remove } = favoritesRouter(trpcClient, facts)
  const userId = useSession()?.user.id
  return useMutation({
    ...retryOnce,
    mutationFn: (isFavorite: boolean) =>
      isFavorite ? add.mutate(titleIdInput(facts, id)) : remove.mutate({ id }),
    onSuccess(_, isFavorite) {
      utils.isFavorite.setData({ id }, { isFavorite })
      if (userId !== undefined) void utils.list.invalidate({ id: userId })
    },
  })
}
