import { followAsMember } from '#client/app/live-stream.ts'
import type { InboxEvent } from '#shared/contracts/notifications.ts'

/** Follows the number of the member’s unread notifications while the page is visible. Returns a function that ends this. */
export function followInbox(onEvent: (event: InboxEvent) => void): () => void {
  return followAsMember('/notifications/live', onEvent)
}
