import { createFileRoute, redirect } from '@tanstack/react-router'

/** What lies under it is for members; others log in first and come back. */
export const Route = createFileRoute('/_member')({
  beforeLoad: ({ context, location }) => {
    if (context.getSession() === null) {
      throw redirect({ to: '/login', search: { redirect: location.href }, replace: true })
    }
  },
})
