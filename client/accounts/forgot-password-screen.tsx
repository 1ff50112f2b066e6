import { Link } from '@tanstack/react-router'
import { AccountPage } from './account-page.tsx'
import { EmailForm } from './email-form.tsx'
import { useForgotPassword } from './hooks.ts'

export function ForgotPasswordScreen() {
  const forgot = useForgotPassword()
  return (
    <AccountPage
      title="Forgot your password?"
      lead="Enter the email of your account. We will send you a link to set a new password."
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
      />
    </AccountPage>
  )
}
