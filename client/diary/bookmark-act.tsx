import { useEffect, useRef } from 'react'
import type { NamedTitle } from '#client/app/kinds.ts'
import { showFailure } from '#client/app/trpc.ts'
import { showDone } from '#client/ui/toasts.ts'
import { currentEntry } from './entries.ts'
import { useMyDiary, useRemoveEntry, useSaveEntry } from './hooks.ts'

/** Adds the title to the want list, or removes it from there, once, when it is rendered. A toast undoes that. */
export function BookmarkAct({ title }: { title: NamedTitle }) {
  const mine = useMyDiary(title)
  const save = useSaveEntry()
  const remove = useRemoveEntry()
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current || mine.isPending) return
    isDone.current = true
    if (mine.data === undefined) return showFailure('Your want list was not changed', mine.error)
    const onError = (error: unknown) => showFailure('Your want list was not changed', error)
    const entry = currentEntry(mine.data.entries)
    if (entry === undefined)
      return save.mutate(
        { title, status: 'want' },
        {
          onError,
          onSuccess: ({ entry: added }) =>
            showDone(`“${title.name}” is on your want list`, () =>
              remove.mutate({ id: added.id }, { onError }),
            ),
        },
      )
    if (entry.status !== 'want') return
    remove.mutate(
      { id: entry.id },
      {
        onError,
        onSuccess: () =>
          showDone(`“${title.name}” is no longer on your want list`, () =>
            save.mutate({ title, status: 'want', text: entry.text }, { onError }),
          ),
      },
    )
  })
  return null
}
