import { getSession, setSession } from './session.ts'
import { trpc } from './trpc.ts'

export function useRefreshUser(): () => Promise<void> {
  const utils = trpc.useUtils()
  return async () => {
    const session = getSession()
    if (session === null) return
    const { user } = await utils.accounts.me.fetch(undefined, { staleTime: 0 })
    setSession({ ...session, user })
  }
}
