import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { someEpisodes, saveSeasons } from '#scripts/testing/episodes.ts'
import type { Member } from '#server/calls/context.ts'
import { features } from '#server/router.ts'
import { buildApp } from '#server/app.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { aMember, aServer, aSignedInMember, aTitle } from '#server/testing.ts'
import { english } from '#server/text/translator.ts'
import { notify } from '#server/accounts/notify-store.ts'
import { readCard } from '#server/share/card.ts'
import { payloadOf } from '#server/webhooks/payload.ts'
import { moveTitle, removeTitle } from '#server/titles/move.ts'
import { followerOf } from '#server/members/visibility.ts'
import { listReviews } from './store.ts'

const { db, as, services } = await aServer({ RATE_LIMITS: 'off' })
const app = await buildApp(services, { web: noWeb })
afterAll(() => app.close())
const now = new Date('2026-05-04T12:00:00.000Z')
const secret = 'The butler did it.'

async function aShow() {
  const author = await aMember(db)
  const id = await aTitle(db, 'tvShow')
  const episodes = await someEpisodes(db, id)
  const [special, , second, third, fourth] = episodes as [number, number, number, number, number]
  return { author, id, special, second, third, fourth, episodes }
}

async function aReview(
  author: Member,
  itemId: number,
  safeUpTo: { episodeId: number } | { page: number } | { percent: number },
) {
  const { review } = await as(author, { now }).reviews.save({ itemId, rating: 4, text: secret, safeUpTo })
  return review
}

/** What a reader gets of a review by each call that returns it. */
async function readBy(
  reader: Member | null,
  { id, itemId, userId }: { id: number; itemId: number; userId: number },
) {
  const caller = as(reader, { now }).reviews
  const [listed] = (await caller.list({ itemId })).reviews.filter((one) => one.id === id)
  const [ofItem] = (await caller.ofItem({ id: itemId })).reviews.filter((one) => one.id === id)
  const [ofUser] = (await caller.ofUser({ id: userId })).reviews.filter((one) => one.id === id)
  const { review } = await caller.byId({ id })
  const texts = [listed, ofItem, ofUser, review].map((one) => [one!.text, one!.isWithheld ?? false])
  expect(texts).toEqual(Array(4).fill(texts[0]))
  return texts[0]
}
const hidden = ['', true]
const shown = [secret, false]

