import type { NamedTitle } from '#client/kinds.ts'
import { toasts } from '#client/ui/toasts.ts'
import { showFailure } from '#client/trpc.ts'
import { useSaveEntry } from './hooks.ts'

/** Returns a function that adds a title to the want list. Its toast offers a note: `onNote` opens the form. */
export function useAddToWantList(title: NamedTitle) {
  const save = useSaveEntry()
  return (onNote: () => void) =>
    save.mutate(
      { title, status: 'want' },
      {
        onSuccess: () =>
          toasts.add({
            tone: 'success',
            title: `“${title.name}” is on your want list`,
            action: { label: 'Add note', onAction: onNote },
          }),
        onError: (error) => showFailure('Your want list was not changed', error),
      },
    )
}
