import { createFileRoute } from '@tanstack/react-router'
import { KeepAccountScreen } from '#client/accounts/keep-account-screen.tsx'
import { readToken } from '#client/app/params.ts'

export const Route = createFileRoute('/keep-account')({
  validateSearch: readToken,
  head: () => ({ meta: [{ title: 'Keep your account' }] }),
  component: () => <KeepAccountScreen token={Route.useSearch().token} />,
})
