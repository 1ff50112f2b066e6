import { useRef, useState } from 'react'
import { getSession } from '#client/app/session.ts'
import { errorText } from '#client/app/trpc.ts'
import { Callout } from '#client/ui/callout.tsx'
import { Form, type FormErrors, PasswordField } from '#client/ui/field.tsx'
import { SubmitButton } from '#client/ui/button.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { passwordMin } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { responseErrors } from '../field-errors.ts'
import { useUpdatePassword } from './hooks.ts'
import { type PasswordFields, passwordErrors } from './rules.ts'

const empty: PasswordFields = { currentPassword: '', newPassword: '', confirmation: '' }

export function PasswordForm() {
  const [fields, setFields] = useState(empty)
  const [errors, setErrors] = useState<FormErrors>()
  const [problem, setProblem] = useState<string>()
  const heading = useRef<HTMLHeadingElement>(null)
  const update = useUpdatePassword()

  function submit() {
    setProblem(undefined)
    if (getSession() === null) return setProblem(messages.passwordNeedsLogin)
    const invalid = passwordErrors(fields)
    setErrors(invalid)
    if (invalid) return
    const { currentPassword, newPassword } = fields
    update.mutate(
      { currentPassword, newPassword },
      {
        onSuccess({ message }) {
          setFields(empty)
          showDone(message)
          heading.current?.focus()
        },
        onError(error) {
          if (error.data?.reason === 'PASSWORD_WRONG') return setErrors({ currentPassword: error.message })
          const fieldErrors = responseErrors(error)
          if (fieldErrors) setErrors(fieldErrors)
          else setProblem(errorText(error, messages.passwordUpdateFailed))
        },
      },
    )
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
        Change password
      </h2>
      <p className="mt-1 text-meta text-muted">
        You will be logged out on all other devices. Your access tokens will be revoked, and your webhooks
        disabled.
      </p>
      <Form errors={errors} onSubmit={submit} className="mt-5">
        <PasswordField
          {...field('currentPassword')}
          label="Current password"
          autoComplete="current-password"
        />
        <PasswordField
          {...field('newPassword')}
          label="New password"
          autoComplete="new-password"
          hint={`At least ${passwordMin} characters.`}
        />
        <PasswordField {...field('confirmation')} label="Confirm new password" autoComplete="new-password" />
        {problem === undefined ? null : <Callout tone="error">{problem}</Callout>}
        <div className="actions">
          <SubmitButton busy={update.isPending} busyLabel="Saving…">
            Update password
          </SubmitButton>
        </div>
      </Form>
    </section>
  )
}
