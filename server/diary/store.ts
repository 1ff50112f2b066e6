import { type ExpressionBuilder, type Insertable, sql } from 'kysely'
import type { DiarySort, DiaryVisibility, MaxLength } from '#shared/contracts/diary.ts'
import { diaryEntriesMax, diaryYearMax } from '#shared/domain/limits.ts'
import type { DiaryStatus, Kind } from '#shared/domain/kinds.ts'
import { isOneOf, isSqlite, isUniqueViolation } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { prepareByIds, prepareFirst, prepareQuery } from '#server/db/prepared.ts'
import { hasRow, removeRows } from '#server/db/rows.ts'
import { isShown, isTitleShown, maySeeDiary, maySuggest } from '#server/members/visibility.ts'
import type { Tables } from '#server/db/tables.ts'
import { currentFirst } from '#server/progress/tables.ts'
import type { EntryPlace, EntryRow, WrittenEntryRow, YearEntryRow } from './tables.ts'

/** The last date, or empty: the expression of the index `diary_entries_day`. */
const day = sql<string>`coalesce(diary_entries.finished_on, diary_entries.started_on, '')`

/** The join of an entry with its last step: of the last day the last added one. */
const isLastStep = sql<boolean>`steps.id = (select last.id from steps as last
  where last.entry_id = diary_entries.id order by last.day desc, last.id desc limit 1)`

const diaryAccess = prepareFirst((db, userId: number, viewerId: number) =>
  db
    .selectFrom('users')
    .select(maySeeDiary(viewerId).as('isVisible'))
    .where('users.id', '=', userId)
    .where(isShown(viewerId)),
)

export async function isDiaryVisible(db: Db, userId: number, viewerId: number): Promise<boolean | undefined> {
  const row = await diaryAccess(db, userId, viewerId)
  return row && Boolean(row.isVisible)
}

export async function findVisibility(db: Db, userId: number): Promise<DiaryVisibility> {
  const row = await db
    .selectFrom('users')
    .select('diary_visibility')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.diary_visibility
}

export async function updateVisibility(db: Db, userId: number, visibility: DiaryVisibility): Promise<void> {
  await db.updateTable('users').set({ diary_visibility: visibility }).where('id', '=', userId).execute()
}

type Listing = MaxLength & {
  userId: number
  kind?: Kind | undefined
  status?: DiaryStatus | undefined
  year?: number | undefined
  sort: DiarySort
  after?: EntryPlace | undefined
  /** Each place has the services of the country that have the title. */
  country?: string | undefined
  limit: number
}

/** Ties are sorted by id. The average is an integer, because keyset paging compares it exactly. */
const sortValues = {
  newest: day,
  release: sql<string>`coalesce(media.release_date, '')`,
  average: sql<number>`case media.rating_count when 0 then 0 else cast(media.rating_sum as bigint) * 1000 / media.rating_count end`,
}

/** Each with its sort key. Without `status`, leaves out `want`. */
export async function listEntryIds(
  db: Db,
  { userId, kind, status, year, sort, after, country, limit, ...lengths }: Listing,
): Promise<(EntryPlace & { services?: string | null })[]> {
  const value = sortValues[sort]
  return (
    db
      .selectFrom('diary_entries')
      .$if(
        sort !== 'newest',
        (query) => query.innerJoin('media', 'media.id', 'diary_entries.media_id') as never,
      )
      .$if(
        country !== undefined,
        (query) =>
          query
            .leftJoin('offers', (join) =>
              join
                .onRef('offers.media_id', '=', 'diary_entries.media_id')
                .on('offers.country', '=', country!),
            )
            .select('offers.services') as never,
      )
      .select(['diary_entries.id', sql<string | number>`${value}`.as('value')])
      .where('diary_entries.user_id', '=', userId)
      .where('diary_entries.status', status ? '=' : '<>', status ?? 'want')
      .$if(kind !== undefined, (query) => query.where('diary_entries.kind', '=', kind!))
      .where(isWithin(lengths))
      .$if(year !== undefined, (query) => query.where(isInYear(year!)))
      // Entries on the want list have no date. Without this condition, SQLite would read all dated entries first; with “=”, it would sort.
      .$if(status === 'want', (query) => query.where(day, '<=', ''))
      .$if(after !== undefined, (query) =>
        query
          .where(sql<boolean>`${value} <= ${after!.value}`)
          .where(sql<boolean>`(${value} < ${after!.value} or diary_entries.id < ${after!.id})`),
      )
      .orderBy(value, 'desc')
      .orderBy('diary_entries.id', 'desc')
      .limit(limit)
      .execute()
  )
}

