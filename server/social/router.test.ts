import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { followingMax } from '#shared/domain/limits.ts'
import { type Kind, kindNames, kinds } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { fold } from '#server/db/fold.ts'
import { seeded } from '#scripts/testing/random.ts'
import type { Member } from '#server/calls/context.ts'
import { aMember, aServer, aTitle, plansOf, findCounterFaults } from '#server/testing.ts'
import {
  listFavoriteIds,
  listFollowedAmong,
  listFollowIds,
  listNetworkFavorites,
  listPeople,
  searchPeople,
} from './store.ts'

const { db, as } = await aServer()

const at = (minute: number) => ({ now: new Date(Date.UTC(2026, 4, 1, 12, minute)) })

async function countsOf(member: Member) {
  const row = await db.selectFrom('users').selectAll().where('id', '=', member.id).executeTakeFirstOrThrow()
  return { followers: row.follower_count, following: row.following_count }
}

const person = ({ id, username }: Member) => ({ id, username, profilePicture: null })
const unfollowed = <Person>(one: Person) => ({ ...one, isFollowing: false, reviewCount: 0 })

describe('following', () => {
  it('updates the counters of both members, and repeating it changes nothing', async () => {
    const [ada, bob, carol] = [await aMember(db), await aMember(db), await aMember(db)]
    const call = as(ada).social
    expect(await call.followStatus({ id: bob.id })).toEqual({ isFollowing: false })
    for (let time = 0; time < 2; time++) {
      expect(await call.follow({ userIdToFollow: bob.id })).toEqual({ isFollowing: true, followersCount: 1 })
    }
    expect(await call.followStatus({ id: bob.id })).toEqual({ isFollowing: true })
    for (const [member, other] of [
      [carol, bob],
      [bob, ada],
    ] as const)
      expect(await as(member).social.followStatus({ id: other.id })).toEqual({ isFollowing: false })
    expect([await countsOf(ada), await countsOf(bob)]).toEqual([
      { followers: 0, following: 1 },
      { followers: 1, following: 0 },
    ])
    for (let time = 0; time < 2; time++) {
      expect(await call.unfollow({ userIdToUnfollow: bob.id })).toEqual({
        isFollowing: false,
        followersCount: 0,
      })
    }
    expect([await countsOf(ada), await countsOf(bob)]).toEqual([
      { followers: 0, following: 0 },
      { followers: 0, following: 0 },
    ])
  })

  it('is limited to a maximum number of people, also under concurrent calls', async () => {
    const [ada, ...others] = await Promise.all(Array.from({ length: 6 }, () => aMember(db)))
    const setCount = (following_count: number) =>
      db.updateTable('users').set({ following_count }).where('id', '=', ada!.id).execute()
    await setCount(followingMax - 2)
    const results = await Promise.allSettled(
      others.map(({ id }) => as(ada).social.follow({ userIdToFollow: id })),
    )
    const refused = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason)
    expect(refused).toHaveLength(others.length - 2)
    for (const error of refused)
      expect(error).toMatchObject({ code: 'CONFLICT', message: messages.tooManyFollows })
    const followed = others.filter((_, index) => results[index]!.status === 'fulfilled')
    const { users } = await as(ada).social.following({ id: ada!.id })
    expect(users.map(({ id }) => id).toSorted()).toEqual(followed.map(({ id }) => id).toSorted())
    // At the limit, following the same member again still succeeds, and unfollowing makes room for another follow.
    await as(ada).social.follow({ userIdToFollow: followed[0]!.id })
    await as(ada).social.unfollow({ userIdToUnfollow: followed[0]!.id })
    await as(ada).social.follow({ userIdToFollow: followed[0]!.id })
    await setCount(2)
    expect(await findCounterFaults(db)).toEqual([])
  })

  it.runIf(isSqlite(db))('is stored with its counters or not at all', async () => {
    const [ada, bob] = [await aMember(db), await aMember(db)]
    const call = as(ada).social
    const stateOf = async () => [
      (await call.followStatus({ id: bob.id })).isFollowing,
      await countsOf(ada),
      await countsOf(bob),
    ]
    for (const change of [
      () => call.follow({ userIdToFollow: bob.id }),
      () => call.unfollow({ userIdToUnfollow: bob.id }),
    ]) {
      const before = await stateOf()
      await sql`create trigger fails before update of follower_count on users begin
        select raise(abort, 'The counter cannot be changed.'); end`.execute(db)
      await expect(change()).rejects.toThrow('The counter cannot be changed.')
      await sql`drop trigger fails`.execute(db)
      expect(await stateOf()).toEqual(before)
      await change()
      expect(await stateOf()).not.toEqual(before)
    }
  })

  it('throws for the caller’s own id, without a token, and for an unknown member', async () => {
    const ada = await aMember(db)
    const self = { code: 'BAD_REQUEST', message: messages.followSelf }
    await expect(as(ada).social.follow({ userIdToFollow: ada.id })).rejects.toMatchObject(self)
    await expect(as(ada).social.unfollow({ userIdToUnfollow: ada.id })).rejects.toMatchObject(self)
    const unknown = { code: 'NOT_FOUND', message: messages.userNotFound }
    await expect(as(ada).social.follow({ userIdToFollow: 987654321 })).rejects.toMatchObject(unknown)
    await expect(as(ada).social.unfollow({ userIdToUnfollow: 987654321 })).rejects.toMatchObject(unknown)
    await expect(as(ada).social.followStatus({ id: 987654321 })).rejects.toMatchObject(unknown)
    await expect(as().social.followers({ id: 987654321 })).rejects.toMatchObject(unknown)
    await expect(as().social.following({ id: 987654321 })).rejects.toMatchObject(unknown)
    const visitor = { code: 'UNAUTHORIZED', message: messages.pleaseLogIn }
    await expect(as().social.follow({ userIdToFollow: ada.id })).rejects.toMatchObject(visitor)
    await expect(as().social.followStatus({ id: ada.id })).rejects.toMatchObject(visitor)
  })

  it('is listed for both members, newest first, in pages', async () => {
    const star = await aMember(db)
    const fans: Member[] = []
    for (let index = 0; index < 5; index++) {
      const fan = await aMember(db)
      await as(fan, at(index)).social.follow({ userIdToFollow: star.id })
      await as(star, at(9 - index)).social.follow({ userIdToFollow: fan.id })
      fans.push(fan)
    }
    const newest = fans.toReversed().map(person)
    expect(await as().social.followers({ id: star.id, limit: 2, page: 2 })).toEqual({
      users: newest.slice(2, 4).map(unfollowed),
      pagination: { page: 2, pageSize: 2, total: 5, totalPages: 3 },
      nextCursor: expect.stringMatching(/^[\w-]+$/),
    })
    expect((await as().social.following({ id: star.id })).users).toEqual(fans.map(person).map(unfollowed))
    expect((await as().social.following({ id: star.id, page: 2 })).users).toEqual([])
  })

  it('marks the listed people whom the caller follows, and none for a visitor', async () => {
    const [star, ada, bob] = [await aMember(db), await aMember(db), await aMember(db)]
    for (const fan of [ada, bob]) await as(fan).social.follow({ userIdToFollow: star.id })
    await as(ada).social.follow({ userIdToFollow: bob.id })
    const seenBy = async (reader?: Member) =>
      Object.fromEntries(
        (await as(reader).social.followers({ id: star.id })).users.map((user) => [user.id, user.isFollowing]),
      )
    expect(await seenBy(ada)).toEqual({ [ada.id]: false, [bob.id]: true })
    expect(await seenBy()).toEqual({ [ada.id]: false, [bob.id]: false })
    const followees = (await as(ada).social.following({ id: ada.id })).users
    expect(followees.map((user) => user.isFollowing)).toEqual([true, true])
  })

  it('concurrently in both directions never deadlocks, and every counter equals a recount', async () => {
    const members = await Promise.all(Array.from({ length: 8 }, () => aMember(db)))
    await Promise.all(
      members.flatMap((member) =>
        members
          .filter((other) => other.id !== member.id)
          .flatMap((other) => [
            as(member).social.follow({ userIdToFollow: other.id }),
            as(member).social.follow({ userIdToFollow: other.id }),
            ...(other.id % 2 ? [as(member).social.unfollow({ userIdToUnfollow: other.id })] : []),
          ]),
      ),
    )
    expect(await findCounterFaults(db)).toEqual([])
  })
})

