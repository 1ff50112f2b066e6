import { afterAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { buildApp } from '#server/app.ts'
import { findCounterFaults } from '#server/db/counters.ts'
import { noWeb } from '#server/http/web.ts'
import { prepareCalls } from '#scripts/testing/calls.ts'
import { aServer } from '#server/testing.ts'
import { runDueImports, type WorkOptions } from './work.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const { db } = server
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())
const { newCaller } = await prepareCalls(server)
type Caller = Awaited<ReturnType<typeof newCaller>>

const log = { info() {}, warn() {}, error: (details: object) => console.error(details) }
const work = (options: Partial<WorkOptions> = {}) =>
  runDueImports({ db, sources: { lookups: [] }, log, paceMs: 0, ...options })

async function upload(caller: Caller, content: string | Buffer, name = 'ratings.csv') {
  const head = `--x\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: text/csv\r\n\r\n`
  const response = await app.inject({
    method: 'POST',
    url: '/imports',
    headers: { authorization: `Bearer ${caller.token}`, 'content-type': 'multipart/form-data; boundary=x' },
    payload: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n--x--\r\n')]),
  })
  return { status: response.statusCode, body: response.json() }
}

const columns =
  'Const,Your Rating,Date Rated,Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,Release Date,Directors'
const line = (
  id: string,
  rating: number | '',
  name: string,
  year: number,
  type = 'Movie',
  on = '2023-01-02',
) =>
  `${id},${rating},${on},${name},https://www.imdb.com/title/${id}/,${type},8.1,120,${year},Drama,1000,${year}-01-01,Someone`
const file = (...lines: string[]) => [columns, ...lines, ''].join('\n')

test('a file is uploaded, rehearsed, applied and undone', async () => {
  const caller = await newCaller()
  const call = server.as(caller)
  const { status, body } = await upload(
    caller,
    file(
      line('tt0133093', 9, 'The Matrix', 1999),
      line('tt9000001', 5, 'A Film That Nobody Made', 1950),
      line('tt0903747', 10, 'Breaking Bad', 2008, 'TV Series'),
    ),
  )
  expect(status, JSON.stringify(body)).toBe(201)
  const { id } = body.import
  await work()
  const rehearsal = (await call.imports.byId({ id })).import
  expect(rehearsal).toMatchObject({ state: 'ready', counts: { new: 2, notFound: 1 }, changes: 2 })
  expect(rehearsal.parts).toMatchObject({ ratings: 2, reviews: 0 })
  const { titles } = await call.imports.titles({ id })
  expect(titles.map(({ name, state }) => [name, state])).toEqual([
    ['The Matrix', 'new'],
    ['A Film That Nobody Made', 'notFound'],
    ['Breaking Bad', 'new'],
  ])
  await call.imports.start({ id })
  await work()
  const done = (await call.imports.byId({ id })).import
  expect(done).toMatchObject({ state: 'done', parts: { ratings: 2 } })
  const { review } = await call.reviews.mine({ itemId: titles[0]!.title!.id })
  expect(review).toMatchObject({ rating: 5, createdAt: '2023-01-02T12:00:00.000Z' })
  expect(await findCounterFaults(db)).toEqual([])
  expect(await call.imports.previewUndo({ id })).toMatchObject({ removes: { reviews: 2 }, keepsCount: 0 })
  await call.imports.undo({ id })
  await work()
  expect((await call.imports.byId({ id })).import).toMatchObject({ state: 'undone' })
  await expect(call.reviews.mine({ itemId: titles[0]!.title!.id })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  expect(await findCounterFaults(db)).toEqual([])
  expect((await sql`select * from import_changes`.execute(db)).rows).toEqual([])
})
