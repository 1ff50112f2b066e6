import type { ReactNode } from 'react'
import { Dialog } from '#client/ui/dialog.tsx'
import { SecretField } from './secret-field.tsx'

type Texts = { title: string; description: string }

/**
 * A dialog with a form that creates something, and then its secret, which is shown only once. Mount it anew for each. `label` is
 * the label of the secret.
 */
export function SecretDialog({
  open,
  onOpenChange,
  create,
  label,
  form,
  copying,
  children,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  create: { data: { secret: string } | undefined; isPending: boolean }
  label: string
  form: Texts
  copying: Texts
  children: ReactNode
}) {
  const secret = create.data?.secret
  return (
    <Dialog
      open={open}
      onOpenChange={(next, { reason }) => {
        // The secret must not be lost to a press beside the dialog, or because the dialog closed before it arrived.
        const isSafe = secret === undefined ? !create.isPending : reason !== 'outside-press'
        if (isSafe) onOpenChange(next)
      }}
      {...(secret === undefined ? form : copying)}
    >
      {secret === undefined ? (
        children
      ) : (
        <SecretField label={label} secret={secret} onDone={() => onOpenChange(false)} />
      )}
    </Dialog>
  )
}
