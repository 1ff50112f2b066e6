import type { CardTitle } from '#client/app/kinds.ts'
import { kinds } from '#shared/domain/kinds.ts'
import type { FeedOrder } from '#shared/domain/limits.ts'
import { allOf } from '#shared/texts/formats.ts'
import { type FeedTab, feedTabs } from './params.ts'
import { isEnglish, language, plural } from '#shared/domain/message.ts'

export type FeedEntry = CardTitle & {
  friendAvg: number
  friendCount: number
  match?: number | undefined
}

const names = new Intl.Collator(isEnglish ? undefined : language)

/** By average, then by number of ratings, then by name, unless `order` says otherwise. */
export function mergeFeeds(
  feeds: readonly (readonly FeedEntry[])[],
  order: FeedOrder = 'average',
): FeedEntry[] {
  const byAverage = (a: FeedEntry, b: FeedEntry) => b.friendAvg - a.friendAvg
  const byCount = (a: FeedEntry, b: FeedEntry) => b.friendCount - a.friendCount
  return feeds
    .flat()
    .sort(
      (a, b) =>
        (order === 'match' ? (b.match ?? 0) - (a.match ?? 0) : 0) ||
        (order === 'average' ? byAverage(a, b) : 0) ||
        byCount(a, b) ||
        byAverage(a, b) ||
        names.compare(a.name, b.name),
    )
}

export function reasonOf(names: readonly string[], total: number): string {
  const [first, second] = names
  if (first === undefined) return ''
  if (total <= 1) return first
  return allOf([
    first,
    total === 2 && second !== undefined ? second : plural(total - 1, { one: '# other', other: '# others' }),
  ])
}

export function entriesOf(tab: FeedTab, entries: readonly FeedEntry[]): FeedEntry[] {
  return entries.filter(({ kind }) => tab === 'all' || tab === kinds[kind].tab)
}

export function ratedByFriends(atLeast: number, entries: readonly FeedEntry[]): FeedEntry[] {
  return entries.filter(({ friendCount }) => friendCount >= atLeast)
}

export function shownTab(chosen: FeedTab, entries: readonly FeedEntry[]): FeedTab {
  const hasSome = (tab: FeedTab) => entriesOf(tab, entries).length > 0
  return hasSome(chosen) ? chosen : (feedTabs.find(hasSome) ?? chosen)
}
