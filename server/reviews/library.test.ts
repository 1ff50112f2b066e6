import { expect, test } from 'vitest'
import { type Kind, kindNames } from '#shared/domain/kinds.ts'
import { librarySort } from '#shared/contracts/library.ts'
import { meanRating, ratingSteps } from '#shared/domain/ratings.ts'
import { seeded } from '#scripts/testing/random.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { someEpisodes } from '#scripts/testing/episodes.ts'
import { aMember, aServer, aTitle, plansOf } from '#server/testing.ts'
import { listLibrary } from './library-store.ts'

const server = await aServer()
const { as, db } = server

type Listing = Parameters<ReturnType<typeof as>['reviews']['ofUser']>[0]
const genres = ['Comedy', 'Drama', 'Science Fiction']
const random = seeded(7)
const below = (limit: number) => Math.floor(random() * limit)

/** Inserts titles with few different names and dates, so that sorts have ties. */
async function someTitles(count: number) {
  const titles = []
  for (let index = 0; index < count; index++) {
    const kind = kindNames[below(4)]!
    const year = below(4) === 0 ? null : 1988 + below(6)
    const id = await aTitle(db, kind, ['Ark', 'Bell', 'Çedilla', 'Dune', '😀 Show'][below(5)])
    const own = genres.filter(() => random() < 0.5)
    const details = JSON.stringify({ genres: own, creators: [], platforms: [], rating: null })
    const date = year === null ? null : `${year}${below(3) === 0 ? '' : '-05-01'}`
    await db
      .updateTable('media')
      .set({ release_year: year, release_date: date, details })
      .where('id', '=', id)
      .execute()
    titles.push({ id, kind, year, date: date ?? '', genres: own })
  }
  return titles
}

const titles = await someTitles(60)
const titleOf = new Map(titles.map((title) => [title.id, title]))
const member = await aMember(db)
const other = await aMember(db)
for (const { id } of titles.filter(() => random() < 0.8)) {
  // Several ratings of the same minute, some of them in the year before.
  const now = new Date(Date.UTC(2025, 11, 31, 23, 50 + below(20)))
  const text = below(3) === 0 ? 'Words.' : ''
  await as(member, { now }).reviews.save({ itemId: id, rating: 1 + below(5), text })
}
await as(other).reviews.save({ itemId: titles[0]!.id, rating: 1, text: 'Of another member.' })
const names = new Map(
  (await db.selectFrom('media').select(['id', 'name_folded']).execute()).map((row) => [
    row.id,
    Buffer.from(row.name_folded).toString('hex'),
  ]),
)

/** Reads all pages. Returns the reviews in the order of the pages. */
async function readAll(listing: Listing) {
  const reviews = []
  let cursor: string | undefined
  do {
    const page = await as().reviews.ofUser({ ...listing, cursor })
    expect(page.reviews.length).toBeLessThanOrEqual(listing.limit!)
    reviews.push(...page.reviews)
    if (page.nextCursor !== null) expect(page.reviews).toHaveLength(listing.limit!)
    cursor = page.nextCursor ?? undefined
    if (cursor === undefined) expect(page.total).toBe(reviews.length)
  } while (cursor !== undefined)
  return reviews
}
type Shown = Awaited<ReturnType<typeof readAll>>[number]

const all = await readAll({ id: member.id, limit: 100 })

const keys: Record<(typeof librarySort.options)[number], (review: Shown) => (string | number)[]> = {
  createdAt: ({ createdAt, id }) => [createdAt, id],
  rating: ({ rating, createdAt, id }) => [rating, createdAt, id],
  title: ({ itemId }) => [names.get(itemId)!, itemId],
  release: ({ itemId }) => [titleOf.get(itemId)!.date, itemId],
}

function compare(a: (string | number)[], b: (string | number)[]): number {
  for (const [index, value] of a.entries()) if (value !== b[index]) return value < b[index]! ? -1 : 1
  return 0
}

const filters: [filter: Omit<Listing, 'id'>, matches: (review: Shown) => boolean][] = [
  [{}, () => true],
  [{ kind: 'book' }, ({ title }) => title.kind === 'book'],
  [{ hasText: true }, ({ text }) => text !== ''],
  [{ hasText: false, rating: 3 }, ({ text, rating }) => text === '' && rating === 3],
  [{ year: 2025 }, ({ createdAt }) => createdAt.startsWith('2025')],
  [{ genre: 'Drama' }, ({ itemId }) => titleOf.get(itemId)!.genres.includes('Drama')],
  [
    { decade: 1990, genre: 'Comedy' },
    ({ itemId }) => {
      const { year, genres: own } = titleOf.get(itemId)!
      return year !== null && year >= 1990 && own.includes('Comedy')
    },
  ],
  [{ decade: 1980 }, ({ itemId }) => [1988, 1989].includes(titleOf.get(itemId)!.year!)],
]

