import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it, test } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import { insertStoryTitles } from '#server/titles/store.ts'
import { isSqlite } from '#server/db/dialect.ts'
import type { Member } from '#server/calls/context.ts'
import { aMember, aNetwork, aServer, aTitle, plansOf, rate } from '#server/testing.ts'
import { pluck } from '#shared/domain/pluck.ts'
import { bestByName, bestMatches, bestTies, countShared, rankSimilar, takeRaters } from './rules.ts'
import { listFolloweeRatings, listNews, listOwnRatings } from './store.ts'

const server = await aServer()
const { db, as } = server

const columnsOf = (ratings: { media_id: number; rating: number }[]) => ({
  media_id: pluck(ratings, 'media_id'),
  rating: pluck(ratings, 'rating'),
})

describe('For You', () => {
  it('lists titles that followees rated and the caller did not, by average, number of ratings and name', async () => {
    const [caller, ada, bob, cem] = (await aNetwork(server, 3)) as [Member, Member, Member, Member]
    const stranger = await aMember(db)
    const make = (name: string) => aTitle(db, 'movie', name)
    const [zebra, apple, both, third, rated] = [
      await make('Zebra'),
      await make('Äpple'),
      await make('Both'),
      await make('Third'),
      await make('Rated'),
    ]
    await rate(server, zebra, [[ada, 5]])
    await rate(server, apple, [
      [bob, 5],
      [stranger, 1],
    ])
    await rate(server, both, [
      [ada, 5],
      [cem, 5],
    ])
    await rate(server, third, [
      [ada, 5],
      [bob, 4],
      [cem, 4],
    ])
    await rate(server, rated, [
      [ada, 5],
      [caller, 1],
    ])
    await rate(server, await make('Strange'), [[stranger, 5]])
    await rate(server, await aTitle(db, 'game', 'Game'), [[ada, 5]])
    const { forYou } = await as(caller).movies.forYou({})
    expect(forYou).toEqual([
      {
        friendAvg: 5,
        friendCount: 2,
        movie: { id: both, name: 'Both', imageUrl: null, releaseDate: null, releaseYear: null },
      },
      { friendAvg: 5, friendCount: 1, movie: expect.objectContaining({ id: apple }) },
      { friendAvg: 5, friendCount: 1, movie: expect.objectContaining({ id: zebra }) },
      { friendAvg: 4.3333, friendCount: 3, movie: expect.objectContaining({ id: third }) },
    ])
    expect((await as(caller).movies.forYou({ limit: 2 })).forYou).toEqual(forYou.slice(0, 2))
    const byFriends = (await as(caller).movies.forYou({ order: 'friends' })).forYou
    expect(byFriends.map(({ movie }) => movie!.id)).toEqual([third, both, apple, zebra])
    const byMatch = (await as(caller).movies.forYou({ order: 'match', limit: 1 })).forYou
    expect(byMatch).toEqual([{ ...forYou[0], match: 75 }])
    expect((await as(caller).games.forYou({})).forYou.map(({ game }) => game?.name)).toEqual(['Game'])
    expect((await as(caller).books.forYou({})).forYou).toEqual([])
    expect((await as(stranger).movies.forYou({})).forYou).toEqual([])
  })

  it('orders by match: ratings of people who agree with the member count more than ratings of people who do not', () => {
    const own = new Map([1, 2, 3, 4, 5].map((id) => [id, 50]))
    const of = (user_id: number, media_id: number, rating: number) => ({ user_id, media_id, rating })
    const [friend, opposite, unknown] = [1, 2, 3]
    const ratings = [
      ...[...own.keys()].flatMap((id) => [of(friend!, id, 50), of(opposite!, id, 10)]),
      of(friend!, 10, 50),
      of(opposite!, 11, 50),
      of(unknown!, 12, 50),
      of(friend!, 13, 10),
    ]
    const columns = { ...columnsOf(ratings), user_id: pluck(ratings, 'user_id') }
    expect(bestMatches(columns, own, 10)).toEqual([
      { match: 75, sum: 50, count: 1, ids: [10] },
      { match: 67, sum: 50, count: 1, ids: [12] },
      { match: 50, sum: 50, count: 1, ids: [11] },
      { match: 25, sum: 10, count: 1, ids: [13] },
    ])
    expect(bestMatches(columns, own, 1)).toHaveLength(1)
  })

  it('sorts by the exact average, even if the rounded averages are equal', async () => {
    const high = { media_id: 1, ratings: [...Array<number>(201).fill(4), ...Array<number>(399).fill(5)] }
    const low = { media_id: 2, ratings: [...Array<number>(202).fill(4), ...Array<number>(400).fill(5)] }
    const flat = [low, high].flatMap(({ media_id, ratings }) =>
      ratings.map((rating) => ({ media_id, rating })),
    )
    expect(bestTies(columnsOf(flat), new Set(), 1).map((tie) => tie.ids)).toEqual([[1]])
  })

  it('equals sorting all titles, for any ratings', () => {
    const rating = fc.record({
      media_id: fc.integer({ min: 1, max: 12 }),
      rating: fc.integer({ min: 1, max: 5 }),
    })
    const names = Array.from({ length: 12 }, (_, index) => ({
      id: index + 1,
      name_folded: 'cab'[index % 3]!,
    }))
    fc.assert(
      fc.property(
        fc.array(rating, { maxLength: 60 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 8 }),
        (ratings, rated, limit) => {
          const all = names
            .filter(({ id }) => !rated.includes(id) && ratings.some((one) => one.media_id === id))
            .map(({ id, name_folded }) => {
              const own = ratings.filter((one) => one.media_id === id).map((one) => one.rating)
              return { id, name_folded, count: own.length, sum: own.reduce((a, b) => a + b) }
            })
            .sort(
              (a, b) =>
                b.sum * a.count - a.sum * b.count ||
                b.count - a.count ||
                a.name_folded.localeCompare(b.name_folded) ||
                a.id - b.id,
            )
          const ties = bestTies(columnsOf(ratings), new Set(rated), limit)
          const contenders = new Set(ties.flatMap(({ ids }) => ids))
          const best = bestByName(
            ties,
            names.filter(({ id }) => contenders.has(id)),
            limit,
          )
          expect(best).toEqual(all.slice(0, limit).map(({ id, sum, count }) => ({ id, sum, count })))
        },
      ),
      { seed: 20260501, numRuns: 300 },
    )
  })

  it('requires a token', async () => {
    await expect(as().tvShows.forYou({})).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      message: messages.pleaseLogIn,
    })
  })
})

