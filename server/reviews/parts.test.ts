import type { AnyProcedure } from '@trpc/server'
import { describe, expect, test } from 'vitest'
import { prepareCalls } from '#scripts/testing/calls.ts'
import { saveSeasons, someEpisodes } from '#scripts/testing/episodes.ts'
import { seeded } from '#scripts/testing/random.ts'
import { removeAccount } from '#server/accounts/deletion.ts'
import type { Member } from '#server/calls/context.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { applyToAllOf, applyToMember } from '#server/moderation/apply.ts'
import { appRouter, features } from '#server/router.ts'
import { aMember, aServer, aTitle, findCounterFaults, recountAll } from '#server/testing.ts'
import { moveTitle, removeTitle } from '#server/titles/move.ts'
import { messages } from '#shared/texts/messages.ts'
import { settleMembers } from './settle.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const { db, as, services } = server

const at = (minute: number) => ({ now: new Date(Date.UTC(2026, 4, 1, 12, minute)) })

/** Two seasons of three episodes, and a special. */
async function aShow() {
  const showId = await aTitle(db, 'tvShow')
  const episodes = await someEpisodes(db, showId)
  const { seasons } = await as().progress.seasons({ id: showId })
  return { showId, episodes, seasonId: seasons[1]!.id, episodeId: episodes[1]! }
}

