import { expect, test } from 'vitest'
import { itemSorts } from '#shared/contracts/titles.ts'
import { kindNames, kindOfCategory } from '#shared/domain/kinds.ts'
import { seeded } from '#scripts/testing/random.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { aNetwork, aServer, aTitle, plansOf } from '#server/testing.ts'
import { listItemIds, listNetworkTitles } from './browse-store.ts'

const server = await aServer()
const { as, db } = server
const random = seeded(11)
const below = (limit: number) => Math.floor(random() * limit)

type Listing = Parameters<ReturnType<typeof as>['items']['list']>[0]
const [reader, ...followees] = await aNetwork(server, 3)
for (let index = 0; index < 80; index++) {
  const id = await aTitle(db, kindNames[below(4)]!, ['Ark', 'Bell', 'Çedilla', 'Dune', '😀 Show'][below(5)])
  const year = below(5) === 0 ? null : 1985 + below(20)
  const genres = ['Comedy', 'Drama', 'Noir'].filter((_, at) => random() < [0.6, 0.3, 0.05][at]!)
  const values = {
    release_year: year,
    release_date: year === null ? null : `${year}-0${1 + below(3)}-01`,
    popularity: below(3),
    details: JSON.stringify({ genres, creators: [], platforms: [], rating: null }),
  }
  await db.updateTable('media').set(values).where('id', '=', id).execute()
  for (const member of [reader, ...followees])
    if (random() < 0.3) await as(member).reviews.save({ itemId: id, rating: 1 + below(9) / 2 })
}
const rows = await db.selectFrom('media').selectAll().orderBy('id').execute()
const reviews = await db.selectFrom('reviews').select(['user_id', 'media_id']).execute()
type Row = (typeof rows)[number]

const bytes = (text: string) => Buffer.from(text).toString('hex')
const score = ({ rating_count, rating_sum }: Row) =>
  rating_count === 0 ? 0 : (rating_sum + 175) / (rating_count + 5)
const keys: Record<(typeof itemSorts)[number], (row: Row) => (string | number)[]> = {
  title: ({ name_folded, id }) => [bytes(name_folded), id],
  popularity: ({ rating_count, popularity, id }) => [-rating_count, -popularity, id],
  rating: (row) => [-score(row), -row.id],
  added: ({ id }) => [-id],
  release: ({ release_date, id }) => [-Number((release_date ?? '0').replaceAll('-', '')), -id],
}
function compare(a: (string | number)[], b: (string | number)[]): number {
  for (const [index, value] of a.entries()) if (value !== b[index]) return value < b[index]! ? -1 : 1
  return 0
}
const isRatedBy = (row: Row, members: readonly { id: number }[]) =>
  reviews.some(({ user_id, media_id }) => media_id === row.id && members.some(({ id }) => id === user_id))

const filters: Listing[] = [
  {},
  { category: 'book' },
  { genre: 'Drama' },
  { genre: 'Noir' },
  { decade: 1990 },
  { category: 'movie', genre: 'Comedy', decade: 1980 },
  { unrated: true },
  { network: true },
  { unrated: true, network: true, genre: 'Comedy' },
  { unrated: true, category: 'game', decade: 1990 },
  { genre: 'Polka' },
]
function matches(row: Row, { category, genre, decade, unrated, network }: Listing): boolean {
  return (
    (category === undefined || row.kind === kindOfCategory(category)) &&
    (genre === undefined || (JSON.parse(row.details) as { genres: string[] }).genres.includes(genre)) &&
    (decade === undefined ||
      (row.release_year !== null && Math.floor(row.release_year / 10) * 10 === decade)) &&
    (!unrated || !isRatedBy(row, [reader])) &&
    (!network || isRatedBy(row, followees))
  )
}

