import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { actorsShown, notificationDays } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { nextDigest, type Notification } from '#shared/contracts/notifications.ts'
import { removeAccount } from '#server/accounts/deletion.ts'
import { buildApp } from '#server/app.ts'
import { insertMailToken } from '#server/accounts/mail-store.ts'
import { hashToken, newToken } from '#server/accounts/rules.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { openModeration } from '#server/moderation/work.ts'
import {
  aMember,
  aServer,
  aSignedInMember,
  aTitle,
  mailsTo,
  plansOf,
  findCounterFaults,
} from '#server/testing.ts'
import type { Member } from '#server/calls/context.ts'
import { joined, notify, takeBack } from '#server/accounts/notify-store.ts'
import { openInboxWatch } from './watch.ts'
import { openNotifications, removeOldNotifications } from './work.ts'

const server = await aServer()
const { db, as, services } = server
const app = await buildApp(services, { web: noWeb })
afterAll(() => app.close())
const start = new Date('2026-05-04T12:00:00.000Z')
const later = (minutes: number) => new Date(start.getTime() + minutes * 60_000)
const day = 24 * 60

let [ada, ben, cleo] = [await aMember(db), await aMember(db), await aMember(db)]
let movieId = 0
beforeEach(async () => {
  ;[ada, ben, cleo] = [await aMember(db), await aMember(db), await aMember(db)]
  movieId = await aTitle(db)
})
const review = async (text = 'Slow, and worth it.\nReally.', by = ada) =>
  (await as(by, { now: start }).reviews.save({ movieId, rating: 4, text })).review
const like = (id: number, by: Member, now = start, reaction: 'like' | 'dislike' | 'none' = 'like') =>
  as(by, { now }).reviews.react({ id, reaction })
const comment = async (id: number, by: Member, now = start) =>
  (await as(by, { now }).reviews.addComment({ id, text: 'Secret words.', hasSpoilers: false })).comment
const inbox = (member = ada) => as(member).notifications.list({})
/** Says what a member sees: type, actors, number of actors and whether it is read. */
const seen = async (member = ada) => (await inbox(member)).notifications.map(summary)
const summary = ({ type, actors, actorCount, isRead }: Notification) =>
  `${type} ${actors.map(({ username }) => username).join(' ')} ${actorCount}${isRead ? ' read' : ''}`

const faults = async () => (await findCounterFaults(db)).filter(({ table }) => table === 'notifications')

/** Runs the tasks that are due at a time. */
async function runTasks(now: Date) {
  const log = { info() {}, warn() {}, error: (fields: object) => expect(fields).toBeUndefined() }
  const queue = openNotifications({ db, log, now: () => now, pollMs: 0 })
  await queue.runDue()
  await queue.close()
}

