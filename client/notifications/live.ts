import { followAsMember } from '#client/app/live-stream.ts'
import type { InboxEvent } from '#shared/contracts/notifications.ts'

/** Returns a function that ends this. */
export function followInbox(onEvent: (event: InboxEvent) => void): () => void {
  return followAsMember('/notifications/live', onEvent)
}
