import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { beforeLogout, setSession } from '#client/app/session.ts'
import { trpc } from '#client/app/trpc.ts'
import { forgetDrafts } from '#client/ui/forget-drafts.ts'

const logoutTimeoutMs = 1_500

export function useLogout() {
  const navigate = useNavigate()
  const [isPending, setPending] = useState(false)
  const { client } = trpc.useUtils()
  async function logOut() {
    setPending(true)
    // Not a mutation: its failure (an expired session) would show a message.
    const response = Promise.all([...beforeLogout].map((work) => work()))
      .then(() => client.accounts.logout.mutate())
      .catch(() => undefined)
    const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, logoutTimeoutMs))
    const done = await Promise.race([response, timeout])
    await navigate({ to: '/' })
    setSession(null)
    forgetDrafts()
    // The service that the member has logged in with asks them to log out there too.
    if (done?.logoutUrl !== undefined) location.assign(done.logoutUrl)
    setPending(false)
  }
  return { logOut, isPending }
}
