import { useMutation, useQuery } from '@tanstack/react-query'
import { useSession } from '#client/app/session.ts'
import { favoritesRouter, titleKey, type TitleRef } from '#client/app/kinds.ts'
import { retryOnce, trpc, trpcClient } from '#client/app/trpc.ts'
import { kinds } from '#shared/domain/media.ts'

export function useIsFavorite({ kind, id }: TitleRef) {
  const { isFavorite } = favoritesRouter(trpc.useUtils(), kinds[kind])
  const isMember = useSession() !== null
  return useQuery({ ...isFavorite.queryOptions({ id }), enabled: isMember })
}

/** Adds a title to the member's favorites (true), or removes it. */
export function useSetFavorite(title: TitleRef) {
  const { kind, id } = title
  const definition = kinds[kind]
  const utils = favoritesRouter(trpc.useUtils(), definition)
  const { add, remove } = favoritesRouter(trpcClient, definition)
  const userId = useSession()?.user.id
  return useMutation({
    ...retryOnce,
    mutationFn: (isFavorite: boolean) => (isFavorite ? add.mutate(titleKey(title)) : remove.mutate({ id })),
    onSuccess(_, isFavorite) {
      utils.isFavorite.setData({ id }, { isFavorite })
      if (userId !== undefined) void utils.list.invalidate({ id: userId })
    },
  })
}
