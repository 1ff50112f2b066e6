import { type Kysely, sql } from 'kysely'
import { isSqlite } from '#server/db/dialect.ts'
import { foldLetters, undecomposed } from '#server/db/fold.ts'

/** Letters that do not decompose, such as ı and þ, are folded in all stored texts that are compared with folded ones. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await refold(db, 'media', { name_folded: 200, search_text: 800 })
  await refold(db, 'users', { search_text: 100 })
  await refold(db, 'import_titles', { search_text: 300 })
  await refoldKeys(db, 'list_words', ['word', 'list_id'])
  await refoldKeys(db, 'import_keys', ['key', 'user_id'])
  await refoldKeys(db, 'import_titles', ['title_key', 'import_id'])
}

/** The ids per slice; most slices have few rows with such letters. */
const slice = 5_000

// oxlint-disable-next-line no-explicit-any -- see above
const hasLetters = (db: Kysely<any>, column: string) =>
  isSqlite(db)
    ? sql<boolean>`${sql.ref(column)} glob ${`*[${undecomposed}]*`}`
    : sql<boolean>`${sql.ref(column)} ~ ${`[${undecomposed}]`}`

/** `lengths` are the maximum lengths of the columns. */
async function refold(
  // oxlint-disable-next-line no-explicit-any -- see above
  db: Kysely<any>,
  table: string,
  lengths: Record<string, number>,
): Promise<void> {
  const columns = Object.keys(lengths)
  const last = await db
    .selectFrom(table)
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  for (let after = 0; after < Number(last?.id ?? 0); after += slice) {
    const rows = await db
      .selectFrom(table)
      .select(['id', ...columns])
      .where('id', '>', after)
      .where('id', '<=', after + slice)
      .where((eb) => eb.or(columns.map((column) => hasLetters(db, column))))
      .execute()
    if (rows.length === 0) continue
    const folded = rows.map((row) => ({
      id: row.id,
      ...Object.fromEntries(
        columns.map((column) => [column, cut(foldLetters(row[column]), lengths[column]!)]),
      ),
    }))
    const set = sql.join(columns.map((column) => sql`${sql.ref(column)} = folded.${sql.ref(column)}`))
    const types = sql.join(
      ['id bigint', ...columns.map((column) => `${column} text`)].map((each) => sql.raw(each)),
    )
    const values = ['id', ...columns].map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`)
    const source = isSqlite(db)
      ? sql`(select ${sql.join(values)} from json_each(${JSON.stringify(folded)})) as folded`
      : sql`json_to_recordset(${JSON.stringify(folded)}::json) as folded(${types})`
    await sql`update ${sql.table(table)} set ${set} from ${source} where ${sql.table(table)}.id = folded.id`.execute(
      db,
    )
  }
}

const cut = (text: string, max: number) => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')

/** A key that another row of the same owner has already is removed from a table of keys, and kept in a table with rows of their own. */
async function refoldKeys(
  // oxlint-disable-next-line no-explicit-any -- see above
  db: Kysely<any>,
  table: string,
  [key, owner]: readonly [key: string, owner: string],
): Promise<void> {
  const rows = await db.selectFrom(table).select([key, owner]).where(hasLetters(db, key)).execute()
  for (const row of rows) {
    const mine = db.selectFrom(table).select(owner).where(owner, '=', row[owner])
    const folded = foldLetters(row[key])
    const isTaken = (await mine.where(key, '=', folded).execute()).length > 0
    if (!isTaken)
      await db
        .updateTable(table)
        .set({ [key]: folded })
        .where(owner, '=', row[owner])
        .where(key, '=', row[key])
        .execute()
    else if (table !== 'import_titles')
      await db.deleteFrom(table).where(owner, '=', row[owner]).where(key, '=', row[key]).execute()
  }
}
