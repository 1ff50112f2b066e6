import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { toStars } from '#shared/domain/ratings.ts'
import { seeded } from '#scripts/testing/random.ts'
import { aServer, aSignedInMember, aTitle, anUpload, findCounterFaults } from '#server/testing.ts'
import { openModeration } from './work.ts'
import { type DecisionAction, isPossible } from '#shared/domain/moderation.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const { db, as, services } = server
const start = Date.parse('2026-05-04T12:00:00.000Z')
const hour = 60 * 60_000

async function runTasks(now: Date) {
  const log = { info() {}, warn() {}, error: (fields: object) => expect(fields).toBeUndefined() }
  const queue = openModeration({ live: services.live }, { db, log, now: () => now, pollMs: 0 })
  await queue.runDue()
  await queue.close()
}

/** What decisions may change, row by row. */
async function dump() {
  const rows = async (query: string) => (await sql.raw<object>(query).execute(db)).rows
  return {
    reviews: await rows('select * from reviews order by id'),
    comments: await rows('select * from comments order by id'),
    reactions: await rows('select * from reactions order by review_id, user_id'),
    media: await rows('select * from media order by id'),
    users: await rows('select id, standing, review_count, picture from users order by id'),
    lists: await rows('select * from lists order by id'),
    pictures: await rows('select * from removed_pictures'),
    ratings: await rows('select * from rating_counts order by media_id, days, start'),
    removed: await rows('select * from removed_reviews'),
    rows: await rows('select * from removed_rows'),
  }
}

type Made = {
  id: number
  action: DecisionAction
  type: 'review' | 'comment' | 'user' | 'list'
  target: number
  user: number
  at: number
  until: number
  since: number
  keepsRating: boolean
  isUndone: boolean
}

/** `npm run test:full` makes a thousand decisions, which takes minutes. */
const runs =
  import.meta.env.MODE === 'full'
    ? [{ seed: 4, decisions: 1_000 }]
    : [1, 2, 3].map((seed) => ({ seed, decisions: 30 }))

