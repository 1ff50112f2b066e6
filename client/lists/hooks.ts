import { changed } from '#client/app/facts.ts'
import { listPath, useDeleted } from '#client/app/deleted.ts'
import { useSession } from '#client/app/session.ts'
import { nextPage, retryOnce, type RouterOutputs, showFailure, trpc } from '#client/app/trpc.ts'
import { showDone } from '#client/ui/toasts.ts'
import type { ListParams } from './params.ts'
import { itemsInput, itemsPageSize, listInput } from './queries.ts'
import { plural, t } from '#shared/domain/message.ts'

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

/** The page shows changes at once, and rolls back if the call fails. */
export function useItemChanges(list: List, params: ListParams) {
  const { id } = list
  const utils = trpc.useUtils()
  const { mutateAsync } = trpc.lists.changeItems.useMutation({ ...retryOnce, scope: { id: `list ${id}` } })
  const input = itemsInput(id, params)

  function show(items: readonly Item[]) {
    void utils.lists.items.cancel(input)
    utils.lists.items.setInfiniteData(input, (old) => {
      if (!old) return old
      const numbered = items.map((item, at) => ({ ...item, position: at + 1 }))
      // As many pages as before, so that loading them again loads all.
      const pages = old.pages.map((page, at) => {
        const end = at === old.pages.length - 1 ? undefined : (at + 1) * itemsPageSize
        return { ...page, items: numbered.slice(at * itemsPageSize, end) }
      })
      return { ...old, pages }
    })
  }
  const current = () => {
    const data = utils.lists.items.getInfiniteData(input)
    return { items: itemsOf(data), hasMore: data?.pages.at(-1)?.nextCursor !== null }
  }

  async function send(
    change: Parameters<typeof mutateAsync>[0],
    next: readonly Item[],
    done?: { title: string; undo: () => void },
  ) {
    const before = current().items
    show(next)
    try {
      await mutateAsync(change)
      if (done) showDone(done.title, done.undo)
    } catch (error) {
      show(before)
      showFailure(t`The list was not changed.`, error)
    }
    void changed('lists')
  }

  function move(ids: readonly number[], position: number, canUndo = true) {
    const { items, hasMore } = current()
    const moved = ids.flatMap((one) => items.find(({ title }) => title.id === one) ?? [])
    const others = items.filter(({ title }) => !ids.includes(title.id))
    const isBeyond = hasMore && position > others.length + 1
    const next = isBeyond ? others : others.toSpliced(position - 1, 0, ...moved)
    if (next.length === items.length && next.every((item, index) => item === items[index])) return
    const positions = moved.map((item) => ({ itemId: item.title.id, position: item.position }))
    void send(
      { id, action: 'move', items: moved.map(({ title }) => ({ itemId: title.id })), position },
      next,
      canUndo || isBeyond
        ? {
            title:
              moved.length === 1
                ? t`Moved “${moved[0]!.title.name}” to position ${position}`
                : plural(moved.length, { one: 'Moved # title', other: 'Moved # titles' }),
            undo: () => void send({ id, action: 'move', items: positions }, putBack(current().items, moved)),
          }
        : undefined,
    )
  }

  function remove(ids: readonly number[]) {
    const { items } = current()
    const removed = items.filter(({ title }) => ids.includes(title.id))
    void send(
      { id, action: 'remove', items: removed.map(({ title }) => ({ itemId: title.id })) },
      items.filter((item) => !removed.includes(item)),
      {
        title:
          removed.length === 1
            ? t`Removed “${removed[0]!.title.name}”`
            : plural(removed.length, { one: 'Removed # title', other: 'Removed # titles' }),
        undo: () =>
          void send(
            {
              id,
              items: removed.map(({ title, note, position }) => ({ itemId: title.id, note, position })),
            },
            putBack(current().items, removed),
          ),
      },
    )
  }
  return { move, remove }
}

/** Restores former positions as the server does. */
function putBack(items: readonly Item[], back: readonly Item[]): Item[] {
  const result = items.filter(({ title }) => !back.some((one) => one.title.id === title.id))
  for (const item of back.toSorted((a, b) => a.position - b.position))
    result.splice(item.position - 1, 0, item)
  return result
}

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
  const onLiked = ({ isLiked, likeCount }: { isLiked: boolean; likeCount: number }) =>
    patch({ likeCount }, { isLiked })
  const onFollowed = ({ isFollowed }: { isFollowed: boolean }) => patch({}, { isFollowed })
  const like = trpc.lists.like.useMutation({ ...retryOnce, onSuccess: onLiked })
  const unlike = trpc.lists.unlike.useMutation({ ...retryOnce, onSuccess: onLiked })
  const follow = trpc.lists.follow.useMutation({ ...retryOnce, onSuccess: onFollowed })
  const unfollow = trpc.lists.unfollow.useMutation({ ...retryOnce, onSuccess: onFollowed })
  return {
    setLiked: (isLiked: boolean) => (isLiked ? like : unlike).mutate(input),
    setFollowed: (isFollowed: boolean) => (isFollowed ? follow : unfollow).mutate(input),
    isPending: like.isPending || unlike.isPending || follow.isPending || unfollow.isPending,
  }
}
