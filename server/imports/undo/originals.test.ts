import { expect, test } from 'vitest'
import { anImportServer } from '#scripts/testing/imports.ts'
import { seeded } from '#scripts/testing/random.ts'
import type { Tables } from '#server/db/tables.ts'
import { aTitle, findCounterFaults } from '#server/testing.ts'

const server = await anImportServer()
const { db, newCaller, upload, work } = server

/** What members have and the catalogue, without the times of the last write. */
async function everything(): Promise<Record<string, string[]>> {
  const tables = ['media', 'rating_counts', 'users', 'reviews', 'diary_entries', 'import_changes'] as const
  const rows: Record<string, string[]> = {}
  for (const table of tables satisfies readonly (keyof Tables)[]) {
    const all = (await db.selectFrom(table).selectAll().execute()) as Record<string, unknown>[]
    rows[table] = all.map((row) => JSON.stringify({ ...row, wrote_at: null })).sort()
  }
  return rows
}

const pick = <Item>(random: () => number, items: readonly Item[]) =>
  items[Math.floor(random() * items.length)]!
/** As `given / scale` says, by plain arithmetic: to the nearest half, exactly between two up. */
const halfOf = (given: number, scale: number) => Math.max(1, Math.round((given * 10) / scale) / 2)

async function aMember() {
  const caller = await newCaller()
  const own = server.as(caller)
  const run = async (id: number, action: 'start' | 'undo') => {
    await own.imports[action]({ id })
    await work()
    expect((await own.imports.byId({ id })).import.state).toBe(action === 'start' ? 'done' : 'undone')
  }
  const apply = async (lines: readonly string[], options: object) => {
    const id = await upload(caller, ['Title,Year,Rating', ...lines, ''].join('\n'))
    await work()
    await own.imports.update({ id, halfStars: false, ...options })
    await work()
    await run(id, 'start')
    return id
  }
  const restore = async () => {
    const { id } = (await own.imports.restoreOriginals()).import
    await work()
    return id
  }
  return { caller, own, run, apply, restore }
}

test.each([1, 2, 3])(
  'restored ratings are what the file says, and undoing both imports in either order leaves everything as it was (seed %i)',
  async (seed) => {
    const random = seeded(seed)
    const { caller, own, run, apply, restore } = await aMember()
    const earlier = server.as(caller, { now: new Date('2018-01-02T03:04:05.006Z') })
    const titles: { id: number; name: string; given: number }[] = []
    for (let at = 0; at < 12; at++) {
      const name = `Rounded ${seed} ${at}`
      const id = await aTitle(db, 'movie', name)
      await db.updateTable('media').set({ release_year: 1990 }).where('id', '=', id).execute()
      titles.push({ id, name, given: 1 + Math.floor(random() * 10) })
      if (random() < 0.3) await earlier.reviews.save({ itemId: id, rating: pick(random, [1, 2.5, 4]) })
    }
    const ratingsOf = async () =>
      new Map(
        (await own.reviews.mineFor({ ids: titles.map(({ id }) => id).join(',') })).ratings.map((row) => [
          row.titleId,
          row.rating,
        ]),
      )
    const before = await everything()
    const lines = titles.map(({ name, given }) => `${name},1990,${given}`)
    const halves = pick(random, ['up', 'down'] as const)
    const first = await apply(lines, { scale: 10, conflicts: 'file', missing: 'create', halves })
    const imported = await everything()
    expect([...(await ratingsOf()).values()].every(Number.isInteger)).toBe(true)

    const { count, ratings } = await own.imports.originals()
    const odd = titles.filter(({ given }) => given % 2 === 1 && given > 1)
    expect(count).toBe(odd.length)
    expect(ratings.every(({ given, to }) => halfOf(Number(given.split('/')[0]), 10) === to)).toBe(true)
    const restored = await restore()
    expect(await ratingsOf()).toEqual(new Map(titles.map(({ id, given }) => [id, halfOf(given, 10)])))
    expect(await own.imports.originals()).toEqual({ count: 0, ratings: [] })
    expect(await findCounterFaults(db)).toEqual([])

    const order = pick(random, [0, 1])
    if (order === 0) {
      await run(restored, 'undo')
      expect(await everything()).toEqual(imported)
    }
    for (const id of order === 0 ? [first] : [first, restored]) {
      await own.imports.previewUndo({ id })
      await run(id, 'undo')
      expect(await findCounterFaults(db)).toEqual([])
    }
    expect(await everything(), `undone in the order ${order}`).toEqual(before)
  },
)

test('what is shown before an undo is what it does, and the setting follows the last import with halves', async () => {
  const { own, run, apply, restore } = await aMember()
  const first = await apply(['The Preview Reel,1950,3.5', 'The Other Reel,1950,4'], { missing: 'create' })
  const isOn = async () => (await own.reviews.ratingSettings()).halfStars
  expect(await isOn()).toBe(false)
  expect(await own.imports.originals()).toEqual({
    count: 1,
    ratings: [{ given: '3.5/5', from: 4, to: 3.5, count: 1 }],
  })
  const started = (await own.imports.restoreOriginals()).import
  expect(started).toMatchObject({ service: 'originals', fileName: '', state: 'applying', total: 1 })
  // Pressed twice.
  expect((await own.imports.restoreOriginals()).import.id).toBe(started.id)
  await work()
  expect((await own.imports.byId({ id: started.id })).import).toMatchObject({
    state: 'done',
    counts: { taken: 1 },
    parts: { ratings: 1 },
    ratings: [{ given: '3.5/5', stars: 3.5, isRounded: false, count: 1 }],
  })
  expect(await isOn()).toBe(true)
  await expect(own.imports.again({ id: started.id })).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(restore()).rejects.toMatchObject({ code: 'CONFLICT', reason: 'NOTHING_TO_RESTORE' })
  expect(await own.imports.previewUndo({ id: first })).toMatchObject({
    removes: { reviews: 2, titles: 2 },
    later: 0,
    keepsCount: 0,
  })
  expect(await own.imports.previewUndo({ id: started.id })).toMatchObject({ restores: 2 })
  await run(first, 'undo')
  expect(await own.imports.originals()).toEqual({ count: 0, ratings: [] })
  expect(await isOn()).toBe(true)
  await run(started.id, 'undo')
  expect(await isOn()).toBe(false)
})

test('a rating that changed since, or whose original is no rounded half, stays', async () => {
  const { caller, own, apply } = await aMember()
  await apply(['The Changed Reel,1950,3.5', 'The Quarter Reel,1950,3.75'], { missing: 'create' })
  const { reviews } = await own.reviews.ofMe({})
  const changed = reviews.find(({ title }) => title.name === 'The Changed Reel')!
  await own.reviews.save({ itemId: changed.title.id, rating: 3 })
  for (const given of ['4.5/5', 'four and a half', '', '9', '-1/0', '1e999/5', 'NaN/5'])
    await db
      .updateTable('reviews')
      .set({ rating_given: given })
      .where('user_id', '=', caller.id)
      .where('rating', '=', 30)
      .execute()
      .then(async () => expect((await own.imports.originals()).count, given).toBe(0))
})
