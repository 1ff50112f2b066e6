import { createFileRoute, redirect } from '@tanstack/react-router'
import { toasts } from '#client/ui/toasts.ts'
import { t } from '#shared/domain/message.ts'

/** Unknown paths redirect to Home, and say so. */
export const Route = createFileRoute('/$')({
  beforeLoad: ({ location, preload }) => {
    if (!import.meta.env.SSR && !preload)
      toasts.add({
        title: t`There is no such page`,
        description: t`Nothing is at ${location.pathname.slice(0, 60)}.`,
      })
    throw redirect({ to: '/', replace: true })
  },
})
