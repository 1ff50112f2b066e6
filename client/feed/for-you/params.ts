import { friendThresholds } from '#shared/limits.ts'

export const feedTabs = ['all', 'screen', 'games', 'books'] as const
export type FeedTab = (typeof feedTabs)[number]
export type FriendThreshold = (typeof friendThresholds)[number]
export type ForYouParams = { tab?: FeedTab | undefined; friends?: FriendThreshold | undefined }

/** Reads the search params; leaves invalid ones out. */
export function readForYouParams(search: Record<string, unknown>): ForYouParams {
  return {
    tab: feedTabs.find((tab) => tab === search['tab']),
    friends: friendThresholds.find((friends) => friends > 0 && friends === Number(search['friends'])),
  }
}
