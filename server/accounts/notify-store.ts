import { sql, type SqlBool } from 'kysely'
import { actorsShown } from '#shared/domain/limits.ts'
import {
  nextDigest,
  type NotificationTarget,
  type NotificationType,
  settingsFrom,
} from '#shared/contracts/notifications.ts'
import { isOneOf, isSqlite, jsonArrayOf, updateMany } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { insertNew } from '#server/db/rows.ts'
import type { InboxRow, NotificationRow } from '#server/notifications/tables.ts'
import { enqueue } from '#server/db/tasks.ts'
import { hears, isShown } from '#server/members/visibility.ts'

type Group = Pick<NotificationRow, 'user_id' | 'type' | 'target_type' | 'target_id' | 'day'>
export type Target = { type: NotificationTarget; id: number }
export type Event = {
  type: NotificationType
  to: number
  /** Null for what the server did, or what has no name. */
  by: number | null
  target?: Target
  now: Date
  /** On the same day, the notification gains the actor, but does not become unread again. */
  isOncePerDay?: boolean
}

/**
 * Call it at the end of the transaction. Does nothing for the actor’s own events, for recipients who may not hear of the actor (`mayHear`),
 * or who do not want them.
 */
export async function notify(trx: Db, { to, ...event }: Event): Promise<void> {
  await notifyEach(trx, [to], event)
}

export async function notifyEach(
  trx: Db,
  to: readonly number[],
  { type, by, target, now, isOncePerDay = false }: Omit<Event, 'to'>,
): Promise<void> {
  const others = to.filter((id) => id !== by)
  const inboxes = await lockInboxes(trx, by === null ? others : await lockHearing(trx, others, by))
  const recipients = inboxes
    .map((inbox) => ({ inbox, settings: settingsFrom(inbox.settings) }))
    .filter(({ settings }) => settings[type].inApp)
  if (recipients.length === 0) return
  const about = {
    type,
    target_type: target?.type ?? ('' as const),
    target_id: target?.id ?? 0,
    day: now.toISOString().slice(0, 10),
  }
  const ids = recipients.map(({ inbox }) => inbox.user_id)
  const existing = new Map((await findGroups(trx, about, ids)).map((row) => [row.user_id, row]))
  const known = new Set(by === null ? [] : await listGroupsWith(trx, [...existing.values()], by))
  const groups = recipients.map(({ inbox, settings }) => {
    const row = existing.get(inbox.user_id)
    const before = row ? (JSON.parse(row.actors) as number[]) : []
    const isUnread = !row || !isOncePerDay
    // Unique and in the order of the commits, so that “read up to here” never includes what came later.
    const at = laterThan(inbox.last_at, now)
    const digestAt =
      isUnread && settings[type].email === 'daily' && inbox.digest_at === null
        ? nextDigest(settings, now).toISOString()
        : null
    return {
      userId: inbox.user_id,
      row,
      actors: toActors(by === null ? before : [by, ...before.filter((id) => id !== by)]),
      isUnread,
      at,
      digestAt,
    }
  })
  const inserted = await insertGroups(
    trx,
    groups
      .filter(({ row }) => !row)
      .map(({ userId, at, actors }) => ({
        ...about,
        user_id: userId,
        at,
        actors,
        actor_count: Number(by !== null),
      })),
  )
  const grown = groups.flatMap(({ row, at, actors, isUnread }) =>
    row
      ? {
          id: row.id,
          actors,
          actor_count: row.actor_count + Number(by !== null && !known.has(row.id)),
          at: isUnread ? at : row.at,
        }
      : [],
  )
  await updateMany(trx, 'notifications', ['actors', 'actor_count', 'at'], grown)
  if (by !== null) {
    const idOf = new Map([...existing.values(), ...inserted].map((row) => [row.user_id, row.id]))
    const actors = groups.map(({ userId, at }) => ({
      notification_id: idOf.get(userId)!,
      actor_id: by,
      at,
    }))
    await insertNew(trx, 'notification_actors', actors)
  }

  // Most have the same times.
  const unread = Map.groupBy(
    groups.filter(({ isUnread }) => isUnread),
    ({ at, digestAt }) => `${at} ${digestAt ?? ''}`,
  )
  for (const [{ at, digestAt }, userIds] of [...unread.values()].map(
    (same) => [same[0]!, same.map(({ userId }) => userId)] as const,
  )) {
    await trx
      .updateTable('inboxes')
      .set({ last_at: at, ...(digestAt && { digest_at: digestAt }) })
      .where(isOneOf(trx, 'user_id', userIds))
      .execute()
    if (digestAt)
      await addTasks(
        trx,
        'digest',
        userIds.map((id) => [id]),
        new Date(digestAt),
      )
  }
}

/** When a like or a follow is taken back. `to` limits it to one recipient. */
export async function takeBack(
  trx: Db,
  {
    by,
    ...about
  }: { by: number; type?: NotificationType } & ({ to: number; target?: Target } | { target: Target }),
): Promise<void> {
  await removeActors(trx, await listGroupsOf(trx, [by], about), [by])
}