describe('the member search', () => {
  it('lists prefix matches before other matches, and treats LIKE wildcards as plain characters', async () => {
    for (const name of ['Zed_moth', 'zedek', 'a.zed', 'AZED', 'zeXd', 'Élodie_q']) await aMember(db, name)
    const namesOf = async (q: string, limit?: number) =>
      (await as().social.searchUsers({ q, ...(limit ? { limit } : {}) })).results.map(
        ({ username }) => username,
      )
    expect(await namesOf('ZED')).toEqual(['Zed_moth', 'zedek', 'a.zed', 'AZED'])
    expect(await namesOf('zed', 3)).toEqual(['Zed_moth', 'zedek', 'a.zed'])
    expect(await namesOf('zed', 1)).toEqual(['Zed_moth'])
    expect(await namesOf('d_m')).toEqual(['Zed_moth'])
    expect(await namesOf('z%d')).toEqual([])
    expect(await namesOf('ze\\')).toEqual([])
    expect(await namesOf('élodie')).toEqual(['Élodie_q'])
  })

  it(
    'returns the same as a comparison with every name, for few matches and for many',
    { timeout: 180_000 },
    async () => {
      const random = seeded(3)
      const below = (limit: number) => Math.floor(random() * limit)
      const draw = (length: number) => Array.from({ length }, () => 'aabcé._-%ñ'[below(10)]).join('')
      const names = Array.from(
        { length: 700 },
        (_, index) => `${draw(1 + below(12))}q${draw(below(6))}${index}`,
      )
      // Longer than the part of a name that the index keeps.
      names.push(`x${'long-'.repeat(9)}end`, `y${'long-'.repeat(9)}and`)
      for (const name of names) await aMember(db, name)
      const folded = names
        .map((name) => ({ name, text: fold(name) }))
        .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
      const queries = [
        'q',
        'a',
        'aq',
        '%',
        '_q',
        'é',
        '7',
        '69',
        'qa',
        'xlong',
        'ong-'.repeat(9).slice(0, 36),
      ]
      const long = 'long-'.repeat(9)
      for (const q of [
        ...queries,
        `${long}e`,
        `${long}x`,
        ...Array.from({ length: 60 }, () => draw(1 + below(3))),
      ]) {
        const part = fold(q)
        const starting = folded.filter(({ text }) => text.startsWith(part))
        const others = folded.filter(({ text }) => text.indexOf(part, 1) > 0 && !text.startsWith(part))
        const { results } = await as().social.searchUsers({ q, limit: 100 })
        const found = results.map(({ username }) => username).filter((name) => names.includes(name))
        expect(found, q).toEqual([...starting, ...others].slice(0, found.length).map(({ name }) => name))
        if (results.length < 100) expect(found, q).toHaveLength(starting.length + others.length)
      }
    },
  )

  it('returns only public fields', async () => {
    const ada = await aMember(db, 'quiet-ada')
    expect((await as().social.searchUsers({ q: 'quiet-ada' })).results).toEqual([person(ada)])
  })

  it('never shows unverified accounts, and neither does any list, profile or follow', async () => {
    const [stranger, reader] = [await aMember(db, 'unproven-bob'), await aMember(db)]
    for (const follow of [
      { follower_id: reader.id, followee_id: stranger.id },
      { follower_id: stranger.id, followee_id: reader.id },
    ])
      await db
        .insertInto('follows')
        .values({ ...follow, created_at: '2026-01-01' })
        .execute()
    await db.updateTable('users').set({ verified_at: null }).where('id', '=', stranger.id).execute()
    for (const q of ['unproven', 'proven-b'])
      expect((await as().social.searchUsers({ q })).results).toEqual([])
    expect((await as().social.followers({ id: reader.id })).users).toEqual([])
    expect((await as().social.following({ id: reader.id })).users).toEqual([])
    const { id } = stranger
    for (const call of [
      () => as().accounts.profile({ id }),
      () => as().social.followers({ id }),
      () => as().social.following({ id }),
      () => as(reader).social.follow({ userIdToFollow: id }),
      () => as(reader).social.followStatus({ id }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND', message: messages.userNotFound })
    await db.deleteFrom('users').where('id', '=', id).execute()
  })

  it('requires a query', async () => {
    await expect(as().social.searchUsers({ q: '  ' })).rejects.toThrow(messages.queryRequired)
  })
})

/** Wraps the favorites router of a kind, so that one test covers all four. */
function favoritesOf(member: Member | null, kind: Kind, options?: { now?: Date }) {
  const { favorites, idKey } = kinds[kind]
  const call = as(member, options)[favorites.router]
  const listOf = (result: object) => (result as Record<string, { id: number }[]>)[favorites.router]!
  return {
    add: (id: number) => call.add({ [idKey]: id } as never),
    remove: (id: number) => call.remove({ id }),
    hasMore: async (userId: number, limit: number) =>
      (await call.list({ id: userId, limit })).nextCursor !== null,
    isFavorite: async (id: number) => (await call.isFavorite({ id })).isFavorite,
    list: async (userId: number, input: { limit?: number; page?: number } = {}) =>
      listOf(await call.list({ id: userId, ...input })),
    network: async (limit?: number) => listOf(await call.network(limit ? { limit } : {})),
  }
}

describe('favorites', () => {
  it.each(kindNames)('of kind %s are stored once, listed newest first, and can be removed', async (kind) => {
    const ada = await aMember(db)
    const [first, second] = [await aTitle(db, kind), await aTitle(db, kind)]
    expect(await favoritesOf(ada, kind, at(1)).add(first)).toEqual({ message: messages.favoriteAdded })
    await favoritesOf(ada, kind, at(2)).add(second)
    await favoritesOf(ada, kind, at(3)).add(first)
    const call = favoritesOf(ada, kind)
    expect((await favoritesOf(null, kind).list(ada.id)).map(({ id }) => id)).toEqual([second, first])
    expect((await call.list(ada.id, { limit: 1 })).map(({ id }) => id)).toEqual([second])
    expect([await call.hasMore(ada.id, 1), await call.hasMore(ada.id, 2)]).toEqual([true, false])
    expect((await call.list(ada.id, { limit: 1, page: 2 })).map(({ id }) => id)).toEqual([first])
    expect(await call.isFavorite(first)).toBe(true)
    expect(await favoritesOf(await aMember(db), kind).isFavorite(first)).toBe(false)
    for (let time = 0; time < 2; time++)
      expect(await call.remove(first)).toEqual({ message: messages.favoriteRemoved })
    expect(await call.isFavorite(first)).toBe(false)
    expect((await call.list(ada.id)).map(({ id }) => id)).toEqual([second])
  })

  it('put in order come first, before those added later', async () => {
    const [ada, bob] = [await aMember(db), await aMember(db)]
    const ids: number[] = []
    for (let minute = 0; minute < 4; minute++) {
      ids.push(await aTitle(db))
      await favoritesOf(ada, 'movie', at(minute)).add(ids[minute]!)
    }
    const [a, b, c, d] = ids as [number, number, number, number]
    await favoritesOf(bob, 'movie').add(a)
    const book = await aTitle(db, 'book')
    await favoritesOf(ada, 'book').add(book)
    const { arrange } = as(ada).favoriteMovies
    const order = async () => (await favoritesOf(null, 'movie').list(ada.id)).map(({ id }) => id)
    expect(await order()).toEqual([d, c, b, a])
    await arrange({ ids: [b, book, d, 987_654_321] })
    expect(await order()).toEqual([b, d, c, a])
    await arrange({ ids: [a] })
    expect(await order()).toEqual([a, d, c, b])
    await arrange({ ids: [] })
    expect(await order()).toEqual([d, c, b, a])
    for (const refused of [[a, a], Array.from({ length: 101 }, (_, index) => index + 1), [0]])
      await expect(arrange({ ids: refused })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(as().favoriteMovies.arrange({ ids: [] })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('nest a book, but no other kind', async () => {
    const ada = await aMember(db)
    const bookId = await aTitle(db, 'book', 'Kindred')
    const gameId = await aTitle(db, 'game', 'Journey')
    await as(ada).favoriteBooks.add({ bookId })
    await as(ada).favoriteGames.add({ gameId })
    const { favoriteBooks } = await as(ada).favoriteBooks.list({ id: ada.id })
    expect(favoriteBooks).toEqual([
      { id: bookId, book: { id: bookId, title: 'Kindred', authors: [], coverUrl: null, publishYear: null } },
    ])
    const { favoriteGames } = await as().favoriteGames.list({ id: ada.id })
    expect(favoriteGames).toMatchObject([{ name: 'Journey' }])
  })

  it('reject the id of a title of another kind', async () => {
    const ada = await aMember(db)
    const bookId = await aTitle(db, 'book')
    await expect(as(ada).favoriteMovies.add({ movieId: bookId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Movie not found.',
    })
    await as(ada).favoriteBooks.add({ bookId })
    await as(ada).favoriteMovies.remove({ id: bookId })
    expect(await favoritesOf(ada, 'book').isFavorite(bookId)).toBe(true)
    expect(await favoritesOf(ada, 'movie').isFavorite(bookId)).toBe(false)
  })

  it('require a token to be changed, and throw NOT_FOUND for an unknown member', async () => {
    const movieId = await aTitle(db)
    const visitor = { code: 'UNAUTHORIZED', message: messages.pleaseLogIn }
    await expect(as().favoriteMovies.add({ movieId })).rejects.toMatchObject(visitor)
    await expect(as().favoriteMovies.remove({ id: movieId })).rejects.toMatchObject(visitor)
    await expect(as().favoriteMovies.network({})).rejects.toMatchObject(visitor)
    await expect(as().favoriteMovies.list({ id: 987654321 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: messages.userNotFound,
    })
  })

  it('of the network list each title once, most favorites first, without strangers’ favorites', async () => {
    const caller = await aMember(db)
    const [twice, late, early, strange] = [
      await aTitle(db),
      await aTitle(db),
      await aTitle(db),
      await aTitle(db),
    ]
    const book = await aTitle(db, 'book')
    const [ada, bob, stranger] = [await aMember(db), await aMember(db), await aMember(db)]
    for (const friend of [ada, bob]) {
      await as(caller).social.follow({ userIdToFollow: friend.id })
      await favoritesOf(friend, 'movie', at(1)).add(twice)
    }
    await favoritesOf(ada, 'movie', at(2)).add(early)
    await favoritesOf(bob, 'movie', at(3)).add(late)
    await favoritesOf(bob, 'book', at(3)).add(book)
    await favoritesOf(stranger, 'movie', at(4)).add(strange)
    await favoritesOf(caller, 'movie', at(4)).add(strange)
    const call = favoritesOf(caller, 'movie')
    expect((await call.network()).map(({ id }) => id)).toEqual([twice, late, early])
    expect((await call.network(2)).map(({ id }) => id)).toEqual([twice, late])
    expect((await favoritesOf(caller, 'book').network()).map(({ id }) => id)).toEqual([book])
    expect(await favoritesOf(stranger, 'movie').network()).toEqual([])
  })
})

it.runIf(isSqlite(db))('no list needs a sort or a scan, except the search inside names', async () => {
  const page = { limit: 5, offset: 5 }
  const plans = [
    ...(await plansOf(db, (trx) => listFollowIds(trx, 1, 'followers', page))),
    ...(await plansOf(db, (trx) => listFollowIds(trx, 1, 'following', page))),
    ...(await plansOf(db, (trx) => listFavoriteIds(trx, 1, 'movie', page))),
    ...(await plansOf(db, (trx) => listNetworkFavorites(trx, 1, 'movie'))),
    ...(await plansOf(db, (trx) => listPeople(trx, [1, 2], 1, 'suggested'))),
    ...(await plansOf(db, (trx) => listFollowedAmong(trx, 1, [1, 2]))),
    ...(await plansOf(db, (trx) => searchPeople(trx, 'member', 5, 1))),
  ]
  expect(plans.filter((line) => /TEMP B-TREE|^SCAN (?!json_each)/.test(line))).toEqual([])
  expect(plans).toContainEqual(expect.stringContaining('COVERING INDEX followers_newest (followee_id=?)'))
  expect(plans).toContainEqual(expect.stringContaining('COVERING INDEX follows_newest (follower_id=?)'))
  expect(plans).toContainEqual(
    expect.stringContaining('COVERING INDEX favorites_order (user_id=? AND kind=?)'),
  )
})
