import { Link } from '@tanstack/react-router'
import { PasswordField } from '#client/ui/field.tsx'

/** The password of a login, with the way to a new one. */
export function LoginPassword() {
  return (
    <div className="grid gap-1">
      <PasswordField name="password" label="Password" autoComplete="current-password" required />
      <Link to="/forgot-password" className="link justify-self-start py-1.5 text-meta">
        Forgot your password?
      </Link>
    </div>
  )
}
