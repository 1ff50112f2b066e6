import { type Insertable, type Selectable, sql, type SqlBool, type Updateable } from 'kysely'
import { isSqlite } from '#server/db/dialect.ts'
import { caseless } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import { dayMs } from '#shared/domain/days.ts'
import type { Tables } from '#server/db/tables.ts'
import type { ImportRow } from './tables.ts'
import { enqueue, removeTasks } from '#server/db/tasks.ts'
import { hasNoBlock, isShown } from '#server/members/visibility.ts'
import type { ImportState } from '#shared/domain/import-states.ts'

/** On Postgres, `isLocked` locks it until the transaction ends. */
export async function findImport(db: Db, userId: number, id: number, isLocked = false) {
  return db
    .selectFrom('imports')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .$if(isLocked && !isSqlite(db), (query) => query.forUpdate())
    .executeTakeFirst()
}

export async function listImports(db: Db, userId: number): Promise<ImportRow[]> {
  return db.selectFrom('imports').selectAll().where('user_id', '=', userId).orderBy('id', 'desc').execute()
}

export async function insertImport(db: Db, values: Insertable<Tables['imports']>): Promise<number> {
  const { id } = await db.insertInto('imports').values(values).returning('id').executeTakeFirstOrThrow()
  await setTask(db, { id, user_id: values.user_id }, values.next_at)
  return id
}

/** A new `next_at` moves its task or removes it; either ends a claim. */
export async function updateImport(db: Db, id: number, values: Updateable<Tables['imports']>): Promise<void> {
  const imports = db.updateTable('imports').set(values).where('id', '=', id)
  const row = await imports.returning(['id', 'user_id']).executeTakeFirst()
  if (row) await setTask(db, row, values.next_at)
}

type Owned = Pick<ImportRow, 'id' | 'user_id'>

async function setTask(db: Db, { id, user_id }: Owned, nextAt: string | null | undefined): Promise<void> {
  const key = String(id)
  if (nextAt === null) await removeTasks(db, 'imports', 'key', [key])
  else if (nextAt !== undefined)
    await enqueue(db, { queue: 'imports', key, owner: String(user_id) }, new Date(nextAt))
}

export async function countImportStates(db: Db): Promise<{ state: ImportState; count: number }[]> {
  return db
    .selectFrom('imports')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
}

export type UsageRow = Selectable<Tables['import_usage']>

export async function findUsage(db: Db, userId: number): Promise<UsageRow | undefined> {
  return db.selectFrom('import_usage').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

/** Locks the usage until the transaction ends. */
export async function addUsage(
  trx: Db,
  userId: number,
  { held, day }: { held: number; day: number },
  now: Date,
): Promise<UsageRow> {
  const dayAgo = new Date(now.getTime() - dayMs).toISOString()
  return (await addUsageOf(trx, userId, held, day, now.toISOString(), dayAgo))[0]!
}

/** Each title that is applied is counted. */
const addUsageOf = prepareQuery(
  (_db, userId: number, held: number, day: number, time: string, dayAgo: string) => {
    const orZero = (sum: unknown) => sql`case when ${sum} > 0 then ${sum} else 0 end`
    const [first, firstOfDay] = [held, day].map((bytes) => orZero(sql`cast(${bytes} as bigint)`))
    const isSameDay = sql`import_usage.day_began_at > ${dayAgo}`
    return sql<UsageRow>`
      insert into import_usage (user_id, held_bytes, day_bytes, day_began_at)
      values (${userId}, ${first}, ${firstOfDay}, ${time})
      on conflict (user_id) do update set
        held_bytes = ${orZero(sql`import_usage.held_bytes + ${held}`)},
        day_bytes = case when ${isSameDay} then ${orZero(sql`import_usage.day_bytes + ${day}`)} else ${firstOfDay} end,
        day_began_at = case when ${isSameDay} then import_usage.day_began_at else ${time} end
      returning *`
  },
)

/** Tables that refer to others come first. */
const partTables = ['import_changes', 'import_lines', 'import_titles'] as const

export async function removeImportRows(db: Db, id: number, limit: number): Promise<boolean> {
  for (const table of partTables) {
    const { numDeletedRows } = await db
      .deleteFrom(table)
      .where('id', 'in', (eb) => eb.selectFrom(table).select('id').where('import_id', '=', id).limit(limit))
      .executeTakeFirst()
    if (numDeletedRows > 0n) return true
  }
  return false
}

/** An import without rows. Returns its owner and its bytes. */
export async function removeImport(db: Db, id: number) {
  const query = db.deleteFrom('imports').where('id', '=', id).returning(['user_id', 'bytes'])
  const removed = await query.executeTakeFirst()
  await removeTasks(db, 'imports', 'key', [String(id)])
  return removed
}

export async function listImportKeys(db: Db, userId: number, keys: readonly string[]) {
  if (keys.length === 0) return []
  const chosen = db.selectFrom('import_keys').select(['key', 'media_id']).where('user_id', '=', userId)
  return chosen.where('key', 'in', keys).execute()
}

export async function saveImportKey(db: Db, values: Tables['import_keys']): Promise<void> {
  await db
    .insertInto('import_keys')
    .values(values)
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet(values))
    .execute()
}

export async function removeImportKeys(db: Db, importId: number): Promise<void> {
  await db.deleteFrom('import_keys').where('import_id', '=', importId).execute()
}

export function selectExportedImports(db: Db, userId: number) {
  const imports = db.selectFrom('imports').select(['id', 'service', 'file_name', 'created_at', 'applied_at'])
  return imports.where('user_id', '=', userId)
}

/**
 * Also when `userId` began to follow them, whether an import ever created that follow, and whether they can be followed without asking:
 * with a block, a member looks private.
 */
export async function findFollowable(db: Db, userId: number, username: string) {
  return db
    .selectFrom('users')
    .leftJoin('follows', (join) =>
      join.onRef('follows.followee_id', '=', 'users.id').on('follows.follower_id', '=', userId),
    )
    .select(['users.id', 'follows.created_at as followed_at'])
    .select(sql<SqlBool>`users.is_private = 0 and ${hasNoBlock(userId)}`.as('isOpen'))
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('import_changes')
          .select('import_changes.id')
          .where('import_changes.user_id', '=', userId)
          .where('import_changes.media_id', 'is', null)
          .where('import_changes.what', '=', 'follow')
          .whereRef('import_changes.target_id', '=', 'users.id'),
      ).as('was_imported'),
    )
    .where('users.username_folded', '=', caseless(username))
    .where('users.username', '=', username)
    .where(isShown(userId))
    .where('users.id', '<>', userId)
    .executeTakeFirst()
}
