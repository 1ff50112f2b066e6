import { createFileRoute } from '@tanstack/react-router'
import { ImportsPending, ImportsScreen } from '#client/imports/imports-screen.tsx'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/_member/imports/')({
  loader: ({ context: { trpc } }) => void trpc.imports.list.prefetch(),
  head: () => ({ meta: [{ title: t`Bring your history` }] }),
  component: ImportsScreen,
  pendingComponent: ImportsPending,
})