test.each(
  librarySort.options.flatMap((sort) => (['asc', 'desc'] as const).map((order) => ({ sort, order }))),
)(
  'the pages of a library by $sort, $order, are the whole sorted list, whatever the filter and the size of a page',
  async ({ sort, order }) => {
    expect(all.length).toBeGreaterThan(40)
    for (const [filter, matches] of filters) {
      const expected = all
        .filter(matches)
        .toSorted((a, b) => (order === 'asc' ? 1 : -1) * compare(keys[sort](a), keys[sort](b)))
        .map(({ id }) => id)
      for (const limit of [4, 50]) {
        const read = await readAll({ id: member.id, sort, order, limit, ...filter })
        expect(
          read.map(({ id }) => id),
          JSON.stringify({ filter, limit }),
        ).toEqual(expected)
      }
    }
  },
)

test('a library has ratings without a text, each with its title, and the reaction of the caller', async () => {
  const itemId = await aTitle(db, 'game', 'Shown')
  const { review } = await as(other).reviews.save({ itemId, rating: 4 })
  await as(member).reviews.react({ id: review.id, reaction: 'like' })
  const { reviews } = await as(member).reviews.ofUser({ id: other.id, kind: 'game', rating: 4 })
  expect(reviews).toMatchObject([
    { id: review.id, text: '', rating: 4, gameId: itemId, userReaction: 'like', user: { id: other.id } },
  ])
  expect(reviews[0]!.title).toEqual({
    id: itemId,
    kind: 'game',
    name: 'Shown',
    imageUrl: null,
    releaseYear: null,
  })
  expect(await as(other).reviews.ofMe({ kind: 'game' })).toMatchObject({
    total: 1,
    reviews: [{ title: { id: itemId } }],
  })
  expect(await as().reviews.byId({ id: review.id })).toMatchObject({
    review: { id: review.id, userReaction: 'none' },
  })
})

