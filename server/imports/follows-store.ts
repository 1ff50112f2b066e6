import type { Insertable, Selectable } from 'kysely'
import { caseless } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

/** Lists verified members by username, each with whether the member follows them, and whether an import has ever created that follow. */
export async function listFollowable(
  db: Db,
  userId: number,
  usernames: readonly string[],
): Promise<{ id: number; username: string; isFollowed: boolean; wasImported: boolean }[]> {
  if (usernames.length === 0) return []
  const rows = await db
    .selectFrom('users')
    .select((eb) => [
      'users.id',
      'users.username',
      eb
        .exists(
          eb
            .selectFrom('follows')
            .select('followee_id')
            .where('follower_id', '=', userId)
            .whereRef('followee_id', '=', 'users.id'),
        )
        .as('isFollowed'),
      eb
        .exists(
          eb
            .selectFrom('import_follows')
            .innerJoin('imports', 'imports.id', 'import_follows.import_id')
            .select('import_follows.id')
            .where('imports.user_id', '=', userId)
            .whereRef('import_follows.followee_id', '=', 'users.id'),
        )
        .as('wasImported'),
    ])
    .where('users.username_folded', 'in', usernames.map(caseless))
    .where('users.username', 'in', usernames)
    .where('users.verified_at', 'is not', null)
    .where('users.id', '<>', userId)
    .execute()
  return rows.map((row) => ({
    ...row,
    isFollowed: Boolean(row.isFollowed),
    wasImported: Boolean(row.wasImported),
  }))
}

export async function insertImportedFollow(
  db: Db,
  values: Insertable<Tables['import_follows']>,
): Promise<void> {
  await db
    .insertInto('import_follows')
    .values(values)
    .onConflict((conflict) => conflict.columns(['import_id', 'followee_id']).doUpdateSet(values))
    .execute()
}

type ImportedFollowRow = Selectable<Tables['import_follows']>

/** Returns the last follow that an import has created. */
export async function findImportedFollow(db: Db, importId: number): Promise<ImportedFollowRow | undefined> {
  return db
    .selectFrom('import_follows')
    .selectAll()
    .where('import_id', '=', importId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Deletes the record of a follow that an import has created, and marks its line as left out. */
export async function removeImportedFollow(
  trx: Db,
  { id, line_id }: Pick<ImportedFollowRow, 'id' | 'line_id'>,
): Promise<void> {
  await trx.deleteFrom('import_follows').where('id', '=', id).execute()
  await trx.updateTable('import_lines').set({ state: 'left' }).where('id', '=', line_id).execute()
}

/** Returns the number of follows that an import has created and that have not changed since. */
export async function countImportedFollows(db: Db, userId: number, importId: number): Promise<number> {
  const { count } = await db
    .selectFrom('import_follows')
    .innerJoin('follows', (join) =>
      join
        .onRef('follows.followee_id', '=', 'import_follows.followee_id')
        .onRef('follows.created_at', '=', 'import_follows.created_at'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('import_follows.import_id', '=', importId)
    .where('follows.follower_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns when a follow began; undefined if there is none. */
export async function findFollowTime(
  db: Db,
  followerId: number,
  followeeId: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('follows')
    .select('created_at')
    .where('follower_id', '=', followerId)
    .where('followee_id', '=', followeeId)
    .executeTakeFirst()
  return row?.created_at
}
