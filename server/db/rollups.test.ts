import { promises as fs, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { FileMigrationProvider, Migrator } from 'kysely/migration'
import { expect, inject, test } from 'vitest'
import { kindNames } from '#shared/domain/kinds.ts'
import { seeded } from '#scripts/testing/random.ts'
import {
  aMember,
  anOldTitle,
  aServer,
  aTitle,
  freshPostgres,
  findCounterFaults,
  recountAll,
} from '#server/testing.ts'
import { migrate } from './migrate.ts'
import { type Db, openDatabase } from './open.ts'

const { db, as } = await aServer()

/** Creates members whose names have few different letters, titles, and ratings of two years. */
async function fill(to: Db, seed: number, isOld = false): Promise<void> {
  const random = seeded(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const letters = [...'aab.Éñ😀']
  const members = []
  for (let index = 0; index < 40; index++) {
    const name = Array.from({ length: 1 + below(25) }, () => letters[below(letters.length)]).join('')
    members.push(await aMember(to, `${name}${index}`, isOld ? { password_hash: 'none' } : {}))
  }
  for (let index = 0; index < 30; index++) {
    const kind = kindNames[below(4)]!
    const media_id = await anOldTitle(to, kind)
    const details = JSON.stringify({ genres: ['Drama', 'Comedy', 'Drama'].slice(below(3)) })
    await to
      .updateTable('media')
      .set({ details, release_year: 1985 + below(10) })
      .where('id', '=', media_id)
      .execute()
    for (const { id: user_id } of members) {
      if (random() < 0.6) continue
      const at = new Date(Date.UTC(2025, 0, 1) + below(730 * 86_400_000)).toISOString()
      const times = { created_at: at, updated_at: at, rated_at: at }
      const review = {
        media_id,
        kind,
        user_id,
        rating: isOld ? 1 + below(5) : 10 + 5 * below(9),
        text: '',
        ...times,
      }
      await to.insertInto('reviews').values(review).execute()
    }
  }
}

test('the migration fills the roll-ups of an existing database', { timeout: 180_000 }, async () => {
  const postgresUrl = inject('postgresUrl')
  const dataDir = mkdtempSync(path.join(tmpdir(), 'medley-test-'))
  const old = openDatabase({ databaseUrl: postgresUrl ? await freshPostgres(postgresUrl) : '', dataDir })
  const migrationFolder = path.join(import.meta.dirname, '../../migrations')
  const provider = new FileMigrationProvider({ fs, path, migrationFolder, import: (file) => import(file) })
  const { error } = await new Migrator({ db: old, provider }).migrateTo('0007-starter-pictures')
  expect(error).toBeUndefined()
  await fill(old, 1, true)
  expect(await migrate(old)).toContain('0008-rollups')
  const faults = await findCounterFaults(old)
  const tables = ['rating_counts', 'name_parts', 'title_counts', 'title_facets', 'facet_counts'] as const
  expect(faults.filter(({ table }) => (tables as readonly string[]).includes(table))).toEqual([])
  for (const table of tables) expect(await old.selectFrom(table).selectAll().execute()).not.toEqual([])
  await old.destroy()
  rmSync(dataDir, { recursive: true, force: true })
})

test(
  'wrong, missing and superfluous rows of a roll-up are reported and corrected',
  { timeout: 180_000 },
  async () => {
    await fill(db, 2)
    await recountAll(db)
    expect(await findCounterFaults(db)).toEqual([])
    const [title] = await db.selectFrom('rating_counts').select(['media_id', 'kind']).limit(1).execute()
    const [member] = await db.selectFrom('users').select('id').where('username', 'like', '%10').execute()
    const { media_id, kind } = title!

    await db.updateTable('rating_counts').set({ sum: 0 }).where('media_id', '=', media_id).execute()
    await db
      .insertInto('rating_counts')
      .values({ media_id, kind, days: 8, start: 8, count: 1, sum: 5 })
      .execute()
    await db.deleteFrom('name_parts').where('user_id', '=', member!.id).where('part', '=', '0').execute()
    await db
      .updateTable('title_counts')
      .set((eb) => ({ count: eb('count', '+', 1) }))
      .where('kind', '=', kind)
      .where('shard', '=', media_id % 16)
      .execute()
    await db.deleteFrom('title_facets').where('media_id', '=', media_id).where('genre', '=', '').execute()
    const faults = await findCounterFaults(db)
    expect(faults.map(({ table, id }) => [table, id])).toEqual([
      ['rating_counts', media_id],
      ['title_counts', kind],
      ['title_facets', media_id],
      ['facet_counts', ''],
      ['name_parts', member!.id],
    ])
    expect(faults[0]!.is).toBe(Number(faults[0]!.counted) + 1)
    expect(faults.at(-1)).toMatchObject({ is: 0, counted: 1 })

    await db.transaction().execute(recountAll)
    expect(await findCounterFaults(db)).toEqual([])
  },
)

test('renamed and deleted members, and deleted titles, leave no rows behind', async () => {
  const [member, other] = [await aMember(db, 'renamed-one'), await aMember(db, 'deleted-one')]
  const [kept, deleted] = [await aTitle(db, 'game'), await aTitle(db, 'game')]
  for (const itemId of [kept, deleted])
    for (const rater of [member, other]) await as(rater).reviews.save({ itemId, rating: 4 })
  await db.updateTable('users').set({ search_text: 'anananas' }).where('id', '=', member.id).execute()
  await db.deleteFrom('media').where('id', '=', deleted).execute()
  await as(other).reviews.remove({
    id: (await as(other).reviews.mine({ itemId: kept })).review.id,
  })
  await db.deleteFrom('users').where('id', '=', other.id).execute()
  const ofRollups = (await findCounterFaults(db)).filter(({ table }) => /_/.test(table))
  expect(ofRollups).toEqual([])
  const counts = async () => {
    const rows = await db.selectFrom('rating_counts').selectAll().where('media_id', '=', kept).execute()
    return rows.map(({ days, count, sum }) => [days, count, sum]).toSorted()
  }
  expect(await counts()).toEqual([
    [1, 1, 40],
    [64, 1, 40],
    [8, 1, 40],
  ])
  await as(member).reviews.remove({
    id: (await as(member).reviews.mine({ itemId: kept })).review.id,
  })
  expect(await counts()).toEqual([])
})
