import { type Kind, kindNames } from '#shared/media.ts'

/** A title that the member's network rated. */
export type FeedEntry = {
  kind: Kind
  id: number
  title: string
  imageUrl: string | null
  /** Mean of the network's ratings, 1 to 5. */
  friendAvg: number
  /** How many of the network rated it. */
  friendCount: number
}

export const feedTabs = ['all', 'screen', 'games', 'books'] as const
export type FeedTab = (typeof feedTabs)[number]

const kindsOfTab: Record<FeedTab, readonly Kind[]> = {
  all: kindNames,
  screen: ['movie', 'tvShow'],
  games: ['game'],
  books: ['book'],
}

/** The feeds of the kinds as one: the best liked first, then the most rated, then by name. */
export function mergeFeeds(feeds: readonly (readonly FeedEntry[])[]): FeedEntry[] {
  return feeds
    .flat()
    .sort(
      (a, b) => b.friendAvg - a.friendAvg || b.friendCount - a.friendCount || a.title.localeCompare(b.title),
    )
}

export function entriesOf(tab: FeedTab, entries: readonly FeedEntry[]): FeedEntry[] {
  return entries.filter(({ kind }) => kindsOfTab[tab].includes(kind))
}

/** What at least so many friends rated. */
export function ratedByFriends(atLeast: number, entries: readonly FeedEntry[]): FeedEntry[] {
  return entries.filter(({ friendCount }) => friendCount >= atLeast)
}

/** The tab to show: the chosen one; where it has nothing, the first that has something; where none has, the chosen one. */
export function shownTab(chosen: FeedTab, entries: readonly FeedEntry[]): FeedTab {
  const hasSome = (tab: FeedTab) => entriesOf(tab, entries).length > 0
  return hasSome(chosen) ? chosen : (feedTabs.find(hasSome) ?? chosen)
}
