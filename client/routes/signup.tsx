import { createFileRoute, redirect } from '@tanstack/react-router'
import { afterLogin, readRedirect } from '#client/accounts/redirect.ts'
import { SignupScreen } from '#client/accounts/signup-screen.tsx'

export const Route = createFileRoute('/signup')({
  validateSearch: readRedirect,
  beforeLoad: ({ context, search }) => {
    if (context.getSession() !== null) throw redirect({ href: afterLogin(search.redirect), replace: true })
  },
  head: () => ({ meta: [{ title: 'Create your account' }] }),
  component: SignupPage,
})

function SignupPage() {
  return <SignupScreen redirect={Route.useSearch().redirect} />
}
