import { type ReactNode, useState } from 'react'
import { showFailure } from '#client/app/trpc.ts'
import { lazyComponent } from '#client/ui/lazy.ts'

const { Component: ConfirmSelfDialog, load } = lazyComponent(
  async () => (await import('./confirm-dialog.tsx')).ConfirmSelfDialog,
)

/**
 * Returns a function that runs a call, and the dialog that the component renders. If the server asks who the member is, the dialog
 * asks, and the call runs again. `failed` is the title of a failure.
 */
export function useConfirmation(): [
  run: (failed: string, action: () => Promise<unknown>) => Promise<void>,
  dialog: ReactNode,
] {
  const [waiting, setWaiting] = useState<{ failed: string; action: () => Promise<unknown> }>()
  const [isOpen, setOpen] = useState(false)
  async function run(failed: string, action: () => Promise<unknown>) {
    try {
      await action()
    } catch (error) {
      if ((error as { data?: { reason?: string } }).data?.reason !== 'CONFIRMATION_REQUIRED')
        return showFailure(failed, error)
      load()
      setWaiting({ failed, action })
      setOpen(true)
    }
  }
  return [
    run,
    waiting === undefined ? null : (
      <ConfirmSelfDialog
        open={isOpen}
        onOpenChange={setOpen}
        onConfirmed={() => {
          setOpen(false)
          void run(waiting.failed, waiting.action)
        }}
      />
    ),
  ]
}
