import { createFileRoute } from '@tanstack/react-router'
import { VerifyEmailScreen } from '#client/accounts/verify-email-screen.tsx'

export const Route = createFileRoute('/verify-email')({
  validateSearch: ({ token }: Record<string, unknown>): { token?: string | undefined } => ({
    token: typeof token === 'string' ? token : undefined,
  }),
  head: () => ({ meta: [{ title: 'Verify your email' }] }),
  component: VerifyEmailPage,
})

function VerifyEmailPage() {
  return <VerifyEmailScreen token={Route.useSearch().token} />
}
