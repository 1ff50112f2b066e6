import { createFileRoute, redirect } from '@tanstack/react-router'

/** Unknown paths redirect to Home. */
export const Route = createFileRoute('/$')({
  beforeLoad: () => {
    throw redirect({ to: '/', replace: true })
  },
})