describe('the text of a review is withheld until', () => {
  test('the reader has watched the episode in any pass; its author and moderators read it in any case', async () => {
    const { author, id, second, third } = await aShow()
    const review = await aReview(author, id, { episodeId: third })
    const reader = await aMember(db)
    const moderator = await aMember(db)
    await db.updateTable('users').set({ role: 'moderator' }).where('id', '=', moderator.id).execute()
    expect(await readBy(author, review)).toEqual(shown)
    expect(await readBy({ ...moderator, role: 'moderator' }, review)).toEqual(shown)
    expect(await readBy(null, review)).toEqual(hidden)
    expect(await readBy(reader, review)).toEqual(hidden)
    expect((await as(reader).reviews.byId({ id: review.id })).review).toMatchObject({
      rating: 4,
      text: '',
      safeUpTo: { episodeId: third, season: 1, number: 3 },
    })
    // Others have watched it, and the reader has watched others.
    await as(await aMember(db)).progress.mark({ id, episodeIds: [third] })
    const progress = as(reader, { now }).progress
    await progress.mark({ id, upTo: second })
    expect(await readBy(reader, review)).toEqual(hidden)
    await progress.mark({ id, episodeIds: [third] })
    expect(await readBy(reader, review)).toEqual(shown)
    // In the pass that has begun now, the reader has not.
    await progress.mark({ id, upTo: second, again: true })
    expect(await readBy(reader, review)).toEqual(shown)
    await progress.unmark({ id, pass: 1 })
    expect(await readBy(reader, review)).toEqual(hidden)
    expect(await readBy(null, review)).toEqual(hidden)
  })

  test('the reader has stated after the episode aired that the show is finished', async () => {
    const { author, id, fourth } = await aShow()
    const review = await aReview(author, id, { episodeId: fourth })
    const finished = async (finishedOn: string | null, at = now) => {
      const reader = await aMember(db)
      const { entry } = await as(reader, { now: at }).diary.create({ tvShowId: id, status: 'finished' })
      // Imports write years and months.
      if (finishedOn !== null)
        await db
          .updateTable('diary_entries')
          .set({ finished_on: finishedOn })
          .where('id', '=', entry.id)
          .execute()
      return readBy(reader, review)
    }
    expect(await finished('2020-12-31')).toEqual(hidden)
    expect(await finished('2021-01-01')).toEqual(shown)
    expect(await finished('2021')).toEqual(hidden)
    expect(await finished('2022')).toEqual(shown)
    // Without a date, the entry was made then.
    expect(await finished(null, new Date('2020-06-01T00:00:00.000Z'))).toEqual(hidden)
    expect(await finished(null)).toEqual(shown)
    const wanting = await aMember(db)
    await as(wanting).diary.create({ tvShowId: id, status: 'want' })
    expect(await readBy(wanting, review)).toEqual(hidden)
  })

  test('the show is finished, for an episode without a date that is before one with a date', async () => {
    const author = await aMember(db)
    const id = await aTitle(db, 'tvShow')
    const [first, , third] = await saveSeasons(db, id, { 1: [null, '2021-02-01', null] })
    const review = await aReview(author, id, { episodeId: first! })
    const reader = await aMember(db)
    const { entry } = await as(reader, { now }).diary.create({ tvShowId: id, status: 'finished' })
    expect(await readBy(reader, review)).toEqual(shown)
    await as(reader, { now }).diary.edit({ id: entry.id, finishedOn: '2021-01-31' })
    expect(await readBy(reader, review)).toEqual(hidden)
    await as(author).reviews.edit({ id: review.id, safeUpTo: { episodeId: third! } })
    await as(reader, { now }).diary.edit({ id: entry.id, finishedOn: '2026-01-01' })
    expect(await readBy(reader, review)).toEqual(hidden)
  })

  test.each([
    ['book', { page: 100 }, [{ page: 99 }, { percent: 49 }], [{ page: 100 }, { percent: 50 }]],
    ['book', { percent: 50 }, [{ page: 99 }, { percent: 49 }], [{ page: 100 }, { percent: 50 }]],
    ['movie', { percent: 50 }, [{ minutes: 59 }, { percent: 49 }], [{ minutes: 60 }, { percent: 50 }]],
    ['game', { percent: 50 }, [{ hours: 1000 }, { percent: 49 }], [{ percent: 50 }]],
  ] as const)('the reader of a %s has logged %j', async (kind, safeUpTo, early, late) => {
    const author = await aMember(db)
    const id = await aTitle(db, kind)
    await db.updateTable('media').set({ page_count: 200, runtime: 120 }).where('id', '=', id).execute()
    const review = await aReview(author, id, safeUpTo)
    const reader = await aMember(db)
    const { entry } = await as(reader, { now }).diary.create({ itemId: id, status: 'started' })
    for (const step of early) await as(reader, { now }).diary.addStep({ id: entry.id, ...step })
    expect(await readBy(reader, review)).toEqual(hidden)
    for (const step of late) {
      const { step: added } = await as(reader, { now }).diary.addStep({ id: entry.id, ...step })
      expect(await readBy(reader, review)).toEqual(shown)
      await as(reader).diary.removeStep({ id: entry.id, stepId: added.id })
      expect(await readBy(reader, review)).toEqual(hidden)
    }
    await as(reader, { now }).diary.edit({ id: entry.id, status: 'dropped' })
    expect(await readBy(reader, review)).toEqual(hidden)
    await as(reader, { now }).diary.edit({ id: entry.id, status: 'finished' })
    expect(await readBy(reader, review)).toEqual(shown)
    expect(await readBy(null, review)).toEqual(hidden)
  })

  test('a title whose length is unknown or enormous is read or finished', async () => {
    const author = await aMember(db)
    const id = await aTitle(db, 'book')
    const review = await aReview(author, id, { page: 100_000 })
    const reader = await aMember(db)
    const { entry } = await as(reader, { now }).diary.create({ itemId: id, status: 'started' })
    await as(reader, { now }).diary.addStep({ id: entry.id, percent: 99 })
    for (const page_count of [null, 0, 2_000_000_000]) {
      await db.updateTable('media').set({ page_count }).where('id', '=', id).execute()
      expect(await readBy(reader, review)).toEqual(page_count ? shown : hidden)
    }
    await as(author).reviews.edit({ id: review.id, safeUpTo: { percent: 100 } })
    expect(await readBy(reader, review)).toEqual(hidden)
  })

  test('the author lifts it, and not when only the text is edited', async () => {
    const { author, id, third } = await aShow()
    const review = await aReview(author, id, { episodeId: third })
    await as(author).reviews.edit({ id: review.id, rating: 5 })
    await as(author).reviews.save({ itemId: id, rating: 5, text: secret })
    expect(await readBy(null, review)).toEqual(hidden)
    await as(author).reviews.edit({ id: review.id, safeUpTo: null })
    expect(await readBy(null, review)).toEqual(shown)
    expect((await as(null).reviews.byId({ id: review.id })).review).not.toHaveProperty('safeUpTo')
  })
})

