import { setImmediate as nextTick } from 'node:timers/promises'
import { notificationDays, unreadMax, unsubscribeDays } from '#shared/domain/limits.ts'
import { settingsFrom } from '#shared/contracts/notifications.ts'
import { dayMs } from '#shared/domain/days.ts'
import { insertMailToken } from '#server/accounts/mail-store.ts'
import { queueNotice } from '#server/accounts/notices.ts'
import { hashToken, newToken } from '#server/accounts/rules.ts'
import { listFollowerIds } from '#server/lists/members-store.ts'
import { findList } from '#server/lists/store.ts'
import type { Db } from '#server/db/open.ts'
import { hasRow } from '#server/db/rows.ts'
import { openWaiting } from '#server/progress/waiting.ts'
import { openQueue, type Queue, type QueueOptions } from '#server/process/queue.ts'
import { removeInBatches } from '#server/process/scheduler.ts'
import { lockInbox, notify, type TaskName, updateInbox } from '#server/accounts/notify-store.ts'
import { presentAll } from './present.ts'
import * as store from './store.ts'

const batchSize = 100

/** Several processes can do so on the same database. */
export function openNotifications({ now = () => new Date(), ...options }: QueueOptions): Queue {
  const { db } = options
  const tasks: Record<TaskName, (ids: number[], signal: AbortSignal) => Promise<void>> = {
    digest: ([userId]) => sendDigest(db, userId!, now()),
    thread: ([commentId]) => notifyThread(db, commentId!, now()),
    titles: ([listId, by], signal) => notifyFollowers(db, listId!, by!, now(), signal),
    case: ([caseId]) => notifyModerators(db, caseId!, now()),
    season: ([seasonId], signal) => notifyViewers(db, seasonId!, now(), signal),
  }
  return openQueue({
    ...options,
    now,
    name: 'notifications',
    run({ key }, _waiting, signal) {
      const [name, ...ids] = key!.split(' ')
      return tasks[name as TaskName](ids.map(Number), signal)
    },
  })
}

/** If something that they want is unread and was in no earlier email. */
async function sendDigest(db: Db, userId: number, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // The next notification makes another task.
    await updateInbox(trx, userId, { digest_at: null })
    const user = await store.findMailbox(trx, userId)
    if (!user) return
    const inbox = await lockInbox(trx, userId)
    await updateInbox(trx, userId, { mailed_to: inbox.last_at })
    const settings = settingsFrom(inbox.settings)
    const after = inbox.read_to > inbox.mailed_to ? inbox.read_to : inbox.mailed_to
    const wanted = (await store.listNotifications(trx, userId, store.endOfTime, unreadMax)).filter(
      ({ at, type }) => at > after && settings[type].inApp && settings[type].email === 'daily',
    )
    const role = user.standing === 'active' ? user.role : 'member'
    const shown = await presentAll(trx, { id: userId, role }, wanted, after, now)
    if (shown.length === 0) return
    const token = newToken()
    const expiresAt = new Date(now.getTime() + unsubscribeDays * dayMs)
    await insertMailToken(trx, { tokenHash: hashToken(token), userId, purpose: 'unsubscribe', expiresAt })
    const lines = [...Map.groupBy(shown, ({ type }) => type)].map(([type, same]) => ({
      type,
      count: same.length,
      actors: same.reduce((sum, { actorCount }) => sum + actorCount, 0),
    }))
    await queueNotice(trx, 'digest', { to: user.email, mail: 'digest', token, lines }, now)
  })
}

/** Who commented before and sees the comment, at most once a day per review. */
async function notifyThread(db: Db, commentId: number, now: Date): Promise<void> {
  const comment = await store.findComment(db, commentId)
  if (!comment) return
  const target = { type: 'review' as const, id: comment.review_id }
  for (const to of await store.listCommenters(db, comment))
    if (to !== comment.author_id)
      await db.transaction().execute(async (trx) => {
        if (!(await store.seesComment(trx, comment, to))) return
        await notify(trx, { type: 'comment', to, by: comment.user_id, target, now, isOncePerDay: true })
      })
}

/** Who may read the list, unless the titles are gone. Who does not see the member’s name on the list does not learn it here either. */
async function notifyFollowers(
  db: Db,
  listId: number,
  by: number,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  if (!(await store.hasTitlesBy(db, listId, by, new Date(now.getTime() - dayMs)))) return
  const target = { type: 'list' as const, id: listId }
  for (let last = 0; ;) {
    const ids = await listFollowerIds(db, listId, last, batchSize)
    for (const to of ids) {
      signal.throwIfAborted()
      await db.transaction().execute(async (trx) => {
        const isNamed = await store.seesEditor(trx, listId, by, to)
        if (to === by || isNamed === undefined || !(await findList(trx, listId, { id: to }))) return
        await notify(trx, {
          type: 'listTitles',
          to,
          by: isNamed ? by : null,
          target,
          now,
          isOncePerDay: true,
        })
      })
      await nextTick()
    }
    if (ids.length < batchSize) return
    last = ids.at(-1)!
  }
}

/** Who waits for the season, once, whatever the day on which the task is repeated. */
async function notifyViewers(db: Db, seasonId: number, now: Date, signal: AbortSignal): Promise<void> {
  const season = await store.findSeason(db, seasonId)
  if (!season) return
  const { media_id: id, number } = season
  const isWaiting = await openWaiting(db, { id, season: number }, now)
  const about = { type: 'newSeason', target: { type: 'season', id: seasonId } } as const
  const told = { type: about.type, target_type: about.target.type, target_id: seasonId }
  for (let last = 0; ;) {
    const ids = await store.listViewers(db, id, last, batchSize)
    for (const to of ids) {
      signal.throwIfAborted()
      await db.transaction().execute(async (trx) => {
        if ((await hasRow(trx, 'notifications', { user_id: to, ...told })) || !(await isWaiting(trx, to)))
          return
        await notify(trx, { ...about, to, by: null, now })
      })
      await nextTick()
    }
    if (ids.length < batchSize) return
    last = ids.at(-1)!
  }
}

async function notifyModerators(db: Db, caseId: number, now: Date): Promise<void> {
  for (const to of await store.listModerators(db, caseId, batchSize))
    await db
      .transaction()
      .execute((trx) =>
        notify(trx, { type: 'case', to, by: null, target: { type: 'case', id: caseId }, now }),
      )
}

export async function removeOldNotifications(db: Db, now: Date, signal?: AbortSignal): Promise<number> {
  const day = new Date(now.getTime() - notificationDays * dayMs).toISOString().slice(0, 10)
  return removeInBatches((limit) => store.removeBefore(db, day, limit), 1_000, signal)
}
