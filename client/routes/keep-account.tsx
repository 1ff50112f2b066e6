import { createFileRoute } from '@tanstack/react-router'
import { KeepAccountScreen } from '#client/accounts/keep-account-screen.tsx'

export const Route = createFileRoute('/keep-account')({
  validateSearch: ({ token }: Record<string, unknown>): { token?: string | undefined } => ({
    token: typeof token === 'string' ? token : undefined,
  }),
  head: () => ({ meta: [{ title: 'Keep your account' }] }),
  component: KeepAccountPage,
})

function KeepAccountPage() {
  return <KeepAccountScreen token={Route.useSearch().token} />
}
