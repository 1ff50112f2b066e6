import { kinds } from '#shared/domain/kinds.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/open.ts'
import { aSession } from '#server/testing.ts'
import { seeded } from '#scripts/testing/random.ts'
import { openBench } from './bench.ts'
import { generateSyntheticData } from './synthetic-data.ts'
import type { LoadCall } from './send-load.ts'

const writers = 100

export async function fillWithMixedLoad(where: Partial<Config>, reviews: number): Promise<LoadCall[]> {
  const { services, close } = await openBench(where)
  await generateSyntheticData(services.db, { reviews, now: new Date() })
  const calls = await drawMixedLoad(services.db, 5_000)
  await close()
  return calls
}

/** Always in the same order: 95 % read, 5 % write; popular titles more often. Needs the synthetic dataset, and logs some of its members in. */
export async function drawMixedLoad(db: Db, calls: number): Promise<LoadCall[]> {
  const random = seeded(1)
  const below = (limit: number) => Math.floor(random() * limit)
  const titles = await db.selectFrom('media').select(['id', 'kind', 'name']).orderBy('id').execute()
  const members = await db.selectFrom('users').select(['id', 'username']).orderBy('id').execute()
  const reviews = await db.selectFrom('reviews').select('id').orderBy('id', 'desc').limit(2_000).execute()
  const writing = Array.from({ length: writers }, () => members[below(members.length)]!.id)
  // Following oneself is an error.
  const others = members.filter(({ id }) => !writing.includes(id))
  const tokens = await Promise.all(writing.map((id) => aSession(db, { id })))

  // The first titles are the most popular.
  const title = () => {
    const { id, kind, name } = titles[Math.floor(titles.length * random() ** 4)]!
    const { path, router, idKey } = kinds[kind]
    return { id, name, path, router, idKey }
  }
  const member = () => members[below(members.length)]!
  const review = () => reviews[below(reviews.length)]!.id
  const auth = () => ({ authorization: `Bearer ${tokens[below(tokens.length)]!}` })
  const prefixOf = (name: string) => encodeURIComponent(name.slice(0, 1 + below(Math.min(10, name.length))))
  const post = (path: string, body: object): LoadCall => ({
    method: 'POST',
    path,
    headers: { ...auth(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const page = ({ id, router, idKey }: ReturnType<typeof title>) => {
    const inputs = [{ id }, { id }, { [idKey]: id, page: 1, sortBy: 'createdAt', order: 'desc' }]
    const paths = `${router}.byId,${router}.ratingHistogram,reviews.list`
    return `/trpc/${paths}?batch=1&input=${encodeURIComponent(JSON.stringify({ ...inputs }))}`
  }

  const kindsOfCalls: [share: number, draw: () => LoadCall][] = [
    [22, () => ({ path: page(title()) })],
    [12, () => ({ path: page(title()), headers: auth() })],
    [13, () => (({ path, id }) => ({ path: `/${path}/${id}` }))(title())],
    [10, () => (({ idKey, id }) => ({ path: `/reviews?${idKey}=${id}` }))(title())],
    [10, () => ({ path: `/${title().path}/popular` })],
    [9, () => ({ path: `/movies/search?q=${prefixOf(title().name)}` })],
    [3, () => ({ path: `/users/search?q=${prefixOf(member().username)}` })],
    [6, () => ({ path: `/${title().path}/for-you`, headers: auth() })],
    [5, () => ({ path: `/users/${member().id}/profile` })],
    [3, () => ({ path: `/users/${member().id}/followers` })],
    [2, () => ({ path: `/reviews/${review()}/comments` })],
    [2, () => (({ idKey, id }) => post('/reviews', { [idKey]: id, rating: 1 + below(5) }))(title())],
    [
      0.8,
      () =>
        (({ idKey, id }) => post('/reviews', { [idKey]: id, rating: 1 + below(5), text: 'Seen again.' }))(
          title(),
        ),
    ],
    [1, () => post(`/reviews/${review()}/reactions`, { reaction: below(2) ? 'like' : 'none' })],
    [0.4, () => post(`/reviews/${review()}/comments`, { text: 'So it is.' })],
    [0.4, () => post('/users/follow', { userIdToFollow: others[below(others.length)]!.id })],
    [0.4, () => post('/favorite-movies', { movieId: titles.find(({ kind }) => kind === 'movie')!.id })],
  ]
  const all = kindsOfCalls.reduce((sum, [share]) => sum + share, 0)
  return Array.from({ length: calls }, () => {
    let at = random() * all
    return kindsOfCalls.find(([share]) => (at -= share) < 0)![1]()
  })
}
