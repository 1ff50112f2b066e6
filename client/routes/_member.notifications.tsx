import { createFileRoute } from '@tanstack/react-router'
import { NotificationsScreen } from '#client/notifications/notifications-screen.tsx'
import { NextOfSeason } from '#client/progress/next-of-season.tsx'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/_member/notifications')({
  loader: ({ context: { trpc } }) => void trpc.notifications.list.prefetchInfinite({}),
  head: () => ({ meta: [{ title: t`Notifications` }] }),
  component: () => (
    <NotificationsScreen
      renderSeason={(show, { next }) => <NextOfSeason key={next?.id} showId={show.id} next={next} />}
    />
  ),
})
