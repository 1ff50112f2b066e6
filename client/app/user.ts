import { getSession, type SessionUser, setSession } from './session.ts'
import { trpcUtils } from './trpc.ts'

/** In the session and in the cache. Does nothing after a logout: a response in flight must not begin the session again. */
export function changeUser(id: number | undefined, change: (user: SessionUser) => SessionUser): void {
  const session = getSession()
  if (session === null || session.user.id !== id) return
  setSession({ ...session, user: change(session.user) })
  trpcUtils.accounts.me.setData(undefined, (me) => me && { user: change(me.user) })
}

export async function refreshUser(): Promise<void> {
  if (getSession() === null) return
  const { user } = await trpcUtils.accounts.me.fetch(undefined, { staleTime: 0 })
  changeUser(user.id, () => user)
}