describe('events of one type about one target', () => {
  test('are one notification a day, with the last actors and their number', async () => {
    const { id } = await review()
    const fans = [ben, cleo, await aMember(db), await aMember(db)]
    for (const [minute, fan] of fans.entries()) await like(id, fan, later(minute))
    const { notifications, unreadCount } = await inbox()
    expect(notifications).toEqual([
      {
        id: expect.any(Number),
        type: 'like',
        actors: fans
          .toReversed()
          .slice(0, actorsShown)
          .map((fan) => expect.objectContaining({ id: fan.id })),
        actorCount: 4,
        target: {
          type: 'review',
          id,
          isMine: true,
          title: expect.objectContaining({ id: movieId }),
          about: null,
          name: null,
          text: 'Slow, and worth it.',
          imageUrl: null,
          season: null,
        },
        at: later(3).toISOString(),
        isRead: false,
      },
    ])
    expect(unreadCount).toBe(1)
    await like(id, await aMember(db), later(day))
    expect((await seen())[0]).toMatch(/^like \S+ 1$/)
    expect(await seen()).toHaveLength(2)
  })

  test('1,000 likes in a minute are one row, one number, one live event a second and no email, and none holds the process for 50 ms', async () => {
    const { id } = await review()
    const fans: Member[] = []
    while (fans.length < 1_000) fans.push(await aMember(db))
    let events = 0
    onTestFinished(openInboxWatch(db, { warn() {} }).add(ada, () => events++))
    const begun = performance.now()
    // The watch of all tests (scripts/testing/watch-holds.ts) finds whether one holds the process.
    for (const [at, fan] of fans.entries()) {
      await like(id, fan, later(at / 1_000))
      await nextTurn()
    }
    expect(events).toBeLessThanOrEqual((performance.now() - begun) / 1_000 + 1)
    expect((await inbox()).notifications).toMatchObject([{ actorCount: 1_000 }])
    const rows = await db.selectFrom('notifications').select('id').where('user_id', '=', ada.id).execute()
    expect(rows).toHaveLength(1)
    expect((await as(ada).notifications.countUnread()).unreadCount).toBe(1)
    await runTasks(later(2 * day))
    expect(await mailsTo(db, `${ada.username}@example.org`)).toEqual([])
  })

  test('a like that is taken back leaves its notification, and the last one removes it', async () => {
    const { id } = await review()
    await like(id, ben)
    await like(id, cleo, later(1))
    await like(id, cleo, later(2), 'none')
    expect(await seen()).toEqual([`like ${ben.username} 1`])
    await like(id, ben, later(3), 'dislike')
    expect(await inbox()).toEqual({ notifications: [], nextCursor: null, upTo: null, unreadCount: 0 })
  })

  test('a dislike, and what members do to their own reviews and lists, notify nobody', async () => {
    const { id } = await review()
    await like(id, ben, start, 'dislike')
    await like(id, ada)
    await comment(id, ada)
    const { list } = await as(ada).lists.create({ title: 'Mine', visibility: 'public' })
    await as(ada).lists.like({ id: list.id })
    expect(await seen()).toEqual([])
  })

  test('the numbers of actors are right after 200 random likes and unlikes', async () => {
    const { id } = await review()
    const fans = await Promise.all(Array.from({ length: 8 }, () => aMember(db)))
    let state = 7
    const random = (max: number) => (state = (state * 48_271) % 2_147_483_647) % max
    for (let turn = 0; turn < 200; turn++)
      await like(id, fans[random(8)]!, later(turn * 30), random(2) === 0 ? 'like' : 'none')
    const row = await db
      .selectFrom('reviews')
      .select('like_count')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const { notifications } = await inbox()
    expect(notifications.reduce((sum, { actorCount }) => sum + actorCount, 0)).toBe(row.like_count)
    expect(await faults()).toEqual([])
  })
})

describe('a comment', () => {
  test('notifies the author of the review each time, and earlier commenters once a day', async () => {
    const { id } = await review()
    await comment(id, ben)
    await runTasks(start)
    await comment(id, cleo, later(1))
    await comment(id, cleo, later(2))
    await runTasks(later(2))
    expect(await seen()).toEqual([`comment ${cleo.username} ${ben.username} 2`])
    const [first] = (await inbox(ben)).notifications
    expect(first).toMatchObject({
      type: 'comment',
      target: { id, isMine: false },
      at: later(2).toISOString(),
    })
    await as(ben).notifications.read({ upTo: first!.at })
    await comment(id, await aMember(db), later(3))
    await runTasks(later(3))
    expect(await seen(ben)).toEqual([expect.stringMatching(/ 2 read$/)])
    expect(await seen(cleo)).toHaveLength(1)
  })

  test('that is deleted leaves no trace, unless the member has another', async () => {
    const { id } = await review()
    const [one, two] = [await comment(id, ben), await comment(id, ben, later(1))]
    await as(ben).reviews.removeComment({ id: one.id })
    expect(await seen()).toEqual([`comment ${ben.username} 1`])
    await as(ben).reviews.removeComment({ id: two.id })
    expect(await seen()).toEqual([])
  })
})

test('follows, invitations and new titles of followed lists notify; taking them back removes that', async () => {
  await as(ben, { now: start }).social.follow({ userIdToFollow: ada.id })
  const { list } = await as(ben).lists.create({ title: 'Heists', visibility: 'public' })
  await as(ben, { now: later(1) }).lists.invite({ id: list.id, userId: ada.id })
  await as(cleo).lists.follow({ id: list.id })
  await as(ben, { now: later(2) }).lists.addItem({ id: list.id, itemId: movieId })
  await runTasks(later(2))
  expect(await seen(cleo)).toEqual([])
  await runTasks(later(20))
  expect((await inbox(cleo)).notifications).toMatchObject([
    { type: 'listTitles', actors: [{ id: ben.id }], target: { type: 'list', id: list.id, name: 'Heists' } },
  ])
  expect(await seen()).toEqual([`listInvite ${ben.username} 1`, `follow ${ben.username} 1`])
  await as(ben).social.unfollow({ userIdToUnfollow: ada.id })
  await as(ben).lists.removeEditor({ id: list.id, userId: ada.id })
  expect(await seen()).toEqual([])
  await as(cleo).lists.like({ id: list.id })
  expect(await seen(ben)).toEqual([`like ${cleo.username} 1`])
  await as(cleo).lists.unlike({ id: list.id })
  expect(await seen(ben)).toEqual([])
  await as(ben).lists.edit({ id: list.id, visibility: 'private' })
  expect(await seen(cleo)).toEqual([])
})