export async function takeBackEach(
  trx: Db,
  { to, type, by }: { to: number; type: NotificationType; by: readonly number[] },
): Promise<void> {
  await removeActors(trx, await listGroupsOf(trx, by, { to, type }), by)
}

export async function withdraw(trx: Db, target: Target): Promise<void> {
  for (const { id, user_id } of await listAbout(trx, target))
    await removeNotification(trx, id, await lockInbox(trx, user_id))
}

/** The change of the inbox tells live streams. The inbox must be locked. */
async function removeNotification(trx: Db, id: number, { user_id, last_at }: InboxRow): Promise<void> {
  await trx.deleteFrom('notifications').where('id', '=', id).execute()
  await updateInbox(trx, user_id, { last_at: laterThan(last_at) })
}

/** After `last`, and not before `now`. */
function laterThan(last: string, now = new Date(0)): string {
  return new Date(Math.max(now.getTime(), last === '' ? 0 : Date.parse(last) + 1)).toISOString()
}

/**
 * `digest` sends the daily email, `thread` notifies who commented before, `titles` the followers of a list, `case` the moderators, `season`
 * who waits for a season. All but the first notify many members.
 */
export type TaskName = 'digest' | 'thread' | 'titles' | 'case' | 'season'

/** A task with the same ids is moved to this time instead. */
export async function addTask(
  trx: Db,
  name: TaskName,
  ids: readonly (number | string)[],
  dueAt: Date,
): Promise<void> {
  await addTasks(trx, name, [ids], dueAt)
}

async function addTasks(
  trx: Db,
  name: TaskName,
  tasks: readonly (readonly (number | string)[])[],
  dueAt: Date,
): Promise<void> {
  const rows = tasks.map((ids) => {
    const key = [name, ...ids].join(' ')
    return {
      queue: 'notifications',
      key,
      owner: key,
      priority: name === 'digest' ? 1 : 0,
      payload: '',
    } as const
  })
  await enqueue(trx, rows, dueAt)
}

export async function joined(trx: Db, userId: number, now: Date): Promise<void> {
  const to = await findInviter(trx, userId)
  if (to !== null) await notify(trx, { type: 'invited', to, by: userId, now })
}

// Queries

export async function lockInbox(trx: Db, userId: number): Promise<InboxRow> {
  return (await lockInboxes(trx, [userId]))[0]!
}

async function lockInboxes(trx: Db, userIds: readonly number[]): Promise<InboxRow[]> {
  if (userIds.length === 0) return []
  const find = () =>
    trx
      .selectFrom('inboxes')
      .selectAll()
      .where(isOneOf(trx, 'user_id', userIds))
      .orderBy('user_id')
      .$if(!isSqlite(trx), (query) => query.forNoKeyUpdate())
      .execute()
  const rows = await find()
  if (rows.length === userIds.length) return rows
  const found = new Set(rows.map((row) => row.user_id))
  const missing = userIds.filter((id) => !found.has(id)).toSorted((a, b) => a - b)
  await insertNew(
    trx,
    'inboxes',
    missing.map((user_id) => ({ user_id })),
  )
  return find()
}

export async function updateInbox(
  trx: Db,
  userId: number,
  values: Partial<Omit<InboxRow, 'user_id'>>,
): Promise<void> {
  await trx.updateTable('inboxes').set(values).where('user_id', '=', userId).execute()
}

/**
 * On Postgres, none of them can be deleted until the transaction ends; taken before the inboxes, so that the references to them need no
 * lock later.
 */
async function lockHearing(trx: Db, userIds: readonly number[], actorId: number): Promise<number[]> {
  const isRecipient = sql<SqlBool>`${isOneOf(trx, 'users.id', userIds)} and ${hears(actorId)}`
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where(isOneOf(trx, 'users.id', [actorId, ...userIds]))
    .where(sql<SqlBool>`(users.id = ${actorId} and ${isShown(0)} or ${isRecipient})`)
    .orderBy('id')
    .$if(!isSqlite(trx), (query) => query.forKeyShare())
    .execute()
  const ids = rows.map(({ id }) => id)
  return ids.includes(actorId) ? ids.filter((id) => id !== actorId) : []
}

async function findGroups(
  trx: Db,
  { type, target_type, target_id, day }: Omit<Group, 'user_id'>,
  userIds: readonly number[],
): Promise<NotificationRow[]> {
  return trx
    .selectFrom('notifications')
    .selectAll()
    .where(isOneOf(trx, 'user_id', userIds))
    .where('type', '=', type)
    .where('target_type', '=', target_type)
    .where('target_id', '=', target_id)
    .where('day', '=', day)
    .execute()
}

