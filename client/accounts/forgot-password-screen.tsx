import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { trpc } from '#client/app/trpc.ts'
import { AccountPage } from './account-page.tsx'
import { EmailForm } from './email-form.tsx'
import { t } from '#shared/domain/message.ts'

export function ForgotPasswordScreen() {
  const forgot = trpc.accounts.forgotPassword.useMutation()
  const [isSent, setSent] = useState(false)
  return (
    <AccountPage
      title={isSent ? t`Look in your inbox.` : t`Forgot your password?`}
      lead={
        isSent
          ? t`Open the link in the email to set a new password. It can take a minute, and may be in the spam folder.`
          : t`Enter the email of your account. We will send you a link to set a new password.`
      }
      aside={
        <p className="text-muted">
          Remember it after all?{' '}
          <Link to="/login" className="link">
            Log in
          </Link>
        </p>
      }
    >
      <EmailForm
        mutation={forgot}
        label="Email"
        button="Send the link"
        hint="The link is valid for an hour and works once."
        onSent={setSent}
      />
    </AccountPage>
  )
}