test('a report notifies the moderators, once a day per case, without the reporter', async () => {
  const moderator = await aMember(db)
  await db.updateTable('users').set({ role: 'moderator' }).where('id', '=', moderator.id).execute()
  const { id } = await review()
  for (const by of [ben, cleo])
    await as(by, { now: start }).moderation.report({ target: { type: 'review', id }, category: 'spam' })
  await runTasks(start)
  const asModerator = as({ ...moderator, role: 'moderator' })
  expect((await asModerator.notifications.list({})).notifications).toMatchObject([
    { type: 'case', actors: [], actorCount: 0, target: { type: 'case' } },
  ])
  expect(await seen(moderator)).toEqual([])
})

test('a case that is decided waits for no moderator; its author and the reporter are told', async () => {
  const moderators = [await aMember(db), await aMember(db)]
  for (const { id } of moderators)
    await db.updateTable('users').set({ role: 'moderator' }).where('id', '=', id).execute()
  const [reader, decider] = moderators.map((member) => as({ ...member, role: 'moderator' }, { now: start }))
  const target = { type: 'review' as const, id: (await review()).id }
  await as(ben, { now: start }).moderation.report({ target, category: 'spam' })
  await runTasks(start)
  expect((await reader!.notifications.list({})).notifications).toHaveLength(1)
  const { id } = (await decider!.moderation.open({ target })).case
  await decider!.moderation.decide({ id, action: 'remove', reason: 'Why.' })
  expect(await reader!.notifications.list({})).toMatchObject({ notifications: [], unreadCount: 0 })
  const log = { info() {}, warn() {}, error: (fields: object) => expect(fields).toBeUndefined() }
  const queue = openModeration({ live: services.live }, { db, log, now: () => later(11), pollMs: 0 })
  await queue.runDue()
  await queue.close()
  const [decision] = (await inbox()).notifications
  expect(decision).toMatchObject({
    type: 'decision',
    target: { name: expect.stringMatching(/^your review of .+/) },
  })
  expect((await inbox(ben)).notifications).toMatchObject([{ type: 'report', target: { type: 'report' } }])
})

test('a member who joins with an invite notifies the one who invited', async () => {
  await db.updateTable('users').set({ invited_by: ada.id }).where('id', '=', ben.id).execute()
  await db.transaction().execute((trx) => joined(trx, ben.id, start))
  expect(await seen()).toEqual([`invited ${ben.username} 1`])
})

test('titles that are gone when the followers of a list would be notified notify nobody', async () => {
  const { list } = await as(ada).lists.create({ title: 'Undone', visibility: 'public' })
  await as(cleo).lists.follow({ id: list.id })
  await as(ada, { now: start }).lists.addItem({ id: list.id, itemId: movieId })
  await as(ada, { now: later(1) }).lists.removeItem({ id: list.id, itemId: movieId })
  await runTasks(later(20))
  expect(await seen(cleo)).toEqual([])
})

