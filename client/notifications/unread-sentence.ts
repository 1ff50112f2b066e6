import { t } from '#shared/domain/message.ts'

/** Not beside the sentences of the notifications, because the bell is on every page. */
export function unreadSentence(unread: number): string {
  if (unread === 0) return t`Notifications, none unread`
  return unread > 99 ? t`Notifications, 100 or more unread` : t`Notifications, ${unread} unread`
}
