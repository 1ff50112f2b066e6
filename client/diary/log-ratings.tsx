import type { Mutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useMyRating } from '#client/titles/my-titles.ts'
import { procedurePath } from '#client/app/query-keys.ts'
import { queryClient, type RouterOutputs, showFailure, trpcUtils } from '#client/app/trpc.ts'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { useToday } from '#client/ui/dates.ts'
import { toasts } from '#client/ui/toasts.ts'
import { titleKey, type TitleRef } from '#client/app/kinds.ts'
import { allKinds, kinds, type Verb } from '#shared/domain/kinds.ts'
import { currentEntry, today } from './entries.ts'
import { type DiaryEntry, removeEntry, saveEntry, useMyDiary } from './hooks.ts'
import { useLogChoice, wasLogChoice, writeLogChoice } from './log-choice.ts'
import { t } from '#shared/domain/message.ts'

const todayTexts: Record<Verb, string> = {
  watch: t`Watched today`,
  read: t`Read today`,
  play: t`Played today`,
}
const loggedTexts: Record<Verb, string> = {
  watch: t`Watched today: added to your diary`,
  read: t`Read today: added to your diary`,
  play: t`Played today: added to your diary`,
}

/** A checkbox that is or was shown decides about its title instead of the setting. */
let choice: { id: number; isOn: boolean; isShown: boolean } | undefined
/** The entries before a rating was logged with them; undefined if they are new. */
const logged = new Map<number, DiaryEntry | undefined>()

const seen = new WeakSet<Mutation>()

export function logRatings(): () => void {
  const mutations = queryClient.getMutationCache()
  const logSave = (mutation: Mutation) => {
    if (mutation.state.status !== 'success' || !isSave(mutation.options.mutationKey)) return
    if (seen.has(mutation)) return
    seen.add(mutation)
    const { review } = mutation.state.data as RouterOutputs['reviews']['save']
    const definition = allKinds.find(({ idKey }) => review[idKey] !== undefined)
    if (definition === undefined) return
    const own = choice?.id === review.itemId ? choice : undefined
    if (own && !own.isShown) choice = undefined
    if (own ? own.isOn : wasLogChoice('log always', mutation.state.submittedAt))
      void log({ kind: definition.kind, id: review.itemId }, (entry) => {
        // A checkbox that is shown takes it back.
        if (own?.isShown) return takeBackIfOff(entry)
        toasts.add({
          tone: 'success',
          title: loggedTexts[definition.verb],
          action: { label: t`Undo`, onAction: () => unlog(entry) },
        })
      })
  }
  // Ratings that were saved while this module loaded.
  mutations.getAll().forEach(logSave)
  return mutations.subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') logSave(event.mutation)
  })
}

/** Before a rating, says what it will do; afterwards adds an entry or takes it back. Renders nothing if the title was finished on another day. */
export function WatchedToday({ title }: { title: TitleRef }) {
  const { id } = title
  const isRated = (useMyRating(id) ?? null) !== null
  const entries = useMyDiary(title).data?.entries
  const [wasRated] = useState(isRated)
  const isLast = useLogChoice('log last')
  const isAlways = useLogChoice('log always')
  const [chosen, setChosen] = useState<boolean>()
  const day = useToday()
  const finished = entries?.find(({ status }) => status === 'finished')
  const isOn = chosen ?? ((!wasRated && (isLast || isAlways)) || finished !== undefined)

  useEffect(() => {
    choice = { id, isOn, isShown: true }
  }, [id, isOn])
  useEffect(
    () => () => {
      const isSaving = queryClient.isMutating({ predicate: ({ options }) => isSave(options.mutationKey) }) > 0
      choice = choice && isSaving ? { ...choice, isShown: false } : undefined
    },
    [],
  )

  if (entries !== undefined && finished !== undefined && finished.finishedOn !== day) return null
  return (
    <Checkbox
      label={todayTexts[kinds[title.kind].verb]}
      compact
      checked={isOn}
      disabled={entries === undefined}
      onChange={(next) => {
        writeLogChoice('log last', next)
        setChosen(next)
        if (next && isRated) void log(title, takeBackIfOff)
        if (!next && finished !== undefined) unlog(finished)
      }}
    />
  )
}

function isSave(mutationKey: readonly unknown[] | undefined): boolean {
  return procedurePath(mutationKey) === 'reviews.save'
}

const onError = (error: unknown) => showFailure(t`Your diary was not changed`, error)

/** Only if the title has no finished entry. */
async function log(title: TitleRef, onLogged?: (entry: DiaryEntry) => void): Promise<void> {
  try {
    const { entries } = await trpcUtils.diary.mine.fetch(titleKey(title))
    if (entries.some(({ status }) => status === 'finished')) return
    const before = currentEntry(entries)
    const { entry } = await saveEntry({
      title,
      entryId: before?.id,
      status: 'finished',
      finishedOn: today(),
    })
    logged.set(entry.id, before)
    onLogged?.(entry)
  } catch (error) {
    onError(error)
  }
}

/** The checkbox may have been unchecked while the entry was being saved. */
function takeBackIfOff(entry: DiaryEntry): void {
  if (choice?.id === entry.title.id && !choice.isOn) unlog(entry)
}

function unlog({ id, title }: DiaryEntry): void {
  const before = logged.get(id)
  if (before === undefined) return void removeEntry(id).catch(onError)
  const { status, startedOn } = before
  void saveEntry({
    title,
    entryId: id,
    status,
    finishedOn: null,
    ...(status !== 'want' && { startedOn }),
  }).catch(onError)
}
