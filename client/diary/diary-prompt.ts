import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { procedurePath } from '#client/query-keys.ts'
import { errorText } from '#client/trpc.ts'
import { toasts } from '#client/ui/toasts.ts'
import type { KindFacts } from '#shared/media.ts'
import { currentEntry, today } from './entries.ts'
import { type Entry, useRemoveEntry, useSaveEntry } from './hooks.ts'

/**
 * Shows a toast that offers “Watched today” after the member has rated a title that has no finished entry in the diary. At most
 * once per page. Writes nothing unless the member accepts.
 */
export function useDiaryPrompt(
  facts: KindFacts,
  id: number,
  name: string,
  entries: Entry[] | undefined,
): void {
  const queryClient = useQueryClient()
  const save = useSaveEntry()
  const remove = useRemoveEntry()
  const isOffered = useRef(false)
  const latest = useRef<() => void>(undefined)

  const word = `${facts.words.diary.finished} today`
  const title = { id, kind: facts.kind }
  const failed = (error: unknown) =>
    toasts.add({ tone: 'error', title: 'Your diary was not changed', description: errorText(error) })

  function accept(before: Entry | undefined) {
    const finished = { title, entryId: before?.id, status: 'finished' as const, finishedOn: today() }
    save.mutate(finished, {
      onError: failed,
      onSuccess: ({ entry }) =>
        toasts.add({
          tone: 'success',
          title: `${word}: added to your diary`,
          action: { label: 'Undo', onAction: () => undo(entry.id, before) },
        }),
    })
  }
  function undo(entryId: number, before: Entry | undefined) {
    if (before === undefined) return remove.mutate({ id: entryId }, { onError: failed })
    const { status, startedOn } = before
    save.mutate(
      { title, entryId, status, finishedOn: null, ...(status !== 'want' && { startedOn }) },
      { onError: failed },
    )
  }

  useEffect(() => {
    latest.current = () => {
      if (isOffered.current || entries === undefined || entries.some(({ status }) => status === 'finished'))
        return
      isOffered.current = true
      toasts.add({
        title: `Add “${name}” to your diary?`,
        action: { label: word, onAction: () => accept(currentEntry(entries)) },
        timeoutMs: 10_000,
      })
    }
  })
  useEffect(
    () =>
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'success') return
        const { options, state } = event.mutation
        const isRating = procedurePath(options.mutationKey) === 'reviews.save'
        const rated = state.variables as Record<string, unknown> | undefined
        if (isRating && (rated?.[facts.idKey] === id || rated?.['itemId'] === id)) latest.current?.()
      }),
    [queryClient, facts, id],
  )
}
