import { readFile } from 'node:fs/promises'
import { TRPCError } from '@trpc/server'
import { beforeEach, describe, expect, test } from 'vitest'
import { withoutWatch } from '#scripts/testing/event-loop.ts'
import { anImportServer } from '#scripts/testing/imports.ts'
import { messages } from '#shared/texts/messages.ts'
import type { FoundTitle, Lookup, WantedTitle } from '#server/titles/sources/source.ts'
import { unpack } from '#server/db/packed.ts'
import type { Tables } from '#server/db/tables.ts'
import { aTitle, findCounterFaults } from '#server/testing.ts'
import { updateImport } from './store.ts'
import type { WorkOptions } from './context.ts'
import { importStates, workingStates } from '#shared/domain/import-states.ts'

const server = await anImportServer()
const { app, db, newCaller, work } = server
type Caller = Awaited<ReturnType<typeof newCaller>>

let caller: Caller
let call: ReturnType<typeof server.as>
beforeEach(async () => {
  caller = await newCaller()
  call = server.as(caller)
})

type Sent = Parameters<typeof server.send>[2] & { as?: Caller }
/** Uploads a file as a member. Returns the status and the body of the response. */
const send = (content: string | Buffer, { as = caller, ...options }: Sent = {}) =>
  server.send(as, content, { name: 'ratings.csv', ...options })

/** Uploads a file. Returns the id of the import. */
const upload = (content: string | Buffer, { as = caller, ...options }: Sent = {}) =>
  server.upload(as, content, { name: 'ratings.csv', ...options })

const stateOf = async (id: number) => (await call.imports.byId({ id })).import
const titlesOf = async (id: number) => (await call.imports.titles({ id, limit: 100 })).titles

/** Uploads and rehearses a file. */
async function rehearse(content: string | Buffer, options: Partial<WorkOptions> = {}) {
  const id = await upload(content)
  await work(options)
  return stateOf(id)
}

async function apply(id: number) {
  await call.imports.start({ id })
  await work()
  return stateOf(id)
}

type Line = { id?: string; rating?: number | ''; name: string; year: number; type?: string; on?: string }
let ids = 9_000_000
const imdb = (...lines: Line[]) =>
  [
    'Const,Your Rating,Date Rated,Title,Title Type,Year',
    ...lines.map(
      ({ id = `tt${++ids}`, rating = 7, name, year, type = 'Movie', on = '2023-01-02' }) =>
        `${id},${rating},${on},"${name}",${type},${year}`,
    ),
    '',
  ].join('\n')
/** A file of an unknown service, whose columns have plain names. */
const csv = (...rows: string[]) => ['Title,Year,Rating,Review,Date', ...rows, ''].join('\n')

const owned = ['reviews', 'diary_entries', 'favorites', 'follows', 'comments', 'reactions'] as const
const catalogue = ['media', 'external_ids', 'rating_counts', 'users'] as const
/** Everything but the tables of imports, without the times of the last write and the ids that are never reused. */
async function everything(): Promise<string> {
  const rows: Record<string, unknown[]> = {}
  for (const table of [...owned, ...catalogue] as (keyof Tables)[]) {
    const all = (await db.selectFrom(table).selectAll().execute()) as Record<string, unknown>[]
    rows[table] = all.map((row) => JSON.stringify({ ...row, wrote_at: null })).sort()
  }
  return JSON.stringify(rows)
}

test('a title that moderators have removed is not found, even by a member who chose it before', async () => {
  const name = 'The Removed Reel'
  const file = csv(`${name},1971,4,,2023-01-02`)
  const mediaId = await aTitle(db, 'movie', name)
  await db.updateTable('media').set({ release_year: 1971 }).where('id', '=', mediaId).execute()
  const first = await rehearse(file)
  const [title] = await titlesOf(first.id)
  expect(title).toMatchObject({ title: { id: mediaId } })
  await call.imports.decide({ id: first.id, titleId: title!.id, decision: { mediaId } })
  await db
    .updateTable('media')
    .set({ removed_at: '2024-01-01T00:00:00.000Z' })
    .where('id', '=', mediaId)
    .execute()
  const second = await rehearse(file)
  expect(await titlesOf(second.id)).toMatchObject([{ title: null, candidates: [] }])
})

