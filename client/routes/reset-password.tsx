import { createFileRoute } from '@tanstack/react-router'
import { ResetPasswordScreen } from '#client/accounts/reset-password-screen.tsx'

export const Route = createFileRoute('/reset-password')({
  validateSearch: ({ token }: Record<string, unknown>): { token?: string | undefined } => ({
    token: typeof token === 'string' ? token : undefined,
  }),
  head: () => ({ meta: [{ title: 'Set a new password' }] }),
  component: ResetPasswordPage,
})

function ResetPasswordPage() {
  return <ResetPasswordScreen token={Route.useSearch().token} />
}
