import type { z } from 'zod'
import { notificationDays, unreadMax, unsubscribeDays } from '#shared/limits.ts'
import { merge } from '#shared/merge.ts'
import { messages } from '#shared/messages.ts'
import * as schema from '#shared/notifications.ts'
import { findTokenUser } from '#server/accounts/mail-store.ts'
import { hashToken } from '#server/accounts/rules.ts'
import type { Db } from '#server/db/open.ts'
import { readCursor, writeCursor } from '#server/trpc/cursors.ts'
import { found, memberProcedure, publicProcedure, restIn, router } from '#server/trpc/procedures.ts'
import { lockInbox, updateInbox } from './notify-store.ts'
import { presentAll } from './present.ts'
import * as store from './store.ts'

const rest = restIn('Notifications')

export const notificationsRouter = router({
  list: memberProcedure
    .meta(
      rest('GET /notifications', 'listNotifications', {
        summary: 'List the caller’s notifications',
        description: `The last event first. Events of one day, of one type and about one target are one notification. Kept for ${notificationDays} days. What the caller may no longer see is left out, so that a page may be shorter than \`limit\`.`,
        shows: 'replyNames',
      }),
    )
    .input(schema.listNotifications.input)
    .output(schema.listNotifications.output)
    .query(async ({ ctx: { db, member }, input: { cursor, limit } }) => {
      const before =
        cursor === undefined ? store.endOfTime : readCursor(cursor, schema.notificationsCursor)[1]
      const rows = await store.listNotifications(db, member.id, before, limit + 1)
      const shown = rows.slice(0, limit)
      const { read_to } = await store.findInbox(db, member.id)
      return {
        notifications: await presentAll(db, member, shown, read_to),
        nextCursor: rows.length > limit ? writeCursor(['notifications', shown.at(-1)!.at]) : null,
        upTo: shown[0]?.at ?? null,
        unreadCount: await store.countUnread(db, member.id),
      }
    }),

  countUnread: memberProcedure
    .meta(
      rest('GET /notifications/unread-count', 'countUnreadNotifications', {
        summary: 'Count the caller’s unread notifications',
        description: `At most ${unreadMax} are counted. Cheap: call it with \`If-None-Match\`, or follow the live stream.`,
        shows: 'unread',
      }),
    )
    .output(schema.countUnread.output)
    .query(async ({ ctx }) => ({ unreadCount: await store.countUnread(ctx.db, ctx.member.id) })),

  read: memberProcedure
    .meta(
      rest('POST /notifications/read', 'readNotifications', {
        summary: 'Mark notifications as read',
        description:
          'Marks the notification with this time and all before it. An earlier time than before changes nothing.',
        scope: 'account',
      }),
    )
    .input(schema.readNotifications.input)
    .output(schema.readNotifications.output)
    .mutation(({ ctx, input }) =>
      ctx.db.transaction().execute(async (trx) => {
        const inbox = await lockInbox(trx, ctx.member.id)
        const upTo = new Date(input.upTo).toISOString()
        // Not beyond the last one: what comes later is unread.
        const read_to = upTo < inbox.last_at ? upTo : inbox.last_at
        if (read_to > inbox.read_to) await updateInbox(trx, ctx.member.id, { read_to })
        return { unreadCount: await store.countUnread(trx, ctx.member.id) }
      }),
    ),

  settings: memberProcedure
    .meta(
      rest('GET /users/me/notification-settings', 'getNotificationSettings', {
        summary: 'Get what the caller is notified of',
        shows: 'own',
      }),
    )
    .output(schema.notificationSettings.output)
    .query(async ({ ctx }) => schema.settingsFrom((await store.findInbox(ctx.db, ctx.member.id)).settings)),

  changeSettings: memberProcedure
    .meta(
      rest('PATCH /users/me/notification-settings', 'updateNotificationSettings', {
        summary: 'Change what the caller is notified of',
        description:
          'Omitted fields do not change. Applies to what happens from now on; the hour to the email after the next one.',
        scope: 'session',
      }),
    )
    .input(schema.changeNotificationSettings.input)
    .output(schema.changeNotificationSettings.output)
    .mutation(({ ctx, input }) => changeSettings(ctx.db, ctx.member.id, input as schema.SettingsChange)),

  unsubscribe: publicProcedure
    .meta(
      rest('POST /notifications/unsubscribe', 'unsubscribeFromDigest', {
        summary: 'End the daily email with the link in it',
        description: `Needs no login. The token works for ${unsubscribeDays} days, and more than once. The link in the email is also a \`List-Unsubscribe\` address (RFC 8058).`,
        errors: [404],
        isAlwaysOpen: true,
        limit: 'mail',
      }),
    )
    .input(schema.unsubscribe.input)
    .output(schema.unsubscribe.output)
    .mutation(async ({ ctx, input: { token } }) => {
      const userId = await findTokenUser(ctx.db, hashToken(token), 'unsubscribe', ctx.now)
      const off = { email: 'off' as const }
      await changeSettings(
        ctx.db,
        found(userId, messages.unsubscribeExpired),
        Object.fromEntries(schema.notificationTypeNames.map((type) => [type, off])),
      )
      return { message: messages.unsubscribed }
    }),

  live: memberProcedure
    .meta({ shows: 'unread' })
    .subscription(({ ctx, signal }) =>
      ctx.live.followInbox(ctx.member.id, { address: ctx.address, isFromMember: true, signal }),
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
