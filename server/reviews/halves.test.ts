import { expect, test } from 'vitest'
import { kinds, type Kind } from '#shared/domain/kinds.ts'
import { meanRating, ratingSteps } from '#shared/domain/ratings.ts'
import { seeded } from '#scripts/testing/random.ts'
import { withoutWatch } from '#scripts/testing/event-loop.ts'
import { insertMany } from '#server/db/dialect.ts'
import { aMember, aServer, aTitle, findCounterFaults, recountAll } from '#server/testing.ts'

// Ratings in halves, and every figure that depends on them, recounted by plain code that shares nothing with the server. It counts in half
// stars, so that all sums are integers.

const server = await aServer({ RATE_LIMITS: 'off' })
const { db, as } = server
const now = new Date('2026-06-15T12:00:00.000Z')
const [memberCount, perMember] = import.meta.env.MODE === 'full' ? [350, 100] : [60, 50]
const random = seeded(44)
const below = (limit: number) => Math.floor(random() * limit)

type Rated = { user: number; title: number; kind: Kind; halves: number; at: Date }
const members: Awaited<ReturnType<typeof aMember>>[] = []
for (let index = 0; index < memberCount; index++) members.push(await aMember(db))
const titles: { id: number; kind: Kind }[] = []
for (let index = 0; index < 180; index++) {
  const kind = index % 2 ? 'book' : 'movie'
  titles.push({ id: await aTitle(db, kind), kind })
}
const rated: Rated[] = members.flatMap(({ id: user }) => {
  const left = [...titles]
  // Some members rate in whole stars.
  const step = random() < 0.3 ? 2 : 1
  return Array.from({ length: perMember }, () => {
    const [title] = left.splice(below(left.length), 1)
    const halves = step * (2 / step + below(step === 2 ? 5 : 9))
    return { user, title: title!.id, kind: title!.kind, halves, at: new Date(+now - below(60 * 86_400_000)) }
  })
})
await insertMany(
  db,
  'reviews',
  rated.map(({ user, title, kind, halves, at }) => {
    const time = at.toISOString()
    const times = { created_at: time, updated_at: time, rated_at: time }
    return { media_id: title, kind, user_id: user, rating: 5 * halves, text: '', ...times }
  }),
)
await recountAll(db)
const viewers = members.slice(0, 4)
const followed = new Map<number, Set<number>>()
for (const viewer of viewers) {
  const others = new Set(Array.from({ length: 15 }, () => members[4 + below(memberCount - 4)]!.id))
  followed.set(viewer.id, others)
  for (const id of others) await as(viewer).social.follow({ userIdToFollow: id })
}
// Each title once a year, so that the summary of the year has all ratings of a member.
const diarist = members[5]!
for (const { title } of rated.filter(({ user }) => user === diarist.id))
  await as(diarist, { now }).diary.create({ itemId: title, status: 'finished', finishedOn: '2026-05-04' })

const sumOf = (list: readonly { halves: number }[]) => list.reduce((sum, { halves }) => sum + halves, 0)
/** The mean in stars with four decimals, computed with integers. */
function meanOf(list: readonly { halves: number }[]): number | null {
  const twice = BigInt(2 * list.length)
  return list.length === 0
    ? null
    : Number((BigInt(sumOf(list)) * 10_000n + BigInt(list.length)) / twice) / 10_000
}
function histogramOf(list: readonly Rated[]) {
  const number = (test: (halves: number) => boolean) => list.filter(({ halves }) => test(halves)).length
  return {
    counts: Object.fromEntries(
      [1, 2, 3, 4, 5].map((bar) => [bar, number((n) => n === 2 * bar || n === 2 * bar - 1)]),
    ),
    halfCounts: Object.fromEntries(
      [2, 3, 4, 5, 6, 7, 8, 9, 10].map((halves) => [halves / 2, number((n) => n === halves)]),
    ),
    total: list.length,
  }
}
const of = (title: number) => rated.filter((one) => one.title === title)
const by = (user: number) => rated.filter((one) => one.user === user)

