import { changed } from '#client/app/facts.ts'
import { retryOnce, showFailure, trpc } from '#client/app/trpc.ts'
import { showDone } from '#client/ui/toasts.ts'
import { type Item, itemsOf, type List } from './hooks.ts'
import type { ListParams } from './params.ts'
import { itemsInput, itemsPageSize } from './queries.ts'
import { plural, t } from '#shared/domain/message.ts'

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
