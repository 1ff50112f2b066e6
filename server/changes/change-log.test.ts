import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { changeAreas } from '#shared/contracts/features.ts'
import { aServer } from '#server/testing.ts'
import { logChanges } from './change-log.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { safeColumns, writtenColumns } from '#server/reviews/tables.ts'
import type { Tables } from '#server/db/tables.ts'

const { db } = await aServer()

/** The columns of each table that members write, without times, and the title. The triggers of the migrations log each change of them. */
const written = {
  reviews: ['media_id', 'part_id', ...writtenColumns, ...safeColumns, 'rating_given'],
  diary_entries: ['media_id', 'status', 'started_on', 'finished_on', 'is_again', 'rating_given', 'text'],
} satisfies Partial<{ [Table in keyof Tables]: string[] }>

test.each(Object.entries(written))(
  'a change of each column of %s that a member writes is logged: call logChanges in a migration',
  async (table, columns) => {
    expect(await loggedColumns(table)).toEqual([...columns, 'created_at', 'updated_at'].sort())
  },
)

test('each area of the change log has a table whose triggers log it: call logChanges in a migration', async () => {
  const logged = [...(await triggers()).keys()].filter((name) => /^log_.*_insert$/.test(name))
  expect(logged).toHaveLength(changeAreas.length)
})

test('triggers that a migration replaces equal the triggers of the migration that created them', async () => {
  const before = await triggers()
  await logChanges(db, {
    table: 'diary_entries',
    area: 'diary',
    user: 'user_id',
    thing: 'id',
    media: 'media_id',
    written: [...written.diary_entries, 'created_at', 'updated_at'],
  })
  await logChanges(db, {
    table: 'follows',
    area: 'follow',
    user: 'follower_id',
    thing: 'followee_id',
    media: null,
    written: [],
  })
  expect(await triggers()).toEqual(before)
})

/** Returns the definitions of all triggers by name, without white space. */
async function triggers() {
  const query = isSqlite(db)
    ? sql<{ name: string; text: string }>`select name, sql as text from sqlite_master where type = 'trigger'`
    : sql<{
        name: string
        text: string
      }>`select tgname as name, pg_get_triggerdef(pg_trigger.oid) || prosrc as text
        from pg_trigger join pg_proc on pg_proc.oid = tgfoid where not tgisinternal`
  const { rows } = await query.execute(db)
  return new Map(rows.map(({ name, text }) => [name, text.replaceAll(/[\s()]+/g, '')] as const))
}

/** Returns the columns whose update the trigger of a table logs, sorted. */
async function loggedColumns(table: string) {
  const name = `log_${table}_update`
  const { rows } = await (
    isSqlite(db)
      ? sql<{ text: string }>`select sql as text from sqlite_master where name = ${name}`
      : sql<{ text: string }>`select pg_get_triggerdef(oid) as text from pg_trigger where tgname = ${name}`
  ).execute(db)
  const [, columns] = /UPDATE OF (.*?) ON /is.exec(rows[0]!.text)!
  return columns!.replaceAll('"', '').split(', ').sort()
}
