import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { messages } from '#shared/messages.ts'
import { isSqlite } from '#server/db/dialect.ts'
import type { Member } from '#server/trpc.ts'
import { aMember, aServer, aTitle, plansOf } from '#server/testing.ts'
import { bestByName, bestTies } from './rules.ts'
import {
  findNetworkTitle,
  listFolloweeRatings,
  listNetworkRatings,
  listRatedIds,
  listRaters,
} from './store.ts'

const { db, as } = await aServer()

const at = (minute: number) => ({ now: new Date(Date.UTC(2026, 4, 1, 12, minute)) })

/** Members whom the first of them follows. */
async function aNetwork(size: number): Promise<[caller: Member, ...followees: Member[]]> {
  const caller = await aMember(db)
  const followees = await Promise.all(Array.from({ length: size }, () => aMember(db)))
  for (const followee of followees) await as(caller).social.follow({ userIdToFollow: followee.id })
  return [caller, ...followees]
}

async function rate(itemId: number, ratings: [Member, number][], minute = 0) {
  for (const [index, [member, rating]] of ratings.entries()) {
    await as(member, at(minute + index)).reviews.save({ itemId, rating })
  }
}

describe('for you', () => {
  it('is what followees rated and the caller did not: by average, then number, then name', async () => {
    const [caller, ada, bob, cem] = (await aNetwork(3)) as [Member, Member, Member, Member]
    const stranger = await aMember(db)
    const make = (name: string) => aTitle(db, 'movie', name)
    const [zebra, apple, both, third, rated] = [
      await make('Zebra'),
      await make('Äpple'),
      await make('Both'),
      await make('Third'),
      await make('Rated'),
    ]
    await rate(zebra, [[ada, 5]])
    await rate(apple, [
      [bob, 5],
      [stranger, 1],
    ])
    await rate(both, [
      [ada, 5],
      [cem, 5],
    ])
    await rate(third, [
      [ada, 5],
      [bob, 4],
      [cem, 4],
    ])
    await rate(rated, [
      [ada, 5],
      [caller, 1],
    ])
    await rate(await make('Strange'), [[stranger, 5]])
    await rate(await aTitle(db, 'game', 'Game'), [[ada, 5]])
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
    expect((await as(caller).games.forYou({})).forYou.map(({ game }) => game.name)).toEqual(['Game'])
    expect((await as(caller).books.forYou({})).forYou).toEqual([])
    expect((await as(stranger).movies.forYou({})).forYou).toEqual([])
  })

  it('follows the exact average where two decimals are the same', async () => {
    const high = { media_id: 1, ratings: [...Array<number>(201).fill(4), ...Array<number>(399).fill(5)] }
    const low = { media_id: 2, ratings: [...Array<number>(202).fill(4), ...Array<number>(400).fill(5)] }
    const flat = [low, high].flatMap(({ media_id, ratings }) =>
      ratings.map((rating) => ({ media_id, rating })),
    )
    expect(bestTies(flat, new Set(), 1).map((tie) => tie.ids)).toEqual([[1]])
  })

  it('is the same as sorting everything, whatever was rated', () => {
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
          const ties = bestTies(ratings, new Set(rated), limit)
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

  it('is for members', async () => {
    await expect(as().tvShows.forYou({})).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      message: messages.pleaseLogIn,
    })
  })
})

