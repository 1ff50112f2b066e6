import fc from 'fast-check'
import { ratingSteps } from '#shared/domain/ratings.ts'
import { expect, it } from 'vitest'
import { type Kind, kinds } from '#shared/domain/kinds.ts'
import { isSqlite } from '#server/db/dialect.ts'
import type { Member } from '#server/calls/context.ts'
import { aMember, aServer, aTitle, findCounterFaults } from '#server/testing.ts'

/**
 * Property-based test: applies random sequences of member actions to the real procedures and to a simple in-memory model. After each
 * sequence, every counter and every response must equal a recount of the model.
 */

const { db, as } = await aServer()

const memberCount = 5
const titleKinds: readonly Kind[] = ['movie', 'movie', 'movie', 'movie', 'book', 'book']
const names = ['Cairo', 'Ark', 'Cairo', 'Bell', 'Dune', 'Aura']

const member = fc.nat(memberCount - 1)
const title = fc.nat(titleKinds.length - 1)
const rating = fc.integer({ min: 2, max: 10 }).map((halves) => halves / 2)
const text = fc.constantFrom('', 'Words.', 'Other words.')
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      action: fc.constant('save' as const),
      actor: member,
      title,
      rating,
      text: maybe(text),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      action: fc.constant('edit' as const),
      actor: member,
      title,
      rating: maybe(rating),
      text: maybe(text),
    }),
  },
  { weight: 1, arbitrary: fc.record({ action: fc.constant('remove' as const), actor: member, title }) },
  {
    weight: 4,
    arbitrary: fc.record({
      action: fc.constant('react' as const),
      actor: member,
      author: member,
      title,
      reaction: fc.constantFrom('like' as const, 'dislike' as const, 'none' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ action: fc.constant('comment' as const), actor: member, author: member, title }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ action: fc.constant('uncomment' as const), actor: member, author: member, title }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ action: fc.constant('follow' as const), actor: member, target: member }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ action: fc.constant('unfollow' as const), actor: member, target: member }),
  },
  { weight: 4, arbitrary: fc.record({ action: fc.constant('favorite' as const), actor: member, title }) },
  { weight: 1, arbitrary: fc.record({ action: fc.constant('unfavorite' as const), actor: member, title }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

type Review = {
  id: number
  actor: number
  title: number
  rating: number
  text: string
  createdAt: number
  ratedAt: number
  reactions: Map<number, 'like' | 'dislike'>
  comments: { id: number; actor: number }[]
}
type Timed = { actor: number; subject: number; at: number }

/** Three steps share a minute, so that some times are equal. */
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
  const reviewOf = (actor: number, subject: number) =>
    reviews.find((review) => review.actor === actor && review.title === subject)

  for (const [index, one] of steps.entries()) {
    const now = minuteOf(index)
    const call = as(members[one.actor], { now: timeOf(now) })
    if (one.action === 'follow' || one.action === 'unfollow') {
      if (one.actor === one.target) continue
      const target = members[one.target]!.id
      if (one.action === 'follow') await call.social.follow({ userIdToFollow: target })
      else await call.social.unfollow({ userIdToUnfollow: target })
      const isSame = (follow: Timed) => follow.actor === one.actor && follow.subject === one.target
      if (one.action === 'unfollow') follows = follows.filter((follow) => !isSame(follow))
      else if (!follows.some(isSame)) follows.push({ actor: one.actor, subject: one.target, at: now })
      continue
    }
    const itemId = titles[one.title]!
    if (one.action === 'favorite' || one.action === 'unfavorite') {
      const definition = kinds[titleKinds[one.title]!]
      const router = call[definition.favorites.router]
      if (one.action === 'favorite') await router.add({ [definition.idKey]: itemId } as never)
      else await router.remove({ id: itemId })
      const isSame = (favorite: Timed) => favorite.actor === one.actor && favorite.subject === one.title
      if (one.action === 'unfavorite') favorites = favorites.filter((favorite) => !isSame(favorite))
      else if (!favorites.some(isSame)) favorites.push({ actor: one.actor, subject: one.title, at: now })
      continue
    }
    if (one.action === 'save') {
      const { review } = await call.reviews.save({ itemId, rating: one.rating, text: one.text })
      const mine = reviewOf(one.actor, one.title)
      if (mine) {
        if (mine.rating !== one.rating) Object.assign(mine, { rating: one.rating, ratedAt: now })
        mine.text = one.text ?? mine.text
      } else {
        const { actor, title, rating, text = '' } = one
        reviews.push({
          id: review.id,
          actor,
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
    const review = reviewOf('author' in one ? one.author : one.actor, one.title)
    if (!review) continue
    if (one.action === 'edit') {
      await call.reviews.edit({ id: review.id, rating: one.rating, text: one.text })
      if (one.rating !== undefined && one.rating !== review.rating)
        Object.assign(review, { rating: one.rating, ratedAt: now })
      review.text = one.text ?? review.text
    } else if (one.action === 'remove') {
      await call.reviews.remove({ id: review.id })
      reviews = reviews.filter((other) => other !== review)
    } else if (one.action === 'react') {
      await call.reviews.react({ id: review.id, reaction: one.reaction })
      if (one.reaction === 'none') review.reactions.delete(one.actor)
      else review.reactions.set(one.actor, one.reaction)
    } else if (one.action === 'comment') {
      const { comment } = await call.reviews.addComment({ id: review.id, text: 'Hm.' })
      review.comments.push({ id: comment.id, actor: one.actor })
    } else {
      const mine = review.comments.find(({ actor }) => actor === one.actor)
      if (!mine) continue
      await call.reviews.removeComment({ id: mine.id })
      review.comments = review.comments.filter((comment) => comment !== mine)
    }
  }
  return { members, titles, reviews, follows, favorites }
}
type Model = Awaited<ReturnType<typeof run>>
/** A value as the procedures return it, and as counted from the model. */
type Pair = [actual: unknown, expected: unknown]

const sumOf = (ratings: number[]) => ratings.reduce((a, b) => a + b, 0)
const meanOf = (ratings: number[]) =>
  ratings.length === 0 ? null : Math.round((sumOf(ratings) * 10_000) / ratings.length) / 10_000
const starsOf = (ratings: number[]) => ({
  counts: Object.fromEntries(
    [1, 2, 3, 4, 5].map((star) => [star, ratings.filter((one) => one === star || one === star - 0.5).length]),
  ),
  halfCounts: Object.fromEntries(
    ratingSteps.map((step) => [step, ratings.filter((one) => one === step).length]),
  ),
})
const countOf = <T>(list: Iterable<T>, is: (one: T) => boolean) => [...list].filter(is).length
const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id)
const followeesOf = ({ follows }: Model, actor: number) =>
  new Set(follows.filter((follow) => follow.actor === actor).map(({ subject }) => subject))

async function compareTitle(model: Model, index: number): Promise<Pair[]> {
  const { members, titles, reviews } = model
  const id = titles[index]!
  const router = kinds[titleKinds[index]!].router
  const own = reviews.filter((review) => review.title === index)
  const ratings = own.map((review) => review.rating)
  const avg = meanOf(ratings)
  const pairs: Pair[] = [
    [await as()[router].overallRating({ id }), { avg, count: ratings.length }],
    [await as()[router].ratingHistogram({ id }), { ...starsOf(ratings), total: ratings.length, avg }],
  ]
  for (const [viewer, caller] of members.entries()) {
    const call = as(caller)
    const followees = followeesOf(model, viewer)
    const network = own.filter((review) => followees.has(review.actor))
    const theirs = network.map((review) => review.rating)
    const networkAvg = meanOf(theirs)
    pairs.push([await call[router].networkRating({ id }), { networkAvg, count: theirs.length }])
    const histogram = { ...starsOf(theirs), total: theirs.length, networkAvg }
    pairs.push([await call[router].networkHistogram({ id }), histogram])

    const newest = network.toSorted((a, b) => b.ratedAt - a.ratedAt || b.id - a.id).slice(0, 2)
    const { raters } = await call[router].networkRaters({ id, limit: 2 })
    pairs.push([idsOf(raters), newest.map((review) => members[review.actor]!.id)])

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

async function compareMember(model: Model, index: number): Promise<Pair[]> {
  const { members, reviews, follows } = model
  const { id } = members[index]!
  const { user } = await as().accounts.profile({ id })
  const newestFirst = (side: 'actor' | 'subject', list: Timed[]) =>
    list
      .map((follow) => ({ id: members[follow[side]]!.id, at: follow.at }))
      .sort((a, b) => b.at - a.at || b.id - a.id)
  const followers = newestFirst(
    'actor',
    follows.filter((follow) => follow.subject === index),
  )
  const following = newestFirst(
    'subject',
    follows.filter((follow) => follow.actor === index),
  )
  return [
    [user.reviewCount, countOf(reviews, (review) => review.actor === index)],
    [user.followersCount, followers.length],
    [user.followingCount, following.length],
    [idsOf((await as().social.followers({ id })).users), idsOf(followers)],
    [idsOf((await as().social.following({ id })).users), idsOf(following)],
  ]
}

async function compareFavorites(model: Model, index: number, kind: 'movie' | 'book'): Promise<Pair[]> {
  const { router } = kinds[kind].favorites
  const member = model.members[index]!
  const listed = (result: object) => idsOf((result as Record<string, { id: number }[]>)[router]!)
  const followees = followeesOf(model, index)
  const favorites = model.favorites
    .filter((favorite) => titleKinds[favorite.subject] === kind)
    .map(({ actor, subject, at }) => ({ actor, id: model.titles[subject]!, at }))
  const own = favorites.filter(({ actor }) => actor === index).sort((a, b) => b.at - a.at || b.id - a.id)
  const inNetwork = favorites.filter(({ actor }) => followees.has(actor))
  const ranked = [...new Set(idsOf(inNetwork))]
    .map((id) => {
      const times = inNetwork.filter((favorite) => favorite.id === id).map(({ at }) => at)
      return { id, count: times.length, last: Math.max(...times) }
    })
    .sort((a, b) => b.count - a.count || b.last - a.last || b.id - a.id)
  return [
    [listed(await as()[router].list({ id: member.id })), idsOf(own)],
    [listed(await as(member)[router].network({ limit: 2 })), idsOf(ranked.slice(0, 2))],
  ]
}

async function compareForYou(
  model: Model,
  index: number,
  kind: 'movie' | 'book',
  limit: number,
): Promise<Pair> {
  const followees = followeesOf(model, index)
  const expected = model.titles
    .map((id, subject) => {
      const ofTitle = model.reviews.filter((review) => review.title === subject)
      const ratings = ofTitle.filter(({ actor }) => followees.has(actor)).map(({ rating }) => rating)
      const isSeen = ofTitle.some(({ actor }) => actor === index)
      return {
        id,
        subject,
        ratings,
        isSeen,
        count: ratings.length,
        sum: sumOf(ratings),
        name: names[subject]!,
      }
    })
    .filter(({ subject, count, isSeen }) => titleKinds[subject] === kind && count > 0 && !isSeen)
    .sort(
      (a, b) =>
        b.sum * a.count - a.sum * b.count ||
        b.count - a.count ||
        (a.name === b.name ? a.id - b.id : a.name < b.name ? -1 : 1),
    )
    .slice(0, limit)
  const { forYou } = await as(model.members[index])[kinds[kind].router].forYou({ limit })
  return [
    forYou.map((entry) => {
      const card = 'movie' in entry ? entry.movie : 'book' in entry ? entry.book : undefined
      return [card?.id, entry.friendAvg, entry.friendCount]
    }),
    expected.map(({ id, ratings, count }) => [id, meanOf(ratings), count]),
  ]
}

async function compare(model: Model): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (const index of titleKinds.keys()) pairs.push(...(await compareTitle(model, index)))
  for (const index of model.members.keys()) {
    pairs.push(...(await compareMember(model, index)))
    for (const kind of ['movie', 'book'] as const) {
      pairs.push(...(await compareFavorites(model, index, kind)))
      for (const limit of [2, 24]) pairs.push(await compareForYou(model, index, kind, limit))
    }
  }
  return pairs
}

it('after any sequence of actions every response and every counter equals a recount', async () => {
  const history = fc.array(step, { minLength: 20, maxLength: 90, size: 'max' })
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const pairs = await compare(await run(steps))
      expect(pairs.map(([actual]) => actual)).toEqual(pairs.map(([, expected]) => expected))
    }),
    { seed: 20260501, numRuns: isSqlite(db) ? 40 : 15, endOnFailure: true },
  )
  expect(await findCounterFaults(db)).toEqual([])
})
