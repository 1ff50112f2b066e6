import type { ExpressionBuilder, Insertable, SelectQueryBuilder } from 'kysely'
import { lockKeys } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export async function insertUpload(db: Db, upload: Insertable<Tables['uploads']>): Promise<void> {
  await db.insertInto('uploads').values(upload).execute()
}

export type Usage = { count: number; bytes: number; oldest: string | null }

/** Returns what a member has uploaded since then, whether it is shown or not. */
export async function findMemberUsage(db: Db, ownerId: number, since: Date): Promise<Usage> {
  return usageOf(db.selectFrom('uploads').where('owner_id', '=', ownerId), since)
}

/** Returns what was uploaded without a login since then and is shown nowhere. */
export async function findAnonymousUsage(db: Db, since: Date): Promise<Usage> {
  const anonymous = db.selectFrom('uploads').where('owner_id', 'is', null)
  return usageOf(
    anonymous.where((eb) => eb.not(isShown(eb))),
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
 * To be called in the transaction that takes a picture into use: nobody removes the upload before that ends. False
 * where there is none (any more).
 */
export async function holdUpload(trx: Db, path: string): Promise<boolean> {
  await lockKeys(trx, [keyOf(path)])
  const row = await trx.selectFrom('uploads').select('id').where('path', '=', path).executeTakeFirst()
  return row !== undefined
}

/** Returns uploads in the order of their ids, and whether anything shows them. `since`: anonymous ones alone. */
export async function listUploads(
  db: Db,
  { after, before, limit, since }: { after: number; before: Date; limit: number; since?: Date },
): Promise<{ id: number; path: string; isShown: boolean }[]> {
  const rows = await db
    .selectFrom('uploads')
    .select((eb) => ['id', 'path', isShown(eb).as('isShown')])
    .where('id', '>', after)
    .where('created_at', '<', before.toISOString())
    .$if(since !== undefined, (query) =>
      query.where('owner_id', 'is', null).where('created_at', '>', since!.toISOString()),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, isShown: Boolean(row.isShown) }))
}

/** Removes those of the uploads that nothing shows, and answers which; to be called in a transaction of its own. */
export async function removeUnshown(trx: Db, paths: readonly string[]): Promise<string[]> {
  // First the locks and then, as a statement of its own, the question: Postgres answers it as of when the statement began.
  await lockKeys(trx, paths.map(keyOf))
  const rows = await trx
    .deleteFrom('uploads')
    .where('path', 'in', paths)
    .where((eb) => eb.not(isShown(eb)))
    .returning('path')
    .execute()
  return rows.map(({ path }) => path)
}

/** Those of the addresses that an upload has, or that something shows. */
export async function listKnown(db: Db, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return []
  const pictures = db
    .selectFrom('users')
    .select(({ ref }) => ref('picture').$notNull().as('path'))
    .where('picture', 'in', paths)
  const shownAs = (column: 'image' | 'backdrop') =>
    db
      .selectFrom('media')
      .select(({ ref }) => ref(column).$notNull().as('path'))
      .where(column, 'in', paths)
  const rows = await db
    .selectFrom('uploads')
    .select('path')
    .where('path', 'in', paths)
    .union([pictures, shownAs('image'), shownAs('backdrop')])
    .execute()
  return rows.map(({ path }) => path)
}

function isShown(eb: ExpressionBuilder<Tables, 'uploads'>) {
  return eb.or([
    eb.exists(eb.selectFrom('users').select('users.id').whereRef('users.picture', '=', 'uploads.path')),
    eb.exists(eb.selectFrom('media').select('media.id').whereRef('media.image', '=', 'uploads.path')),
    eb.exists(eb.selectFrom('media').select('media.id').whereRef('media.backdrop', '=', 'uploads.path')),
  ])
}

const keyOf = (path: string) => `upload ${path}`