describe('the network’s ratings of a title', () => {
  it('are those of followees alone, from whichever side they are read', async () => {
    const [caller, ada, bob, cem] = (await aNetwork(3)) as [Member, Member, Member, Member]
    const strangers = [await aMember(db), await aMember(db), await aMember(db)]
    const [few, many] = [await aTitle(db, 'tvShow'), await aTitle(db, 'tvShow')]
    for (const id of [few, many])
      await rate(id, [
        [ada, 5],
        [bob, 4],
      ])
    await rate(many, [...strangers.map((stranger): [Member, number] => [stranger, 1]), [caller, 1]])
    for (const id of [few, many]) {
      expect(await as(caller).tvShows.networkRating({ id })).toEqual({ networkAvg: 4.5, count: 2 })
      expect(await as(caller).tvShows.networkHistogram({ id })).toEqual({
        counts: { 1: 0, 2: 0, 3: 0, 4: 1, 5: 1 },
        total: 2,
        networkAvg: 4.5,
      })
    }
    expect(await findNetworkTitle(db, 'tvShow', few, caller.id)).toMatchObject({ isTitleSmall: true })
    expect(await findNetworkTitle(db, 'tvShow', many, caller.id)).toMatchObject({ isTitleSmall: false })
    expect(await as(cem).tvShows.networkRating({ id: many })).toEqual({ networkAvg: null, count: 0 })
    expect(await as(cem).tvShows.networkHistogram({ id: many })).toMatchObject({ total: 0, networkAvg: null })
  })

  it('name the raters, the newest rating first; a changed rating is new', async () => {
    const [caller, ada, bob, cem] = (await aNetwork(3)) as [Member, Member, Member, Member]
    const id = await aTitle(db, 'book')
    await rate(id, [
      [ada, 1],
      [bob, 2],
      [cem, 3],
      [caller, 4],
      [await aMember(db), 5],
    ])
    await as(ada, at(30)).reviews.save({ bookId: id, rating: 2 })
    const { raters } = await as(caller).books.networkRaters({ id })
    expect(raters).toEqual(
      [ada, cem, bob].map((member) => ({ id: member.id, username: member.username, avatarUrl: null })),
    )
    expect((await as(caller).books.networkRaters({ id, limit: 1 })).raters).toEqual(raters.slice(0, 1))
  })

  it('name the later of two raters of the same instant first', async () => {
    const [caller, ada, bob, cem] = (await aNetwork(3)) as [Member, Member, Member, Member]
    const id = await aTitle(db, 'book')
    for (const member of [cem, ada, bob]) await rate(id, [[member, 3]])
    const namesOf = async (limit: number) =>
      (await as(caller).books.networkRaters({ id, limit })).raters.map(({ username }) => username)
    expect(await namesOf(3)).toEqual([bob.username, ada.username, cem.username])
    expect(await namesOf(1)).toEqual([bob.username])
  })

  it('are for members, and an id of another kind is not found', async () => {
    const caller = await aMember(db)
    const id = await aTitle(db, 'game')
    for (const name of ['networkRating', 'networkHistogram', 'networkRaters'] as const) {
      await expect(as().games[name]({ id })).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
        message: messages.pleaseLogIn,
      })
      await expect(as(caller).books[name]({ id })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: 'Book not found.',
      })
    }
  })
})

describe.runIf(isSqlite(db))('the indexes', () => {
  const fromNetwork = { id: 1, memberId: 1, isTitleSmall: false }
  const fromTitle = { id: 1, memberId: 1, isTitleSmall: true }

  const plans = async () => ({
    forYou: await plansOf(db, (trx) => listFolloweeRatings(trx, 1, 'movie')),
    rated: await plansOf(db, (trx) => listRatedIds(trx, 1, 'movie')),
    fromNetwork: await plansOf(db, (trx) => listNetworkRatings(trx, fromNetwork)),
    fromTitle: await plansOf(db, (trx) => listNetworkRatings(trx, fromTitle)),
    raters: await plansOf(db, (trx) => listRaters(trx, fromNetwork, 5)),
  })
  const feed = 'SEARCH reviews USING COVERING INDEX reviews_feed (user_id=? AND kind=?)'
  const followees = expect.stringMatching(/^SEARCH follows USING COVERING INDEX \S+ \(follower_id=\?\)$/)
  // Of the two indexes that hold both ids, the one in which a title's ratings lie together.
  const probe = expect.stringMatching(
    /^SEARCH reviews USING (COVERING )?INDEX reviews_network \(media_id=\? AND user_id>\? AND user_id<\?\)$/,
  )
  const expected = {
    forYou: [followees, feed],
    rated: [feed],
    fromNetwork: [followees, probe],
    fromTitle: [
      'SEARCH reviews USING COVERING INDEX reviews_network (media_id=?)',
      expect.stringMatching(/^SEARCH follows USING COVERING INDEX \S+ \(follow\w+=\? AND follow\w+=\?\)$/),
    ],
    raters: expect.arrayContaining([followees, probe, 'SEARCH users USING INTEGER PRIMARY KEY (rowid=?)']),
  }

  it('answer For You and the network’s ratings without a scan', async () => {
    expect(await plans()).toEqual(expected)
  })

  it('still do on a larger database that was analyzed', async () => {
    const network = await aNetwork(20)
    for (let index = 0; index < 40; index++) {
      const raters = network.slice(index % 10)
      await rate(
        await aTitle(db),
        raters.map((member): [Member, number] => [member, (index % 5) + 1]),
      )
    }
    await sql`analyze`.execute(db)
    expect(await plans()).toEqual(expected)
  })
})
