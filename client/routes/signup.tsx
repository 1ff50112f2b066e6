import { createFileRoute, redirect } from '@tanstack/react-router'
import { WithPasswords } from '#client/accounts/no-passwords.tsx'
import { loadProviders } from '#client/app/providers.ts'
import { afterLogin, readRedirect } from '#client/accounts/redirect.ts'
import { SignupScreen } from '#client/accounts/signup-screen.tsx'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/signup')({
  validateSearch: (search) => ({
    ...readRedirect(search),
    ...(typeof search['invite'] === 'string' && { invite: search['invite'] }),
  }),
  beforeLoad: ({ context, search }) => {
    if (context.getSession() !== null) throw redirect({ href: afterLogin(search.redirect), replace: true })
  },
  loader: ({ context }) => loadProviders(context),
  head: () => ({ meta: [{ title: t`Create your account` }] }),
  component: SignupPage,
})

function SignupPage() {
  const { redirect: to, invite } = Route.useSearch() as { redirect?: string; invite?: string }
  return (
    <WithPasswords>
      <SignupScreen redirect={to} invite={invite} />
    </WithPasswords>
  )
}
