import { useRef, useState } from 'react'
import { getSession } from '#client/app/session.ts'
import { type ApiError, errorText, trpc } from '#client/app/trpc.ts'
import { Callout } from '#client/ui/callout.tsx'
import { Form, type FormErrors, PasswordField } from '#client/ui/field.tsx'
import { SubmitButton } from '#client/ui/button.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { passwordMin } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { responseErrors } from '../field-errors.ts'
import { ConfirmSelfDialog, loadConfirmSelf } from './confirmation.tsx'
import { useUpdatePassword } from './hooks.ts'
import { type PasswordFields, passwordErrors } from './rules.ts'
import { t } from '#shared/domain/message.ts'

const empty: PasswordFields = { currentPassword: '', newPassword: '', confirmation: '' }

export function PasswordForm() {
  const [fields, setFields] = useState(empty)
  const [errors, setErrors] = useState<FormErrors>()
  const [problem, setProblem] = useState<string>()
  const heading = useRef<HTMLHeadingElement>(null)
  const update = useUpdatePassword()
  // Members who have signed up without a password can set one.
  const hasPassword = trpc.accounts.signIn.useQuery().data?.hasPassword ?? true
  const [isConfirming, setConfirming] = useState(false)

  function submit() {
    setProblem(undefined)
    if (getSession() === null) return setProblem(messages.passwordNeedsLogin)
    const invalid = passwordErrors(fields, hasPassword)
    setErrors(invalid)
    if (invalid) return
    if (hasPassword) return save()
    loadConfirmSelf()
    setConfirming(true)
  }

  async function save() {
    const { currentPassword, newPassword } = fields
    try {
      const { message } = await update.mutateAsync({ newPassword, ...(hasPassword && { currentPassword }) })
      setFields(empty)
      showDone(message)
      heading.current?.focus()
    } catch (error) {
      if ((error as ApiError).data?.reason === 'PASSWORD_WRONG')
        setErrors({ currentPassword: (error as ApiError).message })
      else if (responseErrors(error)) setErrors(responseErrors(error))
      else setProblem(errorText(error, messages.passwordUpdateFailed))
    }
    setConfirming(false)
  }

  const field = (name: keyof PasswordFields) => ({
    name,
    value: fields[name],
    onChange: (value: string) => setFields((typed) => ({ ...typed, [name]: value })),
    required: true,
  })
  return (
    <section aria-labelledby="change-password" className="card">
      <h2 id="change-password" ref={heading} tabIndex={-1} className="text-h2">
        {hasPassword ? t`Change password` : t`Set a password`}
      </h2>
      <p className="mt-1 text-meta text-muted">
        You will be logged out on all other devices. Your access tokens will be revoked, and your webhooks
        disabled.
      </p>
      <Form errors={errors} onSubmit={submit} className="mt-5">
        {hasPassword ? (
          <PasswordField
            {...field('currentPassword')}
            label="Current password"
            autoComplete="current-password"
          />
        ) : null}
        <PasswordField
          {...field('newPassword')}
          label="New password"
          autoComplete="new-password"
          hint={t`At least ${passwordMin} characters.`}
        />
        <PasswordField {...field('confirmation')} label="Confirm new password" autoComplete="new-password" />
        {problem === undefined ? null : <Callout tone="error">{problem}</Callout>}
        <div className="actions">
          <SubmitButton busy={update.isPending} busyLabel="Saving…">
            {hasPassword ? t`Update password` : t`Set password`}
          </SubmitButton>
        </div>
      </Form>
      <ConfirmSelfDialog open={isConfirming} onOpenChange={setConfirming} onConfirmed={save} />
    </section>
  )
}
