import { createFileRoute, redirect } from '@tanstack/react-router'
import { afterLogin } from '#client/accounts/redirect.ts'
import { SignupScreen } from '#client/accounts/signup-screen.tsx'

export const Route = createFileRoute('/signup')({
  beforeLoad: ({ context }) => {
    if (context.getSession() !== null) throw redirect({ href: afterLogin(undefined), replace: true })
  },
  head: () => ({ meta: [{ title: 'Create your account' }] }),
  component: SignupScreen,
})
