import { describe, expect, test } from 'vitest'
import { exportFormat, type ExportService, exportServices, ratingAt } from '#shared/domain/export-formats.ts'
import { type DiaryStatus, isOver, type Kind, kindNames, kinds } from '#shared/domain/kinds.ts'
import { toTenths } from '#shared/domain/ratings.ts'
import { someEpisodes } from '#scripts/testing/episodes.ts'
import { anImportServer } from '#scripts/testing/imports.ts'
import { insertMany } from '#server/db/dialect.ts'
import { searchText } from '#server/db/fold.ts'
import { aTitle, findCounterFaults, recountAll } from '#server/testing.ts'
import { starsOf } from './read/formats/values.ts'

const server = await anImportServer()
const { db } = server
type Caller = Awaited<ReturnType<typeof server.newCaller>>

type Entry = {
  status: DiaryStatus
  started_on?: string
  finished_on?: string
  is_again?: number
  rating_given?: string
  text?: string
}
type Case = {
  name: string
  rating?: number
  given?: string
  text?: string
  spoilers?: true
  entries?: Entry[]
}

const finished = (finished_on?: string, more: Omit<Entry, 'status'> = {}): Entry => ({
  status: 'finished',
  ...(finished_on !== undefined && { finished_on }),
  ...more,
})

/** Each is a title of each kind, with and without ids of other services. */
const cases: Case[] = [
  { name: 'Half, “rated”', rating: 3.5, text: 'Commas, "quotes";\n\nlines 😀 and é', spoilers: true },
  { name: 'From ten', rating: 3.5, given: '7/10', text: '=1+1', entries: [finished('2024-02-29')] },
  { name: 'From a hundred', rating: 4.5, given: '85/100', text: "'said' & <b>bold</b> &amp; <3" },
  { name: 'Rounded down', rating: 4, given: '4.25/5', text: '-5 & more\n@home' },
  { name: 'Whole here', rating: 4, given: '3.5/5', text: 'שלום, +1' },
  { name: 'Lowest', rating: 1, given: '0.5/5', entries: [finished()] },
  { name: 'Wanted', entries: [{ status: 'want', text: 'by "Ann",\n=2' }] },
  { name: 'Wanted and rated', rating: 2.5, entries: [{ status: 'want' }] },
  { name: 'Started', entries: [{ status: 'started', started_on: '2025-01-31', text: 'Slow.' }] },
  { name: 'Paused', rating: 5, entries: [{ status: 'paused' }] },
  { name: 'Stopped', entries: [{ status: 'dropped', started_on: '1999-12-31', finished_on: '2000-02-29' }] },
  { name: 'Stopped, once', entries: [{ status: 'dropped' }] },
  { name: 'A month', rating: 3, entries: [finished('1931-07')] },
  { name: 'A year', entries: [finished('1901', { started_on: '1900' })] },
  {
    name: 'Often',
    rating: 4.5,
    text: 'The last time.',
    entries: [
      finished('2001-02-03', { rating_given: '3/5', text: '@first' }),
      finished('2012-02-29', { started_on: '2012-02-01', is_again: 1, rating_given: '8/10' }),
      finished('2020-01-01', { is_again: 1 }),
    ],
  },
  { name: 'Often, who knows when', rating: 2, entries: [finished(), finished(), finished('2022-03-04')] },
  { name: 'Again', entries: [finished('2003-04-05'), { status: 'want' }] },
  { name: 'Under way again', entries: [finished('2003-04-06'), { status: 'started' }] },
]

let count = 0

async function seed(owner: Caller): Promise<Map<number, Case & { kind: Kind }>> {
  const titles = new Map<number, Case & { kind: Kind }>()
  for (const kind of kindNames)
    for (const [at, one] of cases.entries()) {
      const number = ++count
      // Without digits, which could be a volume.
      const name = `${one.name} ${lettersOf(number)}`
      const id = await aTitle(db, kind, name)
      titles.set(id, { ...one, kind })
      const details = { genres: [], creators: [`Ann Hale${lettersOf(number)}`], platforms: [], rating: null }
      const year = { release_year: 1950 + at, release_date: String(1950 + at) }
      await db
        .updateTable('media')
        .set({
          ...year,
          details: JSON.stringify(details),
          search_text: searchText(name, ...details.creators),
        })
        .where('id', '=', id)
        .execute()
      const external_id = kind === 'book' ? isbnOf(number) : String(900_000 + number)
      if (at % 2 === 0)
        await insertMany(db, 'external_ids', [
          { source: kinds[kind].idSources[0], external_id, media_id: id },
        ])
      const times = { created_at: '2025-03-01T10:00:00.000Z', updated_at: '2025-03-01T10:00:00.000Z' }
      const about = { user_id: owner.id, media_id: id, kind, ...times }
      if (one.rating !== undefined)
        await insertMany(db, 'reviews', [
          {
            ...about,
            rating: toTenths(one.rating),
            rating_given: one.given ?? null,
            text: one.text ?? '',
            has_spoilers: one.spoilers ? 1 : 0,
            rated_at: '2025-02-28T23:30:00.000Z',
          },
        ])
      const blank = { started_on: null, finished_on: null, is_again: 0, rating_given: null, text: '' }
      if (one.entries)
        await insertMany(
          db,
          'diary_entries',
          one.entries.map((entry) => ({ ...about, ...blank, origin: null, ...entry })),
        )
    }
  const [first] = titles.keys()
  await insertMany(db, 'favorites', [
    { user_id: owner.id, media_id: first!, kind: kindNames[0]!, created_at: '2025-03-01T10:00:00.000Z' },
  ])
  await recountAll(db)
  return titles
}

