import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { changed, type Fact } from './facts.ts'
import { setSession } from './session.ts'
import { queryClient } from './trpc.ts'

const root = join(import.meta.dirname, '../..')

test('no module but facts.ts says which queries a change makes outdated', () => {
  const byHand = globSync('client/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !/\.test\.tsx?$|^client\/(e2e\/|app\/facts\.ts|main\.tsx)/.test(file))
    .filter((file) =>
      /(?<!\brouter)\.invalidate\(|\b(invalidate|refetch|reset|remove)Queries\b/.test(
        readFileSync(join(root, file), 'utf8'),
      ),
    )
  expect(byHand).toEqual([])
})

afterEach(() => queryClient.clear())

/** Returns which of the queries a change makes outdated. */
async function outdated(queries: [path: string, input?: object][], fact: Fact, id?: number) {
  const keys = queries.map(([path, input]) => [path.split('.'), ...(input ? [{ input, type: 'query' }] : [])])
  for (const key of keys) queryClient.setQueryData(key, {})
  await changed(fact, id)
  return queries
    .filter((_, at) => queryClient.getQueryState(keys[at]!)!.isInvalidated)
    .map(([path, input]) => (input ? `${path} ${JSON.stringify(input)}` : path))
}

test('a rating makes outdated what shows the ratings of its title, whatever its kind, and nothing of other titles', async () => {
  expect(
    await outdated(
      [
        ['books.ratingHistogram', { id: 7 }],
        ['books.ratingHistogram', { id: 8 }],
        ['movies.byId', { id: 7 }],
        ['reviews.list', { bookId: 7, page: 2 }],
        ['reviews.list', { bookId: 8, page: 7 }],
        ['reviews.list', { itemId: 7 }],
        ['games.popular'],
        ['accounts.profile', { id: 3 }],
        ['diary.marks', { itemIds: '7' }],
      ],
      'rating',
      7,
    ),
  ).toEqual([
    'books.ratingHistogram {"id":7}',
    'movies.byId {"id":7}',
    'reviews.list {"bookId":7,"page":2}',
    'reviews.list {"itemId":7}',
    'games.popular',
    'accounts.profile {"id":3}',
  ])
})

test('what a member has watched makes outdated what shows progress, and texts that were withheld until then', async () => {
  const shown: [string, object?][] = [
    ['progress.upNext', { limit: 3 }],
    ['progress.calendar', { from: '2026-05-01' }],
    ['progress.season', { id: 7, number: 1 }],
    ['diary.marks', { itemIds: '7' }],
    ['lists.byId', { id: 3 }],
    ['reviews.list', { episodeId: 70 }],
    ['reviews.comments', { id: 4 }],
    ['feed.following', { limit: 10 }],
    ['notifications.list'],
  ]
  const names = shown.map(([path, input]) => (input ? `${path} ${JSON.stringify(input)}` : path))
  expect(
    await outdated([...shown, ['movies.popular'], ['accounts.profile', { id: 3 }]], 'progress', 7),
  ).toEqual(names)
})

test('a favorite makes outdated the lists of the member who is logged in, and no list of another member', async () => {
  vi.stubGlobal('document', { documentElement: { dataset: {} } })
  setSession({ token: 'token', user: { id: 3 } as never })
  onTestFinished(() => {
    setSession(null)
    vi.unstubAllGlobals()
  })
  expect(
    await outdated(
      [
        ['favoriteBooks.list', { id: 3 }],
        ['favoriteBooks.list', { id: 4 }],
        ['favoriteBooks.isFavorite', { id: 7 }],
        ['favoriteBooks.isFavorite', { id: 8 }],
        ['accounts.profile', { id: 4 }],
      ],
      'favorite',
      7,
    ),
  ).toEqual(['favoriteBooks.list {"id":3}', 'favoriteBooks.isFavorite {"id":7}'])
})

test('a follow makes outdated only the reviews that are filtered by the network', async () => {
  const reviews = ['network', 'all'].map((scope): [string, object] => ['reviews.list', { bookId: 7, scope }])
  expect(await outdated([...reviews, ['social.followers', { id: 9 }]], 'follow', 9)).toEqual([
    'reviews.list {"bookId":7,"scope":"network"}',
    'social.followers {"id":9}',
  ])
})

test('the end of an import makes everything outdated but imports; a block everything', async () => {
  const queries: [string][] = [['imports.list'], ['my rating'], ['diary.marks'], ['lists.mine']]
  expect(await outdated(queries, 'imported')).toEqual(['my rating', 'diary.marks', 'lists.mine'])
  expect(await outdated(queries, 'hiding')).toHaveLength(4)
})

test('an episode that is watched makes outdated all progress and the diary, and no title', async () => {
  expect(
    await outdated(
      [
        ['progress.seasons', { id: 7 }],
        ['progress.season', { id: 7, number: 2 }],
        ['progress.seasons', { id: 8 }],
        ['progress.episode', { id: 70 }],
        ['diary.mine', { tvShowId: 7 }],
        ['tvShows.byId', { id: 7 }],
      ],
      'progress',
      7,
    ),
  ).toEqual([
    'progress.seasons {"id":7}',
    'progress.season {"id":7,"number":2}',
    'progress.seasons {"id":8}',
    'progress.episode {"id":70}',
    'diary.mine {"tvShowId":7}',
  ])
})
