import { noCounts } from '#shared/domain/ratings.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { aMember, aNetwork, aServer, aTitle, plansOf, rate } from '#server/testing.ts'
import type { Member } from '#server/calls/context.ts'
import { findNetworkTitle, listNetworkRatings, listRaters } from './network-store.ts'

const server = await aServer()
const { db, as } = server

const at = (minute: number) => ({ now: new Date(Date.UTC(2026, 4, 1, 12, minute)) })

describe('the ratings of a title in the caller’s network', () => {
  it('count only the people the caller follows, whichever side the join starts from', async () => {
    const [caller, ada, bob, cem] = (await aNetwork(server, 3)) as [Member, Member, Member, Member]
    const strangers = [await aMember(db), await aMember(db), await aMember(db)]
    const [few, many] = [await aTitle(db, 'tvShow'), await aTitle(db, 'tvShow')]
    for (const id of [few, many])
      await rate(server, id, [
        [ada, 5],
        [bob, 4],
      ])
    await rate(server, many, [...strangers.map((stranger): [Member, number] => [stranger, 1]), [caller, 1]])
    for (const id of [few, many]) {
      expect(await as(caller).tvShows.networkRating({ id })).toEqual({ networkAvg: 4.5, count: 2 })
      expect(await as(caller).tvShows.networkHistogram({ id })).toEqual({
        counts: { 1: 0, 2: 0, 3: 0, 4: 1, 5: 1 },
        halfCounts: { ...noCounts().halfCounts, 4: 1, 5: 1 },
        total: 2,
        networkAvg: 4.5,
      })
    }
    expect(await findNetworkTitle(db, 'tvShow', few, caller.id)).toMatchObject({ isTitleSmaller: true })
    expect(await findNetworkTitle(db, 'tvShow', many, caller.id)).toMatchObject({ isTitleSmaller: false })
    expect(await as(cem).tvShows.networkRating({ id: many })).toEqual({ networkAvg: null, count: 0 })
    expect(await as(cem).tvShows.networkHistogram({ id: many })).toMatchObject({ total: 0, networkAvg: null })
  })

  it('list raters by the time of their rating, newest first; a changed rating counts as new', async () => {
    const [caller, ada, bob, cem] = (await aNetwork(server, 3)) as [Member, Member, Member, Member]
    const id = await aTitle(db, 'book')
    await rate(server, id, [
      [ada, 1],
      [bob, 2],
      [cem, 3],
      [caller, 4],
      [await aMember(db), 5],
    ])
    await as(ada, at(30)).reviews.save({ bookId: id, rating: 2 })
    const { raters } = await as(caller).books.networkRaters({ id })
    expect(raters).toEqual(
      [ada, cem, bob].map(({ id, username }, index) => ({
        id,
        username,
        avatarUrl: null,
        rating: [2, 3, 2][index],
      })),
    )
    expect((await as(caller).books.networkRaters({ id, limit: 1 })).raters).toEqual(raters.slice(0, 1))
  })

  it('list the later of two ratings in the same millisecond first', async () => {
    const [caller, ada, bob, cem] = (await aNetwork(server, 3)) as [Member, Member, Member, Member]
    const id = await aTitle(db, 'book')
    for (const member of [cem, ada, bob]) await rate(server, id, [[member, 3]])
    const namesOf = async (limit: number) =>
      (await as(caller).books.networkRaters({ id, limit })).raters.map(({ username }) => username)
    expect(await namesOf(3)).toEqual([bob.username, ada.username, cem.username])
    expect(await namesOf(1)).toEqual([bob.username])
  })

  it('list as many raters as asked for, although some are suspended', async () => {
    const [caller, ...others] = (await aNetwork(server, 8)) as [Member, ...Member[]]
    const [few, many] = [await aTitle(db, 'book'), await aTitle(db, 'book')]
    const strangers = await Promise.all(Array.from({ length: 9 }, () => aMember(db)))
    for (const id of [few, many])
      await rate(
        server,
        id,
        others.map((other): [Member, number] => [other, 5]),
      )
    await rate(
      server,
      many,
      strangers.map((stranger): [Member, number] => [stranger, 1]),
    )
    const ids = (members: readonly { id: number }[]) => members.map(({ id }) => id)
    // Among them the newest, and those with the lowest ids.
    const hidden = new Set([others[0]!, others[1]!, others[6]!, others[7]!])
    await db
      .updateTable('users')
      .set({ standing: 'suspended' })
      .where('id', 'in', ids([...hidden]))
      .execute()
    const shown = others.filter((other) => !hidden.has(other))
    for (const id of [few, many]) {
      for (const limit of [1, 3, 4, 5]) {
        const { raters } = await as(caller).books.networkRaters({ id, limit })
        expect(ids(raters)).toEqual(ids(shown.toReversed()).slice(0, limit))
      }
      const { ratings } = await as(caller).reviews.networkFor({ ids: String(id) })
      expect(ratings).toMatchObject([{ count: 8, average: 5 }])
      const lowest = ids(shown).toSorted((a, b) => a - b)
      expect(ids(ratings[0]!.raters)).toEqual(lowest.slice(0, 3))
    }
  })

  it('require a token, and return NOT_FOUND for an id of another kind', async () => {
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

  it('are gone with a title that moderators have removed', async () => {
    const [caller, ada] = (await aNetwork(server, 1)) as [Member, Member]
    const id = await aTitle(db, 'movie')
    await rate(server, id, [[ada, 5]])
    await db
      .updateTable('media')
      .set({ removed_at: at(0).now.toISOString() })
      .where('id', '=', id)
      .execute()
    for (const name of ['networkRating', 'networkHistogram', 'networkRaters'] as const)
      await expect(as(caller).movies[name]({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe.runIf(isSqlite(db))('the indexes', () => {
  const fromNetwork = { id: 1, memberId: 1, isTitleSmaller: false }
  const fromTitle = { id: 1, memberId: 1, isTitleSmaller: true }

  const plans = async () => ({
    fromNetwork: await plansOf(db, (trx) => listNetworkRatings(trx, fromNetwork)),
    fromTitle: await plansOf(db, (trx) => listNetworkRatings(trx, fromTitle)),
    raters: await plansOf(db, (trx) => listRaters(trx, fromNetwork, 5)),
  })
  const followees = expect.stringMatching(/^SEARCH follows USING COVERING INDEX \S+ \(follower_id=\?\)$/)
  // Two indexes contain both ids; this is the one in which the ratings of a title are adjacent.
  const probe = expect.stringMatching(
    /^SEARCH reviews USING (COVERING )?INDEX reviews_network \(media_id=\? AND user_id>\? AND user_id<\?\)$/,
  )
  const expected = {
    fromNetwork: [followees, probe],
    fromTitle: [
      'SEARCH reviews USING COVERING INDEX reviews_network (media_id=?)',
      expect.stringMatching(/^SEARCH follows USING COVERING INDEX \S+ \(follow\w+=\? AND follow\w+=\?\)$/),
    ],
    raters: expect.arrayContaining([followees, probe, 'SEARCH users USING INTEGER PRIMARY KEY (rowid=?)']),
  }

  it('serve the ratings of the network without a scan', async () => {
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
  })
})