describe('a private member', () => {
  beforeEach(async () => {
    await as(ben).privacy.change({ isPrivate: true })
  })

  test('who comments is not named to earlier commenters who do not see the comment', async () => {
    const { id } = await review()
    await comment(id, cleo)
    await comment(id, ben, later(1))
    await runTasks(later(1))
    expect(await seen()).toEqual([`comment ${ben.username} ${cleo.username} 2`])
    expect(await inbox(cleo)).toMatchObject({ notifications: [], unreadCount: 0 })
  })

  test('who edits a list is not named to its followers', async () => {
    const { list } = await as(ada).lists.create({ title: 'Shared', visibility: 'public' })
    await as(ada).lists.invite({ id: list.id, userId: ben.id })
    await as(ben).lists.accept({ id: list.id })
    await as(cleo).lists.follow({ id: list.id })
    await as(ben, { now: start }).lists.addItem({ id: list.id, itemId: movieId })
    await runTasks(later(20))
    expect((await inbox(cleo)).notifications).toMatchObject([
      { type: 'listTitles', actors: [], actorCount: 0, target: { name: 'Shared' } },
    ])
    await as(ada, { now: later(20) }).lists.addItem({ id: list.id, itemId: await aTitle(db) })
    await runTasks(later(40))
    expect(await seen(cleo)).toEqual([`listTitles ${ada.username} 1`])
  })

  test('who removes a follower again has accepted nobody', async () => {
    await as(cleo).social.follow({ userIdToFollow: ben.id })
    expect(await seen(ben)).toEqual([`followRequest ${cleo.username} 1`])
    await as(ben).privacy.accept({ userId: cleo.id })
    expect(await seen(cleo)).toEqual([`followAccepted ${ben.username} 1`])
    await as(ben).privacy.removeFollower({ userId: cleo.id })
    expect(await seen(cleo)).toEqual([])
  })
})

test('the number of unread ones is not sent again until it has changed', async () => {
  const member = await aSignedInMember(db)
  const get = (tag?: string) =>
    app.inject({
      url: '/notifications/unread-count',
      headers: { authorization: `Bearer ${member.token}`, ...(tag && { 'if-none-match': tag }) },
    })
  const tag = String((await get()).headers.etag)
  expect((await get(tag)).statusCode).toBe(304)
  await as(ben).social.follow({ userIdToFollow: member.id })
  expect((await get(tag)).json()).toEqual({ unreadCount: 1 })
})

describe('reading', () => {
  test('up to a notification marks it and those before it, and never what comes later', async () => {
    const { id } = await review()
    await like(id, ben)
    await comment(id, ben)
    const [last, first] = (await inbox()).notifications
    expect(last!.at > first!.at).toBe(true)
    expect(await as(ada).notifications.read({ upTo: first!.at })).toEqual({ unreadCount: 1 })
    expect(await as(ada).notifications.read({ upTo: '9998-01-01T00:00:00.000Z' })).toEqual({ unreadCount: 0 })
    await like(id, cleo)
    expect(await seen()).toEqual([`like ${cleo.username} ${ben.username} 2`, expect.stringMatching(/ read$/)])
    expect((await as(ada).notifications.read({ upTo: first!.at })).unreadCount).toBe(1)
  })

  test('goes page after page, and refuses cursors of other lists', async () => {
    const { id } = await review()
    for (let days = 0; days < 5; days++) await like(id, await aMember(db), later(days * day))
    const first = await as(ada).notifications.list({ limit: 3 })
    const rest = await as(ada).notifications.list({ limit: 3, cursor: first.nextCursor! })
    expect([...first.notifications, ...rest.notifications].map(({ at }) => at)).toEqual(
      [4, 3, 2, 1, 0].map((days) => later(days * day).toISOString()),
    )
    expect(rest.nextCursor).toBeNull()
    await expect(as(ada).notifications.list({ cursor: 'WyJyZXBvcnRzIiwxXQ' })).rejects.toThrow(
      messages.cursorInvalid,
    )
  })

  test('uses one range of an index, and counting does too', async () => {
    const { id } = await review()
    for (const fan of [ben, cleo]) await like(id, fan)
    const plans = await plansOf(db, (recorded) =>
      as(ada, { services: { db: recorded } }).notifications.countUnread(),
    )
    expect(plans.join('\n')).not.toMatch(/SCAN notifications|Seq Scan on notifications/)
  })

  test('shows nothing of a removed review, a suspended member or a title that is gone', async () => {
    const { id } = await review()
    await like(id, ben)
    await comment(id, cleo)
    await as(cleo, { now: start }).social.follow({ userIdToFollow: ada.id })
    await db.updateTable('users').set({ standing: 'suspended' }).where('id', '=', cleo.id).execute()
    expect(await seen()).toEqual([`like ${ben.username} 1`])
    await db
      .updateTable('reviews')
      .set({ text: '', removed_text: 'Bad words.' })
      .where('id', '=', id)
      .execute()
    expect((await inbox()).notifications[0]!.target!.text).toBeNull()
    await as(ada).reviews.remove({ id })
    expect(await inbox()).toMatchObject({ notifications: [], unreadCount: 0 })
  })

  test('counts as unread what is shown, whatever is hidden meanwhile', async () => {
    const [eve, finn] = [await aMember(db), await aMember(db)]
    const own = await review()
    await like(own.id, eve)
    await like(own.id, finn, later(1))
    const [bens, cleos] = [await review('By Ben.', ben), await review('By Cleo.', cleo)]
    for (const { id } of [bens, cleos]) {
      await comment(id, ada)
      await comment(id, eve, later(1))
    }
    const lists: number[] = []
    for (const by of [ben, cleo]) {
      const { list } = await as(by).lists.create({ title: 'Open', visibility: 'public' })
      await as(ada).lists.follow({ id: list.id })
      await as(by, { now: start }).lists.addItem({ id: list.id, itemId: movieId })
      lists.push(list.id)
    }
    await as(finn, { now: start }).social.follow({ userIdToFollow: ada.id })
    const target = { type: 'case' as const, id: 1 }
    await db
      .transaction()
      .execute((trx) => notify(trx, { type: 'case', to: ada.id, by: null, target, now: start }))
    await runTasks(later(20))
    const counts = async (role: Member['role']) => {
      const caller = as({ ...ada, role })
      const { notifications, unreadCount } = await caller.notifications.list({})
      expect(await caller.notifications.countUnread()).toEqual({ unreadCount })
      return [unreadCount, notifications.length]
    }
    const set = (table: 'users' | 'reviews' | 'lists' | 'media', id: number, values: object) =>
      db.updateTable(table).set(values).where('id', '=', id).execute()
    await set('users', ada.id, { role: 'moderator' })
    expect(await counts('moderator')).toEqual([7, 7])
    await set('users', ada.id, { role: 'member' })
    expect(await counts('member')).toEqual([6, 6])
    await set('users', finn.id, { standing: 'suspended' })
    expect(await counts('member')).toEqual([5, 5])
    await set('reviews', bens.id, { removed_text: 'Bad words.' })
    expect(await counts('member')).toEqual([4, 4])
    await set('lists', lists[0]!, { removed_at: start.toISOString() })
    expect(await counts('member')).toEqual([3, 3])
    await as(cleo).privacy.change({ isPrivate: true })
    expect(await counts('member')).toEqual([1, 1])
    await set('media', movieId, { removed_at: start.toISOString() })
    expect(await counts('member')).toEqual([0, 0])
  })
})

