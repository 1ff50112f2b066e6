import { GripVertical, MoreHorizontal, Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useDebounced } from '#client/debounced.ts'
import { LoadError } from '#client/load-error.tsx'
import { errorText, retryOnce, trpc } from '#client/trpc.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Form, TextArea, TextField } from '#client/ui/field.tsx'
import { PosterGridSkeleton } from '#client/ui/poster-grid.tsx'
import { SelectionBar } from '#client/ui/selection-bar.tsx'
import { listNoteMax } from '#shared/limits.ts'
import { type Item, type List, useItemChanges, useListItems, useRefreshLists } from './hooks.ts'
import { ListItems } from './list-items.tsx'
import { LoadMore } from './load-more.tsx'
import type { ListParams } from './params.ts'
import { listInput } from './queries.ts'

type Props = { list: List; params: ListParams }

/** The titles of a list with handles to drag them, check boxes, and a field to add titles. */
export function ListEditor({ list, params }: Props) {
  const query = useListItems(list.id, params)
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const { move, remove } = useItemChanges(list, params)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [edited, setEdited] = useState<Item>()
  const [isMoving, setMoving] = useState(false)
  const [said, setSaid] = useState('')
  const drag = useDrag(items, (id, position) => move([id], position))
  if (query.isPending) return <PosterGridSkeleton count={12} label="Loading titles…" />
  if (query.data === undefined)
    return <LoadError title="The titles did not load" error={query.error} onRetry={query.refetch} />

  const ids = items.map(({ title }) => title.id).filter((id) => chosen.has(id))
  const toggle = (id: number) =>
    setChosen(new Set(chosen.has(id) ? [...chosen].filter((one) => one !== id) : [...chosen, id]))
  function onKey({ title, position }: Item, event: KeyboardEvent<HTMLElement>) {
    if (!event.altKey) return
    const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key]
    const to = position + (by ?? 0)
    if (by === undefined || to < 1 || to > items.length) return
    event.preventDefault()
    const focused = event.target as HTMLElement
    move([title.id], to, false)
    setSaid(`${title.name}, position ${to} of ${list.itemCount}`)
    // Moving an element in the document takes its focus away.
    requestAnimationFrame(() => requestAnimationFrame(() => focused.focus()))
  }
  return (
    <>
      <AddTitles list={list} params={params} />
      <p className="mt-4 text-meta text-muted">Drag a handle, or focus it and press Alt with an arrow key.</p>
      <p role="status" className="sr-only">
        {said}
      </p>
      {ids.length === 0 ? null : (
        <SelectionBar count={ids.length} onClear={() => setChosen(new Set())}>
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
      <div className="mt-6">
        <ListItems
          list={list}
          items={drag.order}
          itemProps={(item) =>
            ({
              'data-item': item.title.id,
              className: item.title.id === drag.id ? 'opacity-50' : undefined,
              onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKey(item, event),
            }) as never
          }
        >
          {(item) => (
            <div className="mt-2 flex items-center gap-1">
              <input
                type="checkbox"
                aria-label={`Select ${item.title.name}`}
                className="size-5 shrink-0 accent-ink"
                checked={chosen.has(item.title.id)}
                onChange={() => toggle(item.title.id)}
              />
              <button
                type="button"
                aria-label={`Move ${item.title.name}, position ${item.position}`}
                aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                // Otherwise a finger would scroll the page.
                className="grid size-11 cursor-grab touch-none place-items-center rounded-full text-muted hover:bg-raised hover:text-ink active:cursor-grabbing"
                {...drag.handle(item.title.id)}
              >
                <GripVertical aria-hidden className="size-5" />
              </button>
              <IconButton label={`Edit ${item.title.name}`} variant="ghost" onClick={() => setEdited(item)}>
                <MoreHorizontal aria-hidden />
              </IconButton>
            </div>
          )}
        </ListItems>
      </div>
      <LoadMore query={query} />
      {edited ? (
        <ItemDialog
          key={edited.title.id}
          list={list}
          params={params}
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

/** The distance from the edge of the window at which a drag scrolls it, and by how much per move, in pixels. */
const edge = 90
const scrollStep = 14

/** Dragging with a mouse, a pen or a finger. The order changes while the pointer moves; it is sent when the pointer is released. */
function useDrag(items: readonly Item[], onDrop: (id: number, position: number) => void) {
  const [dragged, setDragged] = useState<{ id: number; to: number }>()
  const latest = useRef(dragged)
  const set = (next: typeof dragged) => {
    latest.current = next
    setDragged(next)
  }
  const others = items.filter(({ title }) => title.id !== dragged?.id)
  const own = items.find(({ title }) => title.id === dragged?.id)
  const order = dragged && own ? others.toSpliced(dragged.to, 0, own) : items

  // On the window, not captured by the handle: capture ends when the handle moves in the document.
  function start(id: number) {
    const controller = new AbortController()
    const { signal } = controller
    const end = (isDropped: boolean) => {
      controller.abort()
      const { current } = latest
      set(undefined)
      if (isDropped && current) onDrop(id, current.to + 1)
    }
    const onMove = ({ clientX, clientY }: globalThis.PointerEvent) => {
      if (clientY < edge) window.scrollBy(0, -scrollStep)
      else if (clientY > window.innerHeight - edge) window.scrollBy(0, scrollStep)
      const at = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-item]')
      if (!at || Number(at.dataset['item']) === id) return
      set({ id, to: [...at.parentElement!.children].indexOf(at) })
    }
    window.addEventListener('pointermove', onMove, { signal })
    window.addEventListener('pointerup', () => end(true), { signal })
    window.addEventListener('pointercancel', () => end(false), { signal })
    // Otherwise the browser takes a quick drag for a fling, and the next tap, such as on Undo, for what stops it.
    window.addEventListener('touchmove', (event) => event.preventDefault(), { passive: false, signal })
    set({ id, to: items.findIndex(({ title }) => title.id === id) })
  }
  const handle = (id: number) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return
      // A touch captures the pointer implicitly.
      event.currentTarget.releasePointerCapture(event.pointerId)
      start(id)
    },
  })
  return { order, handle, id: dragged?.id }
}

function ItemDialog({
  list,
  params,
  item,
  onMove,
  onRemove,
  onClose,
}: Props & { item: Item; onMove: (position: number) => void; onRemove: () => void; onClose: () => void }) {
  const [position, setPosition] = useState(String(item.position))
  const [note, setNote] = useState(item.note)
  const utils = trpc.useUtils()
  const save = trpc.lists.editItem.useMutation({
    ...retryOnce,
    onSuccess() {
      void utils.lists.items.invalidate(listInput(list.id, params))
      onClose()
    },
  })
  return (
    <Dialog open onOpenChange={onClose} title={item.title.name}>
      <Form
        onSubmit={() => {
          const to = readPosition(position, list.itemCount)
          if (to !== undefined && to !== item.position) onMove(to)
          if (note === item.note) return onClose()
          save.mutate({ id: list.id, itemId: item.title.id, note })
        }}
      >
        <TextField label="Move to position" inputMode="numeric" value={position} onChange={setPosition} />
        <TextArea label="Note" note="optional" rows={3} limit={listNoteMax} value={note} onChange={setNote} />
        {save.error ? <Callout tone="error" title={errorText(save.error)} /> : null}
        <div className="flex flex-wrap justify-between gap-2">
          <Button type="submit" variant="primary" busy={save.isPending} busyLabel="Saving…">
            Save
          </Button>
          <Button
            variant="ghost"
            onClick={() => {
              onRemove()
              onClose()
            }}
          >
            Remove from the list
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

function PositionDialog({
  open,
  count,
  max,
  onOpenChange,
  onMove,
}: {
  open: boolean
  count: number
  max: number
  onOpenChange: (open: boolean) => void
  onMove: (position: number) => void
}) {
  const [position, setPosition] = useState('1')
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Move ${count === 1 ? 'one title' : `${count} titles`}`}
    >
      <Form
        onSubmit={() => {
          const to = readPosition(position, max)
          if (to === undefined) return
          onMove(to)
          onOpenChange(false)
        }}
      >
        <TextField
          label="Position"
          inputMode="numeric"
          hint={`From 1 to ${max}. They stay in their order.`}
          value={position}
          onChange={setPosition}
        />
        <div>
          <Button type="submit" variant="primary">
            Move
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

function readPosition(text: string, max: number): number | undefined {
  const position = Number(text)
  return Number.isInteger(position) && position >= 1 ? Math.min(position, max) : undefined
}

/** A field that searches the catalogue; a press on a result adds it at the end. */
function AddTitles({ list, params }: Props) {
  const [text, setText] = useState('')
  const q = useDebounced(text.trim())
  const found = trpc.items.search.useQuery(
    { q, limit: 6 },
    { enabled: q !== '', placeholderData: (before) => before },
  )
  const utils = trpc.useUtils()
  const refresh = useRefreshLists()
  const add = trpc.lists.addItem.useMutation({
    ...retryOnce,
    onSuccess() {
      void utils.lists.items.invalidate(listInput(list.id, params))
      void utils.lists.byId.invalidate(listInput(list.id, params))
      refresh()
    },
  })
  return (
    <section aria-label="Add titles" className="max-w-xl">
      <TextField
        label="Add titles"
        type="search"
        placeholder="Search the catalogue…"
        value={text}
        onChange={setText}
      />
      {q === '' || !found.data ? null : (
        <ul aria-label="Titles to add" className="mt-2 grid">
          {found.data.results.map((title) => (
            <li key={title.id}>
              <button
                type="button"
                className="flex min-h-11 w-full items-center gap-3 rounded-item px-2 text-left hover:bg-raised"
                onClick={() =>
                  add.mutate({ id: list.id, itemId: title.id }, { onSuccess: () => setText('') })
                }
              >
                <Plus aria-hidden className="size-4 shrink-0 text-muted" />
                <span className="min-w-0 truncate text-label">{title.name}</span>
                <span className="shrink-0 text-meta text-muted">
                  {title.category}
                  {title.releaseYear === null ? '' : ` · ${title.releaseYear}`}
                </span>
              </button>
            </li>
          ))}
          {found.data.results.length === 0 ? <li className="px-2 text-muted">Nothing found.</li> : null}
        </ul>
      )}
      {add.error ? <Callout tone="error" title={errorText(add.error)} /> : null}
    </section>
  )
}