const partOf = (id: number) =>
  db.selectFrom('parts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a review of a season or an episode', () => {
  test('is one per member and part, says what it is about, and counts for this part only', async () => {
    const [author, other] = [await aMember(db), await aMember(db)]
    const { showId, seasonId, episodeId } = await aShow()
    const call = as(author, at(1)).reviews
    const { review } = await call.save({ episodeId, rating: 4.5, text: 'A twist.' })
    expect(review).toMatchObject({ itemId: showId, tvShowId: showId, rating: 4.5 })
    expect(review.about).toEqual({ seasonId, episodeId, season: 1, number: 1, name: 'Part 1' })
    const { review: ofSeason } = await call.save({ seasonId, rating: 3, text: 'A start.' })
    expect(ofSeason.about).toEqual({ seasonId, episodeId: null, season: 1, number: null, name: 'Season 1' })
    const { review: again } = await as(author, at(2)).reviews.save({ episodeId, rating: 2 })
    expect(again).toMatchObject({ id: review.id, rating: 2, text: 'A twist.', createdAt: review.createdAt })
    await as(other).reviews.save({ episodeId, rating: 5 })
    await as(other).reviews.save({ tvShowId: showId, rating: 1 })

    const { episode } = await as(author).progress.episode({ id: episodeId })
    expect(episode).toMatchObject({ avg: 3.5, count: 2, mine: { rating: 2 } })
    expect((await as().progress.episode({ id: episodeId })).episode).toMatchObject({ avg: 3.5, mine: null })
    const { seasons } = await as(author).progress.seasons({ id: showId })
    expect(seasons[1]).toMatchObject({ avg: 3, count: 1, mine: { rating: 3 } })
    expect(seasons[2]).toMatchObject({ avg: null, count: 0, mine: { rating: null } })
    expect((await as(other).progress.season({ id: showId, number: 1 })).episodes[0]).toMatchObject({
      count: 2,
      mine: { rating: 5 },
    })
    expect(await as().tvShows.overallRating({ id: showId })).toEqual({ avg: 1, count: 1 })
    expect((await as(author).reviews.mine({ episodeId })).review).toMatchObject({ id: review.id })
    await expect(as(author).reviews.mine({ tvShowId: showId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await findCounterFaults(db)).toEqual([])

    await call.remove({ id: review.id })
    await call.remove({ id: ofSeason.id })
    expect((await as(author).progress.episode({ id: episodeId })).episode).toMatchObject({ avg: 5, count: 1 })
    expect(await findCounterFaults(db)).toEqual([])
  })

  test('has reactions, comments, an undo, and is listed with the others of the part in each order', async () => {
    const [author, reader] = [await aMember(db), await aMember(db)]
    const { showId, episodeId, seasonId } = await aShow()
    const { review: first } = await as(author, at(1)).reviews.save({ episodeId, rating: 2, text: 'First.' })
    const { review: second } = await as(reader, at(2)).reviews.save({ episodeId, rating: 5, text: 'Second.' })
    await as(await aMember(db)).reviews.save({ episodeId, rating: 1 })
    await as(author).reviews.save({ seasonId, rating: 1, text: 'Of the season.' })
    await as(author).reviews.save({ tvShowId: showId, rating: 1, text: 'Of the show.' })
    await as(reader).reviews.react({ id: first.id, reaction: 'like' })
    await as(reader).reviews.addComment({ id: first.id, text: 'So it is.', hasSpoilers: false })
    const list = async (options: object) =>
      (await as(reader).reviews.list({ episodeId, ...options })).reviews.map(({ id }) => id)
    expect(await list({})).toEqual([second.id, first.id])
    expect(await list({ sortBy: 'rating', order: 'asc' })).toEqual([first.id, second.id])
    expect(await list({ sortBy: 'likeCount' })).toEqual([first.id, second.id])
    expect(await list({ scope: 'network' })).toEqual([])
    await as(reader).social.follow({ userIdToFollow: author.id })
    expect(await list({ scope: 'network' })).toEqual([first.id])
    const { reviews, pagination, nextCursor } = await as().reviews.list({ episodeId, limit: 1 })
    expect([reviews[0]!.id, pagination.total]).toEqual([second.id, 2])
    expect((await as().reviews.list({ episodeId, limit: 1, cursor: nextCursor! })).reviews[0]).toMatchObject({
      id: first.id,
      likeCount: 1,
      commentCount: 1,
      about: { episodeId },
    })
    // Withheld from readers who have not seen the episode.
    const { review: seen } = await as(reader).reviews.byId({ id: first.id })
    expect(seen).toMatchObject({ text: '', rating: 2, isWithheld: true, safeUpTo: { episodeId } })
    expect((await as(author).reviews.byId({ id: first.id })).review.text).toBe('First.')
    const { review: third } = await as(author).reviews.mine({ seasonId })
    expect(third.safeUpTo).toMatchObject({ season: 1, number: 3 })
    expect((await as().reviews.list({ tvShowId: showId })).reviews.map(({ text }) => text)).toEqual([
      'Of the show.',
    ])
    const { snapshot } = await as(author).reviews.snapshot({ episodeId })
    await as(author, at(3)).reviews.edit({ id: first.id, rating: 5, text: 'Changed.' })
    expect((await as(author).reviews.restore(snapshot!)).review).toMatchObject({ rating: 2, text: 'First.' })
    expect(await findCounterFaults(db)).toEqual([])
  })

  test('needs exactly one id, of a part of this type that the source has, of a title that is shown', async () => {
    const author = await aMember(db)
    const { showId, episodeId, seasonId, episodes } = await aShow()
    const call = as(author).reviews
    const both = [{ episodeId, seasonId }, { episodeId, tvShowId: showId }, { seasonId, itemId: showId }, {}]
    for (const ids of both) {
      const refused = { code: 'BAD_REQUEST', message: expect.stringContaining(messages.oneSubject) }
      await expect(call.save({ ...ids, rating: 3 })).rejects.toMatchObject(refused)
      await expect(call.list(ids)).rejects.toMatchObject(refused)
      await expect(call.mine(ids)).rejects.toMatchObject(refused)
    }
    for (const ids of [{ episodeId: seasonId }, { seasonId: episodeId }, { episodeId: 999_999_999 }]) {
      await expect(call.save({ ...ids, rating: 3 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(call.list(ids)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(call.mine(ids)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    for (const id of [0, -1, 1.5, '1' as never, 1e300])
      await expect(call.save({ episodeId: id, rating: 3 })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    for (const rating of [0, 0.5, 3.1, 6])
      await expect(call.save({ episodeId, rating })).rejects.toMatchObject({ code: 'BAD_REQUEST' })

    const { review } = await call.save({ episodeId, rating: 4, text: 'Kept.' })
    await saveSeasons(db, showId, { 0: [null], 1: ['', '2020-02-01', '2020-03-01'], 2: ['2021-01-01'] })
    expect(await partOf(episodeId)).toMatchObject({ is_gone: 1, rating_count: 1 })
    // Never rated, and gone with its row.
    await expect(call.save({ episodeId: episodes.at(-1)!, rating: 3 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect((await as().reviews.byId({ id: review.id })).review.about).toMatchObject({ episodeId })
    expect((await as().reviews.list({ episodeId })).reviews).toHaveLength(1)
    expect((await call.save({ episodeId, rating: 5 })).review).toMatchObject({ rating: 5, text: 'Kept.' })
    await expect(as(await aMember(db)).reviews.save({ episodeId, rating: 3 })).rejects.toThrow(
      messages.episodeNotFound,
    )

    await db
      .updateTable('media')
      .set({ removed_at: at(1).now.toISOString() })
      .where('id', '=', showId)
      .execute()
    for (const refused of [
      () => call.save({ episodeId, rating: 3 }),
      () => call.list({ episodeId }),
      () => call.mine({ episodeId }),
      () => as().reviews.byId({ id: review.id }),
      () => call.comments({ id: review.id }),
      () => call.edit({ id: review.id, rating: 1 }),
    ])
      await expect(refused()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await call.remove({ id: review.id })
    expect(await findCounterFaults(db)).toEqual([])
  })
})

test('each viewer sees the reviews of a part of whom they may see', async () => {
  const { episodeId } = await aShow()
  const viewers = {
    visitor: null,
    stranger: await aMember(db),
    follower: await aMember(db),
    muting: await aMember(db),
    blocked: await aMember(db),
    blocking: await aMember(db),
  }
  const author = await aMember(db)
  for (const viewer of Object.values(viewers))
    if (viewer) await as(viewer).social.follow({ userIdToFollow: author.id })
  await as(viewers.stranger).social.unfollow({ userIdToUnfollow: author.id })
  await as(viewers.muting).privacy.mute({ id: author.id })
  await as(author).privacy.block({ id: viewers.blocked.id })
  await as(viewers.blocking).privacy.block({ id: author.id })
  const { review } = await as(author).reviews.save({ episodeId, rating: 4, text: 'Words.' })

  const seenBy = async () => {
    const seen: Record<string, string> = {}
    for (const [name, viewer] of Object.entries({ ...viewers, author })) {
      const call = as(viewer ?? undefined).reviews
      const list = await call.list({ episodeId })
      expect(list.pagination.total).toBe(list.reviews.length)
      const isReadable = await call.byId({ id: review.id }).then(
        () => true,
        () => false,
      )
      seen[name] = `${list.reviews.length} ${isReadable}`
    }
    return seen
  }
  const open = {
    visitor: '1 true',
    stranger: '1 true',
    follower: '1 true',
    muting: '0 true',
    author: '1 true',
  }
  expect(await seenBy()).toEqual({ ...open, blocked: '0 false', blocking: '0 false' })

  await as(author).privacy.change({ isPrivate: true })
  const closed = { ...open, visitor: '0 false', stranger: '0 false', blocked: '0 false', blocking: '0 false' }
  expect(await seenBy()).toEqual(closed)
  expect(await settleMembers(db)).toBe(1)
  expect(await partOf(episodeId)).toMatchObject({ text_count: 1, public_text_count: 0 })
  expect(await seenBy()).toEqual(closed)
  expect(await findCounterFaults(db)).toEqual([])
})

test.runIf(isSqlite(db))('no read about titles depends on reviews of seasons and episodes', async () => {
  const { calls, newCaller, titles } = await prepareCalls(server)
  const [caller, friend] = [await newCaller('admin'), await newCaller()]
  await as(caller).social.follow({ userIdToFollow: friend.id })
  const now = new Date()
  for (const one of [caller, friend])
    await as(one, { now }).reviews.save({ tvShowId: titles.tvShow, rating: 4, text: 'Of the show.' })
  await as(friend, { now }).reviews.save({ bookId: titles.book, rating: 2 })
  const procedures = appRouter._def.procedures as unknown as Record<string, AnyProcedure>
  const reads = Object.keys(calls).filter((path) => procedures[path]!._def.type === 'query')
  const inputs = new Map<string, object | undefined>()
  for (const path of reads) inputs.set(path, await calls[path]!(caller))
  for (const path of ['reviews.ofUser', 'reviews.histogramsOfUser', 'social.profile'])
    if (inputs.has(path)) inputs.set(path, { id: friend.id })
  inputs.set('reviews.list', { tvShowId: titles.tvShow })
  const readAll = async () => {
    const read = new Map<string, string>()
    for (const path of reads) {
      const [router, name] = path.split('.') as ['movies', 'byId']
      const answer = as(caller, { now })[router][name](inputs.get(path) as never)
      read.set(
        path,
        await answer.then(
          (data) => JSON.stringify(data),
          (error: Error) => error.message,
        ),
      )
    }
    return read
  }
  await readAll()
  const [first, second] = [await readAll(), await readAll()]
  const steady = reads.filter((path) => first.get(path) === second.get(path))
  expect(steady.length).toBeGreaterThan(0.9 * reads.length)

  const { seasons } = await as().progress.seasons({ id: titles.tvShow })
  const { episodes } = await as().progress.season({ id: titles.tvShow, number: 1 })
  for (const one of [caller, friend]) {
    for (const { id } of seasons)
      await as(one, { now }).reviews.save({ seasonId: id, rating: 1, text: 'Of a season.' })
    for (const { id } of episodes)
      await as(one, { now }).reviews.save({ episodeId: id, rating: 5, text: 'Of an episode.' })
  }
  const third = await readAll()
  expect(steady.filter((path) => first.get(path) !== third.get(path)).sort()).toEqual([
    'accounts.deletion',
    'admin.member',
    'admin.overview',
    'changes.activity',
    'changes.list',
    'progress.season',
    'progress.seasons',
    'webhooks.deliveries',
  ])
  // The calls above write some rows without their counters.
  await recountAll(db)
})

describe('counters', () => {
  const decide = async (member: Member, action: 'suspend' | 'undo') => {
    if (action === 'undo')
      await db
        .updateTable('decisions')
        .set({ ended_at: at(59).now.toISOString(), end_reason: 'undone' })
        .where('user_id', '=', member.id)
        .execute()
    else {
      const target = { target_type: 'user' as const, target_id: member.id, user_id: member.id }
      const { id: case_id } = await db
        .insertInto('cases')
        .values({ ...target, snapshot: '{}', is_open: 0, opened_at: at(0).now.toISOString() })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('decisions')
        .values({ ...target, case_id, action, rules: '[]', reason: '', created_at: at(0).now.toISOString() })
        .execute()
    }
    await db.transaction().execute((trx) => applyToMember(trx, member.id, at(59).now))
    await applyToAllOf(services, member.id, at(59).now)
  }

  test.each([1, 2])('equal a recount after any acts (seed %i)', async (seed) => {
    const random = seeded(seed)
    const below = (max: number) => Math.floor(random() * max)
    const one = <Item>(items: readonly Item[]) => items[below(items.length)]!
    const [first, second] = [await aShow(), await aShow()]
    const { seasons } = await as().progress.seasons({ id: first.showId })
    const parts = [
      ...[...first.episodes, ...second.episodes].map((episodeId) => ({ episodeId })),
      ...seasons.map(({ id }) => ({ seasonId: id })),
      { tvShowId: first.showId },
    ]
    const members: Member[] = []
    for (let n = 0; n < 6; n++) members.push(await aMember(db))
    const mineOf = (member: Member) =>
      db.selectFrom('reviews').select('id').where('user_id', '=', member.id).execute()
    const acts = {
      save: (member: Member) =>
        as(member).reviews.save({
          ...one(parts),
          rating: one([1, 2.5, 3, 4.5, 5]),
          ...(below(2) && { text: one(['', 'One.', 'Two.']) }),
        }),
      edit: async (member: Member) => {
        const own = await mineOf(member)
        if (own.length > 0)
          await as(member).reviews.edit({ id: one(own).id, rating: 1.5, text: one(['', 'Three.']) })
      },
      remove: async (member: Member) => {
        const own = await mineOf(member)
        if (own.length > 0) await as(member).reviews.remove({ id: one(own).id })
      },
      react: async (member: Member) => {
        const all = await db.selectFrom('reviews').select('id').execute()
        await as(member).reviews.react({ id: one(all).id, reaction: one(['like', 'dislike', 'none']) })
      },
      change: (member: Member) => as(member).privacy.change({ isPrivate: below(2) === 1 }),
      settle: () => settleMembers(db),
      block: (member: Member) => as(member).privacy.block({ id: one(members).id }),
      suspend: (member: Member) => decide(member, 'suspend'),
      undo: (member: Member) => decide(member, 'undo'),
    }
    const names = Object.keys(acts) as (keyof typeof acts)[]
    for (let n = 0; n < 150; n++) {
      const name = n < 40 ? 'save' : one(names)
      // Some are refused: to members who are suspended or blocked.
      await Promise.resolve(acts[name](one(members))).catch((error: { code?: string }) => {
        if (!['NOT_FOUND', 'FORBIDDEN', 'BAD_REQUEST'].includes(error.code ?? '')) throw error
      })
      if (n % 10 === 0) expect(await findCounterFaults(db)).toEqual([])
    }
    await db.transaction().execute((trx) => moveTitle(features, trx, second.showId, first.showId))
    expect(await findCounterFaults(db)).toEqual([])
    await removeAccount(db, services, members[0]!.id, at(59).now)
    expect(await findCounterFaults(db)).toEqual([])
    await db.transaction().execute((trx) => removeTitle(features, trx, first.showId))
    expect(await findCounterFaults(db)).toEqual([])
  })
})

test('of two shows that become one, the reviews of the same episode become one, and others move', async () => {
  const [author, other] = [await aMember(db), await aMember(db)]
  const [from, to] = [await aShow(), await aShow()]
  await saveSeasons(db, from.showId, {
    0: [null],
    1: ['2020-01-01', '2020-02-01', '2020-03-01'],
    3: ['2022-01-01'],
  })
  const { episodes } = await as().progress.season({ id: from.showId, number: 3 })
  await as(author, at(1)).reviews.save({ episodeId: from.episodeId, rating: 2, text: 'Older.' })
  await as(author, at(2)).reviews.save({ episodeId: to.episodeId, rating: 4, text: 'Newer.' })
  await as(other, at(3)).reviews.save({ episodeId: from.episodeId, rating: 1 })
  await as(other, at(3)).reviews.save({ seasonId: from.seasonId, rating: 5 })
  await as(other, at(4)).reviews.save({ episodeId: episodes[0]!.id, rating: 3, text: 'Moves.' })
  await db.transaction().execute((trx) => moveTitle(features, trx, from.showId, to.showId))
  expect((await as(author).progress.episode({ id: to.episodeId })).episode).toMatchObject({
    avg: 2.5,
    count: 2,
    mine: { rating: 4 },
  })
  expect((await as(other).reviews.mine({ seasonId: to.seasonId })).review).toMatchObject({ rating: 5 })
  expect((await as(other).reviews.mine({ episodeId: episodes[0]!.id })).review).toMatchObject({
    itemId: to.showId,
    text: 'Moves.',
  })
  expect(await findCounterFaults(db)).toEqual([])
})
