import { features } from '#server/router.ts'
import { deflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertMany } from '#server/db/dialect.ts'
import { migrate } from '#server/db/migrate.ts'
import { aDatabaseAt, aMember, anOldTitle } from '#server/testing.ts'
import { previewUndo } from './undo/undo.ts'
import { findImport, updateImport } from './store.ts'
import { runDueImports } from './work.ts'

test('an import of an existing database can be undone wholly after the migration', async () => {
  const { db, close } = await aDatabaseAt('0036-import-attempts')
  const old = { password_hash: 'none' }
  const [at, since] = ['2026-05-01T12:00:00.000Z', '2026-06-01T12:00:00.000Z']
  const [{ id: user_id }, friend, left, media_id] = [
    await aMember(db, 'importer', old),
    await aMember(db, 'friend', old),
    await aMember(db, 'left', old),
    await anOldTitle(db),
  ]
  const insert = async (table: string, row: object) => {
    await insertMany(db, table, [row])
    const { rows } = await sql<{ id: number }>`select max(id) as id from ${sql.table(table)}`.execute(db)
    return rows[0]!.id
  }
  const settings = { before: '{}', written: '{"digest":"daily"}', lineId: 1 }
  const [at_, facts] = [{ created_at: at, updated_at: at }, JSON.stringify({ settings })]
  const file = { user_id, service: 'medley', file_name: '', file_hash: '', options: '{}', facts }
  const import_id = await insert('imports', { ...file, state: 'done', applied_at: at, ...at_ })
  for (const [name, title] of [
    ['Rainy days', 'Rainy days'],
    ['Quiet', 'Renamed since'],
  ] as const) {
    const columns = { description: '', is_ranked: 1, visibility: 'private', tags: '["calm"]' }
    const list_id = await insert('lists', { user_id, title, ...columns, item_count: 1, ...at_ })
    const item = { list_id, media_id, kind: 'movie', place: 'a', note: '', added_by: user_id, added_at: at }
    await insertMany(db, 'list_items', [item])
    const json = JSON.stringify({ name, ...columns, isRanked: true, tags: ['calm'] })
    const list = { import_id, list_key: name, name, state: 'taken', list_id, first_place: 1 }
    const packed = deflateRawSync(json).toString('base64')
    await insert('import_lists', { ...list, settings: name === 'Quiet' ? packed : json })
    const change = { import_id, user_id, media_id, what: 'listItem', target_id: list_id }
    await insert('import_changes', { ...change, after: '{"note":""}' })
  }
  for (const [followee_id, created_at] of [
    [friend.id, at],
    [left.id, since],
  ] as const) {
    await insertMany(db, 'follows', [{ follower_id: user_id, followee_id, created_at }])
    await insert('import_follows', { import_id, line_id: 1, followee_id, created_at: at })
  }
  await insertMany(db, 'inboxes', [{ user_id, settings: settings.written }])

  expect(await migrate(db)).toContain('0037-one-journal')
  const row = (await findImport(db, user_id, import_id))!
  expect(row.facts).toBe('{}')
  expect(await previewUndo(features, db, row)).toMatchObject({
    removes: { lists: 1, listItems: 2, follows: 1 },
    restores: 1,
    keepsCount: 0,
  })
  await updateImport(db, import_id, { state: 'undoing', next_at: at })
  await runDueImports({ db, features, sources: { lookups: [] }, log: console })
  const lists = await db.selectFrom('lists').select(['title', 'item_count']).execute()
  expect(lists).toEqual([{ title: 'Renamed since', item_count: 0 }])
  expect(await db.selectFrom('follows').select('followee_id').execute()).toEqual([{ followee_id: left.id }])
  expect(await db.selectFrom('inboxes').select('settings').execute()).toEqual([{ settings: '{}' }])
  expect(await db.selectFrom('import_changes').selectAll().execute()).toEqual([])
  expect((await findImport(db, user_id, import_id))?.state).toBe('undone')
  await close()
})
