import { type Kysely, sql } from 'kysely'
import { bytewise, isSqlite } from '#server/db/dialect.ts'
import { titleColumns } from '#server/db/fold.ts'

/** The names of titles in the form that search compares, and the letters of scripts without spaces as words of their own. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table media add column name_key ${bytewise(db)} not null default ''`.execute(db)
  const last = await db
    .selectFrom('media')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  for (let after = 0; after < Number(last?.id ?? 0); after += slice) {
    const rows = await db
      .selectFrom('media')
      .select(['id', 'name', 'details', 'search_text'])
      .where('id', '>', after)
      .where('id', '<=', after + slice)
      .where('name', '<>', '')
      .execute()
    if (rows.length === 0) continue
    const changed = rows.map(({ id, name, details, search_text }) => {
      const { creators = [], otherNames = [] } = JSON.parse(details) as Record<string, string[] | undefined>
      const columns = titleColumns(name, [...creators, ...otherNames])
      // An index of words is written anew for each changed text, so only the texts that the new rules change are.
      const isSame = !hasNewRules.test([name, ...creators, ...otherNames].join(' '))
      return { id, name_key: columns.name_key, search_text: isSame ? search_text : columns.search_text }
    })
    const source = isSqlite(db)
      ? sql`(select value ->> 'id' as id, value ->> 'name_key' as name_key, value ->> 'search_text' as search_text
          from json_each(${JSON.stringify(changed)})) as changed`
      : sql`json_to_recordset(${JSON.stringify(changed)}::json) as changed(id bigint, name_key text, search_text text)`
    await sql`update media set name_key = changed.name_key, search_text = changed.search_text from ${source}
      where media.id = changed.id`.execute(db)
  }
  await sql`create index media_name_key on media (name_key)`.execute(db)
}

/** Titles per slice. */
const slice = 5_000

/** Apostrophes that were read as the end of a word, and letters of scripts without spaces. */
const hasNewRules =
  /[‘‛`´ʼʻʹʾʿ′‵＇]|[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}]/u
