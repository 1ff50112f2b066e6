import { type ExpressionBuilder, type Insertable, type SelectQueryBuilder, sql } from 'kysely'
import { lockKeys } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { hasRow } from '#server/db/rows.ts'
import type { Tables } from '#server/db/tables.ts'

export async function insertUpload(db: Db, upload: Insertable<Tables['uploads']>): Promise<void> {
  await db.insertInto('uploads').values(upload).execute()
}

export type Usage = { count: number; bytes: number; oldest: string | null }

export async function findMemberUsage(db: Db, ownerId: number, since: Date): Promise<Usage> {
  return usageOf(db.selectFrom('uploads').where('owner_id', '=', ownerId), since)
}

export async function findAnonymousUsage(db: Db, since: Date): Promise<Usage> {
  const anonymous = db.selectFrom('uploads').where('owner_id', 'is', null)
  return usageOf(
    anonymous.where((eb) => eb.not(isInUse(eb))),
    since,
  )
}

async function usageOf(uploads: SelectQueryBuilder<Tables, 'uploads', object>, since: Date): Promise<Usage> {
  const { count, bytes, oldest } = await uploads
    .where('created_at', '>', since.toISOString())
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number | null>('bytes').as('bytes'),
      fn.min('created_at').as('oldest'),
    ])
    .executeTakeFirstOrThrow()
  return { count: Number(count), bytes: Number(bytes ?? 0), oldest: oldest as string | null }
}

/**
 * Until the transaction ends, so that the upload is not removed before a row that references it is committed. Must run in that transaction.
 * Returns false if it does not exist (any more).
 */
export async function holdUpload(trx: Db, path: string): Promise<boolean> {
  await lockKeys(trx, [keyOf(path)])
  return hasRow(trx, 'uploads', { path })
}

/** By id, with whether each is in use. With `since`, anonymous uploads created after it. */
export async function listUploads(
  db: Db,
  { after, before, limit, since }: { after: number; before: Date; limit: number; since?: Date },
): Promise<{ id: number; path: string; isInUse: boolean }[]> {
  const rows = await db
    .selectFrom('uploads')
    .select((eb) => ['id', 'path', isInUse(eb).as('isInUse')])
    .where('id', '>', after)
    .where('created_at', '<', before.toISOString())
    .$if(since !== undefined, (query) =>
      query.where('owner_id', 'is', null).where('created_at', '>', since!.toISOString()),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, isInUse: Boolean(row.isInUse) }))
}

/** Returns their paths. Must run in a separate transaction. */
export async function removeUnused(trx: Db, paths: readonly string[]): Promise<string[]> {
  // In a separate statement: in Postgres, a statement reads rows as of its start.
  await lockKeys(trx, paths.map(keyOf))
  const rows = await trx
    .deleteFrom('uploads')
    .where('path', 'in', paths)
    .where((eb) => eb.not(isInUse(eb)))
    .returning('path')
    .execute()
  return rows.map(({ path }) => path)
}

export async function listKnown(db: Db, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return []
  const pictures = db
    .selectFrom('users')
    .select(({ ref }) => ref('picture').$notNull().as('path'))
    .where('picture', 'in', paths)
  const usedAs = (column: 'image' | 'backdrop') =>
    db
      .selectFrom('media')
      .select(({ ref }) => ref(column).$notNull().as('path'))
      .where(column, 'in', paths)
  const rows = await db
    .selectFrom('uploads')
    .select('path')
    .where('path', 'in', paths)
    .union([pictures, usedAs('image'), usedAs('backdrop')])
    .execute()
  return rows.map(({ path }) => path)
}

function isInUse(eb: ExpressionBuilder<Tables, 'uploads'>) {
  return eb.or([
    eb.exists(eb.selectFrom('users').select('users.id').whereRef('users.picture', '=', 'uploads.path')),
    eb.exists(eb.selectFrom('media').select('media.id').whereRef('media.image', '=', 'uploads.path')),
    eb.exists(eb.selectFrom('media').select('media.id').whereRef('media.backdrop', '=', 'uploads.path')),
    eb.exists(
      eb
        .selectFrom('removed_pictures')
        .select('removed_pictures.id')
        .whereRef('removed_pictures.path', '=', 'uploads.path'),
    ),
    // The icon of the site, as JSON.
    eb.exists(
      eb
        .selectFrom('settings')
        .select('key')
        .where('key', '=', 'icon')
        .where('value', '=', sql<string>`'"' || uploads.path || '"'`),
    ),
  ])
}

const keyOf = (path: string) => `upload ${path}`

export async function takePicture(trx: Db, userId: number): Promise<string | undefined> {
  const row = await trx.selectFrom('users').select('picture').where('id', '=', userId).executeTakeFirst()
  if (!row?.picture) return undefined
  await trx.updateTable('users').set({ picture: null }).where('id', '=', userId).execute()
  return row.picture
}

export async function listUploadsOf(db: Db, userId: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('path')
    .where('owner_id', '=', userId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ path }) => path)
}

export async function disownUploads(trx: Db, paths: readonly string[]): Promise<void> {
  await trx.updateTable('uploads').set({ owner_id: null }).where('path', 'in', paths).execute()
}
