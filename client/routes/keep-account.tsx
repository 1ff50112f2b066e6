import { createFileRoute } from '@tanstack/react-router'
import { KeepAccountScreen } from '#client/accounts/keep-account-screen.tsx'
import { readToken } from '#client/app/params.ts'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/keep-account')({
  validateSearch: readToken,
  head: () => ({ meta: [{ title: t`Keep your account` }] }),
  component: () => <KeepAccountScreen token={Route.useSearch().token} />,
})
