import type { Selectable } from 'kysely'
import { lockKeys } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

type Removed = Selectable<Tables['removed_pictures']>
const pageSize = 100

/** Also the picture of the profile, which has no owner if it was sent at the sign-up. */
export async function listUploads(db: Db, userId: number, after: number) {
  return db
    .selectFrom('uploads')
    .select(['id', 'path', 'created_at'])
    .where((eb) =>
      eb.or([
        eb('owner_id', '=', userId),
        eb(
          'path',
          'in',
          eb
            .selectFrom('users')
            .select(({ ref }) => ref('picture').$notNull().as('picture'))
            .where('id', '=', userId),
        ),
      ]),
    )
    .where('id', '>', after)
    .orderBy('id')
    .limit(pageSize)
    .execute()
}

export async function listRemoved(db: Db, userId: number, after: number) {
  return db
    .selectFrom('removed_pictures')
    .innerJoin('uploads', 'uploads.path', 'removed_pictures.path')
    .selectAll('removed_pictures')
    .select('uploads.created_at')
    .where('user_id', '=', userId)
    .where('removed_pictures.id', '>', after)
    .orderBy('removed_pictures.id')
    .limit(pageSize)
    .execute()
}

/** Takes a picture out of the profile and all titles, and records where it was. */
export async function takePicture(trx: Db, userId: number, path: string): Promise<void> {
  // As an upload that is being used, so that it is not deleted in between.
  await lockKeys(trx, [`upload ${path}`])
  const places: Pick<Removed, 'table_name' | 'column_name' | 'row_id'>[] = []
  const profiles = await trx
    .updateTable('users')
    .set({ picture: null })
    .where('id', '=', userId)
    .where('picture', '=', path)
    .returning('id')
    .execute()
  for (const { id } of profiles) places.push({ table_name: 'users', column_name: 'picture', row_id: id })
  for (const column_name of ['image', 'backdrop'] as const) {
    const titles = await trx
      .updateTable('media')
      .set({ [column_name]: null })
      .where(column_name, '=', path)
      .returning('id')
      .execute()
    for (const { id } of titles) places.push({ table_name: 'media', column_name, row_id: id })
  }
  if (places.length > 0)
    await trx
      .insertInto('removed_pictures')
      .values(places.map((place) => ({ ...place, path, user_id: userId })))
      .execute()
}

export async function restorePicture(trx: Db, removed: Removed): Promise<void> {
  const { id, path, table_name, column_name, row_id } = removed
  await trx
    .updateTable(table_name)
    .set({ [column_name]: path } as object)
    .where('id', '=', row_id)
    .where(column_name as 'id', 'is', null)
    .execute()
  await forgetRemoved(trx, id)
}

export async function forgetRemoved(db: Db, id: number): Promise<void> {
  await db.deleteFrom('removed_pictures').where('id', '=', id).execute()
}