test('the averages and histograms of titles, members, networks and years equal a plain recount', async () => {
  for (const { id, kind } of titles) {
    const call = as()[kinds[kind].router]
    const ratings = of(id)
    expect(await call.overallRating({ id })).toEqual({ avg: meanOf(ratings), count: ratings.length })
    expect(await call.ratingHistogram({ id })).toEqual({ ...histogramOf(ratings), avg: meanOf(ratings) })
    const [viewer] = viewers
    const network = ratings.filter(({ user }) => followed.get(viewer!.id)!.has(user))
    const networkAvg = meanOf(network)
    expect(await as(viewer!)[kinds[kind].router].networkHistogram({ id })).toEqual({
      ...histogramOf(network),
      networkAvg,
    })
    expect(await as(viewer!)[kinds[kind].router].networkRating({ id })).toEqual({
      networkAvg,
      count: network.length,
    })
  }
  for (const { id } of members.slice(0, 20)) {
    const histograms = await as().reviews.histogramsOfUser({ id })
    const own = by(id)
    const movies = own.filter(({ kind }) => kind === 'movie')
    expect(histograms.all).toEqual({ ...histogramOf(own), avg: meanOf(own) })
    expect(histograms.movie).toEqual({ ...histogramOf(movies), avg: meanOf(movies) })
  }
  const year = await as(diarist).diary.year({ id: diarist.id, year: 2026 })
  const own = histogramOf(by(diarist.id))
  expect(year).toMatchObject({ ratings: own.counts, halfRatings: own.halfCounts })
  const best = by(diarist.id).map(({ halves }) => halves / 2)
  expect(year.highestRated.map(({ rating }) => rating)).toEqual(best.sort((a, b) => b - a).slice(0, 5))
})

test('a library is filtered by the exact rating and by the bar', async () => {
  const { id } = members[7]!
  for (const rating of ratingSteps) {
    const { total } = await as().reviews.ofUser({ id, rating })
    expect(total).toBe(by(id).filter(({ halves }) => halves === 2 * rating).length)
  }
  for (const stars of [1, 2, 3, 4, 5]) {
    const { total, reviews } = await as().reviews.ofUser({ id, stars, limit: 100 })
    expect(total).toBe(by(id).filter(({ halves }) => Math.ceil(halves / 2) === stars).length)
    for (const { rating } of reviews) expect([stars, stars - 0.5]).toContain(rating)
  }
  const shown: number[] = []
  for (let cursor: string | undefined; ;) {
    const page = await as().reviews.ofUser({ id, sort: 'rating', limit: 7, cursor })
    shown.push(...page.reviews.map(({ rating }) => rating))
    if (page.nextCursor === null) break
    cursor = page.nextCursor
  }
  const all = by(id).map(({ halves }) => halves / 2)
  expect(shown).toEqual(all.sort((a, b) => b - a))
})

test('For You has the titles, the means and the matches of a plain recount', async () => {
  for (const viewer of viewers) {
    const own = new Map(by(viewer.id).map(({ title, halves }) => [title, halves]))
    const ofFriends = rated.filter(({ user, kind }) => kind === 'movie' && followed.get(viewer.id)!.has(user))
    const expected = titles
      .filter(({ kind, id }) => kind === 'movie' && !own.has(id))
      .flatMap(({ id }) => {
        const list = ofFriends.filter(({ title }) => title === id)
        return list.length === 0 ? [] : [{ id, list, friendAvg: meanOf(list), friendCount: list.length }]
      })
    const weightOf = (user: number) => {
      const common = ofFriends.filter((one) => one.user === user && own.has(one.title))
      const distance = common.reduce((sum, { title, halves }) => sum + Math.abs(halves - own.get(title)!), 0)
      return common.length < 5 ? 0.5 : 1 - distance / (8 * common.length)
    }
    const weights = new Map([...followed.get(viewer.id)!].map((user) => [user, weightOf(user)]))
    const matchOf = (list: readonly Rated[]) => {
      const weight = list.reduce((sum, { user }) => sum + weights.get(user)!, 1)
      const weighted = list.reduce(
        (sum, { user, halves }) => sum + (weights.get(user)! * (halves - 6)) / 2,
        0,
      )
      return Math.round(50 + (100 * weighted) / weight / 4)
    }
    const byAverage = await as(viewer).movies.forYou({ limit: 100 })
    expect(
      byAverage.forYou.map(({ movie, friendAvg, friendCount }) => [movie!.id, friendAvg, friendCount]).sort(),
    ).toEqual(expected.map(({ id, friendAvg, friendCount }) => [id, friendAvg, friendCount]).sort())
    const order = [...expected].sort(
      (a, b) =>
        sumOf(b.list) * a.list.length - sumOf(a.list) * b.list.length || b.list.length - a.list.length,
    )
    expect(byAverage.forYou.map((one) => [one.friendAvg, one.friendCount])).toEqual(
      order.map((one) => [one.friendAvg, one.friendCount]),
    )
    const byMatch = await as(viewer).movies.forYou({ limit: 100, order: 'match' })
    expect(new Map(byMatch.forYou.map(({ movie, match }) => [movie!.id, match]))).toEqual(
      new Map(expected.map(({ id, list }) => [id, matchOf(list)])),
    )
  }
})

