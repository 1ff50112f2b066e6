import { beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { blockedMs, isBlockedTooLong, withoutWatch } from '#scripts/testing/event-loop.ts'
import { anImportServer } from '#scripts/testing/imports.ts'
import { seeded } from '#scripts/testing/random.ts'
import { messages } from '#shared/texts/messages.ts'
import { insertMany, isSqlite } from '#server/db/dialect.ts'
import { databaseDisk } from '#server/process/disk.ts'
import { aTitle } from '#server/testing.ts'
import { newFacts } from './facts.ts'
import { findUsage, insertImport } from './store.ts'

let hasFreeSpace = true
const disk = { hasFreeSpace: async () => hasFreeSpace }
const server = await anImportServer({ disk })
const { db, newCaller } = server

let caller: Awaited<ReturnType<typeof newCaller>>
let call: ReturnType<typeof server.as>
beforeEach(async () => {
  caller = await newCaller()
  call = server.as(caller)
  hasFreeSpace = true
  aheadMs = 0
})

/** How far the clock of the worker is ahead. */
let aheadMs = 0
const clock = () => new Date(Date.now() + aheadMs)
const work = () => server.work({ disk, now: clock })
const send = (content: string) => server.send(caller, content, { name: 'films.csv' })
const upload = (content: string) => server.upload(caller, content, { name: 'films.csv' })

const csv = (...rows: string[]) => ['Title,Year,Rating,Review', ...rows, ''].join('\n')
async function aFilm(name: string): Promise<number> {
  const id = await aTitle(db, 'movie', name)
  await db.updateTable('media').set({ release_year: 2021 }).where('id', '=', id).execute()
  return id
}
const stateOf = async (id: number) => (await call.imports.byId({ id })).import
const usage = async () => (await findUsage(db, caller.id))!
const bytesOf = async (id: number) =>
  (await db.selectFrom('imports').select('bytes').where('id', '=', id).executeTakeFirstOrThrow()).bytes

/** Makes the imports of the caller take as many bytes as given, less than the maximum. */
async function fill({ day = 0, held = 0 }: { day?: number; held?: number }) {
  const at = new Date().toISOString()
  await db
    .insertInto('import_usage')
    .values({ user_id: caller.id, held_bytes: held, day_bytes: day, day_began_at: at })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ held_bytes: held, day_bytes: day }))
    .execute()
}
const dayMax = 100_000_000
const heldMax = 200_000_000

test('a member’s imports add a limited number of bytes to the database in 24 hours', async () => {
  await fill({ day: dayMax - 100 })
  const { status, body, headers } = await send(csv('Dune,2021,5,'))
  expect([status, body.message]).toEqual([429, messages.importQuotaUsed])
  expect(Number(headers['retry-after'])).toBeGreaterThan(86_000)
  expect((await call.imports.list()).imports).toEqual([])
  expect(await usage()).toMatchObject({ held_bytes: 0, day_bytes: dayMax - 100 })
  await db
    .updateTable('import_usage')
    .set({ day_began_at: new Date(Date.now() - 86_400_000).toISOString() })
    .where('user_id', '=', caller.id)
    .execute()
  const id = await upload(csv('Dune,2021,5,'))
  const bytes = await bytesOf(id)
  expect(bytes).toBeGreaterThan(100)
  expect(await usage()).toMatchObject({ held_bytes: bytes, day_bytes: bytes })
})

test('of two files that are sent at once, only one takes the bytes that are left', async () => {
  // So small that its lines are stored at once: of two larger files, each may take what the other one lacks, and both are refused.
  const file = csv('Dune,2021,5,')
  const first = await upload(file)
  const bytes = await bytesOf(first)
  await call.imports.remove({ id: first })
  const room = Math.floor(1.5 * bytes)
  await fill({ day: dayMax - room })
  const statuses = (await Promise.all([send(file), send(file)])).map(({ status }) => status)
  expect(statuses.sort()).toEqual([201, 429])
  expect(await usage()).toMatchObject({ held_bytes: bytes, day_bytes: dayMax - room + bytes })
})

test('a member’s imports hold a limited number of bytes, and a deleted one counts no longer', async () => {
  const id = await upload(csv('Dune,2021,5,'))
  await work()
  const bytes = await bytesOf(id)
  expect(await usage()).toMatchObject({ held_bytes: bytes, day_bytes: bytes })
  await fill({ held: heldMax, day: bytes })
  const { status, body } = await send(csv('Alien,1979,5,'))
  expect([status, body.message]).toEqual([409, messages.importsWaiting])
  await call.imports.remove({ id })
  expect(await usage()).toMatchObject({ held_bytes: heldMax - bytes, day_bytes: 0 })
  await upload(csv('Alien,1979,5,'))
})

