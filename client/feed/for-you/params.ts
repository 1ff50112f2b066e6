import { type FeedOrder, feedOrders, friendThresholds } from '#shared/domain/limits.ts'
import { kindsOnHome, type Tab } from '#shared/domain/kinds.ts'

export type FeedTab = 'all' | Tab
export const feedTabs: readonly FeedTab[] = [
  ...new Set(['all' as const, ...kindsOnHome.map(({ tab }) => tab)]),
]
export type FriendThreshold = (typeof friendThresholds)[number]
export type ForYouParams = {
  tab?: FeedTab | undefined
  friends?: FriendThreshold | undefined
  by?: FeedOrder | undefined
}

export function readForYouParams(search: Record<string, unknown>): ForYouParams {
  return {
    tab: feedTabs.find((tab) => tab === search['tab']),
    friends: friendThresholds.find((friends) => friends > 0 && friends === Number(search['friends'])),
    by: feedOrders.slice(1).find((order) => order === search['by']),
  }
}
