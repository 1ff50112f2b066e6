import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { up } from '#migrations/0046-import-words.ts'
import { pack, unpack } from '#server/db/packed.ts'
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
  const row = (await findImport(db, caller.id, id))!
  const { isReread: _, hasHalves: __, matches, ...older } = JSON.parse(row.facts) as Record<string, unknown>
  const { halfStars: ___, ...options } = JSON.parse(row.options) as Record<string, unknown>
  const step = { lines: 'lines', titles: 'plans', sources: 'lookup', same: 'join' }[matches as string]
  const shelves = [{ name: '"matches":"lines"', count: 1 }]
  await updateImport(db, id, {
    options: JSON.stringify(options),
    facts: JSON.stringify({ ...older, step, shelves }),
  })
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

test('an import that wrote whole stars before there were halves is compared and undone as it was', async () => {
  const member = await newCaller()
  const own = server.as(member)
  const lines = (rating: number) =>
    `Const,Your Rating,Title,Title Type,Year\ntt1,${rating},The Matrix,Movie,1999\n`
  const apply = async (rating: number, conflicts?: 'file') => {
    const id = await server.upload(member, lines(rating))
    await work()
    await own.imports.update({ id, halfStars: false, ...(conflicts && { conflicts }) })
    await work()
    await own.imports.start({ id })
    await work()
    return id
  }
  const { id: itemId } = await db
    .selectFrom('media')
    .select('id')
    .where('name', '=', 'The Matrix')
    .executeTakeFirstOrThrow()
  await own.reviews.save({ itemId, rating: 2.5 })
  const first = await apply(9, 'file')
  const second = await apply(3, 'file')
  const ratingOf = async () => (await own.reviews.mine({ itemId })).review.rating
  expect(await ratingOf()).toBe(2)

  // As the version before wrote them.
  const changes = await db.selectFrom('import_changes').selectAll().where('user_id', '=', member.id).execute()
  expect(changes).toHaveLength(2)
  const older = (json: string) => {
    const row = JSON.parse(unpack(json)) as { rating: number }
    return pack(JSON.stringify({ ...row, rating: row.rating === 25 ? 25 : row.rating / 10 }))
  }
  for (const { id, before, after } of changes)
    await db
      .updateTable('import_changes')
      .set({ before: older(before!), after: older(after) })
      .where('id', '=', id)
      .execute()

  // What an import wrote and nobody changed since is newer in another file, not in conflict with it.
  const third = await server.upload(member, lines(7))
  await work()
  expect((await own.imports.byId({ id: third })).import.counts).toMatchObject({ newer: 1 })
  for (const [id, rating] of [
    [second, 5],
    [first, 2.5],
  ] as const) {
    await own.imports.undo({ id })
    await work()
    expect(await ratingOf()).toBe(rating)
  }
})
