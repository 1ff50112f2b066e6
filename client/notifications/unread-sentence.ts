/** Not beside the sentences of the notifications, because the bell is on every page. */
export function unreadSentence(unread: number): string {
  if (unread === 0) return 'Notifications, none unread'
  return unread > 99 ? 'Notifications, 100 or more unread' : `Notifications, ${unread} unread`
}
