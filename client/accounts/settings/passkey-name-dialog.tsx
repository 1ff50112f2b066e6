import { useState } from 'react'
import { type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Form, type FormErrors, TextField } from '#client/ui/field.tsx'
import { passkeyNameMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'

export type Passkey = RouterOutputs['accounts']['signIn']['passkeys'][number]

export function RenameDialog({
  passkey,
  onClose,
  onRenamed,
}: {
  passkey: Passkey | undefined
  onClose: () => void
  onRenamed: () => Promise<void>
}) {
  const rename = trpc.accounts.renamePasskey.useMutation()
  const [errors, setErrors] = useState<FormErrors>()
  return (
    <Dialog
      open={passkey !== undefined}
      onOpenChange={(open) => {
        if (!open && !rename.isPending) onClose()
      }}
      title="Rename the passkey"
    >
      <Form<{ name: string }>
        errors={errors}
        onSubmit={({ name }) => {
          if (name.trim() === '') return setErrors({ name: messages.nameRequired })
          rename.mutate(
            { id: passkey!.id, name },
            {
              onSuccess: () => void onRenamed().then(onClose),
              onError: ({ message }) => setErrors({ name: message }),
            },
          )
        }}
      >
        <TextField
          name="name"
          label="Name"
          defaultValue={passkey?.name}
          maxLength={passkeyNameMax}
          autoComplete="off"
          required
        />
        <div className="actions">
          <Button disabled={rename.isPending} onClick={onClose}>
            Cancel
          </Button>
          <SubmitButton busy={rename.isPending} busyLabel="Saving…">
            Save
          </SubmitButton>
        </div>
      </Form>
    </Dialog>
  )
}