describe('the feed of followed members', () => {
  it('lists their reviews and high ratings, newest first, and its pages equal the whole list', async () => {
    const [caller, ...followees] = (await aNetwork(server, 6)) as [Member, ...Member[]]
    const stranger = await aMember(db)
    const titles = await Promise.all(Array.from({ length: 8 }, () => aTitle(db, 'book')))
    // Three reviews share each minute.
    const all: { id: number; at: string; isNews: boolean }[] = []
    let step = 0
    for (const [index, member] of [...followees, stranger].entries()) {
      for (const [turn, itemId] of titles.slice(index % 3).entries()) {
        const now = new Date(Date.UTC(2026, 0, 1, 0, Math.floor(step++ / 3)))
        const rating = ((index + turn) % 5) + 1
        const text = (index + turn) % 4 === 0 ? 'Words.' : ''
        const { review } = await as(member, { now }).reviews.save({ itemId, rating, text })
        if (member === stranger) continue
        all.push({ id: review.id, at: now.toISOString(), isNews: rating >= 4 || text !== '' })
      }
    }
    const expected = all
      .filter(({ isNews }) => isNews)
      .sort((a, b) => b.at.localeCompare(a.at) || b.id - a.id)
      .map(({ id }) => id)
    expect(expected.length).toBeGreaterThan(15)
    for (const limit of [1, 2, 5, 100]) {
      const ids: number[] = []
      let cursor: string | undefined
      do {
        const page = await as(caller).feed.following({ limit, cursor })
        ids.push(...page.entries.map((entry) => entry.id))
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      expect(ids, `limit ${limit}`).toEqual(expected)
    }
    const { entries } = await as(caller).feed.following({ limit: 1 })
    expect(entries[0]).toMatchObject({
      id: expected[0],
      userReaction: 'none',
      user: { username: expect.any(String) },
      title: { kind: 'book', name: expect.any(String), imageUrl: null, releaseYear: null },
    })
    expect(await as(stranger).feed.following({})).toEqual({ entries: [], nextCursor: null })
  })

  it('refuses an invalid cursor and requires a token', async () => {
    const caller = await aMember(db)
    for (const cursor of [
      'x',
      'W10',
      Buffer.from('["now","x"]').toString('base64url'),
      'a'.repeat(5_000),
      '§',
    ])
      await expect(as(caller).feed.following({ cursor }), cursor).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      })
    await expect(as().feed.following({})).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })
})

