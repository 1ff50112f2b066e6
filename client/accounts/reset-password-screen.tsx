import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { errorText } from '#client/app/trpc.ts'
import { ButtonLink, SubmitButton } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Form, type FormErrors, PasswordField } from '#client/ui/field.tsx'
import { passwordMin } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { AccountPage } from './account-page.tsx'
import { responseErrors, useValidation } from './field-errors.ts'
import { isDeadLink, isUsedLink, useResetPassword } from './hooks.ts'
import { t } from '#shared/domain/message.ts'

export function ResetPasswordScreen({ token }: { token: string | undefined }) {
  return (
    <AccountPage title="Set a new password." lead="You will be logged out on all devices.">
      {token ? <NewPasswordForm token={token} /> : <DeadLink text={messages.resetFailed} />}
    </AccountPage>
  )
}

function NewPasswordForm({ token }: { token: string }) {
  const reset = useResetPassword()
  const [errors, setErrors] = useState<FormErrors>()
  const validate = useValidation('resetPassword')
  if (reset.isSuccess) {
    return (
      <div className="grid gap-5">
        <Callout tone="success">{reset.data.message}</Callout>
        <ButtonLink variant="primary" size="lg" render={<Link to="/login" />}>
          Continue to login
        </ButtonLink>
      </div>
    )
  }
  if (isUsedLink(reset.error))
    return (
      <DeadLink text="This link has already set a new password. Log in with it, or request a new link." />
    )
  if (isDeadLink(reset.error)) return <DeadLink text={messages.resetFailed} />
  return (
    <Form<{ newPassword: string; confirmation: string }>
      errors={errors}
      onSubmit={async ({ newPassword, confirmation }) => {
        const values = { token, newPassword: newPassword.trim() }
        const differs = values.newPassword !== confirmation.trim()
        const invalid =
          (await validate(values)) ?? (differs ? { confirmation: messages.passwordsDiffer } : undefined)
        setErrors(invalid)
        if (!invalid) reset.mutate(values, { onError: (error) => setErrors(responseErrors(error)) })
      }}
    >
      {reset.error && !responseErrors(reset.error) ? (
        <Callout tone="error">{errorText(reset.error)}</Callout>
      ) : null}
      <PasswordField
        name="newPassword"
        label="New password"
        autoComplete="new-password"
        hint={t`At least ${passwordMin} characters.`}
        required
      />
      <PasswordField name="confirmation" label="New password again" autoComplete="new-password" required />
      <SubmitButton size="lg" busy={reset.isPending} busyLabel="Saving…">
        Set password
      </SubmitButton>
    </Form>
  )
}

function DeadLink({ text }: { text: string }) {
  return (
    <div className="grid gap-5">
      <Callout tone="error">{text}</Callout>
      <ButtonLink variant="primary" size="lg" render={<Link to="/forgot-password" />}>
        Request a new link
      </ButtonLink>
    </div>
  )
}
