import { Check, Plus } from 'lucide-react'
import { useState } from 'react'
import { errorText, retryOnce, trpc } from '#client/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Form, TextField } from '#client/ui/field.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { toasts } from '#client/ui/toasts.ts'
import { limitMax, listTitleMax } from '#shared/limits.ts'
import { messages } from '#shared/messages.ts'
import { useRefreshLists } from './hooks.ts'
import { useTitleCount, VisibilityMark } from './list-card.tsx'

/** Above this many lists, a field filters them. */
const filterFrom = 8
const rememberedKey = 'last list'

/** Adds a title to lists of the member, or to a new one. The list that was used last comes first. */
export function AddToListDialog({
  id,
  name,
  open,
  onOpenChange,
}: {
  id: number
  name: string
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Add to list" description={name}>
      <Lists itemId={id} name={name} onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

function Lists({ itemId, name, onDone }: { itemId: number; name: string; onDone: () => void }) {
  const mine = trpc.lists.mine.useQuery({ limit: limitMax, itemId })
  const utils = trpc.useUtils()
  const refresh = useRefreshLists()
  const [filter, setFilter] = useState('')
  const [title, setTitle] = useState('')
  const [errors, setErrors] = useState<{ title: string }>()
  const countTitles = useTitleCount()
  const changed = (id: number) => {
    refresh()
    void utils.lists.byId.invalidate({ id })
    void utils.lists.items.invalidate()
  }
  const change = trpc.lists.changeItems.useMutation(retryOnce)
  const create = trpc.lists.create.useMutation()
  const items = [{ itemId }]

  async function add(list: { id: number; title: string }) {
    const { changed: added } = await change.mutateAsync({ id: list.id, items })
    remember(list.id)
    changed(list.id)
    toasts.add({
      tone: 'success',
      title: added === 0 ? `Already in “${list.title}”` : `Added to “${list.title}”`,
      description: name,
      ...(added > 0 && {
        action: {
          label: 'Undo',
          onAction: () =>
            change.mutate({ id: list.id, action: 'remove', items }, { onSuccess: () => changed(list.id) }),
        },
      }),
    })
    onDone()
  }
  async function addToNew() {
    if (title.trim() === '') return setErrors({ title: messages.listTitleRequired })
    const { list } = await create.mutateAsync({ title, visibility: 'public' })
    await add(list)
  }

  const all = sortRemembered(mine.data?.lists ?? [])
  const shown = all.filter((list) => list.title.toLowerCase().includes(filter.trim().toLowerCase()))
  const failed = mine.error ?? change.error ?? create.error
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {all.length > filterFrom ? (
        <TextField
          label="Find a list"
          hideLabel
          placeholder="Find a list…"
          value={filter}
          onChange={setFilter}
        />
      ) : null}
      {mine.isPending ? (
        <Skeleton className="h-24 rounded-card" />
      ) : all.length === 0 ? (
        <p className="text-muted">You have no list yet. Name the first one:</p>
      ) : (
        <ul aria-label="Your lists" className="max-h-[40vh] overflow-y-auto">
          {shown.map((list) => (
            <li key={list.id}>
              <button
                type="button"
                disabled={change.isPending}
                className="flex min-h-12 w-full items-center gap-3 rounded-item px-2 text-left hover:bg-raised focus-visible:-outline-offset-2"
                onClick={() => void add(list).catch(() => {})}
              >
                <span className="min-w-0 grow truncate text-label">{list.title}</span>
                <VisibilityMark visibility={list.visibility} />
                <span className="shrink-0 text-meta text-muted tabular-nums">
                  {countTitles(list.itemCount)}
                </span>
                {list.hasItem ? (
                  <Check role="img" aria-label="Already in it" className="size-5 shrink-0" />
                ) : null}
              </button>
            </li>
          ))}
        </ul>
      )}
      <Form
        errors={errors}
        className="border-t border-line pt-4"
        onSubmit={() => void addToNew().catch(() => {})}
      >
        <TextField
          label="New list"
          name="title"
          placeholder="Films about distance"
          maxLength={listTitleMax}
          value={title}
          onChange={setTitle}
        />
        <div>
          <Button
            type="submit"
            variant={all.length === 0 ? 'primary' : 'soft'}
            icon={<Plus aria-hidden />}
            busy={create.isPending || change.isPending}
          >
            Create and add
          </Button>
        </div>
      </Form>
      {failed ? <Callout tone="error" title={errorText(failed)} /> : null}
    </div>
  )
}

function remember(id: number): void {
  try {
    localStorage.setItem(rememberedKey, String(id))
  } catch {
    // No access to storage: the lists keep their order.
  }
}

function sortRemembered<List extends { id: number }>(lists: readonly List[]): List[] {
  let last: string | null = null
  try {
    last = localStorage.getItem(rememberedKey)
  } catch {
    // As above.
  }
  return lists.toSorted((a, b) => Number(String(b.id) === last) - Number(String(a.id) === last))
}
