import { useEffect } from 'react'
import { changed } from '#client/app/facts.ts'
import { retryOnce, type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { type Change, merge } from '#shared/domain/merge.ts'
import { followInbox } from './live.ts'

export type Notification = RouterOutputs['notifications']['list']['notifications'][number]
export type Settings = RouterOutputs['notifications']['settings']

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

export function useChangeSettings() {
  const utils = trpc.useUtils()
  const { settings } = utils.notifications
  return trpc.notifications.changeSettings.useMutation({
    ...retryOnce,
    async onMutate(change) {
      await settings.cancel()
      const before = settings.getData()
      settings.setData(undefined, (now) => now && merge(now, change as Change<Settings>))
      return { before }
    },
    onError: (_error, _change, context) => settings.setData(undefined, context?.before),
    onSuccess: (now) => settings.setData(undefined, now),
  })
}
