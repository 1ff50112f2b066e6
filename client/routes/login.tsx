import { createFileRoute, redirect } from '@tanstack/react-router'
import { LoginScreen } from '#client/accounts/login-screen.tsx'
import { afterLogin } from '#client/accounts/redirect.ts'

export const Route = createFileRoute('/login')({
  validateSearch: ({ redirect: target }: Record<string, unknown>): { redirect?: string | undefined } => ({
    redirect: typeof target === 'string' ? target : undefined,
  }),
  // Also redirects right after logging in: a new session runs the guards again.
  beforeLoad: ({ context, search }) => {
    if (context.getSession() !== null) throw redirect({ href: afterLogin(search.redirect), replace: true })
  },
  head: () => ({ meta: [{ title: 'Log in' }] }),
  component: LoginScreen,
})
