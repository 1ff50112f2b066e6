import { friendThresholds } from '#shared/limits.ts'
import { type FeedTab, feedTabs } from './feed.ts'

export type FriendThreshold = (typeof friendThresholds)[number]
export type ForYouParams = { tab?: FeedTab | undefined; friends?: FriendThreshold | undefined }

/** What the address says; whatever it cannot mean is left out. */
export function readForYouParams(search: Record<string, unknown>): ForYouParams {
  return {
    tab: feedTabs.find((tab) => tab === search['tab']),
    friends: friendThresholds.find((friends) => friends > 0 && friends === Number(search['friends'])),
  }
}
