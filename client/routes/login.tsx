import { createFileRoute, redirect } from '@tanstack/react-router'
import { LoginScreen } from '#client/accounts/login-screen.tsx'
import { afterLogin, readRedirect } from '#client/accounts/redirect.ts'

export const Route = createFileRoute('/login')({
  validateSearch: readRedirect,
  // A new session runs the guards again, so a login redirects too.
  beforeLoad: ({ context, search }) => {
    if (context.getSession() !== null) throw redirect({ href: afterLogin(search.redirect), replace: true })
  },
  head: () => ({ meta: [{ title: 'Log in' }] }),
  component: () => <LoginScreen redirect={Route.useSearch().redirect} />,
})
