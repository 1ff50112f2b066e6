import { useNavigate } from '@tanstack/react-router'
import { Check, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { changed } from '#client/app/facts.ts'
import { toList } from '#client/app/links.ts'
import { errorText, nextPage, retryOnce, showFailure, trpc } from '#client/app/trpc.ts'
import { Callout } from '#client/ui/callout.tsx'
import { Dialog, type DialogControl } from '#client/ui/dialog.tsx'
import { Form, TextField } from '#client/ui/field.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { readStored, writeStored } from '#client/ui/stored.ts'
import { toasts } from '#client/ui/toasts.ts'
import { SubmitButton } from '#client/ui/button.tsx'
import { limitMax, listTitleMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { useUndeleted } from './hooks.ts'
import { titleCount, VisibilityIcon } from './list-card.tsx'
import { t } from '#shared/domain/message.ts'

const filterFrom = 8
const rememberedKey = 'last list'

type Titles = readonly { id: number; name: string }[]

/** The list that was used last comes first. */
export function AddToListDialog({ titles, ...control }: DialogControl & { titles: Titles }) {
  const name = titles.length === 1 ? titles[0]!.name : titleCount(titles.length)
  return (
    <Dialog {...control} title="Add to list" description={name}>
      <Lists titles={titles} name={name} onDone={() => control.onOpenChange(false)} />
    </Dialog>
  )
}

function Lists({ titles, name, onDone }: { titles: Titles; name: string; onDone: () => void }) {
  const [only, ...others] = titles.map(({ id }) => id)
  const itemId = others.length === 0 ? only : undefined
  const mine = trpc.lists.mine.useInfiniteQuery({ limit: limitMax, itemId }, nextPage)
  const { hasNextPage, isFetching, error, fetchNextPage } = mine
  // All lists, so that the filter finds each.
  useEffect(() => {
    if (hasNextPage && !isFetching && !error) void fetchNextPage()
  }, [hasNextPage, isFetching, error, fetchNextPage])
  const [filter, setFilter] = useState('')
  const [title, setTitle] = useState('')
  const [errors, setErrors] = useState<{ title: string }>()
  const navigate = useNavigate()
  const open = (id: number) => void navigate(toList(id))
  const change = trpc.lists.changeItems.useMutation({
    ...retryOnce,
    onSuccess: (_, { id }) => void changed('listTitles', id),
  })
  const create = trpc.lists.create.useMutation()

  async function add(list: { id: number; title: string }, isNew = false) {
    const items = titles.map(({ id }) => ({ itemId: id }))
    const { changedIds } = await change.mutateAsync({ id: list.id, items })
    const added = changedIds.length
    writeStored(rememberedKey, String(list.id))
    toasts.add({
      tone: 'success',
      title: added === 0 ? t`Already in “${list.title}”` : t`Added to “${list.title}”`,
      description: added > 0 && added < titles.length ? t`${titleCount(added)} of ${titles.length}` : name,
      ...(isNew && { action: { label: t`Open list`, onAction: () => open(list.id) } }),
      ...(added > 0 &&
        !isNew && {
          action: {
            label: t`Undo`,
            // The dialog is gone by then, and callbacks of `mutate` with it.
            onAction: () =>
              void change
                .mutateAsync({
                  id: list.id,
                  action: 'remove',
                  items: changedIds.map((id) => ({ itemId: id })),
                })
                .catch((error: unknown) => showFailure(t`The list was not changed.`, error)),
          },
        }),
    })
    onDone()
  }
  async function addToNew() {
    if (title.trim() === '') return setErrors({ title: messages.listTitleRequired })
    const { list } = await create.mutateAsync({ title, visibility: 'public' })
    await add(list, true)
  }

  const all = sortRemembered(useUndeleted(mine.data?.pages.flatMap(({ lists }) => lists)))
  const shown = all.filter((list) => list.title.toLowerCase().includes(filter.trim().toLowerCase()))
  const failed = error ?? change.error ?? create.error
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {all.length > filterFrom ? (
        <TextField
          isKept={false}
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
        mine.data && <p className="text-muted">You have no list yet. Name the first one:</p>
      ) : (
        <ul aria-label="Your lists" className="max-h-[40vh] overflow-y-auto">
          {shown.map((list) => (
            <li key={list.id}>
              <button
                type="button"
                disabled={change.isPending}
                className="flex min-h-12 w-full items-center gap-3 rounded-item px-2 text-start hover:bg-raised focus-visible:-outline-offset-2"
                onClick={() => void add(list).catch(() => {})}
              >
                <span dir="auto" className="min-w-0 grow truncate text-label">
                  <bdi>{list.title}</bdi>
                </span>
                <VisibilityIcon visibility={list.visibility} />
                <span className="shrink-0 text-meta text-muted tabular-nums">
                  {titleCount(list.itemCount)}
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
          hint="Everyone can see it, until you change that in its settings."
          maxLength={listTitleMax}
          value={title}
          onChange={setTitle}
        />
        <div className="actions">
          <SubmitButton
            variant={all.length === 0 ? 'primary' : 'soft'}
            icon={<Plus aria-hidden />}
            busy={create.isPending || change.isPending}
          >
            Create and add
          </SubmitButton>
        </div>
      </Form>
      {failed ? <Callout tone="error" title={errorText(failed)} /> : null}
    </div>
  )
}

function sortRemembered<List extends { id: number }>(lists: readonly List[]): List[] {
  const last = readStored(rememberedKey)
  return lists.toSorted((a, b) => Number(String(b.id) === last) - Number(String(a.id) === last))
}