test('what is taken over counts for the day even if the import is deleted', async () => {
  const name = `Film ${caller.id}`
  await aFilm(name)
  const id = await upload(csv(`${name},2021,5,"${'word '.repeat(1_900)}"`))
  await work()
  await call.imports.start({ id })
  await work()
  expect((await stateOf(id)).counts).toEqual({ taken: 1 })
  const { day_bytes } = await usage()
  await call.imports.remove({ id })
  expect((await usage()).held_bytes).toBe(0)
  expect((await usage()).day_bytes).toBeLessThan(day_bytes)
  expect((await usage()).day_bytes).toBeGreaterThan(9_500)
})

test('an import pauses while there is no room for it, says why, and continues', async () => {
  const name = `Film ${caller.id}`
  await aFilm(name)
  const id = await upload(csv(`${name},2021,5,`))
  const { held_bytes: held, day_bytes: day } = await usage()
  await fill({ held, day: dayMax })
  await work()
  expect(await stateOf(id)).toMatchObject({ state: 'matching', waitingFor: 'quota' })
  expect((await stateOf(id)).nextAt! > clock().toISOString()).toBe(true)
  await fill({ held, day })
  await work()
  expect((await stateOf(id)).state).toBe('matching')
  aheadMs += 10 * 60_000
  await work()
  expect(await stateOf(id)).toMatchObject({ state: 'ready', waitingFor: null, nextAt: null })

  hasFreeSpace = false
  await call.imports.start({ id })
  await work()
  expect(await stateOf(id)).toMatchObject({ state: 'applying', waitingFor: 'disk' })
  hasFreeSpace = true
  aheadMs += 10 * 60_000
  await work()
  expect(await stateOf(id)).toMatchObject({ state: 'done', waitingFor: null, counts: { taken: 1 } })
  hasFreeSpace = false
  await call.imports.undo({ id })
  await work()
  expect((await stateOf(id)).state).toBe('undone')
})

test('while the disk has no room, a file is refused before it is read', async () => {
  hasFreeSpace = false
  expect(await send('')).toMatchObject({ status: 503, body: { message: messages.importsNoRoom } })
  expect((await call.imports.list()).imports).toEqual([])
  hasFreeSpace = true
  await upload(csv('Dune,2021,5,'))
})

test('the disk of the server says nothing of a database on another machine', async () => {
  const { dataDir } = server.config
  const own = databaseDisk({ databaseUrl: undefined, dataDir, diskReserveBytes: 2 ** 60 })
  const other = databaseDisk({ databaseUrl: 'postgres://db', dataDir, diskReserveBytes: 2 ** 60 })
  expect([await own.hasFreeSpace(), await other.hasFreeSpace()]).toEqual([false, true])
})

