import { useMutation } from '@tanstack/react-query'
import { changed } from '#client/app/facts.ts'
import { listPath, useDeleted } from '#client/app/deleted.ts'
import { useSession } from '#client/app/session.ts'
import { nextPage, retryOnce, type RouterOutputs, showFailure, trpc, trpcClient } from '#client/app/trpc.ts'
import type { ListParams } from './params.ts'
import { itemsInput, listInput } from './queries.ts'
import { t } from '#shared/domain/message.ts'

export type List = RouterOutputs['lists']['byId']['list']
export type ListCard = RouterOutputs['lists']['search']['lists'][number]
export type Item = RouterOutputs['lists']['items']['items'][number]

export function useListItems(id: number, params: ListParams) {
  return trpc.lists.items.useInfiniteQuery(itemsInput(id, params), nextPage)
}

/** A title that was moved to the end of a page is on the next one too. */
export function itemsOf(data: { pages: { items: Item[] }[] } | undefined): Item[] {
  const items = data?.pages.flatMap((page) => page.items) ?? []
  return [...new Map(items.map((item) => [item.title.id, item])).values()]
}

export function useIsOwner(list: Pick<List, 'owner'>): boolean {
  return useSession()?.user.id === list.owner.id
}

export function useUndeleted<List extends { id: number }>(lists: readonly List[] = []): List[] {
  const deleted = useDeleted()
  return lists.filter(({ id }) => !deleted.has(listPath(id)))
}

export const fail = (error: unknown): void => showFailure(t`That did not work`, error)

export function useOpinions(list: List, params: ListParams) {
  const utils = trpc.useUtils()
  const input = listInput(list.id, params)
  const patch = (change: Partial<List>, mine: Partial<NonNullable<List['mine']>>) => {
    utils.lists.byId.setData(
      input,
      (old) =>
        old && {
          list: { ...old.list, ...change, ...(old.list.mine && { mine: { ...old.list.mine, ...mine } }) },
        },
    )
    void changed('lists')
  }
  const { like, unlike, follow, unfollow } = trpcClient.lists
  const liking = useMutation({
    ...retryOnce,
    mutationFn: (isLiked: boolean) => (isLiked ? like : unlike).mutate(input),
    onSuccess: ({ isLiked, likeCount }) => patch({ likeCount }, { isLiked }),
    onError: fail,
  })
  const following = useMutation({
    ...retryOnce,
    mutationFn: (isFollowed: boolean) => (isFollowed ? follow : unfollow).mutate(input),
    onSuccess: (mine) => patch({}, mine),
    onError: fail,
  })
  return {
    setLiked: liking.mutate,
    setFollowed: following.mutate,
    isPending: liking.isPending || following.isPending,
  }
}