test('a member who may not be seen notifies nobody', async () => {
  await db.updateTable('users').set({ standing: 'suspended' }).where('id', '=', ben.id).execute()
  await db
    .transaction()
    .execute((trx) => notify(trx, { type: 'followRequest', to: ada.id, by: ben.id, now: start }))
  expect(await inbox()).toMatchObject({ notifications: [], unreadCount: 0 })
})

test('everything of one member can be taken back, as for a block', async () => {
  const { id } = await review()
  await like(id, ben)
  await comment(id, ben)
  await as(ben, { now: start }).social.follow({ userIdToFollow: ada.id })
  await db.transaction().execute((trx) => takeBack(trx, { by: ben.id, to: ada.id }))
  expect(await inbox()).toMatchObject({ notifications: [], unreadCount: 0 })
})

test('the deletion of an account removes its traces from the notifications of others', async () => {
  const { id } = await review()
  await like(id, ben)
  await like(id, cleo, later(1))
  await db.updateTable('users').set({ deletion_at: start.toISOString() }).where('id', '=', cleo.id).execute()
  expect(await removeAccount(db, services, cleo.id, later(1))).toBe(true)
  expect(await seen()).toEqual([`like ${ben.username} 1`])
  await db.updateTable('users').set({ deletion_at: start.toISOString() }).where('id', '=', ada.id).execute()
  expect(await removeAccount(db, services, ada.id, later(1))).toBe(true)
  const left = await db.selectFrom('notifications').select('id').where('user_id', '=', ada.id).execute()
  expect(left).toEqual([])
  expect(await faults()).toEqual([])
})

test('notifications are removed after 90 days', async () => {
  const { id } = await review()
  await like(id, ben)
  await removeOldNotifications(db, later(notificationDays * day))
  expect(await seen()).toHaveLength(1)
  await removeOldNotifications(db, later((notificationDays + 1) * day))
  expect(await seen()).toEqual([])
})

