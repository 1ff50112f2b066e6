import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { errorText, trpc } from '#client/app/trpc.ts'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Dialog, type DialogControl } from '#client/ui/dialog.tsx'
import { Form, type FormErrors, PasswordField } from '#client/ui/field.tsx'
import { messages } from '#shared/texts/messages.ts'
import { CodeField } from '../code-field.tsx'
import { askForPasskey, canUsePasskeys, wasCanceled } from '../passkeys.ts'

/** Asks members to prove who they are, in a way that they have. */
export function ConfirmSelfDialog({
  open,
  onOpenChange,
  onConfirmed,
}: DialogControl & { onConfirmed: () => void }) {
  const ways = trpc.accounts.signIn.useQuery().data
  const confirm = trpc.accounts.confirmSelf.useMutation()
  const [errors, setErrors] = useState<FormErrors>()
  const [usesCode, setUsesCode] = useState(false)
  const hasPassword = ways?.hasPassword ?? true
  const hasCode = ways?.totp.isOn ?? false
  const asksForCode = hasCode && (usesCode || !hasPassword)
  const name = asksForCode ? 'code' : 'password'

  const { client } = trpc.useUtils()
  const hasPasskey = canUsePasskeys() && (ways?.passkeys.length ?? 0) > 0
  async function confirmByPasskey() {
    try {
      const { options } = await client.accounts.passkeyOptions.mutate()
      const passkey = await askForPasskey(options)
      confirm.mutate({ passkey }, { onSuccess: onConfirmed })
    } catch (error) {
      if (!wasCanceled(error)) setErrors({ [name]: messages.passkeyRefused })
    }
  }

  function submit(value: string) {
    if (value.trim() === '')
      return setErrors({ [name]: asksForCode ? messages.codeMissing : messages.currentPasswordMissing })
    setErrors(undefined)
    confirm.mutate(asksForCode ? { code: value } : { password: value }, {
      onSuccess: onConfirmed,
      onError: (error) =>
        setErrors(
          error.data?.reason === 'PASSWORD_WRONG' || error.data?.reason === 'CODE_WRONG'
            ? { [name]: error.message }
            : undefined,
        ),
    })
  }

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!confirm.isPending) onOpenChange(next)
      }}
      title="Is it you?"
      description="You are about to change how you sign in. Please confirm that it is you."
    >
      <Form<{ code?: string; password?: string }>
        errors={errors}
        onSubmit={(values) => submit(values[name] ?? '')}
      >
        {asksForCode ? (
          <CodeField />
        ) : (
          <PasswordField name="password" label="Current password" autoComplete="current-password" required />
        )}
        {hasPassword && hasCode ? (
          <button
            type="button"
            className="link -mt-3 justify-self-start py-1.5 text-meta"
            onClick={() => setUsesCode(!usesCode)}
          >
            {asksForCode ? 'Use the password instead' : 'Use a code instead'}
          </button>
        ) : null}
        {hasPasskey ? (
          <Button icon={<Fingerprint aria-hidden />} onClick={() => void confirmByPasskey()}>
            Use your fingerprint, face or screen lock
          </Button>
        ) : null}
        {confirm.error && !errors ? <Callout tone="error">{errorText(confirm.error)}</Callout> : null}
        <div className="actions">
          <Button disabled={confirm.isPending} onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <SubmitButton busy={confirm.isPending} busyLabel="Checking…">
            Confirm
          </SubmitButton>
        </div>
      </Form>
    </Dialog>
  )
}
