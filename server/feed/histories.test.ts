import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Kind, kinds } from '#shared/media.ts'
import { findCounterFaults } from '#server/db/counters.ts'
import type { Member } from '#server/trpc.ts'
import { aMember, aServer, aTitle } from '#server/testing.ts'

/**
 * Random histories of everything members do to titles and to each other, beside a model that only
 * remembers what was done. At the end every kept counter and every answer must be what a plain recount of
 * the model says.
 */

const { db, as } = await aServer()

const memberCount = 5
const titleKinds: readonly Kind[] = ['movie', 'movie', 'movie', 'movie', 'book', 'book']
const names = ['Cairo', 'Ark', 'Cairo', 'Bell', 'Dune', 'Aura']

const member = fc.nat(memberCount - 1)
const title = fc.nat(titleKinds.length - 1)
const rating = fc.integer({ min: 1, max: 5 })
const text = fc.constantFrom('', 'Words.', 'Other words.')
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('save' as const),
      who: member,
      title,
      rating,
      text: maybe(text),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('edit' as const),
      who: member,
      title,
      rating: maybe(rating),
      text: maybe(text),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('remove' as const), who: member, title }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('react' as const),
      who: member,
      author: member,
      title,
      reaction: fc.constantFrom('like' as const, 'dislike' as const, 'none' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('comment' as const), who: member, author: member, title }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('uncomment' as const), who: member, author: member, title }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('follow' as const), who: member, whom: member }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('unfollow' as const), who: member, whom: member }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('keep' as const), who: member, title }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('drop' as const), who: member, title }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

type Review = {
  id: number
  who: number
  title: number
  rating: number
  text: string
  createdAt: number
  ratedAt: number
  reactions: Map<number, 'like' | 'dislike'>
  comments: { id: number; who: number }[]
}
type Timed = { who: number; what: number; at: number }

/** Three steps share a minute, so that times tie. */
const minuteOf = (index: number) => Math.floor(index / 3)
const timeOf = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))

async function run(steps: Step[]) {
  const members: Member[] = []
  for (let index = 0; index < memberCount; index++) members.push(await aMember(db))
  const titles: number[] = []
  for (const [index, kind] of titleKinds.entries()) titles.push(await aTitle(db, kind, names[index]))

  let reviews: Review[] = []
  let follows: Timed[] = []
  let favorites: Timed[] = []
  const reviewOf = (who: number, what: number) =>
    reviews.find((review) => review.who === who && review.title === what)

  for (const [index, one] of steps.entries()) {
    const now = minuteOf(index)
    const call = as(members[one.who], { now: timeOf(now) })
    if (one.does === 'follow' || one.does === 'unfollow') {
      if (one.who === one.whom) continue
      const whom = members[one.whom]!.id
      if (one.does === 'follow') await call.social.follow({ userIdToFollow: whom })
      else await call.social.unfollow({ userIdToUnfollow: whom })
      const isSame = (follow: Timed) => follow.who === one.who && follow.what === one.whom
      if (one.does === 'unfollow') follows = follows.filter((follow) => !isSame(follow))
      else if (!follows.some(isSame)) follows.push({ who: one.who, what: one.whom, at: now })
      continue
    }
    const itemId = titles[one.title]!
    if (one.does === 'keep' || one.does === 'drop') {
      const facts = kinds[titleKinds[one.title]!]
      const router = call[facts.favorites.router]
      if (one.does === 'keep') await router.add({ [facts.idKey]: itemId } as never)
      else await router.remove({ id: itemId })
      const isSame = (favorite: Timed) => favorite.who === one.who && favorite.what === one.title
      if (one.does === 'drop') favorites = favorites.filter((favorite) => !isSame(favorite))
      else if (!favorites.some(isSame)) favorites.push({ who: one.who, what: one.title, at: now })
      continue
    }
    if (one.does === 'save') {
      const { review } = await call.reviews.save({ itemId, rating: one.rating, text: one.text })
      const mine = reviewOf(one.who, one.title)
      if (mine) {
        if (mine.rating !== one.rating) Object.assign(mine, { rating: one.rating, ratedAt: now })
        mine.text = one.text ?? mine.text
      } else {
        const { who, title, rating, text = '' } = one
        reviews.push({
          id: review.id,
          who,
          title,
          rating,
          text,
          createdAt: now,
          ratedAt: now,
          reactions: new Map(),
          comments: [],
        })
      }
      continue
    }
    const review = reviewOf('author' in one ? one.author : one.who, one.title)
    if (!review) continue
    if (one.does === 'edit') {
      await call.reviews.edit({ id: review.id, rating: one.rating, text: one.text })
      if (one.rating !== undefined && one.rating !== review.rating)
        Object.assign(review, { rating: one.rating, ratedAt: now })
      review.text = one.text ?? review.text
    } else if (one.does === 'remove') {
      await call.reviews.remove({ id: review.id })
      reviews = reviews.filter((other) => other !== review)
    } else if (one.does === 'react') {
      await call.reviews.react({ id: review.id, reaction: one.reaction })
      if (one.reaction === 'none') review.reactions.delete(one.who)
      else review.reactions.set(one.who, one.reaction)
    } else if (one.does === 'comment') {
      const { comment } = await call.reviews.addComment({ id: review.id, text: 'Hm.' })
      review.comments.push({ id: comment.id, who: one.who })
    } else {
      const mine = review.comments.find(({ who }) => who === one.who)
      if (!mine) continue
      await call.reviews.removeComment({ id: mine.id })
      review.comments = review.comments.filter((comment) => comment !== mine)
    }
  }
  return { members, titles, reviews, follows, favorites }
}
type World = Awaited<ReturnType<typeof run>>
/** The same question asked of the product and of the model. */
type Pair = [answered: unknown, counted: unknown]

