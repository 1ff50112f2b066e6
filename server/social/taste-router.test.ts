import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import { isSqlite } from '#server/db/dialect.ts'
import type { Member } from '#server/calls/context.ts'
import { pluck } from '#shared/domain/pluck.ts'
import { aMember, aServer, aTitle, plansOf, rate } from '#server/testing.ts'
import { type CommonRating, compareTaste, rankByTaste } from './rules.ts'
import { listActive, listOpinions, listRatingsOfTitles, listRatingsOf } from './store.ts'

const server = await aServer()
const { db, as } = server

/** Creates a title for each row, and rates it by the members with the ratings of the row. */
async function rateAll(members: Member[], ratings: number[][]): Promise<number[]> {
  const ids: number[] = []
  for (const row of ratings) {
    const id = await aTitle(db, ids.length % 2 === 0 ? 'movie' : 'book')
    ids.push(id)
    await rate(
      server,
      id,
      members.flatMap((member, index): [Member, number][] => (row[index] ? [[member, row[index]]] : [])),
    )
  }
  return ids
}

describe('the taste match', () => {
  it('compares the titles in common, with the strongest agreements and disagreements', async () => {
    const [own, other] = [await aMember(db), await aMember(db)]
    const ids = await rateAll(
      [own, other],
      [
        [3, 3],
        [5, 5],
        [1, 5],
        [4, 4],
        [4, 2],
        [1, 1],
        [5, 4],
        [5, 0],
      ],
    )
    const result = await as(own).social.tasteMatch({ id: other.id })
    expect(result).toMatchObject({ match: 75, commonCount: 7 })
    const shown = (pairs: typeof result.agreements) =>
      pairs.map((pair) => [ids.indexOf(pair.title.id), pair.ownRating, pair.theirRating])
    expect(shown(result.agreements)).toEqual([
      [1, 5, 5],
      [5, 1, 1],
      [3, 4, 4],
    ])
    expect(shown(result.disagreements)).toEqual([
      [2, 1, 5],
      [4, 4, 2],
    ])
    expect(result.agreements[0]!.title).toEqual({
      id: ids[1],
      kind: 'book',
      name: expect.any(String),
      imageUrl: null,
      releaseYear: null,
    })
    const reverse = await as(other).social.tasteMatch({ id: own.id })
    expect([reverse.match, reverse.commonCount]).toEqual([75, 7])
  })

  it('is null below five titles in common, for the caller, and 404 for an unknown member', async () => {
    const [own, other] = [await aMember(db), await aMember(db)]
    await rateAll(
      [own, other],
      [
        [5, 5],
        [4, 4],
        [1, 1],
        [2, 2],
      ],
    )
    const nothing = { match: null, agreements: [], disagreements: [] }
    expect(await as(own).social.tasteMatch({ id: other.id })).toEqual({ ...nothing, commonCount: 4 })
    expect(await as(own).social.tasteMatch({ id: own.id })).toEqual({ ...nothing, commonCount: 0 })
    await expect(as(own).social.tasteMatch({ id: 999_999 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: messages.userNotFound,
    })
    await expect(as().social.tasteMatch({ id: other.id })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('of several members has the match of each with titles in common', async () => {
    const [own, near, few, none] = [
      await aMember(db),
      await aMember(db),
      await aMember(db),
      await aMember(db),
    ]
    await rateAll([own, near, few], [...Array.from({ length: 4 }, () => [5, 5]), [5, 1, 4]])
    const { matches } = await as(own).social.tasteMatches({
      ids: [near.id, few.id, none.id, own.id, 999_999].join(),
    })
    expect(matches).toHaveLength(2)
    expect(matches).toContainEqual({ id: near.id, match: 80, commonCount: 5 })
    expect(matches).toContainEqual({ id: few.id, match: null, commonCount: 1 })
    await expect(as().social.tasteMatches({ ids: '1' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('is the same from both sides, and 100 only for equal ratings', () => {
    const rating = fc.integer({ min: 1, max: 5 })
    const pairs = fc.array(fc.record({ own: rating, their: rating }), { minLength: 5, maxLength: 60 })
    fc.assert(
      fc.property(pairs, (list) => {
        const common: CommonRating[] = list.map((pair, index) => ({ id: index + 1, ...pair }))
        const reverse = common.map(({ id, own, their }) => ({ id, own: their, their: own }))
        const { match, agreements, disagreements } = compareTaste(common)
        expect(match).toBe(compareTaste(reverse).match)
        expect(match).toBeGreaterThanOrEqual(0)
        expect(match === 100).toBe(
          Math.round(
            (common.reduce((sum, pair) => sum + Math.abs(pair.own - pair.their), 0) * 25) / common.length,
          ) === 0,
        )
        expect(agreements.filter((pair) => disagreements.includes(pair))).toEqual([])
      }),
      { seed: 20260501, numRuns: 200 },
    )
  })
})

describe('suggested people', () => {
  it('are members with a similar taste, then active ones, but never the caller or members that the caller follows', async () => {
    const [own, near, opposite, followed, active] = [
      await aMember(db),
      await aMember(db),
      await aMember(db),
      await aMember(db),
      await aMember(db),
    ]
    const ids = await rateAll(
      [own, near, opposite, followed],
      [
        [5, 5, 1, 5],
        [5, 4, 1, 5],
        [1, 1, 5, 1],
        [4, 4, 2, 4],
      ],
    )
    for (let count = 0; count < 4; count++) await rate(server, await aTitle(db), [[active, 3]])
    await as(own).social.follow({ userIdToFollow: followed.id })
    const { people } = await as(own).social.suggestedPeople({ limit: 100 })
    expect(people[0]).toMatchObject({
      id: near.id,
      username: near.username,
      isFollowing: false,
      reviewCount: expect.any(Number),
      commonCount: 4,
      agreement: { title: { id: ids[0] }, ownRating: 5, theirRating: 5 },
    })
    const listed = people.map((person) => person.id)
    expect(listed).not.toContain(own.id)
    expect(listed).not.toContain(followed.id)
    expect(new Set(listed).size).toBe(listed.length)
    expect(people.find((person) => person.id === active.id)).toMatchObject({
      commonCount: 0,
      agreement: null,
    })
    // A member with the opposite taste is suggested only for being active.
    expect(listed.indexOf(opposite.id)).toBeGreaterThan(0)
    expect(people.find((person) => person.id === opposite.id)!.commonCount).toBe(0)

    await db.updateTable('users').set({ verified_at: null }).where('id', '=', near.id).execute()
    const others = (await as(own).social.suggestedPeople({})).people
    expect(others.map((person) => person.id)).not.toContain(near.id)
    expect(others).toHaveLength(6)
    await expect(as().social.suggestedPeople({})).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('are the active members for a member without ratings', async () => {
    const { people } = await as(await aMember(db)).social.suggestedPeople({ limit: 3 })
    expect(people).toHaveLength(3)
    expect(people.every((person) => person.agreement === null)).toBe(true)
  })

  it('compare as many ratings of each title as the limit, from a member on and then from the first one', async () => {
    const members = [await aMember(db), await aMember(db), await aMember(db), await aMember(db)]
    const [first, second, third, fourth] = pluck(members, 'id')
    const [rated, little, unrated] = await rateAll(members, [[1, 2, 3, 4], [0, 5, 0, 0], []])
    const ratings = await listRatingsOfTitles(db, [rated!, little!, unrated!], third!, 3)
    const raters = (id: number) =>
      pluck(
        ratings.filter((row) => row.media_id === id),
        'user_id',
      ).sort((a, b) => a - b)
    expect([raters(rated!), raters(little!), raters(unrated!)]).toEqual([
      [first, third, fourth],
      [second],
      [],
    ])
    expect(await listRatingsOfTitles(db, [], 1, 3)).toEqual([])
  })

  it('require three titles in common, and rank more of them higher', () => {
    const own = [1, 2, 3, 4, 5].map((id) => ({ media_id: id, rating: 5 }))
    const by = (user_id: number, ids: number[]) => ids.map((media_id) => ({ user_id, media_id, rating: 5 }))
    const theirs = [...by(7, [1, 2]), ...by(8, [1, 2, 3]), ...by(9, [1, 2, 3, 4, 5]), ...by(9, [6])]
    expect(rankByTaste(own, theirs, 10).map(({ id, common }) => [id, common.length])).toEqual([
      [9, 5],
      [8, 3],
    ])
  })
})

describe.runIf(isSqlite(db))('the indexes', () => {
  it('serve the comparisons without reading all ratings', async () => {
    const plans = await plansOf(db, async (trx) => {
      await listRatingsOf(trx, 1, 10)
      await listOpinions(trx, 1)
      await listRatingsOfTitles(trx, [1], 1, 10)
      await listActive(trx)
    })
    expect(plans.filter((plan) => /\bSCAN reviews\b/.test(plan))).toEqual(['SCAN reviews'])
    expect(plans).toContain('SEARCH reviews USING COVERING INDEX reviews_network (media_id=? AND user_id>?)')
    expect(plans[0]).toMatch(/^SEARCH reviews USING COVERING INDEX \w+ \(user_id=\?\)$/)
  })
})
