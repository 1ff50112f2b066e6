import type { ReactNode } from 'react'
import { Dialog } from '#client/ui/dialog.tsx'
import { SecretField } from './secret-field.tsx'

type Texts = { title: string; description: string }

/**
 * A dialog with a form (`children`) that creates something with a secret. After that the dialog shows the secret, which is shown only
 * once; `label` is the label of its field. Must be remounted (`key`) for each form.
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
        // A click outside the dialog must not lose the secret, nor may the dialog close before the secret arrives.
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