test('a long review is stored in a fraction of its size, and is the same when it is taken over and undone', async () => {
  const name = `Film ${caller.id}`
  const movieId = await aFilm(name)
  const text = 'Ümläuts, 漢字 and 🎬. '.repeat(400).trim()
  const id = await upload(csv(`${name},2021,4,"${text}"`))
  const { raw } = await db
    .selectFrom('import_lines')
    .select('raw')
    .where('import_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(raw.length).toBeLessThan(1_000)
  await work()
  await call.imports.start({ id })
  await work()
  expect((await call.imports.titles({ id })).titles[0]!.theirs.text === text).toBe(true)
  const review = () =>
    db.selectFrom('reviews').select('text').where('media_id', '=', movieId).executeTakeFirst()
  expect((await review())?.text === text).toBe(true)
  expect(await bytesOf(id)).toBeLessThan(5_000)
  await call.imports.undo({ id })
  await work()
  expect(await review()).toBeUndefined()
})

test.skipIf(!isSqlite(db))(
  'an import counts no less than nine tenths of the bytes that the database grows by',
  async () => {
    const used = async () => {
      const one = async (name: string) =>
        Number(Object.values((await sql.raw<object>(`pragma ${name}`).execute(db)).rows[0]!)[0])
      return ((await one('page_count')) - (await one('freelist_count'))) * (await one('page_size'))
    }
    const random = seeded(1)
    const noise = (length: number) =>
      Array.from({ length }, () => String.fromCharCode(97 + random() * 26)).join('')
    const wide = Array.from({ length: 60 }, () => noise(100)).join(',')
    for (const [lines, content] of [
      [800, csv(...Array.from({ length: 800 }, (_, at) => `F${at},,3,`))],
      [800, csv(...Array.from({ length: 800 }, (_, at) => `Dune,2021,3,${at}`))],
      [300, csv(...Array.from({ length: 300 }, (_, at) => `F${at},,3,${noise(2_000)}`))],
      [
        300,
        [`Title,${wide}`, ...Array.from({ length: 300 }, (_, at) => `F${at}${','.repeat(60)}`), ''].join(
          '\n',
        ),
      ],
    ] as const) {
      const before = await used()
      const id = await upload(content)
      await work()
      const { state, counts } = await stateOf(id)
      expect([state, Object.keys(counts).length > 0]).toEqual(['ready', true])
      expect(await bytesOf(id), `${lines} lines`).toBeGreaterThan(0.9 * ((await used()) - before))
      await call.imports.remove({ id })
      expect((await used()) - before).toBeLessThan(100_000)
    }
  },
)

/** Inserts an import that is ready, with titles. */
async function anImport(names: readonly string[]): Promise<number> {
  const at = new Date().toISOString()
  const id = await insertImport(db, {
    user_id: caller.id,
    service: 'csv',
    file_name: 'films.csv',
    file_hash: '',
    options: '{}',
    facts: JSON.stringify(newFacts({ columns: [], shelves: [], unclear: [], lines: 0 })),
    state: 'ready',
    created_at: at,
    updated_at: at,
  })
  await insertMany(
    db,
    'import_titles',
    names.map((name, index) => ({
      import_id: id,
      title_key: `${index}`,
      kind: 'movie',
      name,
      search_text: name,
      record: '',
      state: 'notFound',
    })),
  )
  return id
}

test('a title shows its first 20 lines, and a page of titles is as fast if one has very many', async () => {
  const id = await anImport(['many', 'few'])
  const titles = await db
    .selectFrom('import_titles')
    .select('id')
    .where('import_id', '=', id)
    .orderBy('id')
    .execute()
  const [many, few] = titles.map((title) => title.id)
  const file = { import_id: id, file: 'films.csv', raw: '' }
  await withoutWatch(async () => {
    const lines = Array.from({ length: 60_000 }, (_, at) => ({ ...file, title_id: many, line: at + 2 }))
    lines.splice(50, 0, { ...file, title_id: few, line: 99_999 })
    await insertMany(db, 'import_lines', lines)
  })
  const { titles: shown } = await call.imports.titles({ id })
  expect(shown.map((title) => title.lines.map(({ line }) => line))).toEqual([
    Array.from({ length: 20 }, (_, at) => at + 2),
    [99_999],
  ])
  const read = async () => {
    for (let count = 0; count < 10; count++) await call.imports.titles({ id })
  }
  expect(await isBlockedTooLong(await blockedMs(read), read)).toBe(false)
})

test('a search of an import finds all titles that contain its words, in the order of the file, page by page', async () => {
  const names = Array.from({ length: 2_500 }, (_, at) => `film ${at} ${at % 3 === 0 ? 'third' : 'other'}`)
  const id = await anImport(names)
  const wanted = names.filter((name) => name.includes('99') && name.includes('hir'))
  const found: string[] = []
  for (let page = 1; page <= 3; page++) {
    const { titles, pagination } = await call.imports.titles({ id, q: '99 hir', page, limit: 10 })
    expect(pagination.total).toBe(wanted.length)
    found.push(...titles.map(({ name }) => name))
  }
  expect(found).toEqual(wanted.slice(0, 30))
  expect((await call.imports.titles({ id, q: 'third', state: 'new' })).pagination.total).toBe(0)
})

test('no search of an import blocks other calls', async () => {
  const names = Array.from({ length: 3_000 }, () => `${'a'.repeat(99)} `.repeat(3).trim())
  const id = await anImport(names)
  const q = `${'a'.repeat(97)}b ${'a'.repeat(99)}`
  const search = () => call.imports.titles({ id, q })
  expect((await search()).titles).toHaveLength(24)
  expect(await isBlockedTooLong(await blockedMs(search), search)).toBe(false)
})
