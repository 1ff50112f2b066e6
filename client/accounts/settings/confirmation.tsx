import { type ReactNode, useState } from 'react'
import { showFailure } from '#client/app/trpc.ts'
import { lazyComponent } from '#client/ui/lazy.ts'

export const { Component: ConfirmSelfDialog, load: loadConfirmSelf } = lazyComponent(
  async () => (await import('./confirm-dialog.tsx')).ConfirmSelfDialog,
)

/** What shows a failure: the title of a message, or a function. */
type Failed = string | ((error: unknown) => void)

/**
 * Returns a function that runs a call, and the dialog that the component renders. If the server asks who the member is, the dialog
 * asks, and the call runs again.
 */
export function useConfirmation(): [
  run: (failed: Failed, action: () => Promise<unknown>) => Promise<void>,
  dialog: ReactNode,
] {
  const [waiting, setWaiting] = useState<{ failed: Failed; action: () => Promise<unknown> }>()
  const [isOpen, setOpen] = useState(false)
  async function run(failed: Failed, action: () => Promise<unknown>) {
    try {
      await action()
    } catch (error) {
      if ((error as { data?: { reason?: string } }).data?.reason !== 'CONFIRMATION_REQUIRED')
        return typeof failed === 'string' ? showFailure(failed, error) : failed(error)
      loadConfirmSelf()
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
