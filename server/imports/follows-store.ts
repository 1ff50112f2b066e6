import type { Insertable } from 'kysely'
import { caseless } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { countRows } from '#server/db/rows.ts'
import type { Tables } from '#server/db/tables.ts'
import { mayMeet } from '#server/db/visibility.ts'

/**
 * Lists the members that `userId` may see by username, each with when the member began to follow them, and whether an import has ever
 * created that follow.
 */
export async function listFollowable(db: Db, userId: number, usernames: readonly string[]) {
  if (usernames.length === 0) return []
  return db
    .selectFrom('users')
    .leftJoin('follows', (join) =>
      join.onRef('follows.followee_id', '=', 'users.id').on('follows.follower_id', '=', userId),
    )
    .select(['users.id', 'users.username', 'users.is_private', 'follows.created_at as followed_at'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('import_follows')
          .innerJoin('imports', 'imports.id', 'import_follows.import_id')
          .select('import_follows.id')
          .where('imports.user_id', '=', userId)
          .whereRef('import_follows.followee_id', '=', 'users.id'),
      ).as('was_imported'),
    )
    .where('users.username_folded', 'in', usernames.map(caseless))
    .where('users.username', 'in', usernames)
    .where(mayMeet(userId))
    .where('users.id', '<>', userId)
    .execute()
}

type NewFollow = Insertable<Tables['import_follows']>

export async function insertImportedFollow(db: Db, values: NewFollow): Promise<void> {
  await db
    .insertInto('import_follows')
    .values(values)
    .onConflict((conflict) => conflict.columns(['import_id', 'followee_id']).doUpdateSet(values))
    .execute()
}

/** Selects the follows that an import has created, with the follow as it is now if it has not changed since. */
const importedFollows = (db: Db, userId: number, importId: number) =>
  db
    .selectFrom('import_follows')
    .leftJoin('follows', (join) =>
      join
        .onRef('follows.followee_id', '=', 'import_follows.followee_id')
        .onRef('follows.created_at', '=', 'import_follows.created_at')
        .on('follows.follower_id', '=', userId),
    )
    .where('import_follows.import_id', '=', importId)

/** Returns the last follow that an import has created. `unchanged_at` is null if it has changed since. */
export async function findImportedFollow(db: Db, userId: number, importId: number) {
  return importedFollows(db, userId, importId)
    .select(['id', 'line_id', 'import_follows.followee_id', 'follows.created_at as unchanged_at'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the number of follows that an import has created and that have not changed since. */
export async function countImportedFollows(db: Db, userId: number, importId: number): Promise<number> {
  return countRows(importedFollows(db, userId, importId).where('follows.created_at', 'is not', null))
}

/** Deletes the record of a follow that an import has created, and marks its line as left out. */
export async function removeImportedFollow(trx: Db, { id, line_id }: { id: number; line_id: number }) {
  await trx.deleteFrom('import_follows').where('id', '=', id).execute()
  await trx.updateTable('import_lines').set({ state: 'left' }).where('id', '=', line_id).execute()
}
