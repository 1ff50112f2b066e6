import { type Insertable, type SqlBool, sql } from 'kysely'
import { insertMany, isOneOf } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { titleOfReview } from '#server/reviews/tables.ts'
import { type WrittenThing, writtenThings } from '#shared/domain/written-things.ts'

export type Subject = { mediaId: number; what?: WrittenThing; targetId?: number }

/** Not a review of a season or an episode, of which a show can have thousands. */
const isOfTitle = sql<SqlBool>`not (what = 'review' and exists (select 1 from reviews
  where reviews.id = target_id and reviews.part_id is not null))`

function idsOf<Table extends 'import_changes' | 'past_writes'>(
  db: Db,
  table: Table,
  userId: number,
  { mediaId, what, targetId }: Subject,
  limit: number,
) {
  return (
    db
      .selectFrom(table as 'import_changes')
      .select('id')
      .where('user_id', '=', userId)
      .where('media_id', '=', mediaId)
      .where('what', 'in', what === undefined ? writtenThings : [what])
      .$if(targetId !== undefined, (query) => query.where('target_id', '=', targetId!))
      .$if(targetId === undefined, (query) => query.where(isOfTitle))
      // For the order alone, SQLite would choose the index of the title, which has the rows of all members.
      .orderBy(sql`id + 0`, 'desc')
      .limit(limit)
  )
}

const wroteAt = sql<string>`coalesce(import_titles.applied_at, imports.applied_at, imports.updated_at)`

/** Newest first. The ids are found in an index. */
export async function listWrites(db: Db, userId: number, subject: Subject, limit: number) {
  return db
    .selectFrom('import_changes')
    .innerJoin('imports', 'imports.id', 'import_changes.import_id')
    .leftJoin('import_titles', 'import_titles.id', 'import_changes.title_id')
    .select(['import_changes.id', 'import_changes.import_id', 'import_changes.title_id'])
    .select(['import_changes.what', 'import_changes.target_id', 'import_changes.media_id'])
    .select(['import_changes.before', 'import_changes.after'])
    .select(['imports.service', 'imports.file_name', wroteAt.as('wrote_at')])
    .where('import_changes.id', 'in', idsOf(db, 'import_changes', userId, subject, limit))
    .orderBy('import_changes.id', 'desc')
    .execute()
}

export type WriteRow = Awaited<ReturnType<typeof listWrites>>[number]

export async function listPastWrites(db: Db, userId: number, subject: Subject, limit: number) {
  return db
    .selectFrom('past_writes')
    .select(['id', 'what', 'target_id', 'media_id', 'before', 'after', 'service', 'wrote_at'])
    .where('id', 'in', idsOf(db, 'past_writes', userId, subject, limit))
    .orderBy('wrote_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function findTitleOf(
  db: Db,
  table: 'reviews' | 'diary_entries',
  userId: number,
  id: number,
): Promise<number | undefined> {
  const title = table === 'reviews' ? titleOfReview : sql<number>`diary_entries.media_id`
  const rows = db.selectFrom(table).select(title.as('title_id')).where('id', '=', id)
  return (await rows.where('user_id', '=', userId).executeTakeFirst())?.title_id
}

export async function listImportsByIds(db: Db, ids: readonly number[]) {
  return db
    .selectFrom('imports')
    .selectAll()
    .where(isOneOf(db, 'id', ids))
    .execute()
}

/** Returns the next changes of an import, and whether each is its last about its row. */
export async function listLastChanges(db: Db, importId: number, after: number, limit: number) {
  return db
    .selectFrom('import_changes')
    .innerJoin('imports', 'imports.id', 'import_changes.import_id')
    .leftJoin('import_titles', 'import_titles.id', 'import_changes.title_id')
    .select(['import_changes.id', 'import_changes.import_id', 'import_changes.user_id'])
    .select(['import_changes.media_id', 'import_changes.what', 'import_changes.target_id'])
    .select(['import_changes.before', 'import_changes.after', 'imports.service'])
    .select(wroteAt.as('wrote_at'))
    .select(
      sql<SqlBool>`not exists (select 1 from import_changes as later
        where later.user_id = import_changes.user_id and later.media_id = import_changes.media_id
          and later.what = import_changes.what and later.target_id = import_changes.target_id
          and later.id > import_changes.id and later.import_id = import_changes.import_id)`.as('isLast'),
    )
    .where('import_changes.import_id', '=', importId)
    .where('import_changes.what', 'in', writtenThings)
    .where('import_changes.id', '>', after)
    .orderBy('import_changes.id')
    .limit(limit)
    .execute()
}

export async function listPastOf(db: Db, userId: number, mediaIds: readonly number[]) {
  return db
    .selectFrom('past_writes')
    .select(['id', 'media_id', 'what', 'target_id', 'wrote_at'])
    .where('user_id', '=', userId)
    .where(isOneOf(db, 'media_id', mediaIds))
    .execute()
}

export type NewWrite = Insertable<Tables['past_writes']>

export async function insertPast(db: Db, rows: readonly NewWrite[]): Promise<void> {
  await insertMany(db, 'past_writes', rows)
}

export async function removePast(db: Db, ids: readonly number[]): Promise<void> {
  const writes = db.deleteFrom('past_writes')
  await writes.where(isOneOf(db, 'id', ids)).execute()
}