describe('the upload', () => {
  test.each([
    ['an empty file', '', 400, 'There is nothing in this file.'],
    ['a header without lines', 'Const,Your Rating,Title\n', 400, 'There is nothing in this file.'],
    ['an unknown file', 'hello world', 400, /does not recognize this file/],
    ['a damaged zip', Buffer.from('504b0304ffffffff', 'hex'), 400, 'This zip cannot be read.'],
  ])('refuses %s and stores nothing', async (_name, content, status, message) => {
    const refused = await send(content)
    expect(refused.status).toBe(status)
    expect(refused.body.message).toMatch(message)
    expect((await call.imports.list()).imports).toEqual([])
  })

  test('refuses a file that is too large, another field, and a body that is no form', async () => {
    const { status } = await withoutWatch(() => send(Buffer.alloc(32 * 1024 * 1024 + 1, 'x')))
    expect(status).toBe(413)
    expect((await send('x', { field: 'image' })).body.message).toBe('Send a file in the field “file”.')
    const headers = { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json' }
    const json = await app.inject({ method: 'POST', url: '/imports', headers, payload: '{}' })
    expect(json.statusCode).toBe(415)
    const anonymous = await app.inject({ method: 'POST', url: '/imports', payload: {} })
    expect(anonymous.statusCode).toBe(401)
  })

  test('a member has at most three imports that are not applied', async () => {
    const file = imdb({ name: 'Nobody', year: 1950 })
    for (let count = 0; count < 3; count++) await upload(file)
    const { status, body } = await send(file)
    expect([status, body.message]).toEqual([409, 'Please finish or delete one of your imports first.'])
    await work()
    const { imports } = await call.imports.list()
    await apply(imports[0]!.id)
    await upload(file)
  })

  test('with an idempotency key, a repeated upload is one import, and another file is refused', async () => {
    for (const year of [1998, 1999]) await upload(csv(`Contact,${year},4,,`))
    const content = csv('Contact,1997,4,,')
    // The last import that the member may begin: the repetition is not refused because of it.
    const first = await send(content, { key: 'upload-1' })
    expect(first).toMatchObject({ status: 201, headers: { location: `/imports/${first.body.import.id}` } })
    const again = await send(content, { key: 'upload-1' })
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers).toMatchObject({
      'idempotency-replayed': 'true',
      location: first.headers['location'],
    })
    const reused = await send(csv('Contact,1997,5,,'), { key: 'upload-1' })
    expect([reused.status, reused.body.message]).toEqual([422, messages.idempotencyKeyReused])
    expect((await send(content, { key: 'not valid' })).status).toBe(400)
    expect((await send(content, { key: 'upload-2' })).status).toBe(409)
    expect((await call.imports.list()).imports).toHaveLength(3)
    // The key is the member’s own.
    expect((await send(content, { key: 'upload-1', as: await newCaller() })).headers).not.toHaveProperty(
      'idempotency-replayed',
    )
  })

  test('of concurrent uploads with the same idempotency key, one is carried out', async () => {
    const content = csv('Contact,1997,4,,')
    const sent = await Promise.all([1, 2].map(() => send(content, { key: 'twice' })))
    for (const { status } of sent) expect([201, 409]).toContain(status)
    expect(sent.some(({ status }) => status === 201)).toBe(true)
    expect((await call.imports.list()).imports).toHaveLength(1)
  })

  test('an upload that broke off is removed after five minutes', async () => {
    const id = await upload(imdb({ name: 'Nobody', year: 1950 }))
    const next_at = new Date(Date.now() + 5 * 60_000).toISOString()
    await updateImport(db, id, { state: 'reading', next_at })
    await work({ now: () => new Date(Date.now() + 4 * 60_000) })
    expect(await stateOf(id)).toMatchObject({ state: 'reading' })
    await expect(call.imports.remove({ id })).rejects.toMatchObject({ code: 'CONFLICT' })
    await work({ now: () => new Date(Date.now() + 6 * 60_000) })
    await expect(stateOf(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const lines = await db.selectFrom('import_lines').where('import_id', '=', id).select('id').execute()
    expect(lines).toEqual([])
  })

  test('the name of the file is shown without its folder and control characters', async () => {
    const id = await upload(imdb({ name: 'Nobody', year: 1950 }), { name: 'C:\\me\\my\u202e ratings.csv' })
    expect((await stateOf(id)).fileName).toBe('my ratings.csv')
  })
})

describe('a rehearsal', () => {
  test('changes nothing but the tables of imports', async () => {
    const before = await everything()
    const rehearsal = await rehearse(
      imdb(
        { id: 'tt0133093', rating: 9, name: 'The Matrix', year: 1999 },
        { rating: 5, name: 'A Film That Nobody Made', year: 1950 },
        { rating: 10, name: 'Breaking Bad', year: 2008, type: 'TV Series' },
        { rating: 3, name: 'Parasite', year: 2018 },
      ),
    )
    expect(rehearsal).toMatchObject({
      state: 'ready',
      total: 4,
      done: 4,
      counts: { new: 2, notFound: 1, ambiguous: 1 },
      parts: { ratings: 2, reviews: 0, entries: 0, favorites: 0, titles: 0 },
      missingKeys: ['TMDB'],
    })
    expect(await everything()).toBe(before)
    const [, , , parasite] = await titlesOf(rehearsal.id)
    expect(parasite!.candidates).toMatchObject([{ name: 'Parasite', year: 2019, why: 'A year apart' }])
  })

  test('half or whole stars, and the order of ratings between two, are options, which change nothing else', async () => {
    const file = imdb({ rating: 9, name: 'The Matrix', year: 1999 })
    const { id, ...before } = await rehearse(file)
    const rating = { given: '9/10', stars: 4.5, isHalf: false, isRounded: false, count: 1 }
    expect(before.options).toMatchObject({ halfStars: true, halves: 'up' })
    expect(before.ratings).toEqual([rating])
    expect([before.rounded, before.halfStars]).toEqual([0, { count: 1, turnsOn: true }])
    for (const [sent, stars] of [
      [{ halfStars: false }, 5],
      [{ halves: 'down' }, 4],
    ] as const) {
      await call.imports.update({ id, ...sent })
      await work()
      const after = await stateOf(id)
      expect(after).toMatchObject({ state: 'ready', counts: { new: 1 }, options: { halfStars: false } })
      expect(after.ratings).toEqual([{ ...rating, stars, isHalf: true, isRounded: true }])
      expect([after.rounded, after.halfStars]).toEqual([1, { count: 1, turnsOn: false }])
    }
    await apply(id)
    const [title] = await titlesOf(id)
    const mine = await call.reviews.mine({ itemId: title!.title!.id })
    expect([mine.review.rating, mine.ratingGiven]).toEqual([4, '9/10'])
    expect(await call.reviews.ratingSettings()).toEqual({ halfStars: false })
  })

  test('the file decides about half stars on each scale, until the member does', async () => {
    const rated = (...ratings: string[]) =>
      ['Title,Year,Mark', ...ratings.map((given, at) => `Unknown reel ${at},1950,${given}`), ''].join('\n')
    const { id, options } = await rehearse(rated('4', '3', '5'))
    expect(options.halfStars).toBe(false)
    const halfStarsAt = async (sent: { scale?: number; halfStars?: boolean; rating?: string }) => {
      const { rating, ...changed } = sent
      const columns = rating && { columns: { name: 'Title', year: 'Year', rating } }
      await call.imports.update({ id, ...changed, ...columns })
      await work()
      return (await stateOf(id)).options.halfStars
    }
    expect(await halfStarsAt({ rating: 'Mark', scale: 5 })).toBe(false)
    expect(await halfStarsAt({ scale: 10 })).toBe(true)
    expect(await halfStarsAt({ scale: 5 })).toBe(false)
    expect(await halfStarsAt({ halfStars: true })).toBe(true)
    expect(await halfStarsAt({ scale: 5 })).toBe(true)
    expect(await halfStarsAt({ halfStars: false })).toBe(false)
    expect(await halfStarsAt({ scale: 10 })).toBe(false)
    await call.imports.again({ id })
    await work()
    expect((await stateOf(id)).options.halfStars).toBe(false)
  })

  test('what becomes of texts that are too long is an option, which can be taken back', async () => {
    const { id, longTexts } = await rehearse(csv(`Alien,1979,4,${'x'.repeat(10_001)},`))
    expect(longTexts).toBe(1)
    for (const [choice, length] of [
      ['skip', 0],
      ['cut', 10_000],
    ] as const) {
      await call.imports.update({ id, longTexts: choice })
      await work()
      const [title] = await titlesOf(id)
      expect([title!.theirs.text.length, (await stateOf(id)).longTexts]).toEqual([length, 1])
    }
  })

  test('columns and the highest rating are asked if the file leaves them open, and are columns of the file', async () => {
    const file = 'Otsikko;Vuosi;Arvosana;Tila\nThe Matrix;1999;4;Katsottu\nMetropolis;1927;3;Katsottu\n'
    const { id, unclear, columns, shelves } = await rehearse(file)
    expect({ unclear, columns, shelves }).toEqual({
      unclear: ['columns'],
      columns: ['Otsikko', 'Vuosi', 'Arvosana', 'Tila'],
      shelves: [],
    })
    const chosen = { name: 'Otsikko', year: 'Vuosi', rating: 'Arvosana', status: 'Tila' }
    await expect(call.imports.update({ id, columns: { ...chosen, rating: 'Nimi' } })).rejects.toThrow(
      'columns.rating: must be a column of the file',
    )
    await call.imports.update({ id, columns: chosen })
    await work()
    expect(await stateOf(id)).toMatchObject({
      counts: { new: 2 },
      unclear: ['scale'],
      shelves: [{ name: 'Katsottu', count: 2 }],
      parts: { ratings: 2, entries: 0 },
    })
    await call.imports.update({ id, scale: 10, shelves: { Katsottu: 'finished' } })
    await work()
    expect(await stateOf(id)).toMatchObject({
      unclear: [],
      ratings: [
        { given: '4/10', stars: 2 },
        { given: '3/10', stars: 1.5 },
      ],
      shelves: [{ name: 'Katsottu', count: 2 }],
      parts: { ratings: 2, entries: 2 },
    })
  })

  test('a note of a file is never public: it becomes the note of a diary entry, or is counted', async () => {
    const file = 'Title,Year,Rating,Notes\nThe Matrix,1999,4,Lent twice\nMetropolis,1927,,With Ann\n'
    const { id, parts, notKept } = await rehearse(file)
    expect([parts.reviews, parts.entries, notKept]).toEqual([0, 1, [{ what: 'notes', count: 1 }]])
    await apply(id)
    const [title] = await titlesOf(id)
    expect((await call.reviews.mine({ itemId: title!.title!.id })).review).toMatchObject({
      rating: 4,
      text: '',
    })
    expect(title).toMatchObject({ mine: { entries: [{ status: 'finished', text: 'Lent twice' }] } })
  })

  test('a name alone is certain only with its year, and never if two titles have both', async () => {
    await aTitle(db, 'movie', 'Two of a Name')
    await aTitle(db, 'movie', 'Two of a Name')
    await db.updateTable('media').set({ release_year: 1990 }).where('name', '=', 'Two of a Name').execute()
    const { id } = await rehearse(
      imdb(
        { name: 'Two of a Name', year: 1990 },
        { name: 'The Matrix', year: 2010 },
        { name: '!!!', year: 2019 },
      ),
    )
    const [two, matrix, signs] = await titlesOf(id)
    expect(two).toMatchObject({ state: 'ambiguous', title: null })
    expect(two!.candidates.map(({ why }) => why)).toEqual(Array(2).fill('One of several with this name'))
    expect(matrix).toMatchObject({ state: 'notFound', candidates: [] })
    expect(signs).toMatchObject({ state: 'notFound', candidates: [] })
  })

  test('films of one file that share name and year are questions, which are not answered all at once', async () => {
    const known = await aTitle(db, 'movie', 'Name of Two Films')
    await db.updateTable('media').set({ release_year: 1979 }).where('id', '=', known).execute()
    const file = ['Date,Name,Year,Letterboxd URI,Rating']
    for (const id of ['fOne', 'fTwo']) file.push(`2023-01-02,Name of Two Films,1979,https://boxd.it/${id},4`)
    const { id, counts } = await rehearse([...file, ''].join('\n'))
    expect(counts).toEqual({ ambiguous: 2 })
    const [one, two] = await titlesOf(id)
    expect(two!.candidates.map(({ why }) => why)).toEqual(['The file has several of this name'])
    await call.imports.decideAll({ id, state: 'ambiguous', decision: 'suggested' })
    expect((await stateOf(id)).counts).toEqual({ ambiguous: 2 })
    await call.imports.decide({ id, titleId: one!.id, decision: { candidate: 0 } })
    await call.imports.decide({ id, titleId: two!.id, decision: 'create' })
    expect((await stateOf(id)).counts).toEqual({ new: 2 })
    expect(await apply(id)).toMatchObject({ parts: { ratings: 2, titles: 1 } })
    const again = await rehearse([...file, ''].join('\n'))
    expect(again.counts).toEqual({ same: 2 })
    expect(new Set((await titlesOf(again.id)).map(({ title }) => title!.id)).size).toBe(2)
  })

  test('likes become favorites if the member wants it, and stop being so', async () => {
    const file = await readFile(
      new URL('fixtures/letterboxd/letterboxd-maria-2023-06-11.zip', import.meta.url),
    )
    const id = await upload(file)
    await work()
    const { parts, notKept, counts } = await stateOf(id)
    const likedCount = async () =>
      (await titlesOf(id)).filter(({ lines }) => lines.some((line) => line.file === 'likes/films.csv')).length
    expect(await likedCount()).toBe(0)
    await call.imports.update({ id, likes: true })
    await work()
    expect((await stateOf(id)).notKept.map(({ what }) => what)).not.toContain('likes')
    expect(await likedCount()).toBeGreaterThan(0)
    await call.imports.update({ id, likes: false })
    await work()
    expect(await stateOf(id)).toMatchObject({ parts, notKept, counts })
    expect(await likedCount()).toBe(0)
  })

  test('two titles of a file that are the same title are one record', async () => {
    await db
      .insertInto('external_ids')
      .values({ source: 'imdb', external_id: 'tt7700001', media_id: await titleNamed('Alien') })
      .execute()
    const { id, counts } = await rehearse(
      imdb(
        { id: 'tt7700001', rating: 4, name: 'Alien', year: 1979, on: '2020-01-01' },
        { rating: 8, name: 'Alien', year: 1979, on: '2021-01-01' },
      ),
    )
    expect(counts).toEqual({ new: 1 })
    const [alien] = await titlesOf(id)
    expect(alien).toMatchObject({ theirs: { ratingGiven: '8/10' } })
    expect(alien!.lines.map(({ line }) => line)).toEqual([2, 3])
  })

  test('an id that belongs to a title of another name is a question', async () => {
    const media_id = await titleNamed('Blade Runner')
    await db
      .insertInto('external_ids')
      .values({ source: 'imdb', external_id: 'tt7700002', media_id })
      .execute()
    const { id } = await rehearse(imdb({ id: 'tt7700002', name: 'Metropolis', year: 1927 }))
    const [title] = await titlesOf(id)
    expect(title!.state).toBe('ambiguous')
    expect(title!.candidates.map(({ name, why }) => [name, why])).toEqual([
      ['Metropolis', 'By name and year'],
      ['Blade Runner', 'The id at IMDb belongs to another title'],
    ])
    // Rows have codes.
    const row = db.selectFrom('import_titles').select('candidates').where('id', '=', title!.id)
    const { candidates } = await row.executeTakeFirstOrThrow()
    const stored = JSON.parse(unpack(candidates!)) as { why: string }[]
    expect(stored.map(({ why }) => why)).toEqual(['byYear', 'idOfOther\timdb'])
  })
})

async function titleNamed(name: string): Promise<number> {
  const { id } = await db
    .selectFrom('media')
    .select('id')
    .where('name', '=', name)
    .where('source', '=', 'starter')
    .executeTakeFirstOrThrow()
  return id
}

test('an id of a title that shares only common words of the name is a question', async () => {
  const media_id = await titleNamed('The Matrix')
  await db.insertInto('external_ids').values({ source: 'imdb', external_id: 'tt7700003', media_id }).execute()
  const file = imdb({ id: 'tt7700003', name: 'A Walk in the Woods', year: 2015 })
  expect((await rehearse(file)).counts).toEqual({ ambiguous: 1 })
})

test('ratings on a scale that ends at 0 are left out', async () => {
  const review = { title: 1, rating: 4, ratingGiven: '0/0', createdAt: '2020-01-01' }
  const titles = [{ ref: 1, kind: 'movie', name: 'The Matrix', year: 1999, creators: [], ids: [] }]
  const rehearsal = await rehearse(
    JSON.stringify({ format: 'medley', version: 1, titles, reviews: [review] }),
  )
  expect(await apply(rehearsal.id)).toMatchObject({ state: 'done', parts: { ratings: 1 } })
  const { review: stored } = await call.reviews.mine({ itemId: await titleNamed('The Matrix') })
  expect(stored.rating).toBe(4)
})

describe('applying', () => {
  test('writes reviews with their own dates, which are no news and make no title popular', async () => {
    const itemId = await titleNamed('The Matrix')
    const follower = await newCaller()
    await server.as(follower).social.follow({ userIdToFollow: caller.id })
    const { id } = await rehearse(
      csv('The Matrix,1999,5,Better than I remembered.,2020-02-03', 'Metropolis,1927,4,Undated.,'),
    )
    const done = await apply(id)
    expect(done).toMatchObject({ state: 'done', counts: { taken: 2 }, parts: { ratings: 2, reviews: 2 } })
    const { review } = await call.reviews.mine({ itemId })
    expect(review).toMatchObject({ rating: 5, text: 'Better than I remembered.' })
    expect(review.createdAt.slice(0, 10)).toBe('2020-02-03')
    const stored = await db
      .selectFrom('reviews')
      .select(['rated_at', 'rating_given'])
      .where('user_id', '=', caller.id)
      .orderBy('rated_at')
      .execute()
    expect(stored.map(({ rated_at }) => rated_at.slice(0, 10))).toEqual(['1970-01-01', '2020-02-03'])
    expect(stored.map(({ rating_given }) => rating_given)).toEqual(['4/5', '5/5'])
    const { entries } = await server.as(follower).feed.following({})
    expect(entries.filter(({ user }) => user.id === caller.id).map(({ text }) => text)).toEqual([
      'Better than I remembered.',
    ])
    expect(await findCounterFaults(db)).toEqual([])
  })

  test('the same file again adds nothing, and a newer one exactly its changes', async () => {
    const first = { id: 'tt8800001', rating: 8, name: 'The Matrix', year: 1999 }
    const second = { id: 'tt8800002', rating: 3, name: 'Metropolis', year: 1927 }
    const { id } = await rehearse(imdb(first, second))
    await apply(id)
    const before = await everything()
    const again = await rehearse(imdb(first, second))
    expect(again).toMatchObject({ counts: { same: 2 }, parts: { ratings: 0 } })
    await apply(again.id)
    expect(await everything()).toBe(before)
    const alien = { id: 'tt8800003', rating: 10, name: 'Alien', year: 1979 }
    const newer = await rehearse(imdb({ ...first, rating: 2 }, second, alien))
    expect(newer).toMatchObject({ counts: { newer: 1, same: 1, new: 1 }, parts: { ratings: 2 } })
    await apply(newer.id)
    const { review } = await call.reviews.mine({ itemId: await titleNamed('The Matrix') })
    expect(review.rating).toBe(1)
    expect(await findCounterFaults(db)).toEqual([])
  })

  test('what the member wrote is never touched, unless the member decides so', async () => {
    const itemId = await titleNamed('The Matrix')
    const line = { id: 'tt8800004', rating: 9, name: 'The Matrix', year: 1999 }
    const first = await rehearse(imdb(line))
    await apply(first.id)
    await call.reviews.save({ itemId, rating: 2, text: 'Mine.' })
    const stored = db.selectFrom('reviews').select('rating_given').where('user_id', '=', caller.id)
    expect(await stored.executeTakeFirst()).toEqual({ rating_given: null })
    for (const rating of [9, 4]) {
      const rehearsal = await rehearse(imdb({ ...line, rating: rating === 4 ? 10 : 9 }))
      expect(rehearsal).toMatchObject({ counts: { conflict: 1 }, parts: { ratings: 0 } })
      expect(await apply(rehearsal.id)).toMatchObject({ counts: { left: 1 } })
      expect((await call.reviews.mine({ itemId })).review).toMatchObject({ rating: 2, text: 'Mine.' })
    }
    const last = await rehearse(imdb(line))
    const [title] = await titlesOf(last.id)
    expect(title).toMatchObject({
      mine: { rating: 2, text: 'Mine.' },
      theirs: { rating: 4.5, ratingGiven: '9/10' },
    })
    await call.imports.decide({ id: last.id, titleId: title!.id, decision: 'both' })
    await apply(last.id)
    expect((await call.reviews.mine({ itemId })).review.rating).toBe(2)
    expect((await call.diary.mine({ itemId })).entries).toMatchObject([{ ratingGiven: '9/10' }])
    // Decided otherwise afterwards, it applies at once.
    await call.imports.decide({ id: last.id, titleId: title!.id, decision: 'file' })
    expect((await call.reviews.mine({ itemId })).review).toMatchObject({ rating: 4.5, text: 'Mine.' })
    expect(await findCounterFaults(db)).toEqual([])
  })

  test('a text without a rating goes to an entry of the member that has none, and is never dropped', async () => {
    const [dated, undated] = [await aTitle(db, 'movie', 'Dated'), await aTitle(db, 'movie', 'Undated')]
    for (const id of [dated, undated])
      await db.updateTable('media').set({ release_year: 1950 }).where('id', '=', id).execute()
    for (const itemId of [dated, undated])
      await call.diary.create({ itemId, status: 'finished', finishedOn: '2020-05-04' })
    const lines = ['Dated,1950,,Kept.,2020-05-04', 'Undated,1950,,Kept too.,']
    const { id, parts } = await rehearse(csv(...lines))
    expect(parts).toMatchObject({ entries: 2, reviews: 0 })
    await apply(id)
    const textsOf = async (itemId: number) =>
      (await call.diary.mine({ itemId })).entries.map(({ finishedOn, text }) => [finishedOn, text])
    expect(await textsOf(dated)).toEqual([['2020-05-04', 'Kept.']])
    expect(await textsOf(undated)).toEqual([['2020-05-04', 'Kept too.']])
    expect((await rehearse(csv(...lines))).counts).toEqual({ same: 2 })
    const [entry] = (await call.diary.mine({ itemId: undated })).entries
    await call.diary.edit({ id: entry!.id, text: 'Mine.' })
    const other = csv('Dated,1950,,Other.,2020-05-04', 'Undated,1950,,Other.,2020-05-04')
    expect((await rehearse(other)).counts).toEqual({ newer: 1, conflict: 1 })
    await call.imports.undo({ id })
    await work()
    expect(await textsOf(dated)).toEqual([['2020-05-04', '']])
    expect(await textsOf(undated)).toEqual([['2020-05-04', 'Mine.']])
  })

  test('a text of the file beside a rating of the member’s own never makes the rating the file’s', async () => {
    const itemId = await titleNamed('The Matrix')
    await call.reviews.save({ itemId, rating: 2 })
    const file = csv('The Matrix,1999,5,Words of the file.,')
    await apply((await rehearse(file)).id)
    const own = { rating: 2, text: 'Words of the file.' }
    expect((await call.reviews.mine({ itemId })).review).toMatchObject(own)
    const again = await rehearse(file)
    expect(again.counts).toEqual({ conflict: 1 })
    await apply(again.id)
    expect((await call.reviews.mine({ itemId })).review).toMatchObject(own)
  })

  test('a review that the member deleted does not come back', async () => {
    const line = { id: 'tt8800005', name: 'The Matrix', year: 1999 }
    const first = await rehearse(imdb(line))
    await apply(first.id)
    const { review } = await call.reviews.mine({ itemId: await titleNamed('The Matrix') })
    await call.reviews.remove({ id: review.id })
    expect(await rehearse(imdb(line))).toMatchObject({ counts: { conflict: 1 }, parts: { ratings: 0 } })
  })

  describe('a library of books that are read again', () => {
    const book = (shelf: string, reads: number, on = '') =>
      [
        'Book Id,Title,Author,Exclusive Shelf,Read Count,Date Read',
        `771,Frankenstein,Mary Shelley,${shelf},${reads},${on}`,
        '',
      ].join('\n')
    const entriesOfBook = async () => {
      const { entries } = await call.diary.mine({ itemId: await titleNamed('Frankenstein') })
      return entries.map(({ status, finishedOn }) => [status, finishedOn])
    }

    test('keeps the date of the first read', async () => {
      await apply((await rehearse(book('read', 1, '2020/03/04'))).id)
      const { id } = await rehearse(book('read', 2, '2024/05/06'))
      await apply(id)
      const both = [
        ['finished', '2024-05-06'],
        ['finished', '2020-03-04'],
      ]
      expect(await entriesOfBook()).toEqual(both)
      expect(await rehearse(book('read', 2, '2024/05/06'))).toMatchObject({ counts: { same: 1 } })
    })

    test('stays read while it is read again', async () => {
      await apply((await rehearse(book('read', 1, '2020/03/04'))).id)
      const { id } = await rehearse(book('currently-reading', 1))
      await apply(id)
      expect(await entriesOfBook()).toEqual([['finished', '2020-03-04']])
      await apply((await rehearse(book('to-read', 1))).id)
      expect(await entriesOfBook()).toEqual([
        ['finished', '2020-03-04'],
        ['want', null],
      ])
      const again = await rehearse(book('to-read', 1))
      expect(again.counts).toEqual({ same: 1 })
    })

    test('gets no second entry under way beside the member’s own', async () => {
      await apply((await rehearse(book('to-read', 0))).id)
      await call.diary.create({ itemId: await titleNamed('Frankenstein'), status: 'paused' })
      const { id, counts } = await rehearse(book('currently-reading', 0))
      expect(counts).toEqual({ conflict: 1 })
      await call.imports.update({ id, conflicts: 'file' })
      await work()
      expect(await apply(id)).toMatchObject({ state: 'done' })
      expect((await entriesOfBook()).map(([status]) => status)).toEqual(['started', 'want'])
    })
  })

  test('a choice is remembered for the next file', async () => {
    const line = { id: 'tt8800006', name: 'Parasite', year: 2018 }
    const first = await rehearse(imdb(line))
    expect(first.counts).toEqual({ ambiguous: 1 })
    await call.imports.decideAll({ id: first.id, state: 'ambiguous', decision: 'suggested' })
    expect((await stateOf(first.id)).counts).toEqual({ new: 1 })
    await apply(first.id)
    const second = await rehearse(imdb({ ...line, rating: 10 }))
    expect(second.counts).toEqual({ newer: 1 })
    expect((await titlesOf(second.id))[0]).toMatchObject({ reason: 'As you chose before' })
  })

  test('a decision can be taken back', async () => {
    const { id } = await rehearse(imdb({ name: 'Parasite', year: 2018 }, { name: 'Nobody', year: 1950 }))
    const [parasite, nobody] = await titlesOf(id)
    await call.imports.decide({ id, titleId: parasite!.id, decision: { candidate: 0 } })
    await call.imports.decide({ id, titleId: nobody!.id, decision: 'create' })
    expect(await stateOf(id)).toMatchObject({ counts: { new: 2 }, parts: { ratings: 2, titles: 1 } })
    await call.imports.decideAll({ id, state: 'ambiguous', decision: 'skip' })
    for (const { id: titleId } of [parasite!, nobody!])
      await call.imports.decide({ id, titleId, decision: null })
    expect(await stateOf(id)).toMatchObject({
      counts: { ambiguous: 1, notFound: 1 },
      parts: { ratings: 0, titles: 0 },
    })
    await expect(
      call.imports.decide({ id, titleId: nobody!.id, decision: { candidate: 0 } }),
    ).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(
      call.imports.decide({ id, titleId: nobody!.id, decision: { mediaId: 99_999_999 } }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('open questions stay open after applying, and decisions then apply at once', async () => {
    const { id } = await rehearse(imdb({ name: 'Parasite', year: 2018 }, { name: 'Alien', year: 1979 }))
    expect(await apply(id)).toMatchObject({ state: 'done', counts: { ambiguous: 1, taken: 1 } })
    const titleId = (await titlesOf(id)).find(({ state }) => state === 'ambiguous')!.id
    const { title } = await call.imports.decide({ id, titleId, decision: { candidate: 0 } })
    expect(title).toMatchObject({ state: 'taken', mine: { rating: 3.5, ratingGiven: '7/10' } })
    expect(await stateOf(id)).toMatchObject({ counts: { taken: 2 }, parts: { ratings: 2 } })
    const others = [
      { name: 'Parasite', year: 2020 },
      { name: 'Nobody Knows It', year: 1950 },
    ]
    const second = await rehearse(imdb(...others))
    await apply(second.id)
    await call.imports.decideAll({ id: second.id, state: 'notFound', decision: 'create' })
    await work()
    expect(await stateOf(second.id)).toMatchObject({ state: 'done', counts: { taken: 1, ambiguous: 1 } })
  })

  test('missing titles are created on request, with their source', async () => {
    const { id } = await rehearse(imdb({ name: 'Made at Home', year: 2011 }))
    await call.imports.update({ id, missing: 'create' })
    await work()
    expect(await stateOf(id)).toMatchObject({ counts: { notFound: 1 }, parts: { ratings: 1, titles: 1 } })
    await apply(id)
    const [title] = await titlesOf(id)
    const shown = await call.movies.byId({ id: title!.title!.id })
    const { username } = caller
    expect(shown.movie).toMatchObject({
      name: 'Made at Home',
      releaseYear: 2011,
      source: 'import',
      addedBy: { id: caller.id, username },
    })
    expect((await call.movies.byId({ id: await titleNamed('Alien') })).movie?.addedBy).toBeNull()
    await db.updateTable('media').set({ created_by: null }).where('id', '=', title!.title!.id).execute()
    expect((await call.movies.byId({ id: title!.title!.id })).movie?.addedBy).toBeNull()
  })

  test('titles beyond the limit of created ones are left out, with the reason', async () => {
    const { id } = await rehearse(imdb({ name: 'One Too Many', year: 2011 }))
    await call.imports.update({ id, missing: 'create' })
    await work()
    const { facts } = await db
      .selectFrom('imports')
      .select('facts')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const known = JSON.parse(facts)
    const full = JSON.stringify({ ...known, applied: { ...known.applied, titles: 500 } })
    await db.updateTable('imports').set({ facts: full }).where('id', '=', id).execute()
    expect((await apply(id)).counts).toEqual({ left: 1 })
    expect((await titlesOf(id))[0]).toMatchObject({
      state: 'left',
      reason: 'An import creates at most 500 titles.',
    })
  })
})

describe('undoing', () => {
  test('leaves everything as it was', async () => {
    const itemId = await titleNamed('The Matrix')
    await call.reviews.save({ itemId, rating: 3 })
    const before = await everything()
    const { id } = await rehearse(
      csv(
        'The Matrix,1999,3,Now with words.,2020-02-03',
        'Metropolis,1927,4,,2021-01-01',
        'Made by Nobody,1950,2,,2021-01-02',
      ),
    )
    await call.imports.update({ id, missing: 'create' })
    await work()
    await apply(id)
    expect(await everything()).not.toBe(before)
    expect((await call.reviews.mine({ itemId })).review.text).toBe('Now with words.')
    await server.as(await newCaller()).reviews.addComment({
      id: (await call.reviews.mine({ itemId: await titleNamed('Metropolis') })).review.id,
      text: 'Indeed.',
    })
    expect(await call.imports.previewUndo({ id })).toEqual({
      removes: {
        reviews: 2,
        partReviews: 0,
        entries: 3,
        episodes: 0,
        favorites: 0,
        listItems: 0,
        titles: 1,
        follows: 0,
        lists: 0,
      },
      restores: 1,
      keeps: [],
      keepsCount: 0,
      later: 0,
      comments: 1,
    })
    await call.imports.undo({ id })
    await work()
    expect(await stateOf(id)).toMatchObject({ state: 'undone', parts: { ratings: 0 }, counts: { left: 3 } })
    expect(JSON.parse(await everything()).reviews).toEqual(JSON.parse(before).reviews)
    expect(await findCounterFaults(db)).toEqual([])
    // Undone once more, it changes nothing; read again, it can be applied again.
    await call.imports.undo({ id })
    await call.imports.again({ id })
    await work()
    expect(await stateOf(id)).toMatchObject({ state: 'ready', counts: { new: 2, notFound: 1 } })
  })

  test('keeps what the member has changed since', async () => {
    const itemId = await titleNamed('The Matrix')
    const { id } = await rehearse(
      imdb({ name: 'The Matrix', year: 1999 }, { name: 'Metropolis', year: 1927 }),
    )
    await apply(id)
    await call.reviews.save({ itemId, rating: 1 })
    expect(await call.imports.previewUndo({ id })).toMatchObject({
      removes: { reviews: 1 },
      keeps: [{ what: 'Review', title: { name: 'The Matrix' } }],
      keepsCount: 1,
    })
    await call.imports.undo({ id })
    await work()
    expect((await call.reviews.mine({ itemId })).review.rating).toBe(1)
    await expect(call.reviews.mine({ itemId: await titleNamed('Metropolis') })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('removes a favorite unless the member has added it again since', async () => {
    const file = (name: string, year: number) => {
      const title = { ref: 1, kind: 'movie', name, year, creators: [], ids: [] }
      return JSON.stringify({ format: 'medley', version: 1, titles: [title], favorites: [{ title: 1 }] })
    }
    const favorites = async () =>
      (await call.favoriteMovies.list({ id: caller.id })).favoriteMovies!.map(
        (movie) => (movie as { name?: string }).name,
      )
    const applied: number[] = []
    for (const [name, year] of [
      ['Alien', 1979],
      ['Metropolis', 1927],
    ] as const) {
      const { id } = await rehearse(file(name, year))
      await apply(id)
      applied.push(id)
    }
    expect((await favorites()).toSorted()).toEqual(['Alien', 'Metropolis'])
    const movieId = await titleNamed('Alien')
    await call.favoriteMovies.remove({ id: movieId })
    await call.favoriteMovies.add({ movieId })
    expect(await call.imports.previewUndo({ id: applied[0]! })).toMatchObject({
      removes: { favorites: 0 },
      keeps: [{ what: 'Favorite', title: { name: 'Alien' } }],
    })
    for (const id of applied) await call.imports.undo({ id })
    await work()
    expect(await favorites()).toEqual(['Alien'])
  })

  test('ends although an entry cannot become again what it was', async () => {
    const itemId = await titleNamed('Metropolis')
    const file = (status: string) => ['Title,Year,Status', `Metropolis,1927,${status}`, ''].join('\n')
    await apply((await rehearse(file('want to watch'))).id)
    const { id, counts } = await rehearse(file('watched'))
    expect(counts).toEqual({ newer: 1 })
    await apply(id)
    // Wants to watch it again: two such entries of a title exclude each other.
    await call.diary.create({ itemId, status: 'want' })
    await call.imports.undo({ id })
    await work()
    expect(await stateOf(id)).toMatchObject({ state: 'undone' })
    const { entries } = await call.diary.mine({ itemId })
    expect(entries.map(({ status }) => status)).toEqual(['finished', 'want'])
  })

  test('a created title that somebody else has used stays', async () => {
    const { id } = await rehearse(imdb({ name: 'Shared by Two', year: 2011 }))
    await call.imports.decideAll({ id, state: 'notFound', decision: 'create' })
    await apply(id)
    const itemId = (await titlesOf(id))[0]!.title!.id
    await server.as(await newCaller()).reviews.save({ itemId, rating: 4 })
    expect(await call.imports.previewUndo({ id })).toMatchObject({
      removes: { reviews: 1, titles: 0 },
      keeps: [{ what: 'Title', title: { name: 'Shared by Two' } }],
      keepsCount: 1,
    })
    await call.imports.undo({ id })
    await work()
    expect((await call.items.byId({ id: itemId })).item.name).toBe('Shared by Two')
    expect(await findCounterFaults(db)).toEqual([])
  })

  test('an import that is deleted leaves what it added', async () => {
    const itemId = await titleNamed('Alien')
    const { id } = await rehearse(imdb({ name: 'Alien', year: 1979 }))
    await apply(id)
    await call.imports.remove({ id })
    expect((await call.reviews.mine({ itemId })).review.rating).toBe(3.5)
    for (const table of ['import_lines', 'import_titles', 'import_changes'] as const)
      expect(await db.selectFrom(table).where('import_id', '=', id).select('id').execute()).toEqual([])
  })
})

describe('the states', () => {
  test('equal the drawing in docs/imports.md', async () => {
    const diagram = (await readFile('docs/imports.md', 'utf8')).split('```')[1]!
    const states = new Set(diagram.match(/\p{L}+/gu)?.map((word) => word.toLowerCase()))
    expect(importStates.filter((state) => !states.has(state))).toEqual([])
    const working = diagram.match(/\b\p{Lu}{2,}\b/gu)!.map((word) => word.toLowerCase())
    expect(new Set(working)).toEqual(new Set(workingStates))
  })

  test('an import that is being deleted cannot be resumed or undone', async () => {
    const films = Array.from({ length: 800 }, (_, at) => ({ name: `Nobody ${at}`, year: 1950 }))
    const { id } = await rehearse(imdb(...films))
    const states = new Set<string>()
    const removal = call.imports.remove({ id })
    for (;;) {
      const row = await db.selectFrom('imports').select('state').where('id', '=', id).executeTakeFirst()
      if (!row) break
      states.add(row.state)
      await new Promise(setImmediate)
    }
    await removal
    expect([...states].filter((state) => state !== 'ready')).toEqual(['reading'])
    await expect(stateOf(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('an import is stopped and resumed, and every call twice is once', async () => {
    const id = await upload(imdb({ name: 'Alien', year: 1979 }))
    await expect(call.imports.start({ id })).rejects.toMatchObject({ code: 'CONFLICT' })
    await call.imports.stop({ id })
    await call.imports.stop({ id })
    await work()
    expect(await stateOf(id)).toMatchObject({ state: 'stopped' })
    await expect(call.imports.start({ id })).rejects.toMatchObject({ code: 'CONFLICT' })
    await call.imports.resume({ id })
    await call.imports.resume({ id })
    await work()
    expect(await stateOf(id)).toMatchObject({ state: 'ready' })
    await expect(call.imports.undo({ id })).rejects.toMatchObject({ code: 'CONFLICT' })
    await call.imports.start({ id })
    await call.imports.start({ id })
    await call.imports.stop({ id })
    await work()
    expect(await stateOf(id)).toMatchObject({ state: 'stopped', counts: { new: 1 } })
    await call.imports.resume({ id })
    await work()
    await call.imports.start({ id })
    await work()
    expect(await stateOf(id)).toMatchObject({ state: 'done', parts: { ratings: 1 }, counts: { taken: 1 } })
  })

  test('members take turns: a small import is ready before a large one, and a member has one turn at a time', async () => {
    const asked = Promise.withResolvers<void>()
    const source: Lookup = {
      name: 'tmdb',
      kinds: ['movie'],
      batchSize: 1,
      findCandidates: (wanted) => asked.promise.then(() => wanted.map(() => [])),
    }
    const other = await newCaller()
    const lines = [1, 2, 3].map((at) => ({ name: `Long Film ${at}`, year: 1950 }))
    const [large, second] = [await upload(imdb(...lines)), await upload(imdb(...lines))]
    const small = await upload(imdb({ name: 'Alien', year: 1979 }), { as: other })
    const done = work({ sources: { lookups: [source] } })
    const theirs = async () => (await server.as(other).imports.byId({ id: small })).import.state
    await expect.poll(theirs).toBe('ready')
    expect((await stateOf(large)).state).toBe('matching')
    expect(await titlesOf(second)).toEqual([])
    asked.resolve()
    await done
    expect([(await stateOf(large)).state, (await stateOf(second)).state]).toEqual(['ready', 'ready'])
  })

  test('the report guards cells against formulas, and belongs to the member', async () => {
    const { id } = await rehearse(imdb({ name: '=cmd()', year: 1979 }, { name: "'quoted", year: 1980 }))
    const get = (token: string) =>
      app.inject({ url: `/imports/${id}/report`, headers: { authorization: `Bearer ${token}` } })
    const report = await get(caller.token)
    expect(report.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(report.body.split('\r\n').slice(1, 3)).toEqual([",2,'=cmd(),notFound,,", ",3,''quoted,notFound,,"])
    expect((await get((await newCaller()).token)).statusCode).toBe(404)
    expect((await app.inject({ url: `/imports/${id}/report` })).statusCode).toBe(401)
  })
})

describe('external sources', () => {
  const found = (name: string, year: number, id: string): FoundTitle => ({
    source: 'tmdb',
    kind: 'movie',
    name,
    overview: null,
    tagline: null,
    image: null,
    backdrop: null,
    releaseDate: `${year}-01-01`,
    runtime: null,
    pageCount: null,
    genres: [],
    creators: [],
    platforms: [],
    rating: null,
    popularity: 0,
    ids: [{ source: 'tmdb-movie', external_id: id }],
  })
  const lookup = (findCandidates: (wanted: readonly WantedTitle[]) => Promise<FoundTitle[][]>): Lookup => ({
    name: 'tmdb',
    kinds: ['movie', 'tvShow'],
    batchSize: 2,
    findCandidates,
  })
  const unavailable = (retryAfterMs?: number) =>
    new TRPCError({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The source is down.',
      cause: Object.assign(new Error('429'), { retryAfterMs }),
    })

  test('is asked for what the catalogue does not have; certain titles are added, others are questions', async () => {
    const asked: string[][] = []
    const source = lookup(async (wanted) => {
      asked.push(wanted.map(({ name }) => name))
      return wanted.map(({ name, year }) =>
        name === 'Nowhere' ? [] : [found(name, name === 'Elsewhere' ? year! + 1 : year!, `77${name.length}`)],
      )
    })
    const names = ['Abroad', 'Elsewhere', 'Nowhere', 'Alien']
    const { id, counts, missingKeys } = await rehearse(imdb(...names.map((name) => ({ name, year: 1979 }))), {
      sources: { lookups: [source] },
    })
    expect(asked).toEqual([['Abroad', 'Elsewhere'], ['Nowhere']])
    expect(counts).toEqual({ new: 2, ambiguous: 1, notFound: 1 })
    expect(missingKeys).toEqual(['TMDB'])
    const [abroad, elsewhere] = await titlesOf(id)
    expect(abroad).toMatchObject({ state: 'new', reason: 'By name and year', title: { name: 'Abroad' } })
    expect(elsewhere!.candidates).toMatchObject([{ title: null, name: 'Elsewhere', why: 'A year apart' }])
    const decided = await call.imports.decide({ id, titleId: elsewhere!.id, decision: { candidate: 0 } })
    expect(decided.title).toMatchObject({ state: 'new', title: { name: 'Elsewhere', releaseYear: 1980 } })
  })

  test.each([
    ['a pause that it asks for', () => Promise.reject(unavailable(90_000)), 90_000],
    ['an error', () => Promise.reject(unavailable()), 30_000],
    ['a response that is not as expected', () => Promise.resolve([]), 30_000],
  ])('%s means waiting, never “not found”', async (_name, respond, pauseMs) => {
    let isUp = false
    let calls = 0
    const source = lookup(async (wanted) => {
      calls++
      return isUp ? wanted.map(() => []) : respond()
    })
    const start = new Date()
    const at = (ms: number) => ({
      sources: { lookups: [source] },
      now: () => new Date(start.getTime() + ms),
    })
    const lines = [
      { name: 'Abroad At Last', year: 1979 },
      { name: 'Alien', year: 1979 },
    ]
    const { id, ...rehearsal } = await rehearse(imdb(...lines), at(60_000))
    expect(rehearsal).toMatchObject({ state: 'waiting', waitingFor: 'tmdb', counts: { pending: 1, new: 1 } })
    expect(rehearsal.nextAt).toBe(new Date(start.getTime() + 60_000 + pauseMs).toISOString())
    await work(at(60_000 + pauseMs - 1))
    expect(calls).toBe(1)
    await work(at(60_000 + pauseMs))
    expect(calls).toBe(2)
    expect((await stateOf(id)).counts).toEqual({ pending: 1, new: 1 })
    isUp = true
    await work(at(24 * 60 * 60_000))
    expect(await stateOf(id)).toMatchObject({ state: 'ready', counts: { notFound: 1, new: 1 } })
  })

  test('a process that ends while a source is being asked leaves the import to the next one', async () => {
    const closing = new AbortController()
    const hanging = lookup(() => {
      setImmediate(() => closing.abort())
      return new Promise(() => {})
    })
    const { id, state } = await rehearse(imdb({ name: 'Abroad With Nobody', year: 1979 }), {
      sources: { lookups: [hanging] },
      signal: closing.signal,
    })
    expect(state).toBe('matching')
    await work({ sources: { lookups: [lookup(async (wanted) => wanted.map(() => []))] } })
    expect(await stateOf(id)).toMatchObject({ state: 'ready', counts: { notFound: 1 } })
  })

  test('a member can go on without the source', async () => {
    const source = lookup(() => Promise.reject(unavailable()))
    const options = { sources: { lookups: [source] } }
    const { id } = await rehearse(imdb({ name: 'Abroad For Ever', year: 1979 }), options)
    expect(await stateOf(id)).toMatchObject({ state: 'waiting' })
    await call.imports.update({ id, skipSources: true })
    await work(options)
    expect(await stateOf(id)).toMatchObject({ state: 'ready', counts: { notFound: 1 } })
  })
})

test('the titles that applying changes are counted, and titles can be filtered by decisions and missing ratings', async () => {
  const { id, changes } = await rehearse(
    csv(
      'The Matrix,1999,5,,',
      'Alien,1979,,A text without a rating,2023-01-02',
      'Stalker,1979,,,',
      'Nobody Made This,1950,3,,',
    ),
  )
  expect(changes).toBe(2)
  const names = async (filter: object) =>
    (await call.imports.titles({ id, ...filter })).titles.map(({ name }) => name)
  expect(await names({ isTextWithoutRating: true })).toEqual(['Alien'])
  expect(await names({ isTextWithoutRating: false })).toHaveLength(3)
  const [matrix] = (await call.imports.titles({ id, q: 'matrix' })).titles
  await call.imports.decide({ id, titleId: matrix!.id, decision: 'skip' })
  expect((await stateOf(id)).changes).toBe(1)
  expect(await names({ isDecided: true })).toEqual(['The Matrix'])
  expect(await names({ isDecided: false })).not.toContain('The Matrix')
  expect(await apply(id)).toMatchObject({ state: 'done', changes: 0 })
})