function lettersOf(number: number): string {
  return String(number).replace(/\d/g, (digit) => 'bdfgklmprt'[Number(digit)]!)
}

function isbnOf(number: number): string {
  const digits = `978${String(100_000_000 + number)}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

async function download({ token }: Caller, format: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await server.app.inject({ url: `/export?format=${format}`, headers })
  expect(response.statusCode).toBe(200)
  return response.rawPayload
}

/** Titles that a format names without an id, a year or an author are questions, which the member answers. */
async function rehearse(caller: Caller, file: Buffer, service: ExportService) {
  const call = server.as(caller).imports
  const id = await server.upload(caller, file)
  await server.work()
  await call.decideAll({ id, state: 'ambiguous', decision: 'suggested' }).catch(() => {})
  await server.work()
  const rehearsal = (await call.byId({ id })).import
  expect(rehearsal).toMatchObject({ service, state: 'ready' })
  return { id, rehearsal, call }
}

async function contentOf({ id }: Caller) {
  const of = <Table extends 'reviews' | 'diary_entries' | 'favorites'>(table: Table) =>
    db
      .selectFrom(table as 'reviews')
      .selectAll()
      .where('user_id', '=', id)
      .orderBy('media_id')
      .execute()
  const entries = await db
    .selectFrom('diary_entries')
    .selectAll()
    .where('user_id', '=', id)
    .orderBy('id')
    .execute()
  const settings = db.selectFrom('users').select('half_stars').where('id', '=', id)
  return {
    reviews: await of('reviews'),
    entries,
    favorites: await of('favorites'),
    halfStars: (await settings.executeTakeFirstOrThrow()).half_stars,
  }
}

type Held = [status: string, started: string | null, finished: string | null, note: string]

const isDay = (date: string | undefined) => date?.length === 10
const day = (date: string | undefined) => (isDay(date) ? date! : null)

/** The state of a title, as services have one for each book. */
function stateOf(entries: readonly Entry[]): Entry[] {
  const open = entries.filter(({ status }) => status === 'started' || status === 'paused')
  const over = entries.filter(({ status }) => isOver(status))
  if (open.length > 0) return open
  return over.length > 0 ? over : [...entries]
}

/** What each format can hold of the diary entries of a title, said a second time and not by the export. */
const heldEntries: Record<ExportService, (entries: readonly Entry[], kind: Kind) => Held[]> = {
  letterboxd: (entries) =>
    entries
      .filter(({ status, finished_on }) => status === 'finished' && isDay(finished_on))
      .map(({ finished_on }) => ['finished', null, finished_on!, '']),
  goodreads: (entries) =>
    stateOf(entries).map(({ status, finished_on = null }, at, all) => [
      status === 'paused' ? 'started' : status,
      null,
      at === all.length - 1 && isOver(status) ? finished_on : null,
      '',
    ]),
  imdb: () => [],
  trakt: (entries, kind) => [
    ...entries.filter(({ status }) => status === 'want').map((): Held => ['want', null, null, '']),
    ...(kind === 'movie' ? watchedAtTrakt(entries) : []),
  ],
  yamtrack: (entries) =>
    oncePerState(
      entries.map(({ status, started_on, finished_on, text = '' }) => [
        status,
        day(started_on),
        day(finished_on),
        text,
      ]),
    ),
  storygraph: (entries) =>
    stateOf(entries).map(({ status, started_on = null, finished_on = null }) => [
      status,
      started_on,
      finished_on,
      '',
    ]),
}

function watchedAtTrakt(entries: readonly Entry[]): Held[] {
  const watched = entries.filter(({ status }) => status === 'finished')
  return oncePerState(watched.map(({ finished_on }) => ['finished', null, day(finished_on), '']))
}

/** Equal lines are one entry. */
function oncePerState(held: Held[]): Held[] {
  return [...new Map(held.map((one) => [JSON.stringify(one), one])).values()]
}

const holdsTexts: readonly ExportService[] = ['letterboxd', 'goodreads', 'storygraph']
const sorted = (held: Held[]) => held.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

describe('each file for another service', () => {
  test.each(exportServices)(
    'for %s brings the same into an empty account, and nothing into its own',
    async (service) => {
      const [owner, other] = [await server.newCaller(), await server.newCaller()]
      const titles = await seed(owner)
      const before = await contentOf(owner)
      const file = await download(owner, service)

      const first = await rehearse(other, file, service)
      await first.call.start({ id: first.id })
      await server.work()
      expect(await findCounterFaults(db)).toEqual([])
      const { reviews, entries } = await contentOf(other)
      for (const [
        id,
        { name, kind, entries: own = [], rating, given = null, text = '', ...more },
      ] of titles) {
        const about = `${name} (${kind})`
        const isOfService = exportFormat(service).kinds.includes(kind)
        const review = reviews.find(({ media_id }) => media_id === id)
        if (isOfService && rating !== undefined) {
          const { number } = ratingAt(service, { rating: toTenths(rating), rating_given: given })
          const said = `${number}/${exportFormat(service).rating.max}`
          const { stars } = starsOf(said, { halves: 'up', halfStars: true })
          expect(review, about).toMatchObject({
            rating: toTenths(stars),
            rating_given: said,
            text: holdsTexts.includes(service) ? text : '',
            has_spoilers: more.spoilers && ['letterboxd', 'goodreads'].includes(service) ? 1 : 0,
          })
          if (service === 'imdb') expect(review!.rated_at, about).toMatch(/^2025-02-28/)
          if (service === 'trakt') expect(review!.rated_at, about).toBe('2025-02-28T23:30:00.000Z')
        } else expect(review, about).toBeUndefined()
        const held = entries
          .filter(({ media_id }) => media_id === id)
          .map((entry): Held => [entry.status, entry.started_on, entry.finished_on, entry.text])
        expect(sorted(held), about).toEqual(sorted(isOfService ? heldEntries[service](own, kind) : []))
        if (service === 'letterboxd' && kind === 'movie' && name === 'Often')
          expect(
            entries
              .filter(({ media_id }) => media_id === id)
              .map(({ is_again, rating_given }) => [is_again, rating_given]),
          ).toEqual([
            [0, '3/5'],
            [1, '4/5'],
            [1, null],
          ])
      }
      const again = await rehearse(other, file, service)
      expect(
        Object.keys(again.rehearsal.counts).filter((state) => !['notKept', 'repeated'].includes(state)),
      ).toEqual(['same'])

      const own = await rehearse(owner, file, service)
      expect(
        Object.keys(own.rehearsal.counts).filter((state) => !['notKept', 'repeated'].includes(state)),
      ).toEqual(['same'])
      expect(own.rehearsal).toMatchObject({ changes: 0 })
      await own.call.start({ id: own.id }).catch(() => {})
      await server.work()
      expect(await contentOf(owner)).toEqual(before)

      await first.call.undo({ id: first.id })
      await server.work()
      expect(await contentOf(other)).toEqual({ reviews: [], entries: [], favorites: [], halfStars: 0 })
      expect(await findCounterFaults(db)).toEqual([])
    },
  )

  test.each(['trakt', 'yamtrack'] as const)(
    'for %s brings the ratings of parts that it can hold',
    async (service) => {
      const [owner, other] = [await server.newCaller(), await server.newCaller()]
      const [show, wanted] = [await aTitle(db, 'tvShow'), await aTitle(db, 'tvShow')]
      const ids = [show, wanted].map((media_id) => ({
        source: 'tmdb-tv' as const,
        external_id: String(900_000 + ++count),
        media_id,
      }))
      await insertMany(db, 'external_ids', ids)
      const reviews = server.as(owner).reviews
      for (const id of [show, wanted]) {
        const [special, first] = await someEpisodes(db, id)
        const { seasons } = await server.as(owner).progress.seasons({ id })
        await reviews.save({ seasonId: seasons[2]!.id, rating: 4.5 })
        await reviews.save({ seasonId: seasons[0]!.id, rating: 1, text: 'Only here.' })
        await reviews.save({ episodeId: first!, rating: 3 })
        await reviews.save({ episodeId: special!, rating: 2.5 })
      }
      await server.as(owner).diary.create({ itemId: show, status: 'started' })
      const read = async ({ id }: Caller) => {
        const rows = db
          .selectFrom('reviews')
          .innerJoin('parts', 'parts.id', 'reviews.part_id')
          .select(['reviews.part_id', 'parts.media_id', 'parts.type', 'rating', 'rating_given'])
          .where('user_id', '=', id)
          .orderBy('part_id')
        return rows.execute()
      }
      const own = await read(owner)
      const file = await download(owner, service)

      const first = await rehearse(other, file, service)
      await first.call.start({ id: first.id })
      await server.work()
      expect(await findCounterFaults(db)).toEqual([])
      const isHeld = ({ type, media_id }: (typeof own)[number]) =>
        service === 'trakt' || (type === 'season' && media_id === show)
      const held = own.filter(isHeld)
      expect(held).toHaveLength(service === 'trakt' ? 8 : 2)
      expect(await read(other)).toEqual(held.map((row) => ({ ...row, rating_given: `${row.rating / 5}/10` })))
      const plays = db.selectFrom('plays').select('id').where('user_id', '=', other.id)
      expect(await plays.execute()).toEqual([])

      for (const caller of [other, owner])
        expect((await rehearse(caller, file, service)).rehearsal).toMatchObject({ changes: 0 })
      expect(await read(owner)).toEqual(own)
    },
  )
})
