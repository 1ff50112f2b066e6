import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { GripVertical } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { type CardTitle, titlePath } from '#client/app/kinds.ts'
import { gridSizes, TitleCard } from '#client/titles/title-card.tsx'
import { TitleOverlay } from '#client/titles/title-overlay.tsx'
import { favoritesOrderMax } from '#shared/domain/limits.ts'
import { stepOf, useDrag } from '#client/ui/drag.ts'
import type { KindDefinition } from '#shared/domain/kinds.ts'
import { moved } from './favorites-rules.ts'
import { useArrangeFavorites } from './hooks.ts'
import { t } from '#shared/domain/message.ts'

const saveDelayMs = 600

/** Dragging a handle, or Alt and the arrow keys on a handle or a title. Saved shortly after the last move, or when the page is left. */
export function FavoritesOrder({
  definition,
  label,
  cards,
}: {
  definition: KindDefinition
  label: string
  cards: readonly CardTitle[]
}) {
  const [order, setOrder] = useState<readonly number[] | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const unsaved = useRef<() => void>(undefined)
  const { mutate } = useArrangeFavorites(definition)
  const byId = new Map(cards.map((card) => [card.id, card]))
  const ids = (order ?? [...byId.keys()]).filter((id) => byId.has(id))
  const drag = useDrag(ids, (id, position) => move(id, position - 1))

  useEffect(() => {
    if (order === null) return undefined
    const save = () => {
      unsaved.current = undefined
      // Not if it was changed again meanwhile.
      mutate([...order], { onSettled: () => setOrder((now) => (now === order ? null : now)) })
    }
    unsaved.current = save
    const timer = setTimeout(save, saveDelayMs)
    return () => clearTimeout(timer)
  }, [order, mutate])
  useEffect(() => () => unsaved.current?.(), [])

  function move(id: number, to: number) {
    const next = moved(ids, id, to)
    if (next === null) return
    setOrder(next)
    setAnnouncement(t`${byId.get(id)!.name}: position ${to + 1} of ${ids.length}`)
  }

  function onKeyDown(event: KeyboardEvent, id: number) {
    const by = stepOf(event)
    if (by === undefined) return
    event.preventDefault()
    move(id, ids.indexOf(id) + by)
  }

  const canOrder = cards.length > 1
  return (
    <>
      {canOrder ? (
        <p className="mb-5 text-meta text-muted">
          Your profile shows the first ones. Drag a handle to change the order
          <span className="hidden pointer-fine:inline">, or press Alt and an arrow key on a title</span>.
        </p>
      ) : null}
      <ul
        aria-label={label}
        className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-4 gap-y-6"
      >
        {drag.order.map((id, index) => {
          const title = byId.get(id)!
          return (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the link and the handle inside
            <li
              key={title.id}
              data-item={id}
              className={clsx('min-w-0 transition-opacity', drag.id === id && 'opacity-60')}
              onKeyDown={canOrder ? (event) => onKeyDown(event, title.id) : undefined}
            >
              <TitleCard
                title={title}
                sizes={gridSizes}
                kindLabel={definition.words.one}
                meta={title.releaseYear ?? undefined}
                eager={index < 7}
                transitionName={order === null ? `poster-${title.id}` : undefined}
                overlay={<TitleOverlay {...title} />}
                render={
                  <Link
                    to={titlePath(definition, title.id)}
                    aria-keyshortcuts={canOrder ? 'Alt+ArrowLeft Alt+ArrowRight' : undefined}
                  />
                }
              >
                {canOrder && index < favoritesOrderMax ? (
                  <button
                    type="button"
                    tabIndex={-1}
                    aria-label={t`Move ${title.name}, position ${index + 1} of ${ids.length}`}
                    className="-ms-3 inline-flex h-11 cursor-grab touch-none items-center gap-1 rounded-full px-3 text-meta text-muted select-none hover:bg-raised hover:text-ink active:cursor-grabbing"
                    {...drag.handle(id)}
                  >
                    <GripVertical aria-hidden className="size-4" />
                    <span className="tabular-nums">{index + 1}</span>
                  </button>
                ) : null}
              </TitleCard>
            </li>
          )
        })}
      </ul>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </>
  )
}
