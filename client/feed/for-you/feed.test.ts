import { expect, test } from 'vitest'
import { entriesOf, type FeedEntry, mergeFeeds, ratedByFriends, reasonOf, shownTab } from './feed.ts'

function anEntry(entry: Partial<FeedEntry>): FeedEntry {
  return {
    kind: 'movie',
    id: 1,
    name: 'A',
    imageUrl: null,
    releaseYear: null,
    friendAvg: 4,
    friendCount: 1,
    ...entry,
  }
}
const movie = anEntry({ kind: 'movie' })
const show = anEntry({ kind: 'tvShow' })
const game = anEntry({ kind: 'game' })

test('entries are sorted by average, then by number of ratings, then by title', () => {
  const best = anEntry({ friendAvg: 4.5 })
  const known = anEntry({ friendCount: 3, name: 'Z' })
  const [a, b] = [anEntry({ name: 'A' }), anEntry({ name: 'B', kind: 'book' })]
  expect(mergeFeeds([[a, best], [], [b, known]])).toEqual([best, known, a, b])
})

test('by most friends, the number of ratings comes before the average; by match, the match comes first', () => {
  const best = anEntry({ friendAvg: 5, match: 60 })
  const known = anEntry({ friendAvg: 4, friendCount: 3, match: 70 })
  const close = anEntry({ friendAvg: 3, match: 90 })
  expect(mergeFeeds([[best, known, close]], 'friends')).toEqual([known, best, close])
  expect(mergeFeeds([[best, known, close]], 'match')).toEqual([close, known, best])
})

test('the reason names one or two people, and counts the others', () => {
  expect(reasonOf([], 0)).toBe('')
  expect(reasonOf(['ada'], 1)).toBe('ada')
  expect(reasonOf(['ada', 'bob'], 2)).toBe('ada and bob')
  expect(reasonOf(['ada'], 2)).toBe('ada and 1 other')
  expect(reasonOf(['ada', 'bob', 'cem'], 8)).toBe('ada and 7 others')
})

test('a tab with entries is shown', () => {
  expect(shownTab('games', [movie, game])).toBe('games')
})

test('a tab without entries falls back to the first tab with entries', () => {
  expect(shownTab('books', [movie, game])).toBe('all')
})

test('the chosen tab stays if there are no entries at all', () => {
  expect(shownTab('books', [])).toBe('books')
})

test('movies and TV shows share a tab', () => {
  expect(entriesOf('screen', [movie, game, show])).toEqual([movie, show])
})

test('the friends filter keeps entries with enough ratings by friends', () => {
  const [one, two] = [anEntry({ friendCount: 1 }), anEntry({ friendCount: 2 })]
  expect(ratedByFriends(0, [one, two])).toEqual([one, two])
  expect(ratedByFriends(2, [one, two])).toEqual([two])
})
