import { matchRatingsMax, suggestedPeopleLimit } from '#shared/domain/limits.ts'
import * as schema from '#shared/contracts/social.ts'
import { pluck } from '#shared/domain/pluck.ts'
import { numberText } from '#shared/texts/formats.ts'
import { dayMs } from '#shared/domain/days.ts'
import { toTitleCard } from '#server/titles/rules.ts'
import { listCards } from '#server/titles/store.ts'
import type { Db } from '#server/db/open.ts'
import { callsIn, router } from '#server/calls/procedures.ts'
import { readOpenMember } from '#server/calls/access.ts'
import {
  type CommonRating,
  compareTaste,
  pairRatings,
  rankByTaste,
  strongestAgreement,
  toListedPerson,
} from './rules.ts'
import * as store from './store.ts'

const { forMembers } = callsIn('Social')

const comparedTitlesMax = 30
const ratersMax = 150
const comparedRatingsMax = 5_000

export const tasteRouter = router({
  tasteMatch: forMembers('GET /users/{id}/taste-match', 'getTasteMatch', schema.tasteMatch, {
    summary: 'Compare the caller’s ratings with another member’s',
    description:
      'Compares at most 5,000 ratings of each. `agreements` are the titles with the strongest opinions that both ' +
      'share, `disagreements` those whose ratings differ most, by two stars or more.',
    errors: [403, 404],
    returnsData: 'taste',
  }).query(async ({ ctx: { db, member }, input: { id } }) => {
    await readOpenMember({ db, member }, id)
    const common =
      id === member.id
        ? []
        : pairRatings(
            await store.listRatingsOf(db, member.id, comparedRatingsMax),
            await store.listRatingsOf(db, id, comparedRatingsMax),
          )
    const { match, agreements, disagreements } = compareTaste(common)
    const show = await titlesOf(db, [...agreements, ...disagreements])
    return {
      match,
      commonCount: common.length,
      agreements: agreements.flatMap(show),
      disagreements: disagreements.flatMap(show),
    }
  }),

  tasteMatches: forMembers('GET /users/taste-matches', 'listTasteMatches', schema.tasteMatches, {
    summary: 'Compare the caller’s ratings with several members’',
    description: `For the members of a list. Compares at most ${numberText(matchRatingsMax)} ratings of each.`,
    cost: 10,
    returnsData: 'taste',
  }).query(async ({ ctx: { db, member }, input }) => {
    const own = await store.listRatingsOf(db, member.id, comparedRatingsMax)
    const ids = new Set(input.ids.split(',').map(Number))
    const people = await store.listPeople(
      db,
      [...ids].filter((id) => id !== member.id),
      member.id,
      'seen',
    )
    const matches = []
    for (const { id } of people) {
      const common = pairRatings(own, await store.listRatingsOf(db, id, matchRatingsMax))
      if (common.length > 0)
        matches.push({ id, match: compareTaste(common).match, commonCount: common.length })
    }
    return { matches }
  }),

  suggestedPeople: forMembers('GET /users/suggested', 'listSuggestedPeople', schema.suggestedPeople, {
    summary: 'List members whom the caller may want to follow',
    description:
      'Members with similar ratings and at least three titles in common, most similar first, then recently active ' +
      'members. Compares a sample of the ratings, which changes daily. Leaves out the caller and the members that ' +
      'the caller follows, members whom the caller may not see or has muted, and those who do not want to be suggested.',
    returnsData: 'suggestions',
  }).query(async ({ ctx: { db, member, now }, input: { limit } }) => {
    const [{ followee_id: followees }, recent, { own, theirs }] = await Promise.all([
      store.listFolloweeIds(db, member.id),
      store.listActive(db),
      sampleRatings(db, member.id, now),
    ])
    const excluded = new Set([...followees, member.id])
    // Members who may not be suggested are dropped below.
    const count = limit + suggestedPeopleLimit
    const near = rankByTaste(
      own,
      theirs.filter((row) => !excluded.has(row.user_id)),
      count,
    )
    const commonOf = new Map(near.map(({ id, common }) => [id, common]))
    const active = recent.map((row) => row.user_id).filter((id) => !excluded.has(id) && !commonOf.has(id))
    const candidates = [...commonOf.keys(), ...active].slice(0, count)
    const people = (await store.listPeople(db, candidates, member.id, 'suggested')).slice(0, limit)
    const agreements = people.map(({ id }) => strongestAgreement(commonOf.get(id) ?? []))
    const show = await titlesOf(
      db,
      agreements.flatMap((pair) => pair ?? []),
    )
    return {
      people: people.map((row, index) => ({
        ...toListedPerson(row, false),
        commonCount: commonOf.get(row.id)?.length ?? 0,
        agreement: agreements[index] ? (show(agreements[index])[0] ?? null) : null,
      })),
    }
  }),
})

/** The least known titles that the member rated. */
async function sampleRatings(db: Db, memberId: number, now: Date) {
  const [opinions, lastId] = await Promise.all([store.listOpinions(db, memberId), store.findLastMemberId(db)])
  const own = opinions
    .filter((row) => row.rating_count > 1)
    .sort((a, b) => a.rating_count - b.rating_count || a.media_id - b.media_id)
    .slice(0, comparedTitlesMax)
  const day = Math.floor(now.getTime() / dayMs)
  // Different raters of a popular title each day, and for each member.
  const firstId = 1 + (((Math.imul(memberId, 0x9e3779b1) + Math.imul(day, 0x85ebca6b)) >>> 0) % lastId)
  return { own, theirs: await store.listRatingsOfTitles(db, pluck(own, 'media_id'), firstId, ratersMax) }
}

async function titlesOf(db: Db, pairs: readonly CommonRating[]) {
  const rows = await listCards(db, pluck(pairs, 'id'))
  const cards = new Map(rows.map((row) => [row.id, toTitleCard(row)]))
  return ({ id, own, their }: CommonRating) => {
    const title = cards.get(id)
    return title ? [{ title, ownRating: own, theirRating: their }] : []
  }
}
