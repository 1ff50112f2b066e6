import { createFileRoute } from '@tanstack/react-router'
import { UnsubscribeScreen } from '#client/notifications/unsubscribe-screen.tsx'
import { readToken } from '#client/app/params.ts'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/unsubscribe')({
  validateSearch: readToken,
  head: () => ({ meta: [{ title: t`End the daily email` }] }),
  component: () => <UnsubscribeScreen token={Route.useSearch().token} />,
})
