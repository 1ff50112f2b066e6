import { useEffect } from 'react'
import { changed } from '#client/app/facts.ts'
import { retryOnce, type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { followInbox } from './live.ts'

export type Notification = RouterOutputs['notifications']['list']['notifications'][number]

export function useUnreadCount(): number | undefined {
  const utils = trpc.useUtils()
  useEffect(
    () =>
      followInbox((event) => {
        const before = utils.notifications.countUnread.getData()?.unreadCount
        utils.notifications.countUnread.setData(undefined, event)
        if (before !== undefined && event.unreadCount > before) void changed('notification')
      }),
    [utils],
  )
  // The stream sends the number at once; without streams, it is read now and then.
  return trpc.notifications.countUnread.useQuery(undefined, { refetchInterval: 5 * 60_000 }).data?.unreadCount
}

/** Unread ones stay highlighted until the page is loaded again, so that the reader sees what is new. */
export function useMarkRead() {
  const utils = trpc.useUtils()
  return trpc.notifications.read.useMutation({
    ...retryOnce,
    onSuccess: (result) => utils.notifications.countUnread.setData(undefined, result),
  })
}
