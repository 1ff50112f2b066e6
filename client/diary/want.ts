import { toasts } from '#client/ui/toasts.ts'
import { showFailure } from '#client/trpc.ts'
import type { KindDefinition } from '#shared/media.ts'
import { useSaveEntry } from './hooks.ts'

/** Returns a function that adds a title to the want list. Its toast offers a note: `onNote` opens the form. */
export function useAddToWantList(definition: KindDefinition, id: number, name: string) {
  const save = useSaveEntry()
  return (onNote: () => void) =>
    save.mutate(
      { title: { id, kind: definition.kind }, status: 'want' },
      {
        onSuccess: () =>
          toasts.add({
            tone: 'success',
            title: `“${name}” is on your want list`,
            action: { label: 'Add note', onAction: onNote },
          }),
        onError: (error) => showFailure('Your want list was not changed', error),
      },
    )
}
