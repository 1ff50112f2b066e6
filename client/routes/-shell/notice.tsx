import { useEffect } from 'react'
import { useSession } from '#client/session.ts'
import { lazyComponent, whenIdle } from '#client/ui/lazy.ts'

const { Component, load } = lazyComponent(
  async () => (await import('#client/moderation/notice.tsx')).ModerationNotice,
)

/** What moderators tell a member, lazy-loaded when the page is idle, or at once if the account is restricted. */
export function NoticeHost() {
  const user = useSession()?.user
  useEffect(() => {
    if (user === undefined) return undefined
    return user.standing ? load() : whenIdle(load)
  }, [user])
  return user ? <Component /> : null
}
