import { createFileRoute, redirect } from '@tanstack/react-router'
import { toasts } from '#client/ui/toasts.ts'

/** Unknown paths redirect to Home, and say so. */
export const Route = createFileRoute('/$')({
  beforeLoad: ({ location, preload }) => {
    if (!import.meta.env.SSR && !preload)
      toasts.add({
        title: 'There is no such page',
        description: `Nothing is at ${location.pathname.slice(0, 60)}.`,
      })
    throw redirect({ to: '/', replace: true })
  },
})