test.each(runs)(
  'random decisions, undone, expired and repeated, leave what an independent count expects, and nothing when all are undone ($decisions)',
  async ({ seed, decisions }) => {
    const random = seeded(seed)
    const below = (limit: number) => Math.floor(random() * limit)
    const pick = <T>(list: readonly T[]) => list[below(list.length)]!
    const moderator = { ...(await aSignedInMember(db)), role: 'moderator' as const }
    await db.updateTable('users').set({ role: 'moderator' }).where('id', '=', moderator.id).execute()
    const members = await Promise.all(Array.from({ length: 4 }, () => aSignedInMember(db)))
    const titles = await Promise.all(Array.from({ length: 3 }, () => aTitle(db)))
    const reviews: { id: number; user: number; title: number; rating: number; at: number }[] = []
    const comments: { id: number; user: number; review: number; at: number }[] = []
    for (const member of members)
      for (const title of titles) {
        const at = start - below(200) * hour
        const rating = 1 + below(9) / 2
        const text = random() < 0.8 ? `Text of ${member.id} about ${title}.` : ''
        const call = as(member, { now: new Date(at) }).reviews
        const { review } = await call.save({ movieId: title, rating, text, hasSpoilers: random() < 0.3 })
        reviews.push({ id: review.id, user: member.id, title, rating, at })
      }
    for (let count = 0; count < 20; count++) {
      const [member, review, at] = [pick(members), pick(reviews), start - below(100) * hour]
      const call = as(member, { now: new Date(at) }).reviews
      await call.react({ id: review.id, reaction: pick(['like', 'dislike']) })
      const { comment } = await call.addComment({
        id: review.id,
        text: `Remark ${count}.`,
        hasSpoilers: false,
      })
      comments.push({ id: comment.id, user: member.id, review: review.id, at })
    }
    const lists: { id: number; user: number; at: number }[] = []
    const pictures: { path: string; user: number; title: number | null; at: number }[] = []
    for (const member of members) {
      for (const title of ['Good ones', 'Bad ones']) {
        const at = start - below(200) * hour
        const call = as(member, { now: new Date(at) }).lists
        const { list } = await call.create({ title, visibility: 'public' })
        lists.push({ id: list.id, user: member.id, at })
      }
      for (const title of [null, await aTitle(db)]) {
        const at = start - below(200) * hour
        const path = await anUpload(db, { ownerId: member.id, at: new Date(at) })
        pictures.push({ path, user: member.id, title, at })
        const shown = title === null ? 'users' : 'media'
        await db
          .updateTable(shown)
          .set({ [shown === 'users' ? 'picture' : 'image']: path } as object)
          .where('id', '=', title ?? member.id)
          .execute()
      }
    }
    const before = await dump()
    const made: Made[] = []
    let now = start

    async function decide() {
      const targets = {
        review: reviews,
        comment: comments,
        list: lists,
        user: members.map(({ id }) => ({ id, user: id })),
      }
      const type = pick(['review', 'review', 'comment', 'comment', 'user', 'list'] as const)
      const target = pick<{ id: number; user: number }>(targets[type])
      const actions: DecisionAction[] = ['warn', 'freeze', 'suspend', 'removeAll', 'dismiss']
      for (const action of ['remove', 'remove', 'remove', 'markSpoiler', 'markSpoiler'] as const)
        if (isPossible(action, type)) actions.push(action)
      const action = pick(actions)
      const isRestriction = ['freeze', 'suspend', 'removeAll'].includes(action)
      const until =
        isRestriction && (action === 'freeze' || random() < 0.7) ? now + below(30) * hour + 1 : Infinity
      const days = action === 'removeAll' && random() < 0.5 ? 1 + below(5) : undefined
      const keepsRating = random() < 0.5
      const call = as(moderator, { now: new Date(now) }).moderation
      // The comments of a review that was removed with its rating do not exist until it is restored, so they have no cases.
      const opened = await call.open({ target: { type, id: target.id } }).catch(() => undefined)
      if (!opened) return
      const { decisionId } = await call.decide({
        id: opened.case.id,
        action,
        keepsRating,
        ...(until < Infinity && { until: new Date(until).toISOString() }),
        ...(days !== undefined && { days }),
      })
      made.push({
        id: decisionId,
        action,
        type,
        target: target.id,
        user: target.user,
        at: now,
        until,
        since: days === undefined ? 0 : now - days * 24 * hour,
        keepsRating,
        isUndone: false,
      })
    }

    async function undo(one: Made) {
      const call = as(moderator, { now: new Date(now) }).moderation
      const isOver = one.until <= now && (one.action === 'freeze' || one.action === 'suspend')
      await call.undo({ id: one.id }).then(
        () => (one.isUndone = true),
        (error: { code?: string }) => expect([error.code, isOver]).toEqual(['CONFLICT', true]),
      )
    }

    async function expectCounted() {
      const lasting = made.filter((one) => !one.isUndone)
      const isSuspended = (user: number) =>
        lasting.some(
          (one) => one.user === user && one.until > now && ['suspend', 'removeAll'].includes(one.action),
        )
      const removalsOf = (type: string, id: number, user: number, at: number) =>
        lasting.filter(
          (one) =>
            (one.action === 'remove' && one.type === type && one.target === id) ||
            (one.action === 'removeAll' && one.user === user && at >= one.since && at <= one.at),
        )
      for (const { id, user, title, rating, at } of reviews) {
        const removals = removalsOf('review', id, user, at)
        const row = await db.selectFrom('reviews').selectAll().where('id', '=', id).executeTakeFirst()
        const isGone = removals.some((one) => !one.keepsRating)
        expect(row === undefined, `review ${id} is gone`).toBe(isGone)
        if (!row) continue
        expect([row.media_id, toStars(row.rating)]).toEqual([title, rating])
        const isHidden = removals.length > 0 || isSuspended(user)
        expect(row.removed_text !== null, `review ${id} is hidden`).toBe(isHidden)
        if (isHidden) expect(row.text).toBe('')
        const isMarked = lasting.some(
          (one) => one.action === 'markSpoiler' && one.target === id && one.type === 'review',
        )
        expect(row.own_has_spoilers !== null).toBe(isMarked)
        const shown = comments.filter(
          (one) =>
            one.review === id &&
            removalsOf('comment', one.id, one.user, one.at).length === 0 &&
            !isSuspended(one.user),
        )
        expect(row.comment_count).toBe(shown.length)
      }
      for (const { id, user, at } of lists) {
        const row = await db.selectFrom('lists').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
        const isHidden = isSuspended(user) || removalsOf('list', id, user, at).length > 0
        expect(row.removed_at !== null, `list ${id} is hidden`).toBe(isHidden)
      }
      for (const { path, user, title, at } of pictures) {
        const shown =
          title === null
            ? db.selectFrom('users').select('id').where('id', '=', user).where('picture', '=', path)
            : db.selectFrom('media').select('id').where('id', '=', title).where('image', '=', path)
        const isGone = removalsOf('picture', 0, user, at).length > 0
        expect((await shown.executeTakeFirst()) === undefined, `picture ${path} is gone`).toBe(isGone)
      }
      expect(await findCounterFaults(db)).toEqual([])
    }

    const longestPause = Math.min(10, 1_500 / decisions) * hour
    for (let step = 0; made.length < decisions; step++) {
      const kind = random()
      if (kind < 0.55) await decide()
      else if (kind < 0.8 && made.length > 0) await undo(pick(made))
      // After 30 days, what was removed is destroyed.
      else if (now < start + 27 * 24 * hour) now += (below(10_000) / 10_000) * longestPause
      await runTasks(new Date(now))
      if (step % 5 === 4) await expectCounted()
    }
    for (const one of made.toSorted(() => random() - 0.5)) await undo(one)
    await runTasks(new Date(now))
    for (const { until } of made.filter((one) => !one.isUndone)) expect(until).toBeLessThanOrEqual(now)
    expect(await dump()).toEqual(before)
  },
  1_200_000,
)