const sumOf = (ratings: number[]) => ratings.reduce((a, b) => a + b, 0)
const meanOf = (ratings: number[]) =>
  ratings.length === 0 ? null : Math.round((sumOf(ratings) * 10_000) / ratings.length) / 10_000
const starsOf = (ratings: number[]) =>
  Object.fromEntries([1, 2, 3, 4, 5].map((star) => [star, ratings.filter((one) => one === star).length]))
const countOf = <T>(list: Iterable<T>, is: (one: T) => boolean) => [...list].filter(is).length
const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id)
const followeesOf = ({ follows }: World, who: number) =>
  new Set(follows.filter((follow) => follow.who === who).map(({ what }) => what))

async function compareTitle(world: World, index: number): Promise<Pair[]> {
  const { members, titles, reviews } = world
  const id = titles[index]!
  const router = kinds[titleKinds[index]!].router
  const own = reviews.filter((review) => review.title === index)
  const ratings = own.map((review) => review.rating)
  const avg = meanOf(ratings)
  const pairs: Pair[] = [
    [await as()[router].overallRating({ id }), { avg, count: ratings.length }],
    [await as()[router].ratingHistogram({ id }), { counts: starsOf(ratings), total: ratings.length, avg }],
  ]
  for (const [viewer, caller] of members.entries()) {
    const call = as(caller)
    const followees = followeesOf(world, viewer)
    const network = own.filter((review) => followees.has(review.who))
    const theirs = network.map((review) => review.rating)
    const networkAvg = meanOf(theirs)
    pairs.push([await call[router].networkRating({ id }), { networkAvg, count: theirs.length }])
    const histogram = { counts: starsOf(theirs), total: theirs.length, networkAvg }
    pairs.push([await call[router].networkHistogram({ id }), histogram])

    const newest = network.toSorted((a, b) => b.ratedAt - a.ratedAt || b.id - a.id).slice(0, 2)
    const { raters } = await call[router].networkRaters({ id, limit: 2 })
    pairs.push([idsOf(raters), newest.map((review) => members[review.who]!.id)])

    for (const [scope, all] of Object.entries({ overall: own, network }) as [
      'overall' | 'network',
      Review[],
    ][]) {
      const { reviews: shown, pagination } = await call.reviews.list({ itemId: id, scope, limit: 100 })
      const expected = all
        .filter((review) => review.text !== '')
        .toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id)
      pairs.push([pagination.total, expected.length])
      pairs.push([
        shown.map((one) => [one.id, one.rating, one.text, one.likeCount, one.dislikeCount, one.commentCount]),
        expected.map(({ id, rating, text, reactions, comments }) => {
          const likes = countOf(reactions.values(), (reaction) => reaction === 'like')
          return [id, rating, text, likes, reactions.size - likes, comments.length]
        }),
      ])
      pairs.push([
        shown.map((one) => one.userReaction),
        expected.map(({ reactions }) => reactions.get(viewer) ?? 'none'),
      ])
    }
  }
  return pairs
}

