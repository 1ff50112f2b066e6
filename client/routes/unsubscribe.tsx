import { createFileRoute } from '@tanstack/react-router'
import { UnsubscribeScreen } from '#client/notifications/unsubscribe-screen.tsx'

export const Route = createFileRoute('/unsubscribe')({
  validateSearch: ({ token }: Record<string, unknown>): { token?: string | undefined } => ({
    token: typeof token === 'string' ? token : undefined,
  }),
  head: () => ({ meta: [{ title: 'End the daily email' }] }),
  component: () => <UnsubscribeScreen token={Route.useSearch().token} />,
})