test('the taste match with each member equals a plain recount', async () => {
  const [viewer] = viewers
  const own = new Map(by(viewer!.id).map(({ title, halves }) => [title, halves]))
  for (const { id } of members.slice(1, 40)) {
    const common = by(id).filter(({ title }) => own.has(title))
    const distances = common.map(({ title, halves }) => Math.abs(halves - own.get(title)!))
    const total = distances.reduce((sum, one) => sum + one, 0)
    const taste = await as(viewer!).social.tasteMatch({ id })
    expect(taste.commonCount).toBe(common.length)
    expect(taste.match).toBe(common.length < 5 ? null : Math.round(100 - (100 * total) / (8 * common.length)))
    const farthest = distances.filter((one) => one >= 4).sort((a, b) => b - a)
    expect(taste.disagreements.map((one) => 2 * Math.abs(one.ownRating - one.theirRating))).toEqual(
      common.length < 5 ? [] : farthest.slice(0, 3),
    )
    for (const { title, ownRating, theirRating } of taste.agreements) {
      expect(2 * ownRating).toBe(own.get(title.id))
      expect(2 * theirRating).toBe(common.find((one) => one.title === title.id)!.halves)
    }
  }
})

test('popular titles have the exact average of their window', async () => {
  for (const days of [1, 7, 30, 50]) {
    const { popular } = await as(undefined, { now }).books.popular({ days, limit: 100 })
    const expected = titles
      .filter(({ kind }) => kind === 'book')
      .flatMap(({ id }) => {
        const list = of(id).filter(({ at }) => +now - +at <= days * 86_400_000)
        return list.length === 0 ? [] : [{ id, count: list.length, average: meanOf(list) }]
      })
    expect(new Map(popular.map((one) => [one.id, [one.reviewCount, one.reviewAverage]]))).toEqual(
      new Map(expected.map(({ id, count, average }) => [id, [count, average]])),
    )
    const keys = popular.map((one) => one.reviewCount * 100 + one.reviewAverage!)
    expect(keys).toEqual(keys.toSorted((a, b) => b - a))
  }
})

test('the counters stay equal to a recount while members rate in halves, change their minds and delete', async () => {
  for (let turn = 0; turn < 150; turn++) {
    const member = members[below(10)]!
    const { id: itemId } = titles[below(12)]!
    const call = as(member).reviews
    const { review } = await call.save({ itemId, rating: ratingSteps[below(9)]! })
    if (turn % 3 === 0) await call.edit({ id: review.id, rating: ratingSteps[below(9)]! })
    if (turn % 7 === 0) await call.remove({ id: review.id })
  }
  expect(await withoutWatch(() => findCounterFaults(db))).toEqual([])
})

test('the mean is rounded once, halves up', () => {
  expect(meanRating(35, 1)).toBe(3.5)
  // 3.12345 and 3.12335 stars.
  expect(meanRating(3_123_450, 100_000)).toBe(3.1235)
  expect(meanRating(3_123_349, 100_000)).toBe(3.1233)
  expect(meanRating(0, 0)).toBeNull()
})
