import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { anImportServer } from '#scripts/testing/imports.ts'
import { blockedMs, isBlockedTooLong } from '#scripts/testing/event-loop.ts'
import { variation } from '#scripts/testing/variation.ts'
import { insertMany, isSqlite } from '#server/db/dialect.ts'
import { aTitle, plansOf } from '#server/testing.ts'
import { listWrites } from './store.ts'

const server = await anImportServer()
const { db, newCaller, upload, work } = server

async function aMember() {
  const caller = await newCaller()
  const own = server.as(caller)
  const apply = async (file: string | Buffer, name: string, options: object = {}) => {
    const id = await upload(caller, file, { name })
    await work()
    await own.imports.update({ id, missing: 'create', ...options })
    await work()
    await own.imports.start({ id })
    await work()
    return id
  }
  const run = async (call: Promise<unknown>) => {
    await call
    await work()
  }
  return { caller, own, apply, run }
}

const csv = (rating: number) => `Title,Year,Rating\nThe Origin Reel,1950,${rating}\n`

test('a review names what wrote it, the newest first, with the line of the file and the values before and after', async () => {
  const { caller, own, apply, run } = await aMember()
  const itemId = await aTitle(db, 'movie', 'The Origin Reel')
  await db.updateTable('media').set({ release_year: 1950 }).where('id', '=', itemId).execute()
  const { review } = await own.reviews.save({ itemId, rating: 2 })
  const origin = async () => (await own.imports.reviewOrigin({ id: review.id })).writes
  expect(await origin()).toEqual([])

  const first = await apply(csv(4.5), 'first.csv', { halfStars: false, conflicts: 'file' })
  const written = { what: 'review', id: review.id }
  const by = { type: 'import', id: first, service: 'csv', fileName: 'first.csv' }
  const [write] = await origin()
  expect(write).toMatchObject({
    ...written,
    by,
    before: { rating: 2, ratingGiven: null, text: '', hasSpoilers: false },
    after: { rating: 5, ratingGiven: '4.5/5', text: '', hasSpoilers: false },
    isCurrent: true,
  })
  expect(write!.lines).toEqual([{ file: '', line: 2, given: '4.5/5' }])

  const { id: restored } = (await own.imports.restoreOriginals()).import
  await work()
  expect(await origin()).toMatchObject([
    {
      ...written,
      by: { type: 'originals', id: restored, service: 'originals', fileName: null },
      lines: [],
      before: { rating: 5, ratingGiven: '4.5/5' },
      after: { rating: 4.5, ratingGiven: '4.5/5' },
      isCurrent: true,
    },
    { by, isCurrent: false },
  ])
  await run(own.imports.undo({ id: restored }))
  expect(await origin()).toMatchObject([{ by, isCurrent: true }])

  // What a deleted import wrote stays known, without its file.
  await own.imports.remove({ id: first })
  const past = { ...by, id: null, fileName: null }
  expect(await origin()).toEqual([{ ...write, by: past, lines: [] }])
  const second = await apply(csv(3), 'second.csv', { conflicts: 'file' })
  expect(await origin()).toMatchObject([
    { by: { id: second, fileName: 'second.csv' }, before: { rating: 5 }, after: { rating: 3 } },
    { by: past, isCurrent: false },
  ])
  await own.imports.remove({ id: second })
  expect(await origin()).toMatchObject([{ by: past, at: expect.any(String), after: { rating: 3 } }])
  expect(
    await db.selectFrom('past_writes').select('id').where('user_id', '=', caller.id).execute(),
  ).toHaveLength(1)

  const others = server.as(await newCaller()).imports
  await expect(others.reviewOrigin({ id: review.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await others.origins({ itemId })).writes).toEqual([])
  await expect(others.origins({ itemId: 999_999_999 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await own.reviews.remove({ id: review.id })
  await expect(own.imports.reviewOrigin({ id: review.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await own.imports.origins({ itemId })).writes).toEqual([])
})

test('a diary entry, a favorite and the title of a list name what wrote them, and an added row has no values before', async () => {
  const { own, apply, run } = await aMember()
  const folder = 'server/imports/fixtures/letterboxd'
  const zip = readFileSync(`${folder}/letterboxd-maria-2023-06-11.zip`)
  const id = await apply(zip, 'letterboxd-maria.zip')
  const known = new Map<string, number>()
  const { titles } = await own.imports.titles({ id, state: 'taken', limit: 100 })
  for (const { title } of titles) {
    const { writes } = await own.imports.origins({ itemId: title!.id })
    expect(writes.length).toBeGreaterThan(0)
    for (const { what, id: target, by, before, after, lines, isCurrent } of writes) {
      if (what !== 'entry' || after.status === 'finished') known.set(what, target)
      expect(by).toEqual({ type: 'import', id, service: 'letterboxd', fileName: 'letterboxd-maria.zip' })
      expect([before, isCurrent]).toEqual([null, true])
      expect(lines.length, what).toBeGreaterThan(0)
    }
  }
  expect([...known.keys()].sort()).toEqual(['entry', 'favorite', 'listItem', 'review'])
  const entry = { id: known.get('entry')! }
  const { writes } = await own.imports.entryOrigin(entry)
  expect(writes).toMatchObject([{ what: 'entry', id: entry.id, after: { status: 'finished' } }])
  const review = (await own.imports.reviewOrigin({ id: known.get('review')! })).writes[0]!
  expect(review.lines.map(({ file }) => file)).toContain('ratings.csv')
  expect(review.lines.every(({ given }) => given === review.after.ratingGiven)).toBe(true)
  const others = server.as(await newCaller()).imports
  await expect(others.entryOrigin(entry)).rejects.toMatchObject({ code: 'NOT_FOUND' })

  await own.diary.edit({ id: entry.id, text: 'Changed since.' })
  expect((await own.imports.entryOrigin(entry)).writes).toMatchObject([{ isCurrent: false }])
  await run(own.imports.undo({ id }))
  expect((await own.imports.entryOrigin(entry)).writes).toEqual([])
})

variation(
  'one row of a journal of 100,000 is found by an index, without holding the event loop',
  async () => {
    const { caller, own } = await aMember()
    const itemId = await aTitle(db, 'movie', 'The Often Written Reel')
    const { review } = await own.reviews.save({ itemId, rating: 4 })
    const at = new Date().toISOString()
    const file = {
      service: 'csv' as const,
      file_name: 'large.csv',
      file_hash: '',
      options: '{}',
      facts: '{}',
    }
    const times = { created_at: at, updated_at: at, applied_at: at }
    const { id: import_id } = await db
      .insertInto('imports')
      .values({ user_id: caller.id, ...file, state: 'done', ...times })
      .returning('id')
      .executeTakeFirstOrThrow()
    const change = { import_id, title_id: null, user_id: caller.id, media_id: itemId, before: null }
    const after = JSON.stringify({ rating: 40, rating_given: '4/5' })
    for (let from = 0; from < 100_000; from += 1_000)
      await insertMany(
        db,
        'import_changes',
        Array.from({ length: 1_000 }, (_, row) =>
          from + row < 50_000
            ? { ...change, what: 'review', target_id: review.id, after }
            : { ...change, what: 'entry', target_id: from + row, after: '{}' },
        ),
      )
    for (const read of [
      () => own.imports.reviewOrigin({ id: review.id }),
      () => own.imports.origins({ itemId }),
    ]) {
      expect((await read()).writes.length).toBeLessThanOrEqual(100)
      expect(await isBlockedTooLong(await blockedMs(read), read)).toBe(false)
    }
    const plans = await plansOf(db, (recorded) =>
      listWrites(recorded, caller.id, { mediaId: itemId, what: 'review' }, 9),
    )
    expect(plans.join('\n')).toContain(
      isSqlite(db)
        ? 'COVERING INDEX import_changes_user (user_id=? AND media_id=? AND what=?)'
        : 'import_changes_user',
    )
  },
)
