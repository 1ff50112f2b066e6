import { Link } from '@tanstack/react-router'
import { AccountPage } from './account-page.tsx'
import { EmailForm } from './email-form.tsx'
import { useForgotPassword } from './hooks.ts'

export function ForgotPasswordScreen() {
  const forgot = useForgotPassword()
  return (
    <AccountPage
      title="Forgot your password?"
      lead="Tell us the email of your account, and we send you a link to set a new one."
      aside={
        <p className="text-muted">
          It came back to you?{' '}
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
        hint="The link works once, for an hour."
      />
    </AccountPage>
  )
}