describe('a comment', () => {
  async function aThread() {
    const show = await aShow()
    const { author, id, second, third } = show
    const review = await aReview(author, id, { episodeId: second })
    const commenter = await aMember(db)
    const plain = await as(commenter).reviews.addComment({ id: review.id, text: 'As far as you.' })
    const { comment: later } = await as(commenter).reviews.addComment({
      id: review.id,
      text: 'And further.',
      safeUpTo: { episodeId: third },
    })
    expect(later).toMatchObject({
      text: 'And further.',
      safeUpTo: { episodeId: third, season: 1, number: 3 },
    })
    expect(later).not.toHaveProperty('isWithheld')
    const textsFor = async (reader: Member | null, reveal?: boolean) =>
      (await as(reader).reviews.comments({ id: review.id, reveal })).comments.map((one) => one.text)
    return { ...show, review, commenter, plain: plain.comment, later, textsFor }
  }

  test('counts as its review, unless it says something of its own', async () => {
    const { id, second, third, commenter, author, textsFor, review } = await aThread()
    const reader = await aMember(db)
    expect(await textsFor(null)).toEqual(['', ''])
    expect(await textsFor(reader)).toEqual(['', ''])
    expect((await as(reader).reviews.comments({ id: review.id })).comments).toMatchObject([
      { isWithheld: true, safeUpTo: { episodeId: second, season: 1, number: 2 } },
      { isWithheld: true, safeUpTo: { episodeId: third, season: 1, number: 3 } },
    ])
    expect(await textsFor(commenter)).toEqual(['As far as you.', 'And further.'])
    // The author of the review has not watched the third episode.
    expect(await textsFor(author)).toEqual(['As far as you.', ''])
    await as(reader).progress.mark({ id, upTo: second })
    expect(await textsFor(reader)).toEqual(['As far as you.', ''])
    await as(reader).progress.mark({ id, episodeIds: [third] })
    expect(await textsFor(reader)).toEqual(['As far as you.', 'And further.'])
  })

  test('is there for a reader who wants it anyway, and only in that answer', async () => {
    const { textsFor, review } = await aThread()
    const reader = await aMember(db)
    for (const one of [reader, null]) {
      expect(await textsFor(one, true)).toEqual(['As far as you.', 'And further.'])
      expect(await textsFor(one)).toEqual(['', ''])
      const { review: revealed } = await as(one).reviews.byId({ id: review.id, reveal: true })
      expect(revealed.text).toBe(secret)
      expect(revealed).not.toHaveProperty('isWithheld')
      expect((await as(one).reviews.byId({ id: review.id })).review.text).toBe('')
    }
  })
})

