import { type Kind, kinds } from '#shared/media.ts'
import { type FeedTab, feedTabs } from './params.ts'

/** A title that the member's network rated. */
export type FeedEntry = {
  kind: Kind
  id: number
  title: string
  imageUrl: string | null
  /** Mean of the network's ratings, 1 to 5. */
  friendAvg: number
  /** The number of these ratings. */
  friendCount: number
}

/** Merges the feeds of the kinds: by average, then by number of ratings, then by name. */
export function mergeFeeds(feeds: readonly (readonly FeedEntry[])[]): FeedEntry[] {
  return feeds
    .flat()
    .sort(
      (a, b) => b.friendAvg - a.friendAvg || b.friendCount - a.friendCount || a.title.localeCompare(b.title),
    )
}

export function entriesOf(tab: FeedTab, entries: readonly FeedEntry[]): FeedEntry[] {
  return entries.filter(({ kind }) => tab === 'all' || tab === kinds[kind].tab)
}

/** Returns the entries that at least so many friends rated. */
export function ratedByFriends(atLeast: number, entries: readonly FeedEntry[]): FeedEntry[] {
  return entries.filter(({ friendCount }) => friendCount >= atLeast)
}

/** Returns the tab to show: the chosen one or, if that is empty, the first with entries. */
export function shownTab(chosen: FeedTab, entries: readonly FeedEntry[]): FeedTab {
  const hasSome = (tab: FeedTab) => entriesOf(tab, entries).length > 0
  return hasSome(chosen) ? chosen : (feedTabs.find(hasSome) ?? chosen)
}