describe('the settings', () => {
  test('keep what is not sent, and turn off what nobody wants', async () => {
    const before = await as(ada).notifications.settings()
    const after = await as(ada).notifications.changeSettings({ like: { inApp: false }, digestHour: 20 })
    expect(after).toEqual({ ...before, like: { ...before.like, inApp: false }, digestHour: 20 })
    expect(await as(ada).notifications.settings()).toEqual(after)
    const { id } = await review()
    await like(id, ben)
    expect(await inbox()).toMatchObject({ notifications: [], unreadCount: 0 })
  })

  test.each(['Europe/Nowhere', '+05:30', '+23:59', '-23:59', '+0007'])(
    'refuse %s, which is not the name of a time zone',
    async (timeZone) => {
      await expect(as(ada).notifications.changeSettings({ timeZone })).rejects.toThrow(
        messages.timeZoneInvalid,
      )
    },
  )

  test.each([
    ['UTC', 8, '2026-05-05T08:00:00.000Z'],
    ['UTC', 13, '2026-05-04T13:00:00.000Z'],
    ['UTC', 12, '2026-05-05T12:00:00.000Z'],
    ['Asia/Kathmandu', 8, '2026-05-05T02:15:00.000Z'],
    ['America/New_York', 8, '2026-05-05T12:00:00.000Z'],
  ])('the next digest in %s at %i is at %s', (timeZone, digestHour, expected) => {
    expect(nextDigest({ timeZone, digestHour }, start).toISOString()).toBe(expected)
  })

  test.each(['Europe/Berlin', 'Australia/Lord_Howe', 'America/St_Johns'])(
    'the next digest in %s is at the first quarter of an hour at which the clock shows its hour',
    (timeZone) => {
      const quarter = 15 * 60_000
      const clock = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' })
      // Around the changes of 2026, in steps that meet every hour and quarter.
      const days = ['2026-03-07', '2026-03-28', '2026-04-04', '2026-10-03', '2026-10-24', '2026-10-31']
      const found = days.flatMap((date) =>
        Array.from({ length: 40 }, (_, step) => {
          const now = new Date(Date.parse(`${date}T00:00Z`) + step * 4_980_000)
          const digestHour = (step * 7) % 24
          const wanted = `${String(digestHour).padStart(2, '0')}:00`
          const first = Math.floor(now.getTime() / quarter) * quarter + quarter
          let expected = first
          while (clock.format(expected) !== wanted && expected <= first + day * 60_000) expected += quarter
          // The clock skips the hour.
          if (expected > first + day * 60_000) expected = now.getTime() + day * 60_000
          return [nextDigest({ timeZone, digestHour }, now).getTime(), expected]
        }),
      )
      expect(found.filter(([is, expected]) => is !== expected)).toEqual([])
    },
  )

  test('a digest at an hour that the clock skips is sent a day later', () => {
    const now = new Date('2026-03-28T03:00:00.000Z')
    const next = nextDigest({ timeZone: 'Europe/Berlin', digestHour: 2 }, now)
    expect(next.getTime() - now.getTime()).toBe(day * 60_000)
  })
})

