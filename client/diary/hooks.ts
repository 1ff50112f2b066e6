import { useMutation } from '@tanstack/react-query'
import { changed } from '#client/app/facts.ts'
import { queryInput } from '#client/app/query-keys.ts'
import { useSession } from '#client/app/session.ts'
import {
  type ApiError,
  nextPage,
  retryOnce,
  type RouterOutputs,
  runMutation,
  showFailure,
  trpc,
  trpcClient,
} from '#client/app/trpc.ts'
import { type NamedTitle, titleKey, type TitleRef } from '#client/app/kinds.ts'
import { showDone, toasts } from '#client/ui/toasts.ts'
import type { DiaryStatus } from '#shared/domain/kinds.ts'
import { type DiaryParams, lengthFilter } from './params.ts'
import { t } from '#shared/domain/message.ts'

export type DiaryEntry = RouterOutputs['diary']['mine']['entries'][number]
export type ShownEntry = RouterOutputs['diary']['ofUser']['entries'][number]
export type Year = RouterOutputs['diary']['year']
export type DiaryTitle = DiaryEntry['title']
export type NetworkRating = RouterOutputs['reviews']['networkFor']['ratings'][number]

export type Written = {
  status?: DiaryStatus | undefined
  startedOn?: string | null | undefined
  finishedOn?: string | null | undefined
  isAgain?: boolean | undefined
  text?: string | undefined
}

const pageSize = 50

export function useMyDiary(title: TitleRef) {
  return trpc.diary.mine.useQuery(titleKey(title), { enabled: useSession() !== null })
}

const savingEntry = {
  mutationFn: ({ title, entryId, ...written }: Written & { title: TitleRef; entryId?: number | undefined }) =>
    entryId === undefined
      ? trpcClient.diary.create.mutate({
          ...titleKey(title),
          ...written,
          status: written.status ?? 'want',
        })
      : trpcClient.diary.edit.mutate({ id: entryId, ...written }),
  onSuccess: () => changed('status'),
}
const removingEntry = {
  mutationFn: (entry: { id: number }) => trpcClient.diary.remove.mutate(entry),
  onSuccess: () => changed('status'),
}

export const useSaveEntry = () => useMutation(savingEntry)
const useRemoveEntry = () => useMutation<{ message: string }, ApiError, { id: number }>(removingEntry)
export const saveEntry = (entry: Parameters<typeof savingEntry.mutationFn>[0]) =>
  runMutation(savingEntry, entry)
export const removeEntry = (id: number) => runMutation(removingEntry, { id })

/** A toast adds the entry again. */
export function useDeleteEntry(title: TitleRef) {
  const remove = useRemoveEntry()
  const save = useSaveEntry()
  return {
    isPending: remove.isPending,
    error: remove.error,
    async deleteEntry({ id, status, startedOn, finishedOn, isAgain, text }: DiaryEntry): Promise<boolean> {
      try {
        const { message } = await remove.mutateAsync({ id })
        const dates = { ...(startedOn !== null && { startedOn }), ...(finishedOn !== null && { finishedOn }) }
        showDone(message, () =>
          save.mutate(
            { title, status, isAgain, text, ...dates },
            { onError: (error) => showFailure(t`It was not undone`, error) },
          ),
        )
        return true
      } catch {
        // The form shows the error.
        return false
      }
    },
  }
}

export function useEntries(
  userId: number,
  { list, kind, status, year, sort, length, services }: DiaryParams,
) {
  const isOwn = useSession()?.user.id === userId
  const input =
    list === 'want'
      ? { kind, status: 'want' as const, sort, ...lengthFilter(length) }
      : { kind, status, year }
  const own = trpc.diary.list.useInfiniteQuery(
    { ...input, ...(list === 'want' && services && { onMyServices: true }), limit: pageSize },
    { ...nextPage, enabled: isOwn },
  )
  const others = trpc.diary.ofUser.useInfiniteQuery(
    { ...input, id: userId, limit: pageSize },
    { ...nextPage, enabled: !isOwn },
  )
  return (isOwn ? own : others) as typeof others
}

export function useYear(userId: number, year: number) {
  return trpc.diary.year.useQuery(
    { id: userId, year },
    {
      // Keeps showing the previous year, but only of the same member.
      placeholderData: (before, query) =>
        (queryInput(query?.queryKey) as { id?: number } | undefined)?.id === userId ? before : undefined,
    },
  )
}

// A constant, because a new function would return a new map in each render, and render again.
const ratingsById = ({ ratings }: RouterOutputs['reviews']['networkFor']) =>
  new Map(ratings.map((one) => [one.titleId, one]))

export function useNetworkRatings(ids: readonly number[]) {
  const isMember = useSession() !== null
  return trpc.reviews.networkFor.useQuery(
    { ids: ids.join() },
    {
      enabled: isMember && ids.length > 0,
      select: ratingsById,
    },
  )
}

export function useSetVisibility() {
  const utils = trpc.useUtils()
  return trpc.diary.setVisibility.useMutation({
    ...retryOnce,
    onSuccess: (output) => utils.diary.visibility.setData(undefined, output),
  })
}

export function addToWantList(title: NamedTitle, onNote: () => void): void {
  saveEntry({ title, status: 'want' }).then(
    () =>
      void toasts.add({
        tone: 'success',
        title: t`“${title.name}” is on your want list`,
        action: { label: t`Add note`, onAction: onNote },
      }),
    (error) => showFailure(t`Your want list was not changed`, error),
  )
}