test.each(itemSorts)(
  'the pages of the catalogue by %s are the whole sorted list, whatever the filters and the size of a page',
  async (sort) => {
    for (const filter of filters) {
      const expected = rows
        .filter((row) => matches(row, filter))
        .toSorted((a, b) => compare(keys[sort](a), keys[sort](b)))
        .map(({ id }) => id)
      for (const limit of [7, 100]) {
        const read: number[] = []
        for (let page = 1; page === 1 || read.length < expected.length; page++) {
          const { items, pagination } = await as(reader).items.list({ sort, limit, page, ...filter })
          expect(pagination).toEqual({
            page,
            pageSize: limit,
            total: expected.length,
            totalPages: Math.ceil(expected.length / limit),
          })
          read.push(...items.map(({ id }) => id))
          if (items.length === 0) break
        }
        expect(read, JSON.stringify({ sort, filter, limit })).toEqual(expected)
      }
    }
  },
)

test('of people with many ratings, the ratings of the people followed last are read', async () => {
  const follows = [1, 2, 3].map((minute) => `2026-05-01T12:0${minute}:00.000Z`)
  for (const [index, created_at] of follows.entries())
    await db
      .updateTable('follows')
      .set({ created_at })
      .where('followee_id', '=', followees[index]!.id)
      .execute()
  const ratedBy = (...members: { id: number }[]) =>
    rows.filter((row) => isRatedBy(row, members)).map(({ id }) => id)
  const [, middle, last] = followees
  const max = ratedBy(last!).length
  const read = async (limit?: number) =>
    (await listNetworkTitles(db, reader.id, undefined, false, limit)).toSorted((a, b) => a - b)
  expect(await read(max)).toEqual(ratedBy(last!))
  expect(await read(max + ratedBy(middle!).length)).toEqual(ratedBy(middle!, last!))
  expect(await read()).toEqual(ratedBy(...followees))
  if (!isSqlite(db)) return
  const plans = await plansOf(db, (trx) => listNetworkTitles(trx, reader.id, undefined))
  expect(plans.join('\n')).not.toContain('TEMP B-TREE')
})

test('the filters by ratings require a token, and a decade is a multiple of ten', async () => {
  await expect(as().items.list({ unrated: true })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  await expect(as().items.list({ network: true })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  for (const decade of [1995, 0, -10, 1e9])
    await expect(as().items.list({ decade })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect((await as().items.list({ unrated: false, network: false })).pagination.total).toBe(rows.length)
})

test('genres with most titles come first, in all and of one kind', async () => {
  const count = (name: string, kind?: string) =>
    rows.filter(
      (row) =>
        (kind === undefined || row.kind === kind) &&
        (JSON.parse(row.details) as { genres: string[] }).genres.includes(name),
    ).length
  const names = ['Comedy', 'Drama', 'Noir']
  const expected = (kind?: string) =>
    names
      .map((name) => ({ name, count: count(name, kind) }))
      .filter((genre) => genre.count > 0)
      .toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
  expect((await as().items.genres({})).genres).toEqual(expected())
  expect((await as().items.genres({ category: 'Book' })).genres).toEqual(expected('book'))
})

test.runIf(isSqlite(db))('each sort reads an index in its order, with filters too', async () => {
  const window = { limit: 24, offset: 0 }
  for (const sort of itemSorts) {
    for (const facets of [{}, { kind: 'book' as const }, { genre: 'Drama', decade: 1990 }]) {
      const plans = await plansOf(db, (trx) =>
        listItemIds(trx, { ...window, sort, facets, unratedBy: 1, among: undefined }),
      )
      expect(plans.join('\n'), `${sort} ${JSON.stringify(facets)}`).not.toContain('TEMP B-TREE')
    }
    const tested = await plansOf(db, (trx) =>
      listItemIds(trx, { ...window, sort, facets: {}, among: [1, 2] }),
    )
    expect(tested.join('\n'), `${sort}, among many`).not.toContain('TEMP B-TREE')
    const sorted = await plansOf(db, (trx) =>
      listItemIds(trx, { ...window, sort, facets: {}, among: [1, 2], isListSmall: true }),
    )
    expect(sorted[0], `${sort}, among few`).toContain('SEARCH media USING INTEGER PRIMARY KEY')
  }
})
