import { createFileRoute, redirect } from '@tanstack/react-router'
import { LoginScreen } from '#client/accounts/login-screen.tsx'
import { loadProviders } from '#client/app/providers.ts'
import { afterLogin, readRedirect } from '#client/accounts/redirect.ts'
import type { RouterContext } from '#client/app/loader-context.ts'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/login')({
  validateSearch: readRedirect,
  // A new session runs the guards again, so a login redirects too.
  beforeLoad: async ({ context, search }) => {
    if (context.getSession() === null) return
    throw redirect({ href: afterLogin(search.redirect ?? (await findDecision(context))), replace: true })
  },
  loader: ({ context }) => loadProviders(context),
  head: () => ({ meta: [{ title: t`Log in` }] }),
  component: () => <LoginScreen redirect={Route.useSearch().redirect} />,
})

/** Returns the page of the decision that restricts the member, who can do little else than to read it; undefined if there is none. */
async function findDecision({ trpc, getSession }: RouterContext): Promise<string | undefined> {
  if (!getSession()?.user.standing) return undefined
  const found = await trpc.moderation.myDecisions.fetch().catch(() => undefined)
  const decision = found?.decisions.find(({ endedAt }) => endedAt === null)
  return decision && `/decisions/${decision.id}`
}
