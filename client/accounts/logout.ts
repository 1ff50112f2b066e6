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
  const { mutateAsync } = trpc.accounts.logout.useMutation()
  async function logOut() {
    setPending(true)
    const answered = mutateAsync().catch(() => {})
    await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, logoutPatienceMs))])
    // In this order: a member's page that finds nobody logged in would go to /login.
    await navigate({ to: '/' })
    setSession(null)
    forgetDrafts()
    setPending(false)
  }
  return { logOut, isPending }
}