async function listGroupsWith(
  trx: Db,
  notifications: readonly Pick<NotificationRow, 'id'>[],
  actorId: number,
): Promise<number[]> {
  if (notifications.length === 0) return []
  const ids = notifications.map(({ id }) => id)
  const rows = await trx
    .selectFrom('notification_actors')
    .select('notification_id')
    .where(isOneOf(trx, 'notification_id', ids))
    .where('actor_id', '=', actorId)
    .execute()
  return rows.map((row) => row.notification_id)
}

async function insertGroups(
  trx: Db,
  rows: readonly (Group & Pick<NotificationRow, 'at' | 'actors' | 'actor_count'>)[],
): Promise<Pick<NotificationRow, 'id' | 'user_id'>[]> {
  if (rows.length === 0) return []
  return trx.insertInto('notifications').values(rows).returning(['id', 'user_id']).execute()
}

/** The last ones of `ids`, which come first. */
const toActors = (ids: readonly number[]) => JSON.stringify(ids.slice(0, actorsShown))

async function listGroupsOf(
  trx: Db,
  actorIds: readonly number[],
  { to, type, target }: { to?: number; type?: NotificationType; target?: Target },
): Promise<NotificationRow[]> {
  return trx
    .selectFrom('notifications')
    .selectAll()
    .where(
      sql<SqlBool>`exists (select 1 from notification_actors where notification_id = notifications.id and ${isOneOf(trx, 'actor_id', actorIds)})`,
    )
    .$if(to !== undefined, (query) => query.where('user_id', '=', to!))
    .$if(type !== undefined, (query) => query.where('type', '=', type!))
    .$if(target !== undefined, (query) =>
      query
        .where('target_type', '=', target!.type)
        .where('target_id', '=', target!.id)
        // A constant, for the partial index.
        .where(sql<SqlBool>`target_id > 0`),
    )
    .orderBy('user_id')
    .orderBy('id')
    .execute()
}

async function listAbout(trx: Db, { type, id }: Target): Promise<Pick<NotificationRow, 'id' | 'user_id'>[]> {
  return (
    trx
      .selectFrom('notifications')
      .select(['id', 'user_id'])
      .where('target_type', '=', type)
      .where('target_id', '=', id)
      // A constant, for the partial index.
      .where(sql<SqlBool>`target_id > 0`)
      .orderBy('user_id')
      .orderBy('id')
      .execute()
  )
}

const partSize = 500

/** Also removes notifications without another actor. Locks the inboxes. */
export async function removeActors(
  trx: Db,
  notifications: readonly Pick<NotificationRow, 'id' | 'user_id'>[],
  actorIds: readonly number[],
): Promise<void> {
  const recipients = [...new Set(notifications.map(({ user_id }) => user_id))]
  const inboxes = new Map((await lockInboxes(trx, recipients)).map((inbox) => [inbox.user_id, inbox]))
  const shrunk = new Set<number>()
  for (let at = 0; at < notifications.length; at += partSize) {
    const ids = notifications.slice(at, at + partSize).map(({ id }) => id)
    const left = await trx
      .deleteFrom('notification_actors')
      .where(isOneOf(trx, 'notification_id', ids))
      .where(isOneOf(trx, 'actor_id', actorIds))
      .returning('notification_id as id')
      .execute()
    const isLeft = isOneOf(
      trx,
      'id',
      left.map(({ id }) => id),
    )
    const gone = await trx
      .deleteFrom('notifications')
      .where(isLeft)
      .where(
        sql<SqlBool>`not exists (select 1 from notification_actors where notification_id = notifications.id)`,
      )
      .returning('user_id')
      .execute()
    for (const { user_id } of gone) shrunk.add(user_id)
    const last = sql`select actor_id from notification_actors where notification_id = notifications.id
      order by at desc limit ${sql.lit(actorsShown)}`
    // By how many actors they lose.
    const losses = Map.groupBy(
      Map.groupBy(left, ({ id }) => id),
      ([, rows]) => rows.length,
    )
    for (const [loss, rows] of losses)
      await trx
        .updateTable('notifications')
        .set((eb) => ({
          actor_count: eb('actor_count', '-', loss),
          actors: sql<string>`(select cast(${jsonArrayOf(trx, 'actor_id')} as text) from (${last}) as last)`,
        }))
        .where(
          isOneOf(
            trx,
            'id',
            rows.map(([id]) => id),
          ),
        )
        .execute()
  }
  // The change of an inbox tells live streams.
  for (const userId of shrunk)
    await updateInbox(trx, userId, { last_at: laterThan(inboxes.get(userId)!.last_at) })
}

export async function listIdsOfActor(db: Db, actorId: number, limit: number) {
  return db
    .selectFrom('notification_actors')
    .innerJoin('notifications', 'notifications.id', 'notification_actors.notification_id')
    .select(['notifications.id', 'notifications.user_id'])
    .where('actor_id', '=', actorId)
    .limit(limit)
    .execute()
}

async function findInviter(db: Db, userId: number): Promise<number | null> {
  const row = await db.selectFrom('users').select('invited_by').where('id', '=', userId).executeTakeFirst()
  return row?.invited_by ?? null
}
