import { createFileRoute } from '@tanstack/react-router'
import { SetupScreen } from '#client/admin/setup-screen.tsx'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/_member/setup')({
  validateSearch: ({ code }): { code?: string } => (typeof code === 'string' ? { code } : {}),
  head: () => ({ meta: [{ title: t`Become the admin` }] }),
  component: () => <SetupScreen code={Route.useSearch().code ?? ''} />,
})
