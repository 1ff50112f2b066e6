import { createFileRoute } from '@tanstack/react-router'
import { VerifyEmailScreen } from '#client/accounts/verify-email.tsx'

export const Route = createFileRoute('/verify-email')({
  // The router reads a value that looks like a number as one.
  validateSearch: ({ token }: Record<string, unknown>): { token?: string } =>
    typeof token === 'string' || typeof token === 'number' ? { token: String(token) } : {},
  head: () => ({ meta: [{ title: 'Verify your email' }] }),
  component: VerifyEmailPage,
})

function VerifyEmailPage() {
  return <VerifyEmailScreen token={Route.useSearch().token} />
}