/** A known length up to one of the maximums; true without any. */
function isWithin({ maxMinutes, maxPages }: MaxLength) {
  const conditions = [
    ...(maxMinutes === undefined ? [] : [sql`titles.runtime <= ${maxMinutes}`]),
    ...(maxPages === undefined ? [] : [sql`titles.page_count <= ${maxPages}`]),
  ]
  return conditions.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`exists (select 1 from media as titles
        where titles.id = diary_entries.media_id and (${sql.join(conditions, sql` or `)}))`
}

/** Also dates without a month: “~” sorts after “-”. */
function isInYear(year: number) {
  const text = String(year)
  return sql<boolean>`${day} >= ${text} and ${day} < ${`${text}~`}`
}

function entriesWithTitles(db: Db) {
  return db
    .selectFrom('diary_entries')
    .innerJoin('media', 'media.id', 'diary_entries.media_id')
    .leftJoin('reviews', (join) =>
      join
        .onRef('reviews.user_id', '=', 'diary_entries.user_id')
        .onRef('reviews.media_id', '=', 'diary_entries.media_id'),
    )
    .where(isTitleShown)
}

export const listEntries = prepareByIds((db, ids) =>
  entriesWithTitles(db)
    .leftJoin('steps', (join) => join.on(isLastStep))
    .selectAll('diary_entries')
    .select(['media.name', 'media.image', 'media.release_year', 'media.runtime', 'media.page_count'])
    .select(['steps.unit as step_unit', 'steps.hundredths as step_hundredths'])
    .select('reviews.rating')
    .where(isOneOf(db, 'diary_entries.id', ids)),
)

/** In the order of `currentFirst`. */
export async function listEntryIdsOf(db: Db, userId: number, titleId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('diary_entries')
    .select('id')
    .where('user_id', '=', userId)
    .where('media_id', '=', titleId)
    .orderBy(currentFirst)
    .limit(diaryEntriesMax)
    .execute()
  return rows.map((row) => row.id)
}

export const listStatuses = prepareQuery((db, userId: number, ids: readonly number[]) =>
  db
    .selectFrom(
      db
        .selectFrom('diary_entries')
        .select([
          'id',
          'media_id',
          'status',
          'pass',
          'kind',
          sql<number>`row_number() over (partition by media_id order by ${currentFirst})`.as('position'),
        ])
        .where('user_id', '=', userId)
        .where(isOneOf(db, 'diary_entries.media_id', ids))
        .as('diary_entries'),
    )
    .innerJoin('media', 'media.id', 'diary_entries.media_id')
    .leftJoin('steps', (join) => join.on(isLastStep))
    .select(['diary_entries.id', 'diary_entries.media_id', 'diary_entries.status'])
    .select(['diary_entries.pass', 'diary_entries.kind'])
    .select(['media.runtime', 'media.page_count'])
    .select(['steps.unit as step_unit', 'steps.hundredths as step_hundredths'])
    .where(sql<boolean>`position = 1`),
)

const selectOwn = (db: Db, userId: number, id: number) =>
  db.selectFrom('diary_entries').selectAll().where('id', '=', id).where('user_id', '=', userId)

export async function findEntry(db: Db, userId: number, id: number): Promise<EntryRow | undefined> {
  return selectOwn(db, userId, id).executeTakeFirst()
}

