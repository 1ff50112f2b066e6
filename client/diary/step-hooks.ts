import { useMutation } from '@tanstack/react-query'
import { changed } from '#client/app/facts.ts'
import { errorText, runMutation, showFailure, trpcClient } from '#client/app/trpc.ts'
import { showDone, toasts } from '#client/ui/toasts.ts'
import { kinds, type ProgressUnit, type Verb } from '#shared/domain/kinds.ts'
import { t } from '#shared/domain/message.ts'
import { reachedText, today } from './entries.ts'
import { type DiaryEntry, useSaveEntry } from './hooks.ts'

/** As last said, or as the title counts. */
export function unitOf({ progress, title }: Pick<DiaryEntry, 'progress' | 'title'>): ProgressUnit | null {
  return title.kind === 'tvShow' ? null : (progress?.unit ?? kinds[title.kind].progressUnit)
}

const removing = {
  mutationFn: (step: { id: number; stepId: number }) => trpcClient.diary.removeStep.mutate(step),
  onSuccess: () => changed('status'),
}

export const useRemoveStep = () => useMutation(removing)

export function useAddStep({ id, title }: Pick<DiaryEntry, 'id' | 'title'>) {
  return useMutation({
    mutationFn: ({ unit, value }: { unit: ProgressUnit; value: number }) =>
      trpcClient.diary.addStep.mutate({ id, [unit]: value }),
    onSuccess({ entry: { progress }, step }) {
      const undo = () => {
        runMutation(removing, { id, stepId: step.id }).catch((error) =>
          showFailure(t`It was not undone`, error),
        )
      }
      showDone(t`${title.name}: ${reachedText(progress ?? { ...step, total: null })}`, undo)
      return changed('status')
    },
  })
}

const finishTexts: Record<Verb, (name: string) => string> = {
  watch: (name) => t`Mark ${name} as watched`,
  read: (name) => t`Mark ${name} as read`,
  play: (name) => t`Mark ${name} as played`,
}

export function finishText({ kind, name }: DiaryEntry['title']): string {
  return finishTexts[kinds[kind].verb](name)
}

/** A toast takes it back. */
export function useFinish(onFinished?: () => void) {
  const save = useSaveEntry()
  const onError = (error: unknown) => toasts.add({ tone: 'error', title: errorText(error) })
  return {
    isPending: (entryId: number) => save.isPending && save.variables.entryId === entryId,
    finish({ id: entryId, title, finishedOn }: DiaryEntry) {
      const word = kinds[title.kind].words.diary.finished
      save.mutate(
        { title, entryId, status: 'finished', finishedOn: today() },
        {
          onError,
          onSuccess() {
            onFinished?.()
            toasts.add({
              tone: 'success',
              title: t`${word} today`,
              description: title.name,
              action: {
                label: t`Undo`,
                onAction: () => save.mutate({ title, entryId, status: 'started', finishedOn }, { onError }),
              },
            })
          },
        },
      )
    },
  }
}
