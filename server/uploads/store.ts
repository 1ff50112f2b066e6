import type { Insertable } from 'kysely'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export async function insertUpload(db: Db, upload: Insertable<Tables['uploads']>): Promise<void> {
  await db.insertInto('uploads').values(upload).execute()
}
