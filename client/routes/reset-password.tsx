import { createFileRoute } from '@tanstack/react-router'
import { ResetPasswordScreen } from '#client/accounts/reset-password.tsx'

export const Route = createFileRoute('/reset-password')({
  // The router reads a value that looks like a number as one.
  validateSearch: ({ token }: Record<string, unknown>): { token?: string } =>
    typeof token === 'string' || typeof token === 'number' ? { token: String(token) } : {},
  head: () => ({ meta: [{ title: 'Set a new password' }] }),
  component: ResetPasswordPage,
})

function ResetPasswordPage() {
  return <ResetPasswordScreen token={Route.useSearch().token} />
}