describe('an episode, a page or a percentage is refused', () => {
  test('of another title, of another kind, unknown, a season, two at once and none', async () => {
    const { author, id, second } = await aShow()
    const other = await aShow()
    const season = await db
      .selectFrom('parts')
      .select('id')
      .where('media_id', '=', id)
      .where('type', '=', 'season')
      .limit(1)
      .executeTakeFirstOrThrow()
    const [book, movie, game] = [await aTitle(db, 'book'), await aTitle(db), await aTitle(db, 'game')]
    const wrong: [number, object][] = [
      [id, { episodeId: other.second }],
      [id, { episodeId: season.id }],
      [id, { episodeId: 999_999_999_999 }],
      [id, { episodeId: 1e300 }],
      [id, { episodeId: 0 }],
      [id, { page: 1 }],
      [id, { percent: 1 }],
      [id, { episodeId: second, percent: 1 }],
      [id, {}],
      [book, { episodeId: second }],
      [book, { page: 0 }],
      [book, { page: 1e9 }],
      [book, { percent: 101 }],
      [book, { percent: 1.5 }],
      [movie, { page: 1 }],
      [game, { page: 1 }],
      [game, { episodeId: second }],
    ]
    for (const [itemId, safeUpTo] of wrong) {
      const { review } = await as(author).reviews.save({ itemId, rating: 3 })
      const calls = [
        () => as(author).reviews.save({ itemId, rating: 4, text: secret, safeUpTo }),
        () => as(author).reviews.edit({ id: review.id, text: secret, safeUpTo }),
        () => as(author).reviews.addComment({ id: review.id, text: secret, safeUpTo }),
      ]
      for (const call of calls)
        await expect(call(), JSON.stringify(safeUpTo)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
      expect((await as(author).reviews.byId({ id: review.id })).review).toMatchObject({ rating: 3, text: '' })
      expect((await as(author).reviews.comments({ id: review.id })).total).toBe(0)
    }
  })
})

describe('the source', () => {
  test('takes an episode away: the text stays withheld, and is there after a later episode', async () => {
    const { author, id, second, third } = await aShow()
    const review = await aReview(author, id, { episodeId: second })
    const { comment } = await as(author).reviews.addComment({
      id: review.id,
      text: secret,
      safeUpTo: { episodeId: third },
    })
    await saveSeasons(db, id, { 1: ['2020-01-01'], 2: ['2021-01-01'] })
    const reader = await aMember(db)
    expect(await readBy(reader, review)).toEqual(hidden)
    const { seasons } = await as(reader).progress.seasons({ id })
    const { episodes } = await as(reader).progress.season({ id, number: seasons[0]!.number })
    await as(reader).progress.mark({ id, episodeIds: [episodes[0]!.id] })
    expect(await readBy(reader, review)).toEqual(hidden)
    await as(reader).progress.mark({ id, season: 2 })
    expect(await readBy(reader, review)).toEqual(shown)
    const { comments } = await as(reader).reviews.comments({ id: review.id })
    expect(comments).toMatchObject([{ id: comment.id, text: secret }])
    // Its author may send it again.
    await as(author).reviews.edit({ id: review.id, safeUpTo: { episodeId: second } })
  })

  test('has removed an episode entirely: nobody but its author and moderators reads the text', async () => {
    const { author, id, second } = await aShow()
    const review = await aReview(author, id, { episodeId: second })
    await db
      .updateTable('reviews')
      .set({ safe_episode_id: 987_654_321 })
      .where('id', '=', review.id)
      .execute()
    const reader = await aMember(db)
    await as(reader).progress.mark({ id, season: 1 })
    expect(await readBy(reader, review)).toEqual(hidden)
    expect(await readBy(null, review)).toEqual(hidden)
    expect((await as(author).reviews.byId({ id: review.id })).review).toMatchObject({
      text: secret,
      safeUpTo: { episodeId: 987_654_321 },
    })
  })
})

describe('two titles turn out to be one', () => {
  test('texts name the episode with the same numbers then, and plays of it count', async () => {
    const from = await aShow()
    const to = await aShow()
    const review = await aReview(from.author, from.id, { episodeId: from.third })
    await as(from.author).reviews.addComment({
      id: review.id,
      text: secret,
      safeUpTo: { episodeId: from.fourth },
    })
    const [early, late] = [await aMember(db), await aMember(db)]
    await as(early).progress.mark({ id: from.id, upTo: from.third })
    await as(late).progress.mark({ id: to.id, upTo: to.fourth })
    await db.transaction().execute((trx) => moveTitle(features, trx, from.id, to.id))
    const moved = { ...review, itemId: to.id }
    expect(await readBy(early, moved)).toEqual(shown)
    expect(await readBy(late, moved)).toEqual(shown)
    expect(await readBy(await aMember(db), moved)).toEqual(hidden)
    const { comments } = await as(early).reviews.comments({ id: review.id })
    expect(comments).toMatchObject([{ text: '', safeUpTo: { episodeId: to.fourth } }])
    expect((await as(late).reviews.comments({ id: review.id })).comments).toMatchObject([{ text: secret }])
    await db.transaction().execute((trx) => removeTitle(features, trx, to.id))
  })

  test('an episode that the other title lacks moves with the text', async () => {
    const from = await aShow()
    const author = await aMember(db)
    const to = await aTitle(db, 'tvShow')
    await saveSeasons(db, to, { 1: ['2020-01-01'] })
    const review = await aReview(author, from.id, { episodeId: from.third })
    const reader = await aMember(db)
    await as(reader).progress.mark({ id: from.id, upTo: from.third })
    await db.transaction().execute((trx) => moveTitle(features, trx, from.id, to))
    const moved = { ...review, itemId: to }
    expect(await readBy(reader, moved)).toEqual(shown)
    expect(await readBy(null, moved)).toEqual(hidden)
    expect((await as(null).reviews.byId({ id: review.id })).review.safeUpTo).toEqual({
      episodeId: from.third,
      season: 1,
      number: 3,
    })
  })
})

describe('other doors', () => {
  let scene: Awaited<ReturnType<typeof aShow>> & {
    review: Awaited<ReturnType<typeof aReview>>
    reader: Member
  }
  beforeAll(async () => {
    const show = await aShow()
    const reader = await aMember(db)
    await as(reader).social.follow({ userIdToFollow: show.author.id })
    scene = { ...show, reader, review: await aReview(show.author, show.id, { episodeId: show.third }) }
  })

  test('the feed, the network’s reviews and the answer to a reaction have no text', async () => {
    const { reader, id, review } = scene
    const { entries } = await as(reader).feed.following({})
    expect(entries).toMatchObject([{ id: review.id, text: '', isWithheld: true }])
    const { reviews } = await as(reader).reviews.list({ itemId: id, scope: 'network' })
    expect(reviews).toMatchObject([{ id: review.id, text: '', isWithheld: true }])
    const reacted = await as(reader).reviews.react({ id: review.id, reaction: 'like' })
    expect(reacted.review).toMatchObject({ text: '', isWithheld: true, userReaction: 'like' })
    // A token that may not read gets what visitors get, whatever its owner has watched.
    await as(reader).progress.mark({ id, upTo: scene.third })
    const writer = { ...reader, scopes: ['reviews:write'] as const }
    const again = await as(writer as never).reviews.react({ id: review.id, reaction: 'dislike' })
    expect(again.review).toMatchObject({ text: '', isWithheld: true, userReaction: 'dislike' })
    await as(reader).progress.unmark({ id, pass: 1 })
  })

  test('the preview of the own profile as a follower shows what somebody sees who has watched nothing', async () => {
    const { author, review } = scene
    const [row] = await listReviews(db, [review.id], followerOf(author.id))
    expect(row!.text).toBeNull()
  })

  test('share pictures and notifications have no text, and events of webhooks say that it is withheld', async () => {
    const { author, review, reader, fourth } = scene
    const card = await readCard(as(null), db, { subject: 'reviews', id: review.id }, english)
    expect(card.text).toBe('')
    const target = { type: 'review' as const, id: review.id }
    await notify(db, { type: 'comment', to: reader.id, by: (await aMember(db)).id, target, now })
    const { notifications } = await as(reader, { now }).notifications.list({})
    expect(notifications).toMatchObject([{ target: { ...target, text: null } }])
    const { comment } = await as(reader).reviews.addComment({
      id: review.id,
      text: secret,
      safeUpTo: { episodeId: fourth },
    })
    const event = { event: 'comment', action: 'created', thing_id: comment.id } as const
    const row = { ...event, media_id: review.itemId, actor_id: reader.id, created_at: now.toISOString() }
    const payload = JSON.parse((await payloadOf(db, features, author.id, row))!)
    expect(payload.data.comment).toMatchObject({ text: '', isWithheld: true, safeUpTo: { number: 1 } })
  })

  test('the change feed and the export have the own text, and how far its readers must be', async () => {
    const { author, review, third } = scene
    const changes = features.find((one) => one.changes?.review)!.changes!
    const [[, change]] = (await changes.review!(db, author.id, [review.id])) as [[number, { review: object }]]
    const safeUpTo = { episodeId: third, season: 1, number: 3 }
    expect(change.review).toMatchObject({ text: secret, safeUpTo })
    const parts = features.find((one) => one.export?.reviews)!.export!
    for await (const page of parts.reviews!.pages({ db, userId: author.id }))
      expect(page).toMatchObject([{ text: secret, safeUpTo }])
    const commenter = await aMember(db)
    await as(commenter).reviews.addComment({ id: review.id, text: 'Mine.' })
    for await (const page of parts.comments!.pages({ db, userId: commenter.id }))
      expect(page).toMatchObject([{ text: 'Mine.', safeUpTo: null }])
  })

  test('an edit with the tag of another `safeUpTo` is refused, and a reader’s tag changes when they get there', async () => {
    const { id, second, third } = await aShow()
    const [author, reader] = [await aSignedInMember(db), await aSignedInMember(db)]
    const url = `/reviews/${(await aReview(author, id, { episodeId: third })).id}`
    const authorization = `Bearer ${author.token}`
    const { etag } = (await app.inject({ url, headers: { authorization } })).headers
    const edit = async (ifMatch = etag as string) => {
      const headers = { authorization, 'if-match': ifMatch }
      return app.inject({ method: 'PATCH', url, headers, payload: { safeUpTo: { episodeId: second } } })
    }
    const edited = await edit()
    expect([edited.statusCode, edited.json().review.safeUpTo.number]).toEqual([200, 2])
    expect((await edit()).statusCode).toBe(412)
    const read = (headers = {}) =>
      app.inject({ url, headers: { authorization: `Bearer ${reader.token}`, ...headers } })
    const before = await read()
    const again = { 'if-none-match': before.headers.etag as string }
    expect((await read(again)).statusCode).toBe(304)
    await as(reader).progress.mark({ id, upTo: second })
    const after = await read(again)
    expect([before.json().review.text, after.json().review.text]).toEqual(['', secret])
    expect(after.headers['cache-control']).toMatch(/private|no-store|no-cache/)
  })

  test('undoing a change brings back whom the text was withheld from', async () => {
    const { author, id, third } = await aShow()
    const review = await aReview(author, id, { episodeId: third })
    const { snapshot } = await as(author).reviews.snapshot({ itemId: id })
    await as(author).reviews.edit({ id: review.id, safeUpTo: null })
    await as(author).reviews.restore(snapshot!)
    expect(await readBy(null, review)).toEqual(hidden)
  })
})