describe('the daily email', () => {
  const mails = () => mailsTo(db, `${ada.username}@example.org`)
  const tokenOf = (text: string) => /unsubscribe\?token=([\w-]+)/.exec(text)![1]!

  test('is one a day, about what is unread, and names nobody', async () => {
    const { id } = await review()
    await comment(id, ben)
    await as(cleo, { now: later(1) }).social.follow({ userIdToFollow: ada.id })
    await runTasks(later(1))
    expect(await mails()).toEqual([])
    await runTasks(later(day))
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail!.text).toContain('comments on 1 review')
    expect(mail!.text).not.toMatch(new RegExp(`${ben.username}|${cleo.username}|Secret|Slow|Title`))
    await runTasks(later(3 * day))
    expect(await mails()).toHaveLength(1)
    await comment(id, cleo, later(3 * day))
    await runTasks(later(4 * day))
    expect(await mails()).toHaveLength(2)
  })

  test('is not sent if everything was read, or turned off', async () => {
    const { id } = await review()
    await comment(id, ben)
    await as(ada).notifications.read({ upTo: later(0).toISOString() })
    await runTasks(later(day))
    await as(ada).notifications.changeSettings({ comment: { email: 'off' } })
    await comment(id, cleo, later(2 * day))
    await runTasks(later(4 * day))
    expect(await mails()).toEqual([])
  })

  test('says nothing of what is no longer shown, and goes on after a suspension', async () => {
    const { id } = await review()
    const set = (member: Member, standing: 'active' | 'suspended') =>
      db.updateTable('users').set({ standing }).where('id', '=', member.id).execute()
    await comment(id, ben)
    await set(ben, 'suspended')
    await runTasks(later(day))
    await comment(id, cleo, later(2 * day))
    await set(ada, 'suspended')
    await runTasks(later(3 * day))
    expect(await mails()).toEqual([])
    await set(ada, 'active')
    await as(cleo, { now: later(4 * day) }).social.follow({ userIdToFollow: ada.id })
    await runTasks(later(5 * day))
    const [mail, ...others] = await mails()
    expect([mail!.text, others]).toEqual([expect.stringContaining('You have 1 new follower.'), []])
  })

  test('ends with one click without a login, as often as it is sent', async () => {
    const { id } = await review()
    await comment(id, ben)
    await runTasks(later(day))
    const [mail] = await mails()
    expect(mail!.unsubscribeUrl).toBe(`http://127.0.0.1:3000/unsubscribe?token=${tokenOf(mail!.text)}`)
    // The tokens of this test expire on the clock of the server.
    await db.updateTable('mail_tokens').set({ expires_at: '9999' }).where('user_id', '=', ada.id).execute()
    for (let click = 0; click < 2; click++) {
      const response = await app.inject({
        method: 'POST',
        url: `/unsubscribe?token=${tokenOf(mail!.text)}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'List-Unsubscribe=One-Click',
      })
      expect([response.statusCode, response.json()]).toEqual([200, { message: messages.unsubscribed }])
    }
    const { comment: choice } = await as(ada).notifications.settings()
    expect(choice).toEqual({ inApp: true, email: 'off' })
  })

  test('is ended by a provider for any number of members, and only invalid tokens count', async () => {
    const limited = await aServer()
    const site = await buildApp(limited.services, { web: noWeb })
    const member = await aMember(limited.db)
    const token = newToken()
    const expiresAt = new Date(Date.now() + day)
    const valid = {
      tokenHash: hashToken(token),
      userId: member.id,
      purpose: 'unsubscribe' as const,
      expiresAt,
    }
    await insertMailToken(limited.db, valid)
    const end = async (one: string, path = '/unsubscribe') =>
      (
        await site.inject(
          path === '/unsubscribe'
            ? { method: 'POST', url: `${path}?token=${one}` }
            : { method: 'POST', url: path, payload: { token: one } },
        )
      ).statusCode
    for (let click = 0; click < 40; click++) expect(await end(token)).toBe(200)
    for (let click = 0; click < 30; click++) expect(await end(`wrong${click}`)).toBe(404)
    for (const path of ['/unsubscribe', '/notifications/unsubscribe']) {
      expect(await end('wrong', path)).toBe(429)
      expect(await end(token, path)).toBe(200)
    }
    await site.close()
  })

  test.each([
    ['unknown', 'wrong'],
    ['empty', ''],
    ['long', 'x'.repeat(2_000)],
  ])('does not end with an %s token', async (_case, token) => {
    const response = await app.inject({ method: 'POST', url: `/unsubscribe?token=${token}` })
    expect(response.statusCode).toBe(token === 'wrong' ? 404 : 400)
  })
})

test('a live stream says how many are unread, once for a burst, also when one is taken back', async () => {
  const events: number[] = []
  const watch = openInboxWatch(db, { warn() {} }, { everyMs: 200 })
  onTestFinished(watch.add(ada, ({ unreadCount }) => void events.push(unreadCount)))
  await expect.poll(() => events).toEqual([0])
  const { id } = await review()
  for (let at = 0; at < 20; at++) await like(id, await aMember(db), later(at / 60))
  await expect.poll(() => events.at(-1)).toBe(1)
  expect(events.length).toBeLessThan(12)
  await as(ada).notifications.read({ upTo: later(1).toISOString() })
  await expect.poll(() => events.at(-1)).toBe(0)
  await as(ben, { now: later(2) }).social.follow({ userIdToFollow: ada.id })
  await expect.poll(() => events.at(-1)).toBe(1)
  await as(ben).social.unfollow({ userIdToUnfollow: ada.id })
  await expect.poll(() => events.at(-1)).toBe(0)
})
