import { useState } from 'react'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Form, type FormErrors, PasswordField } from '#client/ui/field.tsx'

export function EmailDialog({
  email,
  busy,
  errors,
  onConfirm,
  onClose,
}: {
  email: string | undefined
  busy: boolean
  errors: FormErrors | undefined
  onConfirm: (password: string) => void
  onClose: () => void
}) {
  const [shown, setShown] = useState(email)
  if (email !== undefined && email !== shown) setShown(email)
  return (
    <Dialog
      open={email !== undefined}
      onOpenChange={(open) => {
        if (!open && !busy) onClose()
      }}
      title="Confirm your new email"
      description={`We will send a link to ${shown ?? ''}. Your email changes once you open it.`}
    >
      <Form<{ password: string }> errors={errors} onSubmit={({ password }) => onConfirm(password)}>
        <PasswordField name="password" label="Current password" autoComplete="current-password" required />
        <div className="actions">
          <Button disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <SubmitButton busy={busy} busyLabel="Saving…">
            Change email
          </SubmitButton>
        </div>
      </Form>
    </Dialog>
  )
}