export async function lockEntry(trx: Db, userId: number, id: number): Promise<EntryRow | undefined> {
  return selectOwn(trx, userId, id)
    .$if(!isSqlite(trx), (query) => query.forUpdate())
    .executeTakeFirst()
}

/** Undefined for a second `want` entry of the title, or a second one in progress. */
export async function insertEntry(
  db: Db,
  entry: Insertable<Tables['diary_entries']>,
): Promise<number | undefined> {
  const row = await db
    .insertInto('diary_entries')
    .values(entry)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Returns false where `insertEntry` returns undefined. On Postgres, the transaction must then be rolled back. */
export async function updateEntry(
  trx: Db,
  id: number,
  values: Pick<EntryRow, 'status' | 'updated_at'> & Partial<WrittenEntryRow>,
): Promise<boolean> {
  try {
    await trx.updateTable('diary_entries').set(values).where('id', '=', id).execute()
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

export async function hasWanted(db: Db, userId: number, titleId: number): Promise<boolean> {
  return hasRow(db, 'diary_entries', { user_id: userId, media_id: titleId, status: 'want' })
}

export async function removeEntry(db: Db, userId: number, id: number): Promise<boolean> {
  return removeRows(db, 'diary_entries', { id, user_id: userId })
}

export async function listYear(db: Db, userId: number, year: number): Promise<YearEntryRow[]> {
  return entriesWithTitles(db)
    .select([
      'diary_entries.id',
      'diary_entries.media_id',
      'diary_entries.kind',
      day.as('day'),
      'media.name',
      'media.image',
      'media.release_year',
      'media.runtime',
      'media.page_count',
      'media.details',
      'media.rating_count',
      'reviews.rating',
    ])
    .where('diary_entries.user_id', '=', userId)
    .where('diary_entries.status', '=', 'finished')
    .where(isInYear(year))
    .orderBy(day)
    .orderBy('diary_entries.id')
    .limit(diaryYearMax)
    .execute()
}

/** The last date of the newest entry before, and of the oldest one after. */
export async function findDaysAround(
  db: Db,
  userId: number,
  year: number,
): Promise<{ before: string | undefined; after: string | undefined }> {
  const dated = db.selectFrom('diary_entries').select(day.as('day')).where('user_id', '=', userId)
  const isBefore = (eb: ExpressionBuilder<Tables, 'diary_entries'>) =>
    eb.and([eb(day, '>', ''), eb(day, '<', String(year))])
  const before = await dated.where(isBefore).orderBy(day, 'desc').limit(1).executeTakeFirst()
  const after = await dated.where(day, '>=', `${year}~`).orderBy(day).limit(1).executeTakeFirst()
  return { before: before?.day, after: after?.day }
}

export async function listTitleIds(
  db: Db,
  ids: readonly number[],
): Promise<Pick<EntryRow, 'id' | 'media_id'>[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('diary_entries')
    .select(['id', 'media_id'])
    .where(isOneOf(db, 'diary_entries.id', ids))
    .orderBy('id')
    .execute()
}

/** Other members whose diaries everyone may read, and who may be suggested to the viewer. Reads at most `limit` entries of the title. */
export async function listFinishers(
  db: Db,
  titleId: number,
  year: number,
  userId: number,
  limit: number,
  viewerId: number,
): Promise<Pick<EntryRow, 'user_id' | 'media_id'>[]> {
  const ofTitle = db.selectFrom('diary_entries').selectAll().where('media_id', '=', titleId).limit(limit)
  return db
    .selectFrom(ofTitle.as('diary_entries'))
    .innerJoin('users', 'users.id', 'diary_entries.user_id')
    .select(['diary_entries.user_id', 'diary_entries.media_id'])
    .distinct()
    .where('diary_entries.status', '=', 'finished')
    .where(isInYear(year))
    .where('diary_entries.user_id', '<>', userId)
    .where('users.diary_visibility', '=', 'public')
    .where(maySuggest(viewerId))
    .execute()
}

export function selectExportedEntries(db: Db, userId: number) {
  return db.selectFrom('diary_entries').selectAll().where('user_id', '=', userId)
}
