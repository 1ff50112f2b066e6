import { GripVertical, MoreHorizontal, Trash2 } from 'lucide-react'
import { clsx } from 'clsx'
import { type KeyboardEvent, useRef, useState } from 'react'
import { changed } from '#client/app/facts.ts'
import { LoadError } from '#client/app/load-error.tsx'
import type { CardTitle } from '#client/app/kinds.ts'
import { retryOnce, showFailure, trpc } from '#client/app/trpc.ts'
import { TitleRow } from '#client/titles/found-titles.tsx'
import { TitlePicker } from '#client/titles/title-picker.tsx'
import { Button, IconButton } from '#client/ui/button.tsx'
import { stepOf, useDrag } from '#client/ui/drag.ts'
import { PosterGridSkeleton } from '#client/ui/poster-grid.tsx'
import { SelectionBar } from '#client/ui/selection-bar.tsx'
import { toasts } from '#client/ui/toasts.ts'
import { idsMax } from '#shared/domain/limits.ts'
import { type Item, itemsOf, type List, useListItems } from './hooks.ts'
import { TitleDialog, PositionDialog } from './title-dialogs.tsx'
import { useItemChanges } from './item-changes.ts'
import { LoadMore } from './load-more.tsx'
import type { ListParams } from './params.ts'
import { t } from '#shared/domain/message.ts'

type Props = { list: List; params: ListParams }

export function ListEditor({ list, params }: Props) {
  const query = useListItems(list.id, params)
  const items = itemsOf(query.data)
  const { move, remove } = useItemChanges(list, params)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [edited, setEdited] = useState<Item>()
  const [isMoving, setMoving] = useState(false)
  const [said, setSaid] = useState('')
  const byId = new Map(items.map((item) => [item.title.id, item]))
  const drag = useDrag([...byId.keys()], (id, position) => move([id], position))
  if (query.isPending) return <PosterGridSkeleton count={12} label="Loading titles…" />
  if (query.data === undefined)
    return <LoadError title="The titles did not load" error={query.error} onRetry={query.refetch} />

  const ids = [...byId.keys()].filter((id) => chosen.has(id))
  function toggle(id: number) {
    setChosen((before) => {
      const next = new Set(before)
      if (!next.delete(id) && ids.length < idsMax) next.add(id)
      return next
    })
  }
  function onKey({ title, position }: Item, event: KeyboardEvent<HTMLElement>) {
    const by = stepOf(event)
    const to = position + (by ?? 0)
    if (by === undefined || to < 1 || to > items.length) return
    event.preventDefault()
    const focused = event.target as HTMLElement
    move([title.id], to, false)
    setSaid(t`${title.name}, position ${to} of ${list.itemCount}`)
    // Moving an element in the document takes its focus away.
    requestAnimationFrame(() => requestAnimationFrame(() => focused.focus()))
  }
  return (
    <>
      <AddTitles list={list} isLoaded={(id) => byId.has(id)} />
      <p className="mt-4 text-meta text-muted">
        Drag a handle to move a title
        <span className="pointer-coarse:hidden">, or focus it and press Alt with an arrow key</span>.
      </p>
      <p role="status" className="sr-only">
        {said}
      </p>
      {ids.length === 0 ? null : (
        <SelectionBar count={ids.length} onClear={() => setChosen(new Set())}>
          {ids.length < idsMax ? null : <span className="text-meta text-muted">No more at once.</span>}
          <Button size="sm" onClick={() => setMoving(true)}>
            Move to position…
          </Button>
          <Button
            size="sm"
            icon={<Trash2 aria-hidden />}
            onClick={() => {
              remove(ids)
              setChosen(new Set())
            }}
          >
            Remove
          </Button>
        </SelectionBar>
      )}
      <ol aria-label={list.title} className="mt-4 max-w-3xl divide-y divide-line">
        {drag.order.map((id) => {
          const item = byId.get(id)!
          const { title, position, note } = item
          return (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the buttons inside
            <li
              key={title.id}
              data-item={title.id}
              data-kind={title.kind}
              className={clsx(
                'flex min-h-16 items-center gap-1 sm:gap-2',
                title.id === drag.id && 'opacity-50',
              )}
              onKeyDown={(event) => onKey(item, event)}
            >
              <button
                type="button"
                aria-label={t`Move ${title.name}, position ${position}`}
                aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                // Otherwise a finger would scroll the page.
                className="-ms-3 grid size-11 shrink-0 cursor-grab touch-none place-items-center rounded-full text-muted hover:bg-raised hover:text-ink active:cursor-grabbing"
                {...drag.handle(title.id)}
              >
                <GripVertical aria-hidden className="size-5" />
              </button>
              <input
                type="checkbox"
                aria-label={t`Select ${title.name}`}
                className="me-1 size-5 shrink-0 accent-ink"
                checked={chosen.has(title.id)}
                onChange={() => toggle(title.id)}
              />
              {list.isRanked ? (
                <span
                  aria-hidden
                  className="min-w-7 shrink-0 text-end font-display text-h3 font-extrabold tabular-nums"
                >
                  {position}
                </span>
              ) : null}
              <div className="flex min-w-0 grow items-center gap-3 px-1">
                <TitleRow title={title} />
                {note === '' ? null : (
                  <p
                    dir="auto"
                    className="ms-auto line-clamp-2 max-w-[45%] text-meta text-muted wrap-anywhere max-sm:hidden"
                  >
                    {note}
                  </p>
                )}
              </div>
              <IconButton label={t`Edit ${title.name}`} variant="ghost" onClick={() => setEdited(item)}>
                <MoreHorizontal aria-hidden />
              </IconButton>
            </li>
          )
        })}
      </ol>
      <LoadMore query={query} />
      {edited ? (
        <TitleDialog
          key={edited.title.id}
          list={list}
          item={edited}
          onMove={(position) => move([edited.title.id], position)}
          onRemove={() => remove([edited.title.id])}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
      <PositionDialog
        open={isMoving}
        count={ids.length}
        max={list.itemCount}
        onOpenChange={setMoving}
        onMove={(position) => move(ids, position)}
      />
    </>
  )
}

function AddTitles({ list, isLoaded }: { list: List; isLoaded: (id: number) => boolean }) {
  const { mutateAsync } = trpc.lists.addItem.useMutation({
    ...retryOnce,
    onSuccess: () => void changed('listTitles', list.id),
  })
  const added = useRef(new Map<number, string>())
  // A promise: React Query calls the callbacks of `mutate` only for the last of several titles.
  async function add(title: CardTitle) {
    try {
      const { item, itemCount } = await mutateAsync({ id: list.id, itemId: title.id })
      // The number of titles does not say it: other additions can be on their way.
      const isNew =
        item.addedAt > list.updatedAt && item.addedAt !== added.current.get(title.id) && !isLoaded(title.id)
      added.current.set(title.id, item.addedAt)
      toasts.add({
        tone: 'success',
        title: isNew ? t`Added “${title.name}”` : t`“${title.name}” is in the list already`,
        description: t`Position ${item.position} of ${itemCount}`,
      })
    } catch (error) {
      showFailure(t`“${title.name}” was not added.`, error)
    }
  }
  return (
    <section aria-label="Add titles" className="max-w-xl">
      <TitlePicker label="Add titles" onChoose={(title) => void add(title)} />
    </section>
  )
}
