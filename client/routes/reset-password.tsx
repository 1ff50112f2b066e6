import { createFileRoute } from '@tanstack/react-router'
import { ResetPasswordScreen } from '#client/accounts/reset-password-screen.tsx'
import { readToken } from '#client/app/params.ts'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/reset-password')({
  validateSearch: readToken,
  head: () => ({ meta: [{ title: t`Set a new password` }] }),
  component: () => <ResetPasswordScreen token={Route.useSearch().token} />,
})
