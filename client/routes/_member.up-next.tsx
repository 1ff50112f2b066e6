import { createFileRoute } from '@tanstack/react-router'
import { UpNextScreen } from '#client/progress/up-next-screen.tsx'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/_member/up-next')({
  loader: ({ context: { trpc } }) => void trpc.progress.upNext.prefetchInfinite({}),
  head: () => ({ meta: [{ title: t`Up next` }] }),
  component: UpNextScreen,
})