async function compareMember(world: World, index: number): Promise<Pair[]> {
  const { members, reviews, follows } = world
  const { id } = members[index]!
  const { user } = await as().accounts.profile({ id })
  const newestFirst = (side: 'who' | 'what', list: Timed[]) =>
    list
      .map((follow) => ({ id: members[follow[side]]!.id, at: follow.at }))
      .sort((a, b) => b.at - a.at || b.id - a.id)
  const followers = newestFirst(
    'who',
    follows.filter((follow) => follow.what === index),
  )
  const following = newestFirst(
    'what',
    follows.filter((follow) => follow.who === index),
  )
  return [
    [user.reviewCount, countOf(reviews, (review) => review.who === index)],
    [user.followersCount, followers.length],
    [user.followingCount, following.length],
    [idsOf((await as().social.followers({ id })).users), idsOf(followers)],
    [idsOf((await as().social.following({ id })).users), idsOf(following)],
  ]
}

async function compareFavorites(world: World, index: number, kind: 'movie' | 'book'): Promise<Pair[]> {
  const { router, key } = kinds[kind].favorites
  const member = world.members[index]!
  const listed = (answer: object) => idsOf((answer as Record<string, { id: number }[]>)[key]!)
  const followees = followeesOf(world, index)
  const favorites = world.favorites
    .filter((favorite) => titleKinds[favorite.what] === kind)
    .map(({ who, what, at }) => ({ who, id: world.titles[what]!, at }))
  const own = favorites.filter(({ who }) => who === index).sort((a, b) => b.at - a.at || b.id - a.id)
  const kept = favorites.filter(({ who }) => followees.has(who))
  const mostKept = [...new Set(idsOf(kept))]
    .map((id) => {
      const times = kept.filter((favorite) => favorite.id === id).map(({ at }) => at)
      return { id, count: times.length, last: Math.max(...times) }
    })
    .sort((a, b) => b.count - a.count || b.last - a.last || b.id - a.id)
  return [
    [listed(await as()[router].list({ userId: member.id })), idsOf(own)],
    [listed(await as(member)[router].network({ limit: 2 })), idsOf(mostKept.slice(0, 2))],
  ]
}

async function compareForYou(
  world: World,
  index: number,
  kind: 'movie' | 'book',
  limit: number,
): Promise<Pair> {
  const followees = followeesOf(world, index)
  const expected = world.titles
    .map((id, what) => {
      const ofTitle = world.reviews.filter((review) => review.title === what)
      const ratings = ofTitle.filter(({ who }) => followees.has(who)).map(({ rating }) => rating)
      const isSeen = ofTitle.some(({ who }) => who === index)
      return { id, what, ratings, isSeen, count: ratings.length, sum: sumOf(ratings), name: names[what]! }
    })
    .filter(({ what, count, isSeen }) => titleKinds[what] === kind && count > 0 && !isSeen)
    .sort(
      (a, b) =>
        b.sum * a.count - a.sum * b.count ||
        b.count - a.count ||
        (a.name === b.name ? a.id - b.id : a.name < b.name ? -1 : 1),
    )
    .slice(0, limit)
  const { forYou } = await as(world.members[index])[kinds[kind].router].forYou({ limit })
  return [
    forYou.map((entry) => {
      const card = 'movie' in entry ? entry.movie : 'book' in entry ? entry.book : undefined
      return [card?.id, entry.friendAvg, entry.friendCount]
    }),
    expected.map(({ id, ratings, count }) => [id, meanOf(ratings), count]),
  ]
}

async function compare(world: World): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (const index of titleKinds.keys()) pairs.push(...(await compareTitle(world, index)))
  for (const index of world.members.keys()) {
    pairs.push(...(await compareMember(world, index)))
    for (const kind of ['movie', 'book'] as const) {
      pairs.push(...(await compareFavorites(world, index, kind)))
      for (const limit of [2, 24]) pairs.push(await compareForYou(world, index, kind, limit))
    }
  }
  return pairs
}

it('after any history every answer and every counter is what a plain recount says', async () => {
  const history = fc.array(step, { minLength: 20, maxLength: 90, size: 'max' })
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const pairs = await compare(await run(steps))
      expect(pairs.map(([answered]) => answered)).toEqual(pairs.map(([, counted]) => counted))
    }),
    { seed: 20260501, numRuns: 40, endOnFailure: true },
  )
  expect(await findCounterFaults(db)).toEqual([])
}, 120_000)
