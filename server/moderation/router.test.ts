import { beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { aMember, aServer, aSignedInMember, aTitle, mailsTo, findCounterFaults } from '#server/testing.ts'
import type { Member } from '#server/calls/context.ts'
import { messages } from '#shared/texts/messages.ts'
import type { Role } from '#shared/domain/roles.ts'
import { openModeration } from './work.ts'
import type { DecisionAction, ReportTarget } from '#shared/domain/moderation.ts'

const server = await aServer()
const { db, as, services } = server
const start = new Date('2026-05-04T12:00:00.000Z')
const day = 24 * 60 * 60_000
const later = (days: number) => new Date(start.getTime() + days * day)

async function withRole(role: Role): Promise<Member> {
  const member = await aSignedInMember(db)
  await db.updateTable('users').set({ role }).where('id', '=', member.id).execute()
  return { ...member, role }
}
const [moderator, other, admin] = [
  await withRole('moderator'),
  await withRole('moderator'),
  await withRole('admin'),
]

/** Runs the tasks that are due at a time. */
async function runTasks(now: Date) {
  const log = { info() {}, warn() {}, error: (fields: object) => expect(fields).toBeUndefined() }
  const queue = openModeration({ live: services.live }, { db, log, now: () => now, pollMs: 0 })
  await queue.runDue()
  await queue.close()
}

async function open(type: ReportTarget, id: number, by = moderator) {
  return (await as(by, { now: start }).moderation.open({ target: { type, id } })).case
}
async function decide(
  type: ReportTarget,
  id: number,
  action: DecisionAction,
  more: object = {},
  { by = moderator, now = start } = {},
) {
  const { id: caseId } = (await as(by, { now }).moderation.open({ target: { type, id } })).case
  const decided = await as(by, { now }).moderation.decide({ id: caseId, action, reason: 'Why.', ...more })
  return decided.decisionId
}
const undo = (id: number, now = start, by = moderator) => as(by, { now }).moderation.undo({ id })

let [author, reader, movieId] = [moderator, moderator, 0]
beforeEach(async () => {
  author = await aSignedInMember(db)
  reader = await aSignedInMember(db)
  movieId = await aTitle(db)
})
const write = async (text = 'Buy my things.', by = author) =>
  (await as(by, { now: start }).reviews.save({ movieId, rating: 2, text })).review
const comment = async (reviewId: number, by = author) =>
  (await as(by, { now: start }).reviews.addComment({ id: reviewId, text: 'Rude.', hasSpoilers: false }))
    .comment
const listed = async (viewer: Member | null = null) =>
  (await as(viewer).reviews.list({ movieId })).reviews.map(({ text }) => text)

describe('a report', () => {
  const report = (type: ReportTarget, id: number, by = reader, now = start) =>
    as(by, { now }).moderation.report({ target: { type, id }, category: 'spam', comment: 'See.' })

  test('is possible about what the caller may read, so that it tells nobody what exists', async () => {
    const recluse = await aSignedInMember(db)
    const { review: ofRecluse } = await as(recluse).reviews.save({ movieId, rating: 1, text: 'For few.' })
    const listOf = async (visibility: 'private' | 'followers' | 'link' | 'public', by = author) =>
      (await as(by).lists.create({ title: visibility, visibility })).list
    const link = await listOf('link')
    const key = new URL(link.link!, 'https://medley.example').searchParams.get('key')!
    const review = await write()
    const onOwn = await as(reader).reviews.save({ movieId, rating: 3, text: 'Mine.' })
    const reply = await comment(onOwn.review.id, recluse)
    const elsewhere = await comment(review.id, recluse)
    await as(recluse).privacy.change({ isPrivate: true })
    const status = async (type: ReportTarget, id: number, key?: string) =>
      as(await aMember(db))
        .moderation.report({ target: { type, id }, key, category: 'spam' })
        .then(
          () => 'accepted',
          ({ code }: { code: string }) => code,
        )
    expect(await status('review', review.id)).toBe('accepted')
    expect(await status('review', ofRecluse.id)).toBe('NOT_FOUND')
    expect(await status('comment', elsewhere.id)).toBe('NOT_FOUND')
    expect(await status('user', recluse.id)).toBe('accepted')
    for (const visibility of ['private', 'followers'] as const)
      expect(await status('list', (await listOf(visibility)).id), visibility).toBe('NOT_FOUND')
    expect(await status('list', link.id)).toBe('NOT_FOUND')
    expect(await status('list', link.id, 'another')).toBe('NOT_FOUND')
    expect(await status('list', link.id, key)).toBe('accepted')
    // After a block, what the caller knows: a comment on an own review, and what visitors read.
    await as(author).privacy.block({ id: reader.id })
    await as(recluse).privacy.block({ id: reader.id })
    await report('comment', reply.id)
    await expect(report('comment', elsewhere.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(report('review', ofRecluse.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const host = await withRole('admin')
    await as(host).site.change({ visitorsMayRead: false })
    await expect(report('review', review.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await as(host).site.change({ visitorsMayRead: true })
    await report('review', review.id)
    await db.updateTable('users').set({ role: 'member' }).where('id', '=', host.id).execute()
  })

  test('about the same target joins one case, which keeps what the target was', async () => {
    const review = await write()
    await report('review', review.id)
    await report('review', review.id, other)
    await as(author).reviews.edit({ id: review.id, text: 'All is well.' })
    const { cases } = await as(moderator).moderation.list({ state: 'open', limit: 100 })
    const mine = cases.filter(({ target }) => target.type === 'review' && target.id === review.id)
    expect(mine).toMatchObject([
      {
        reportCount: 2,
        categories: ['spam'],
        snapshot: { text: 'Buy my things.', rating: 2, title: { id: movieId } },
        member: { id: author.id },
      },
    ])
    const found = await as(moderator).moderation.byId({ id: mine[0]!.id })
    expect(found.case.current).toEqual({ text: 'All is well.', hasSpoilers: false, isRemoved: false })
    expect(found.case.reports.map(({ reporter }) => reporter?.id)).toEqual([reader.id, other.id])
  })

  test('is made once per target, not about oneself, and at most 20 times a day', async () => {
    const review = await write()
    await report('review', review.id)
    await expect(report('review', review.id)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(report('review', review.id, author)).rejects.toMatchObject({ message: messages.reportSelf })
    await expect(report('user', reader.id)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(report('comment', 999_999)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    for (let count = 1; count < 20; count++) await report('user', (await aMember(db)).id)
    await expect(report('user', author.id)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    await report('user', author.id, reader, later(1.1))
  })

  test('of ten members at once about one target makes one case', async () => {
    const review = await write()
    const members = await Promise.all(Array.from({ length: 10 }, () => aSignedInMember(db)))
    await Promise.all(members.map((member) => report('review', review.id, member)))
    const { case: found } = await as(moderator).moderation.open({ target: { type: 'review', id: review.id } })
    expect(found.reportCount).toBe(10)
  })

  test('ends with an email to its author, which mentions a removal only if content was removed', async () => {
    for (const [action, outcome, text] of [
      ['warn', 'handled', 'has looked at it.'],
      ['remove', 'removed', 'removed what you reported'],
    ] as const) {
      const [review, reporter] = [await write(), await aSignedInMember(db)]
      await report('review', review.id, reporter)
      await decide('review', review.id, action)
      const { reports } = await as(reporter).moderation.myReports({})
      expect(reports).toMatchObject([{ outcome, closedAt: start.toISOString() }])
      await runTasks(later(0.1))
      const [mail] = await mailsTo(db, `${reporter.username}@example.org`)
      expect(mail!.text).toContain(text)
      await as(author).reviews.remove({ id: review.id })
    }
  })
})

describe('a removed review', () => {
  test('is hidden from everybody but its author, and its rating still counts', async () => {
    const review = await write()
    await comment(review.id, reader)
    const id = await decide('review', review.id, 'remove')
    expect(await listed()).toEqual([])
    expect(await listed(reader)).toEqual([])
    for (const viewer of [null, reader, moderator])
      await expect(as(viewer).reviews.byId({ id: review.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(as(null).reviews.comments({ id: review.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(comment(review.id, reader)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(as(reader).reviews.react({ id: review.id, reaction: 'like' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const { reviews } = await as(null).reviews.ofUser({ id: author.id })
    expect(reviews).toEqual([])
    expect((await as(null).movies.ratingHistogram({ id: movieId })).total).toBe(1)

    const own = await as(author).reviews.mine({ movieId })
    expect(own.review).toMatchObject({ text: 'Buy my things.', isRemoved: true })
    for (const call of [
      () => as(author).reviews.edit({ id: review.id, text: 'Again!' }),
      () => as(author).reviews.save({ movieId, rating: 5 }),
    ])
      await expect(call()).rejects.toMatchObject({ reason: 'CONTENT_REMOVED' })
    const { decision } = await as(author, { now: start }).moderation.myDecision({ id })
    expect(decision).toMatchObject({ action: 'remove', reason: 'Why.', content: 'Buy my things.' })
    expect(await findCounterFaults(db)).toEqual([])
  })

  test('is reported as deleted to clients that keep a copy', async () => {
    const review = await write()
    const { nextCursor } = await as(author).changes.list({})
    const id = await decide('review', review.id, 'remove')
    const last = async () => (await as(author).changes.list({ since: nextCursor })).changes.at(-1)
    await expect.poll(last).toMatchObject({ area: 'review', action: 'deleted', id: review.id })
    await undo(id)
    await expect.poll(last).toMatchObject({ action: 'updated', review: { text: 'Buy my things.' } })
  })

  test('can lose its rating too, and the undo restores both, with its comments, reactions and place', async () => {
    const first = await write('First.', reader)
    const review = await write()
    const { id: commentId } = await comment(review.id, reader)
    await as(reader).reviews.react({ id: review.id, reaction: 'like' })
    const read = async () => ({
      list: await as(reader).reviews.list({ movieId }),
      comments: await as(null).reviews.comments({ id: review.id }),
      histogram: await as(null).movies.ratingHistogram({ id: movieId }),
      library: await as(null).reviews.ofUser({ id: author.id }),
    })
    const before = await read()
    const id = await decide('review', review.id, 'remove', { keepsRating: false })
    expect((await as(null).movies.ratingHistogram({ id: movieId })).counts['2']).toBe(1)
    await expect(as(author).reviews.mine({ movieId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(as(author).reviews.save({ movieId, rating: 5 })).rejects.toMatchObject({
      reason: 'CONTENT_REMOVED',
    })
    expect(await findCounterFaults(db)).toEqual([])
    await undo(id)
    expect(await read()).toEqual(before)
    expect(before.comments.comments[0]!.id).toBe(commentId)
    expect(first.id).toBeLessThan(review.id)
    expect(await findCounterFaults(db)).toEqual([])
  })

  test('is destroyed after 30 days, unless an appeal waits', async () => {
    const review = await write()
    const { id: caseId } = await open('review', review.id)
    const id = await decide('review', review.id, 'remove')
    await as(author, { now: later(29) }).moderation.appeal({ id, text: 'Please.' })
    await runTasks(later(31))
    expect((await as(author).reviews.mine({ movieId })).review.text).toBe('Buy my things.')
    await as(other, { now: later(31) }).moderation.answer({ id, accepts: false, answer: 'No.' })
    await runTasks(later(33))
    const { review: left } = await as(author).reviews.mine({ movieId })
    expect(left).toMatchObject({ text: '', rating: 2 })
    const { case: found } = await as(other).moderation.byId({ id: caseId })
    expect(found).toMatchObject({ snapshot: { text: '' }, member: { id: author.id } })
    expect((await as(author).moderation.myDecision({ id })).decision.content).toBe('')
    expect(left).not.toHaveProperty('isRemoved')
    await expect(undo(id, later(33))).rejects.toMatchObject({ code: 'CONFLICT' })
    await as(author).reviews.edit({ id: review.id, text: 'A new one.' })
    expect(await listed()).toEqual(['A new one.'])
  })
})

test('a removed comment is neither listed nor counted, and returns to its place', async () => {
  const review = await write('A review.', reader)
  const [first, second] = [await comment(review.id), await comment(review.id, other)]
  const id = await decide('comment', first.id, 'remove')
  const ids = async () => {
    const { comments, total } = await as(null).reviews.comments({ id: review.id })
    return [total, ...comments.map((one) => one.id)]
  }
  expect(await ids()).toEqual([1, second.id])
  await expect(as(author).reviews.removeComment({ id: first.id })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await undo(id)
  expect(await ids()).toEqual([2, first.id, second.id])
  const again = await decide('comment', first.id, 'remove')
  await runTasks(later(31))
  await expect(undo(again, later(31))).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await ids()).toEqual([1, second.id])
  expect(await findCounterFaults(db)).toEqual([])
})

test('a text that was marked as a spoiler stays marked, whatever its author says, until the undo', async () => {
  const review = await write()
  const id = await decide('review', review.id, 'markSpoiler')
  await as(author).reviews.edit({ id: review.id, text: 'Other words.', hasSpoilers: false })
  expect((await as(null).reviews.byId({ id: review.id })).review).toMatchObject({
    text: 'Other words.',
    hasSpoilers: true,
  })
  await undo(id)
  expect((await as(null).reviews.byId({ id: review.id })).review.hasSpoilers).toBe(false)
})

test('the email about a decision that ends says when', async () => {
  await decide('user', author.id, 'freeze', { until: later(3).toISOString() })
  const [mail] = await mailsTo(db, `${author.username}@example.org`)
  expect(mail!.text).toContain('This ends on 7 May 2026.')
})

test('a frozen member reads, exports and appeals, but writes nothing until the freeze ends', async () => {
  const id = await decide('user', author.id, 'freeze', { until: later(2).toISOString() })
  const frozen = { ...author, standing: 'frozen' as const }
  expect((await as(author).accounts.me()).user).toMatchObject({ standing: 'frozen' })
  await expect(as(frozen).reviews.save({ movieId, rating: 2 })).rejects.toMatchObject({
    reason: 'ACCOUNT_FROZEN',
  })
  await as(frozen).reviews.ofMe({})
  await as(frozen, { now: start }).moderation.appeal({ id, text: 'Why?' })
  await runTasks(later(2.1))
  expect((await as(author).accounts.me()).user).not.toHaveProperty('standing')
})

describe('a suspended member', () => {
  const suspended = () => ({ ...author, standing: 'suspended' as const })

  test('is hidden at once with all that they wrote, which returns in its place', async () => {
    const review = await write()
    const theirs = await write('Fine.', reader)
    const remark = await comment(theirs.id)
    await as(reader).social.follow({ userIdToFollow: author.id })
    const read = async () => ({
      list: await as(reader).reviews.list({ movieId }),
      comments: await as(null).reviews.comments({ id: theirs.id }),
      profile: await as(null).accounts.profile({ id: author.id }),
      feed: await as(reader).feed.following({ limit: 3 }),
      found: await as(null).social.searchUsers({ q: author.username, limit: 5 }),
      raters: await as(reader).movies.networkRaters({ id: movieId }),
      following: (await as(null).social.following({ id: reader.id })).users,
    })
    const before = await read()
    const id = await decide('user', author.id, 'suspend')
    for (const isDone of [false, true]) {
      if (isDone) await runTasks(start)
      expect(await listed(reader)).toEqual(['Fine.'])
      expect((await as(null).reviews.comments({ id: theirs.id })).comments).toEqual([])
      for (const call of [
        () => as(reader).accounts.profile({ id: author.id }),
        () => as(reader).reviews.byId({ id: review.id }),
        () => as(reader).reviews.ofUser({ id: author.id }),
        () => as(reader).favoriteMovies.list({ id: author.id }),
        () => as(reader).diary.ofUser({ id: author.id }),
        () => as(reader).social.followers({ id: author.id }),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' })
      expect((await as(reader).feed.following({ limit: 3 })).entries).toEqual([])
      expect((await as(null).social.searchUsers({ q: author.username })).results).toEqual([])
      expect((await as(reader).movies.networkRaters({ id: movieId })).raters).toEqual([])
      expect((await as(null).social.following({ id: reader.id })).users).toEqual([])
    }
    expect((await as(null).reviews.list({ movieId })).pagination.total).toBe(1)
    expect((await as(null).reviews.comments({ id: theirs.id })).total).toBe(0)
    expect(await findCounterFaults(db)).toEqual([])
    await undo(id)
    await runTasks(start)
    expect(await read()).toEqual(before)
    expect(remark.id).toBe(before.comments.comments[0]!.id)
    expect(await findCounterFaults(db)).toEqual([])
  })

  test('has no session, token, stream or webhook left, and can read the decision, appeal and leave after a new login', async () => {
    await as(author).webhooks.create({ url: 'https://example.org/hook', events: ['review'] })
    const stream = (await as(author).notifications.live())[Symbol.asyncIterator]()
    expect(await stream.next()).toMatchObject({ value: { unreadCount: 0 } })
    const id = await decide('user', author.id, 'suspend')
    expect((await stream.next()).done).toBe(true)
    const sessions = await db.selectFrom('sessions').selectAll().where('user_id', '=', author.id).execute()
    expect(sessions).toEqual([])
    const webhook = db.selectFrom('webhooks').select('disabled_at').where('user_id', '=', author.id)
    expect(await webhook.execute()).toEqual([{ disabled_at: start.toISOString() }])
    for (const call of [
      () => as(suspended()).reviews.ofMe({}),
      () => as(suspended()).reviews.save({ movieId, rating: 3 }),
      () => as(suspended()).accounts.updateProfile({ username: 'another.name' }),
    ])
      await expect(call()).rejects.toMatchObject({ reason: 'ACCOUNT_SUSPENDED' })
    const call = as(suspended(), { now: start })
    expect((await call.moderation.myDecision({ id })).decision.action).toBe('suspend')
    expect((await call.moderation.appeal({ id, text: 'Why?' })).decision.appeal?.text).toBe('Why?')
    await call.accounts.deletion()
    await as(other, { now: start }).moderation.answer({ id, accepts: true, answer: 'Sorry.' })
    expect(await webhook.execute()).toEqual([{ disabled_at: null }])
  })
})

test('removeAll takes what was written in the last days, and a suspension that ends leaves it removed', async () => {
  const old = await write('Old.')
  const newMovie = await aTitle(db)
  await as(author, { now: later(10) }).reviews.save({ movieId: newMovie, rating: 1, text: 'New.' })
  const now = later(11)
  const more = { days: 3, until: later(12).toISOString(), keepsRating: false }
  const id = await decide('user', author.id, 'removeAll', more, { now })
  await runTasks(now)
  expect(await listed()).toEqual([])
  expect((await as(null).movies.ratingHistogram({ id: newMovie })).total).toBe(0)
  await runTasks(later(12.5))
  expect(await listed()).toEqual(['Old.'])
  expect((await as(null).reviews.list({ movieId: newMovie })).reviews).toEqual([])
  await undo(id, later(13))
  await runTasks(later(13))
  const { reviews } = await as(null).reviews.list({ movieId: newMovie })
  expect(reviews.map(({ text }) => text)).toEqual(['New.'])
  expect(old.text).toBe('Old.')
  expect(await findCounterFaults(db)).toEqual([])
})

describe('a decision', () => {
  test('about a moderator or an admin is made by an admin, and none about oneself', async () => {
    const decisions: [Member, Member, boolean][] = [
      [moderator, other, false],
      [moderator, admin, false],
      [moderator, moderator, false],
      [admin, admin, false],
      [admin, other, true],
    ]
    const opener = await withRole('admin')
    for (const [by, subject, isAllowed] of decisions) {
      const found = await open('user', subject.id, opener)
      const call = as(by, { now: start }).moderation.decide({ id: found.id, action: 'warn', reason: 'Why.' })
      if (isAllowed) await call
      else await expect(call).rejects.toMatchObject({ code: 'FORBIDDEN' })
    }
    await db.updateTable('users').set({ role: 'member' }).where('id', '=', opener.id).execute()
  })

  test('needs a possible action, an end in the future, and an open case', async () => {
    const review = await write()
    const found = await open('review', review.id)
    const user = await open('user', author.id)
    const call = as(moderator, { now: start }).moderation
    for (const [id, more] of [
      [user.id, { action: 'remove' }],
      [user.id, { action: 'markSpoiler' }],
      [found.id, { action: 'freeze' }],
      [found.id, { action: 'suspend', until: later(-1).toISOString() }],
      [found.id, { action: 'remove', until: later(1).toISOString() }],
    ] as const)
      await expect(call.decide({ id, ...more }), JSON.stringify(more)).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      })
    await call.decide({ id: found.id, action: 'dismiss' })
    await expect(call.decide({ id: found.id, action: 'remove' })).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('of two moderators at once about one case is made once', async () => {
    const found = await open('review', (await write()).id)
    const results = await Promise.allSettled(
      [moderator, other].map((by) =>
        as(by, { now: start }).moderation.decide({ id: found.id, action: 'remove' }),
      ),
    )
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const { case: decided } = await as(moderator).moderation.byId({ id: found.id })
    expect(decided.decisions).toHaveLength(1)
  })

  test('is mailed without the words of strangers, and a warning waits to be confirmed', async () => {
    const review = await write('Click evil.example')
    const id = await decide('review', review.id, 'warn', { reason: 'You wrote: click evil.example' })
    const [mail] = await mailsTo(db, `${author.username}@example.org`)
    expect(mail!.text).toContain(`/decisions/${id}`)
    expect(mail!.subject + mail!.text).not.toContain('evil')
    for (const part of [mail!.subject, mail!.text]) expect(part).toContain('Medley')
    const needs = async () => (await as(author).moderation.myDecision({ id })).decision.needsConfirmation
    expect(await needs()).toBe(true)
    await as(author).moderation.confirm({ id })
    expect(await needs()).toBe(false)
  })

  test('that is undone at once reopens its case and notifies no reporter', async () => {
    const review = await write()
    await as(reader, { now: start }).moderation.report({
      target: { type: 'review', id: review.id },
      category: 'other',
    })
    const id = await decide('review', review.id, 'dismiss')
    const { case: again } = await undo(id)
    expect(again.state).toBe('open')
    await runTasks(later(1))
    expect(await mailsTo(db, `${reader.username}@example.org`)).toEqual([])
    expect((await as(reader).moderation.myReports({})).reports[0]!.outcome).toBeNull()
  })
})

test('an appeal is made once, within 30 days, and answered by somebody else', async () => {
  const review = await write()
  const id = await decide('review', review.id, 'remove')
  const call = as(author, { now: later(30.1) }).moderation
  await expect(call.appeal({ id, text: 'Too late.' })).rejects.toMatchObject({ code: 'CONFLICT' })
  await as(author, { now: later(1) }).moderation.appeal({ id, text: 'Why?' })
  await expect(as(author, { now: later(1) }).moderation.appeal({ id, text: 'Why?' })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  const { cases } = await as(other).moderation.list({ state: 'appealed', limit: 100 })
  expect(cases.map(({ target }) => target.id)).toContain(review.id)
  const answer = { id, accepts: true, answer: 'You are right.' }
  await expect(as(moderator, { now: later(2) }).moderation.answer(answer)).rejects.toMatchObject({
    message: messages.appealOwnDecision,
  })
  await as(other, { now: later(2) }).moderation.answer(answer)
  expect(await listed()).toEqual(['Buy my things.'])
  const { decision } = await as(author).moderation.myDecision({ id })
  expect(decision.appeal).toMatchObject({ answer: 'You are right.', isAccepted: true })
  await expect(as(other).moderation.answer(answer)).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('an appeal of a moderator is answered by the admin who decided, if no other admin can', async () => {
  const id = await decide('user', other.id, 'warn', {}, { by: admin })
  await as(other, { now: start }).moderation.appeal({ id, text: 'Why?' })
  const answer = { id, accepts: false, answer: 'So.' }
  await expect(as(moderator, { now: start }).moderation.answer(answer)).rejects.toMatchObject({
    code: 'FORBIDDEN',
  })
  const second = await withRole('admin')
  await expect(as(admin, { now: start }).moderation.answer(answer)).rejects.toMatchObject({
    message: messages.appealOwnDecision,
  })
  await db.updateTable('users').set({ role: 'member' }).where('id', '=', second.id).execute()
  await as(admin, { now: start }).moderation.answer(answer)
})

test('cases are listed by category and by whom they are assigned to', async () => {
  const review = await write()
  await as(reader, { now: start }).moderation.report({
    target: { type: 'review', id: review.id },
    category: 'illegal',
  })
  const { id } = await open('review', review.id)
  await as(moderator).moderation.assign({ id, userId: other.id })
  const ids = async (filter: object) =>
    (await as(moderator).moderation.list({ ...filter, limit: 100 })).cases.map((one) => one.id)
  expect(await ids({ category: 'illegal' })).toEqual([id])
  expect(await ids({ category: 'harassment' })).toEqual([])
  expect(await ids({ assignee: other.id })).toEqual([id])
  expect(await ids({ assignee: admin.id })).toEqual([])
  expect(await ids({ assignee: other.id, state: 'closed' })).toEqual([])
  await expect(as(moderator).moderation.assign({ id, userId: reader.id })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
})

test('a removed title is nowhere, and returns with its ratings', async () => {
  await db.updateTable('media').set({ created_by: author.id }).where('id', '=', movieId).execute()
  const review = await write('Mine.', reader)
  const id = await decide('title', movieId, 'remove')
  for (const viewer of [null, author, reader])
    for (const read of [as(viewer).reviews.byId, as(viewer).reviews.comments])
      await expect(read({ id: review.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(as(reader).movies.byId({ id: movieId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(as(null).items.byId({ id: movieId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(as(null).reviews.list({ movieId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await as(null).reviews.ofUser({ id: reader.id })).reviews).toEqual([])
  await undo(id)
  expect(await listed()).toEqual(['Mine.'])
  expect(await as(null).reviews.byId({ id: review.id })).toMatchObject({ review: { text: 'Mine.' } })
  await decide('title', movieId, 'remove')
  await runTasks(later(31))
  const { name, image } = await db
    .selectFrom('media')
    .select(['name', 'image'])
    .where('id', '=', movieId)
    .executeTakeFirstOrThrow()
  expect([name, image]).toEqual(['', null])
  expect(await findCounterFaults(db)).toEqual([])
})

test('a decision keeps the texts of the broken rules', async () => {
  const rules = [
    { id: 'kind', text: 'Be kind.' },
    { id: 'ads', text: 'No advertisements.' },
  ]
  await db
    .insertInto('settings')
    .values({ key: 'rules', value: JSON.stringify(rules), version: 1, updated_at: start.toISOString() })
    .execute()
  const id = await decide('review', (await write()).id, 'warn', { ruleIds: ['ads', 'gone'] })
  await db.deleteFrom('settings').execute()
  expect((await as(author).moderation.myDecision({ id })).decision.rules).toEqual(['No advertisements.'])
  const [mail] = await mailsTo(db, `${author.username}@example.org`)
  expect(mail!.text).toContain('No advertisements.')
})

test('a moderator corrects a title of a member, not one of a source, and the audit log has what changed', async () => {
  await db.updateTable('media').set({ created_by: author.id }).where('id', '=', movieId).execute()
  const call = as(moderator, { now: start }).moderation
  const { title } = await call.correctTitle({
    id: movieId,
    name: 'The Corrected Name',
    releaseYear: 1994,
    overview: 'Better.',
    reason: 'A typo.',
  })
  expect(title).toMatchObject({ name: 'The Corrected Name', releaseYear: 1994, creator: { id: author.id } })
  expect((await call.titles({ limit: 100 })).titles).toContainEqual(title)
  expect((await as(null).movies.search({ q: 'corrected' })).results).toMatchObject([{ id: movieId }])
  const { entries } = await as(moderator).admin.audit({ target: 'title', targetId: movieId })
  expect(entries[0]).toMatchObject({
    action: 'title.correct',
    after: { name: 'The Corrected Name', releaseYear: 1994, overview: 'Better.' },
    reason: 'A typo.',
  })
  await db.updateTable('media').set({ source: 'tmdb' }).where('id', '=', movieId).execute()
  await expect(call.correctTitle({ id: movieId, name: 'Wrong' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('every act of a moderator is in the audit log', async () => {
  const review = await write()
  const id = await decide('review', review.id, 'remove')
  await undo(id)
  const found = await open('review', review.id)
  for (const userId of [other.id, other.id, null])
    await as(moderator).moderation.assign({ id: found.id, userId })
  const { entries } = await as(moderator).admin.audit({ actor: moderator.username, limit: 6 })
  const about = { id: review.id, name: author.username }
  expect(entries).toMatchObject([
    { action: 'case.assign', before: { assignee: other.username }, after: { assignee: null } },
    { action: 'case.assign', before: { assignee: null }, after: { assignee: other.username } },
    { action: 'case.open', target: about },
    { action: 'decision.undo', target: { id, name: author.username }, before: { action: 'remove' } },
    { action: 'decision.make', target: about, after: { action: 'remove' }, reason: 'Why.' },
    { action: 'case.open', target: about },
  ])
})

test('tokens of a suspended member are refused at once, and work again after the undo', async () => {
  const app = await buildApp(services, { web: noWeb })
  try {
    const { secret } = await as(author).accounts.createAccessToken({ name: 'Bot', scopes: ['read'] })
    const read = async () => {
      const headers = { authorization: `Bearer ${secret}` }
      return (await app.inject({ url: '/users/me/reviews', headers })).statusCode
    }
    expect(await read()).toBe(200)
    const id = await decide('user', author.id, 'suspend')
    expect(await read()).toBe(401)
    await undo(id)
    expect(await read()).toBe(200)
  } finally {
    await app.close()
  }
})

test('a spam wave is removed without blocking the event loop', async () => {
  const titles = await Promise.all(Array.from({ length: 20 }, () => aTitle(db)))
  const { id: reviewId } = await write('A review.', reader)
  for (const itemId of titles) await as(author).reviews.save({ itemId, rating: 1, text: 'Buy! '.repeat(500) })
  await db
    .insertInto('comments')
    .values(
      Array.from({ length: 300 }, (_, at) => ({
        review_id: reviewId,
        user_id: author.id,
        text: `Buy ${at}!`,
        has_spoilers: 0,
        created_at: start.toISOString(),
      })),
    )
    .execute()
  await db.updateTable('reviews').set({ comment_count: 300 }).where('id', '=', reviewId).execute()
  await decide('user', author.id, 'removeAll', { keepsRating: false }, { by: moderator, now: later(1) })
  // The watch of all tests (scripts/testing/watch-holds.ts) finds whether it blocks.
  await runTasks(later(1))
  expect((await as(null).reviews.comments({ id: reviewId })).total).toBe(0)
  expect(await findCounterFaults(db)).toEqual([])
}, 60_000)