test('seasons and episodes that a member rated are a list of their own, sorted and filtered like titles, page by page', async () => {
  const rater = await aMember(db)
  const shows = new Map<number, string>()
  for (const name of ['Ark', 'Bell', 'Ark']) {
    const id = await aTitle(db, 'tvShow', name)
    shows.set(id, name)
    const episodes = await someEpisodes(db, id)
    for (const episodeId of episodes.slice(1)) {
      const now = new Date(Date.UTC(2025, 11, 31, 23, 50 + below(20)))
      const text = below(2) === 0 ? 'Words.' : ''
      await as(rater, { now }).reviews.save({ episodeId, rating: 1 + below(5), text })
    }
    const { seasons } = await as().progress.seasons({ id })
    await as(rater).reviews.save({ seasonId: seasons[1]!.id, rating: 3, text: 'All of it.' })
    await as(rater).reviews.save({ tvShowId: id, rating: 5 })
  }
  const about = 'parts' as const
  const rated = await readAll({ id: rater.id, about, limit: 100 })
  expect(rated).toHaveLength(21)
  for (const { about: part, title } of rated)
    expect([part !== null, shows.has(title.id)]).toEqual([true, true])
  const keysOfParts: Record<keyof typeof keys, (review: Shown) => (string | number)[]> = {
    createdAt: keys.createdAt,
    rating: keys.rating,
    title: ({ title, id }) => [title.name, title.id, id],
    release: ({ title, id }) => ['', title.id, id],
  }
  for (const sort of librarySort.options)
    for (const order of ['asc', 'desc'] as const) {
      const listed = await readAll({ id: rater.id, about, sort, order, limit: 4 })
      const expected = rated.toSorted((one, two) => compare(keysOfParts[sort](one), keysOfParts[sort](two)))
      expect(listed.map(({ id }) => id)).toEqual(
        (order === 'asc' ? expected : expected.toReversed()).map(({ id }) => id),
      )
    }
  const countOf = async (filter: object) =>
    (await readAll({ id: rater.id, about, limit: 5, ...filter })).length
  expect(await countOf({ q: 'bell' })).toBe(7)
  expect(await countOf({ hasText: true })).toBe(
    rated.filter(({ isWithheld, text }) => isWithheld || text !== '').length,
  )
  expect(await countOf({ rating: 3 })).toBe(rated.filter(({ rating }) => rating === 3).length)
  expect(await countOf({ year: 2025 })).toBe(
    rated.filter(({ createdAt }) => createdAt.startsWith('2025')).length,
  )
  expect(await countOf({ kind: 'book' })).toBe(0)
  // Lists of titles leave them out.
  expect(await readAll({ id: rater.id, limit: 100 })).toHaveLength(3)

  // Withheld from who has not seen the episode, and closed with the account.
  const texts = async (viewer: typeof rater) =>
    new Set(
      (await as(viewer).reviews.ofUser({ id: rater.id, about, hasText: true })).reviews.map(
        ({ text }) => text,
      ),
    )
  expect(await texts(other)).toEqual(new Set(['']))
  expect(await texts(rater)).toEqual(new Set(['Words.', 'All of it.']))
  expect((await as(rater).reviews.ofMe({ about, limit: 1 })).total).toBe(21)
  await as(rater).privacy.block({ id: other.id })
  await expect(as(other).reviews.ofUser({ id: rater.id, about })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await db.updateTable('users').set({ is_private: 1 }).where('id', '=', rater.id).execute()
  await expect(as().reviews.ofUser({ id: rater.id, about })).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('a library is searched by the words of a title, in any order and without accents', async () => {
  const found = (await readAll({ id: member.id, q: ' CEDIL ', limit: 3 })).map(({ id }) => id)
  const expected = all.filter(({ title }) => title.name === 'Çedilla').map(({ id }) => id)
  expect(found.toSorted()).toEqual(expected.toSorted())
  expect(found.length).toBeGreaterThan(3)
  const shows = await as().reviews.ofUser({ id: member.id, q: 'show 4 ark' })
  expect(shows).toMatchObject({ total: 0, reviews: [] })
})

test('the ratings of titles by the people whom a member follows are summarized, and strangers’ ratings are not', async () => {
  const [reader, ada, bob, stranger] = [
    await aMember(db),
    await aMember(db),
    await aMember(db),
    await aMember(db),
  ]
  const [both, one, none] = [await aTitle(db), await aTitle(db), await aTitle(db)]
  for (const { id } of [ada, bob]) await as(reader).social.follow({ userIdToFollow: id })
  await as(ada).reviews.save({ itemId: both, rating: 3 })
  await as(bob).reviews.save({ itemId: both, rating: 4 })
  await as(bob).reviews.save({ itemId: one, rating: 2 })
  for (const itemId of [both, none]) await as(stranger).reviews.save({ itemId, rating: 5 })
  const { ratings } = await as(reader).reviews.networkFor({ ids: [both, one, none, 999_999].join() })
  const shown = ratings
    .toSorted((a, b) => a.titleId - b.titleId)
    .map(({ raters, ...title }) => ({ ...title, raters: raters.map(({ id }) => id) }))
  expect(shown).toEqual([
    { titleId: both, count: 2, average: 3.5, raters: [bob.id, ada.id] },
    { titleId: one, count: 1, average: 2, raters: [bob.id] },
  ])
  await expect(as().reviews.networkFor({ ids: '1' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('a cursor of another sort or order, and a forged one, are refused', async () => {
  const { nextCursor } = await as().reviews.ofUser({ id: member.id, limit: 1 })
  const forged = (values: unknown) => Buffer.from(JSON.stringify(values)).toString('base64url')
  const refused: Omit<Listing, 'id'>[] = [
    { cursor: nextCursor!, order: 'asc' },
    { cursor: nextCursor!, sort: 'title' },
    { cursor: 'AAAA' },
    { cursor: 'not base64' },
    { cursor: '' },
    { cursor: 'A'.repeat(300) },
    { cursor: forged(['createdAt', 'desc', ['\0', 1]]) },
    { cursor: forged(['createdAt', 'desc', ['2026-01-01T00:00:00.000Z', -1]]) },
    { cursor: forged(['createdAt', 'desc', [1]]) },
    { cursor: forged(['title', 'desc', [1e12]]), sort: 'title' },
    { cursor: forged(['title', 'desc', [1]]), sort: 'title', about: 'parts' },
    { cursor: forged(['title', 'desc', ['2026-01-01T00:00:00.000Z', 1]]), sort: 'title', about: 'parts' },
    { cursor: forged(['createdAt', 'desc', [1, 1]]) },
    { cursor: forged({ sort: 'createdAt' }) },
    { cursor: forged(null) },
  ]
  for (const listing of refused)
    await expect(
      as().reviews.ofUser({ id: member.id, ...listing }),
      JSON.stringify(listing),
    ).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
})

test('an unknown member, one who is not verified, and an unknown review are not found', async () => {
  const unverified = await aMember(db)
  await db.updateTable('users').set({ verified_at: null }).where('id', '=', unverified.id).execute()
  for (const id of [unverified.id, 1e9]) {
    await expect(as().reviews.ofUser({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(as().reviews.histogramsOfUser({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }
  await expect(as().reviews.byId({ id: 1e9 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const newcomer = await aMember(db)
  expect(await as().reviews.ofUser({ id: newcomer.id })).toEqual({ reviews: [], nextCursor: null, total: 0 })
})

test('the distribution of a member’s ratings equals the library’s, in all and per kind', async () => {
  const histograms = await as().reviews.histogramsOfUser({ id: member.id })
  const histogramOf = (kind?: Kind) => {
    const ratings = all
      .filter(({ title }) => kind === undefined || title.kind === kind)
      .map(({ rating }) => rating)
    const counts = Object.fromEntries(
      [1, 2, 3, 4, 5].map((n) => [n, ratings.filter((one) => one > n - 1 && one <= n).length]),
    )
    const halfCounts = Object.fromEntries(
      ratingSteps.map((n) => [n, ratings.filter((one) => one === n).length]),
    )
    const sum = ratings.reduce((a, b) => a + b, 0)
    return { counts, halfCounts, total: ratings.length, avg: meanRating(10 * sum, ratings.length) }
  }
  for (const kind of kindNames) expect(histograms[kind]).toEqual(histogramOf(kind))
  expect(histograms.all).toEqual(histogramOf())
  expect(histograms.firstRatedAt).toBe(all.map(({ createdAt }) => createdAt).toSorted()[0])
  const newcomer = await aMember(db)
  expect((await as().reviews.histogramsOfUser({ id: newcomer.id })).all).toMatchObject({
    total: 0,
    avg: null,
  })
})

test('the caller’s ratings of several titles are returned in one call, and others’ ratings are not', async () => {
  const [rated, unrated] = [await aTitle(db), await aTitle(db)]
  await as(member).reviews.save({ itemId: rated, rating: 5 })
  await as(other).reviews.save({ itemId: unrated, rating: 1 })
  expect(await as(member).reviews.mineFor({ ids: `${unrated},${rated},999999` })).toEqual({
    ratings: [{ titleId: rated, rating: 5 }],
  })
  const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1).join()
  expect((await as(member).reviews.mineFor({ ids: ids(100) })).ratings.length).toBeGreaterThan(0)
  for (const refused of [ids(101), '', '0', '1,,2', '1,x', '12345678901234567'])
    await expect(as(member).reviews.mineFor({ ids: refused })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await expect(as().reviews.mineFor({ ids: '1' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test.runIf(isSqlite(db))(
  'a library is read from a covering index, and by title in the order of the titles',
  async () => {
    const page = { filter: {}, order: 'desc', after: undefined, limit: 25, isTitleFirst: false } as const
    const plansBy = async (options: Partial<Parameters<typeof listLibrary>[2]>) =>
      (await plansOf(db, (trx) => listLibrary(trx, 1, { ...page, sort: 'createdAt', ...options }))).join('\n')
    const filter = { kind: 'book', rating: 4, year: 2026 } as const
    for (const options of [{}, { filter }, { after: ['2026-01-01T00:00:00.000Z', 9] }]) {
      const plans = await plansBy(options)
      expect(plans).toContain('COVERING INDEX reviews_library (user_id=?')
      expect(plans).not.toContain('TEMP B-TREE')
    }
    const ofParts = await plansBy({
      filter: { about: 'parts', rating: 4 },
      after: ['2026-01-01T00:00:00.000Z', 9],
    })
    expect(ofParts).toContain('INDEX reviews_part_library (user_id=?')
    expect(ofParts).not.toContain('TEMP B-TREE')
    expect(await plansBy({ sort: 'rating' })).toContain('COVERING INDEX reviews_library (user_id=?')
    for (const sort of ['title', 'release'] as const)
      expect(await plansBy({ sort, isTitleFirst: true }), sort).not.toContain('TEMP B-TREE')
  },
)

test('half stars are off until a member turns them on, and change no stored rating', async () => {
  const one = await aMember(db)
  const call = as(one)
  expect(await call.reviews.ratingSettings()).toEqual({ halfStars: false })
  const itemId = await aTitle(db)
  expect((await call.reviews.save({ itemId, rating: 2.5 })).review.rating).toBe(2.5)
  for (const halfStars of [true, false]) {
    expect(await call.reviews.changeRatingSettings({ halfStars })).toEqual({ halfStars })
    expect(await call.reviews.changeRatingSettings({})).toEqual({ halfStars })
    expect((await call.accounts.me()).user.halfStars).toBe(halfStars)
    expect((await call.reviews.mine({ itemId })).review.rating).toBe(2.5)
  }
  const other = await aMember(db)
  expect(await as(other).reviews.ratingSettings()).toEqual({ halfStars: false })
})
