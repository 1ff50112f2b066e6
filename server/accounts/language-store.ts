import type { TitleNames } from '#shared/domain/languages.ts'
import type { Db } from '#server/db/open.ts'

export async function findLanguageSettings(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['language', 'title_names'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

export async function updateLanguageSettings(
  db: Db,
  userId: number,
  changes: { language?: string | null; title_names?: TitleNames },
): Promise<void> {
  await db.updateTable('users').set(changes).where('id', '=', userId).execute()
}
