import type { z } from 'zod'
import { notificationDays, unreadMax, unsubscribeDays } from '#shared/domain/limits.ts'
import { merge } from '#shared/domain/merge.ts'
import { messages } from '#shared/texts/messages.ts'
import * as schema from '#shared/contracts/notifications.ts'
import { findTokenUser } from '#server/accounts/mail-store.ts'
import { hashToken } from '#server/accounts/rules.ts'
import type { Db } from '#server/db/open.ts'
import { pageOf, readCursor } from '#server/calls/cursors.ts'
import { callsIn, found, memberProcedure, router } from '#server/calls/procedures.ts'
import { lockInbox, updateInbox } from '#server/accounts/notify-store.ts'
import { presentAll } from './present.ts'
import * as store from './store.ts'

const { forAll, forMembers } = callsIn('Notifications')

export const notificationsRouter = router({
  list: forMembers('GET /notifications', 'listNotifications', schema.listNotifications, {
    summary: 'List the caller’s notifications',
    description: `The last event first. Events of one day, of one type and about one target are one notification. Kept for ${notificationDays} days. What the caller may no longer see is left out, so that a page may be shorter than \`limit\`.`,
    returnsData: 'replyNames',
  }).query(async ({ ctx: { db, member, now, texts }, input: { cursor, limit } }) => {
    const before = readCursor(cursor, schema.notificationsCursor)?.[1] ?? store.endOfTime
    const rows = await store.listNotifications(db, member.id, before, limit + 1)
    const { shown, nextCursor } = pageOf(rows, limit, ({ at }) => ['notifications', at])
    const { read_to } = await store.findInbox(db, member.id)
    return {
      notifications: await presentAll(db, member, shown, read_to, now, texts),
      nextCursor,
      upTo: shown[0]?.at ?? null,
      unreadCount: await store.countUnread(db, member),
    }
  }),

  countUnread: forMembers('GET /notifications/unread-count', 'countUnreadNotifications', schema.countUnread, {
    summary: 'Count the caller’s unread notifications',
    description: `At most ${unreadMax} are counted. Cheap: call it with \`If-None-Match\`, or follow the live stream.`,
    returnsData: 'unread',
  }).query(async ({ ctx }) => ({ unreadCount: await store.countUnread(ctx.db, ctx.member) })),

  read: forMembers('POST /notifications/read', 'readNotifications', schema.readNotifications, {
    summary: 'Mark notifications as read',
    description:
      'Marks the notification with this time and all before it. An earlier time than before changes nothing.',
    scope: 'account',
  }).mutation(({ ctx, input }) =>
    ctx.db.transaction().execute(async (trx) => {
      const inbox = await lockInbox(trx, ctx.member.id)
      const upTo = new Date(input.upTo).toISOString()
      // What comes after the last one is unread.
      const read_to = upTo < inbox.last_at ? upTo : inbox.last_at
      if (read_to > inbox.read_to) await updateInbox(trx, ctx.member.id, { read_to })
      return { unreadCount: await store.countUnread(trx, ctx.member) }
    }),
  ),

  settings: forMembers(
    'GET /users/me/notification-settings',
    'getNotificationSettings',
    schema.notificationSettings,
    {
      summary: 'Get what the caller is notified of',
      returnsData: 'own',
    },
  ).query(async ({ ctx }) => schema.settingsFrom((await store.findInbox(ctx.db, ctx.member.id)).settings)),

  changeSettings: forMembers(
    'PATCH /users/me/notification-settings',
    'updateNotificationSettings',
    schema.changeNotificationSettings,
    {
      summary: 'Change what the caller is notified of',
      description:
        'Omitted fields do not change. Applies to what happens from now on; the hour to the email after the next one.',
      scope: 'session',
    },
  ).mutation(({ ctx, input }) => changeSettings(ctx.db, ctx.member.id, input as schema.SettingsChange)),

  unsubscribe: forAll('POST /notifications/unsubscribe', 'unsubscribeFromDigest', schema.unsubscribe, {
    summary: 'End the daily email with the link in it',
    description: `Needs no login. The token works for ${unsubscribeDays} days, and more than once. The link in the email is also a \`List-Unsubscribe\` address (RFC 8058).`,
    errors: [404],
    isAlwaysOpen: true,
  }).mutation(async ({ ctx, input: { token } }) => {
    const userId = await findTokenUser(ctx.db, hashToken(token), 'unsubscribe', ctx.now)
    // By address only if the token is invalid: mail providers send the requests of all their users from a few addresses.
    await (userId === undefined ? ctx.limit('mail') : ctx.limit('write', String(userId)))
    const off = { email: 'off' as const }
    await changeSettings(
      ctx.db,
      found(userId, messages.unsubscribeExpired),
      Object.fromEntries(schema.notificationTypeNames.map((type) => [type, off])),
    )
    return { message: messages.unsubscribed }
  }),

  live: memberProcedure
    .meta({ returnsData: 'unread' })
    .subscription(({ ctx, signal }) =>
      ctx.live.followInbox({ address: ctx.address, isFromMember: true, signal, member: ctx.member }),
    ),
})

function changeSettings(
  db: Db,
  userId: number,
  change: schema.SettingsChange,
): Promise<z.infer<typeof schema.notificationSettings.output>> {
  return db.transaction().execute(async (trx) => {
    const settings = merge(schema.settingsFrom((await lockInbox(trx, userId)).settings), change)
    await updateInbox(trx, userId, { settings: JSON.stringify(settings) })
    return settings
  })
}
