import { createFileRoute } from '@tanstack/react-router'
import { VerifyEmailScreen } from '#client/accounts/verify-email-screen.tsx'
import { readToken } from '#client/app/params.ts'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/verify-email')({
  validateSearch: readToken,
  head: () => ({ meta: [{ title: t`Verify your email` }] }),
  component: () => <VerifyEmailScreen token={Route.useSearch().token} />,
})
