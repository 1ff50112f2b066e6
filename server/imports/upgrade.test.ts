import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { up } from '#migrations/0046-import-words.ts'
import { anImportServer } from '#scripts/testing/imports.ts'
import { findImport, updateImport } from './store.ts'

const server = await anImportServer()
const { db, newCaller, work } = server
const caller = await newCaller()
const call = server.as(caller)
const file =
  'Const,Your Rating,Title,Title Type,Year\ntt1,9,The Matrix,Movie,1999\ntt2,7,The Upgraded Reel,Movie,1950\n'

/** Makes of an import what a version of before the records has stored, and upgrades the database. */
async function upgrade(id: number) {
  const { facts } = (await findImport(db, caller.id, id))!
  const { isReread: _, matches, ...older } = JSON.parse(facts) as Record<string, unknown>
  const step = { lines: 'lines', titles: 'plans', sources: 'lookup', same: 'join' }[matches as string]
  const shelves = [{ name: '"matches":"lines"', count: 1 }]
  await updateImport(db, id, { facts: JSON.stringify({ ...older, step, shelves }) })
  await db.updateTable('import_lines').set({ record: null }).where('import_id', '=', id).execute()
  await sql`alter table import_titles rename column record to plan`.execute(db)
  await sql`alter table import_titles rename column change to verdict`.execute(db)
  await up(db)
}

test('an import goes on after an upgrade, in each state: its lines are interpreted when they are needed', async () => {
  const id = await server.upload(caller, file)
  const stateOf = async () => (await call.imports.byId({ id })).import
  const starsOf = async () => (await call.imports.titles({ id })).titles.map(({ theirs }) => theirs.rating)
  await upgrade(id)
  await work()
  expect(await stateOf()).toMatchObject({ state: 'ready', counts: { new: 1, notFound: 1 } })
  expect(await starsOf()).toEqual([5, 4])
  await call.imports.update({ id, halves: 'down' })
  expect(await stateOf()).toMatchObject({ state: 'matching', done: 0 })
  await upgrade(id)
  await work()
  expect(await stateOf()).toMatchObject({ state: 'ready', shelves: [{ count: 1 }] })
  expect(await starsOf()).toEqual([4, 3])
  await call.imports.start({ id })
  await upgrade(id)
  await work()
  expect(await stateOf()).toMatchObject({ state: 'done', counts: { taken: 1, notFound: 1 } })
  await call.imports.undo({ id })
  await upgrade(id)
  await work()
  expect(await stateOf()).toMatchObject({ state: 'undone' })
  await call.imports.again({ id })
  await work()
  expect(await stateOf()).toMatchObject({ state: 'ready', counts: { new: 1, notFound: 1 } })
})
