import { createFileRoute, redirect } from '@tanstack/react-router'

/** Redirects visitors to the login page and back. */
export const Route = createFileRoute('/_member')({
  beforeLoad: ({ context, location }) => {
    if (context.getSession() === null) {
      throw redirect({ to: '/login', search: { redirect: location.href }, replace: true })
    }
  },
})
