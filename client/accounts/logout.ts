import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { setSession } from '#client/session.ts'
import { trpc } from '#client/trpc.ts'
import { forgetDrafts } from '#client/ui/forget-drafts.ts'

/** How long a logout waits for the server before this browser forgets the member anyway. */
const logoutPatienceMs = 1_500

export function useLogout() {
  const navigate = useNavigate()
  const [isPending, setPending] = useState(false)
  const { client } = trpc.useUtils()
  async function logOut() {
    setPending(true)
    // Not as a mutation: of a session that is dead already nothing need be said.
    const answered = client.accounts.logout.mutate().catch(() => {})
    await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, logoutPatienceMs))])
    // In this order: a member's page that finds nobody logged in would go to /login.
    await navigate({ to: '/' })
    setSession(null)
    forgetDrafts()
    setPending(false)
  }
  return { logOut, isPending }
}