test('other titles of the same story are listed for each of them, the most rated first', async () => {
  const [book, film, game, other] = [
    await aTitle(db, 'book'),
    await aTitle(db, 'movie'),
    await aTitle(db, 'game'),
    await aTitle(db, 'movie'),
  ]
  await insertStoryTitles(db, [
    { story: 'a', media_id: book },
    { story: 'a', media_id: film },
    { story: 'b', media_id: film },
    { story: 'b', media_id: game },
    { story: 'c', media_id: other },
  ])
  await insertStoryTitles(db, [{ story: 'a', media_id: book }])
  await rate(server, game, [[await aMember(db), 4]])
  const ids = async (call: Promise<{ titles: { id: number }[] }>) => (await call).titles.map(({ id }) => id)
  expect(await ids(as().movies.sameStory({ id: film }))).toEqual([game, book])
  expect(await ids(as().books.sameStory({ id: book }))).toEqual([film])
  expect(await ids(as().movies.sameStory({ id: other }))).toEqual([])
  await expect(as().books.sameStory({ id: film })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

describe('similar titles', () => {
  it('are those that at least five of the members who like a title also like, the same kind first', async () => {
    const fans = await Promise.all(Array.from({ length: 6 }, () => aMember(db)))
    const make = (kind: 'movie' | 'book', name: string) => aTitle(db, kind, name)
    const [film, book, near, few, disliked] = [
      await make('movie', 'The film'),
      await make('book', 'Its book'),
      await make('movie', 'Near'),
      await make('movie', 'Few'),
      await make('movie', 'Disliked'),
    ]
    const all = (rating: number) => fans.map((member): [Member, number] => [member, rating])
    await rate(server, film, all(5))
    await rate(server, book, all(4))
    await rate(server, near, all(5).slice(1))
    await rate(server, few, all(5).slice(2))
    await rate(server, disliked, all(2))
    const { similar } = await as().movies.similar({ id: film })
    expect(similar).toEqual([
      { id: near, kind: 'movie', name: 'Near', imageUrl: null, releaseYear: null },
      { id: book, kind: 'book', name: 'Its book', imageUrl: null, releaseYear: null },
    ])
    expect((await as().movies.similar({ id: film, limit: 1 })).similar).toHaveLength(1)
    expect((await as().books.similar({ id: book })).similar.map(({ id }) => id)).toEqual([film, near])
    expect(await as().movies.similar({ id: few })).toEqual({ similar: [] })
    await expect(as().books.similar({ id: film })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('are computed from a bounded number of ratings', () => {
    const raters = Array.from({ length: 50 }, (_, index) => ({ review_count: index }))
    // Together 300, and none has more than 30.
    expect(takeRaters(raters, 300)).toEqual(raters.slice(0, 25))
    expect(takeRaters([{ review_count: 31 }, { review_count: 30 }], 300)).toEqual([{ review_count: 30 }])
  })

  it('are ranked by shared raters relative to how many rated a title at all', () => {
    const counts = countShared(
      [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3].map((media_id) => ({ media_id })),
      10,
    )
    expect(counts).toEqual([
      { id: 2, shared: 6 },
      { id: 1, shared: 5 },
    ])
    const totals = [
      { id: 1, kind: 'movie' as const, rating_count: 10 },
      { id: 2, kind: 'movie' as const, rating_count: 1_000 },
    ]
    expect(rankSimilar('movie', counts, totals)).toEqual([1, 2])
  })
})

describe.runIf(isSqlite(db))('the indexes', () => {
  const plans = async () => ({
    forYou: await plansOf(db, (trx) => listFolloweeRatings(trx, 1, 'movie')),
    rated: await plansOf(db, (trx) => listOwnRatings(trx, 1, 'movie')),
  })
  const newsPlan = () => plansOf(db, (trx) => listNews(trx, 1, ['9999', 0], 5))
  const feed = 'SEARCH reviews USING COVERING INDEX reviews_feed (user_id=? AND kind=? AND media_id>?)'
  const followees = expect.stringMatching(/^SEARCH follows USING COVERING INDEX \S+ \(follower_id=\?\)$/)
  const expected = { forYou: ['CO-ROUTINE found', followees, feed, 'SCAN found'], rated: [feed] }

  it('serve For You without a scan', async () => {
    expect(await plans()).toEqual(expected)
  })

  it('still do so on a larger, analyzed database', async () => {
    const network = await aNetwork(server, 20)
    for (let index = 0; index < 40; index++) {
      const raters = network.slice(index % 10)
      await rate(
        server,
        await aTitle(db),
        raters.map((member): [Member, number] => [member, (index % 5) + 1]),
      )
    }
    await sql`analyze`.execute(db)
    expect(await plans()).toEqual(expected)
    const news = await newsPlan()
    expect(news).toContain('SEARCH reviews USING INDEX reviews_news (user_id=? AND created_at<?)')
    expect(news.filter((plan) => /SCAN (reviews|follows)|TEMP B-TREE/.test(plan))).toEqual([
      'USE TEMP B-TREE FOR ORDER BY',
    ])
  })
})
