import type { Db } from '#server/db/open.ts'
import { hasRow } from '#server/db/rows.ts'
import { cardColumns } from '#server/titles/tables.ts'

export async function isRemovalInForce(db: Db, id: number): Promise<boolean> {
  const key = { target_type: 'title', target_id: id, action: 'remove', ended_at: null } as const
  return hasRow(db, 'decisions', key)
}

export async function setRemoved(trx: Db, id: number, at: Date | null): Promise<void> {
  await trx
    .updateTable('media')
    .set({ removed_at: at?.toISOString() ?? null })
    .where('id', '=', id)
    .execute()
}

const createdTitles = (db: Db) =>
  db
    .selectFrom('media')
    .leftJoin('users', 'users.id', 'media.created_by')
    .select(cardColumns)
    .select([
      'media.overview',
      'media.created_at',
      'media.rating_count',
      'media.removed_at',
      'users.id as creator_id',
      'users.username',
      'users.picture',
    ])
    .where((eb) => eb.or([eb('media.source', 'is', null), eb('media.source', '=', 'import')]))
export type CreatedTitleRow = Awaited<ReturnType<typeof listCreated>>[number]

export async function listCreated(db: Db, before: number | undefined, limit: number) {
  return createdTitles(db)
    .$if(before !== undefined, (query) => query.where('media.id', '<', before!))
    .orderBy('media.id', 'desc')
    .limit(limit)
    .execute()
}

export async function findCreated(db: Db, id: number): Promise<CreatedTitleRow | undefined> {
  return createdTitles(db).where('media.id', '=', id).executeTakeFirst()
}

/** The row stays, because ratings and entries of members refer to it. */
export async function forgetTitle(db: Db, id: number): Promise<void> {
  await db
    .updateTable('media')
    .set({
      name: '',
      name_folded: '',
      name_key: '',
      search_text: '',
      overview: null,
      tagline: null,
      image: null,
      backdrop: null,
      details: JSON.stringify({ genres: [], creators: [], platforms: [], rating: null }),
    })
    .where('id', '=', id)
    .where('removed_at', 'is not', null)
    .execute()
}
