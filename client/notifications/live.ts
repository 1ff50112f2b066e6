import { followAsMember } from '#client/app/live-stream.ts'
import type { InboxEvent } from '#shared/contracts/notifications.ts'

export function followInbox(onEvent: (event: InboxEvent) => void): () => void {
  return followAsMember('/notifications/live', onEvent)
}
