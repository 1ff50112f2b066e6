import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { itemSorts } from '#shared/contracts/titles.ts'
import { plusDays } from '#shared/domain/days.ts'
import { kindNames, kinds } from '#shared/domain/kinds.ts'
import { calendarFileDays } from '#shared/domain/limits.ts'
import { librarySort } from '#shared/contracts/library.ts'
import { insertMany, isOneOf, isSqlite } from '#server/db/dialect.ts'
import { createDatabase } from '#scripts/testing/migrated.ts'
import { ownPostgres } from '#scripts/testing/own-postgres.ts'
import { seeded } from '#scripts/testing/random.ts'
import { computeSimilar } from '#server/feed/similar.ts'
import { listNotifications } from '#server/notifications/store.ts'
import { calendarFile } from '#server/progress/calendar-file.ts'
import { settleMembers } from '#server/reviews/settle.ts'
import { openLog } from '#server/process/log.ts'
import { english } from '#server/text/translator.ts'
import { appRouter } from '#server/router.ts'
import { writeCursor } from '#server/calls/cursors.ts'
import type { Services } from '#server/calls/context.ts'
import { openBench, runAsServer, writeResults } from './bench.ts'
import { generateSyntheticData } from './synthetic-data.ts'
import { country, generateOffers, offersSource } from './synthetic-offers.ts'
import { generatePlays } from './synthetic-plays.ts'

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    sizes: { type: 'string', default: '10000,100000,1000000' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    keep: { type: 'string' },
    on: { type: 'string', default: 'sqlite' },
    cpu: { type: 'boolean' },
    json: { type: 'string', default: 'dist/bench/queries.json' },
  },
})
if (values.help) {
  console.log(`npm exec -- node scripts/bench/queries.ts [--sizes 10000,100000,1000000] [--rounds 5] [--only text] [--on sqlite|postgres] [--json file]

Measures the queries of the screens, called as procedures without a transport, on synthetic datasets (npm run
synthetic-data) with these numbers of reviews: median and p99 in milliseconds, and the growth of the median from one size to
the next. Popular and unpopular titles and members are drawn alternately. Each query runs 200 times per
round after one warm-up round; the round with the lowest p99 counts, since other processes may use the machine. Prints a
table and writes it as JSON (dist/bench/queries.json).
--only text        runs only the queries whose name contains the text.
--keep folder      keeps the SQLite databases in the folder and reuses them.
--cpu              measures the CPU time of this process, which others change little: for SQLite on a busy machine.`)
  process.exit()
}

runAsServer()
/** Fixed, so that a reused database gives the same results. */
const now = new Date('2026-06-01T12:00:00.000Z')
const log = openLog('silent')
const postgres = values.on === 'postgres' ? await ownPostgres() : undefined

const worstWords = ['a', 'the', 'the a', 'a b zzz', 'a e i o', 'the of and a', 'the of a b c zzz']

type MeasuredCall = () => Promise<unknown>
/** `growth` of the median, relative to the previous size; null for the first. */
type Result = { reviews: number; medianMs: number; p99Ms: number; growth: number | null }
const results: Record<string, Result[]> = {}

for (const reviews of values.sizes.split(',').map(Number)) {
  const name = `medley_bench_${reviews}`
  const { services, close } = await openBench({
    databaseUrl: postgres && (await createDatabase(postgres.url, name)),
    ...(values.keep && { dataDir: join(values.keep, name) }),
  })
  // Without a version, no result of a query is kept.
  const db = services.db.withoutPlugins()
  if (!(await db.selectFrom('users').select('id').limit(1).executeTakeFirst())) {
    console.log(`Generating ${reviews.toLocaleString('en')} reviews …`)
    await generateSyntheticData(db, { reviews, now })
    await generateOffers(db, { now })
    await generatePlays(db, { now })
  }
  for (const [query, calls] of Object.entries(await drawQueries({ ...services, db }))) {
    if (!query.includes(values.only) || calls.length === 0) continue
    const times = await time(calls)
    const [medianMs, p99Ms] = [at(times, 0.5), at(times, 0.99)]
    const before = (results[query] ??= []).at(-1)
    results[query].push({ reviews, medianMs, p99Ms, growth: before ? medianMs / before.medianMs : null })
  }
  await close()
}
await postgres?.remove()

const columns = ({ reviews, medianMs, p99Ms, growth }: Result) => ({
  [`${reviews}: median`]: Number(medianMs.toFixed(3)),
  [`${reviews}: p99`]: Number(p99Ms.toFixed(3)),
  ...(growth !== null && { [`${reviews}: ×`]: Number(growth.toFixed(2)) }),
})
console.table(
  Object.fromEntries(
    Object.entries(results).map(([query, all]) => [query, Object.assign({}, ...all.map(columns))]),
  ),
)
writeResults(values.json, { results })

function milliseconds(): number {
  if (!values.cpu) return performance.now()
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** The sorted milliseconds of the fastest round, since other processes may use the machine. */
async function time(calls: MeasuredCall[]): Promise<number[]> {
  let fastest: number[] = []
  for (let round = 0; round <= Number(values.rounds); round++) {
    const times: number[] = []
    for (let turn = 0; turn < Math.max(200, calls.length); turn++) {
      const startedAt = milliseconds()
      await calls[turn % calls.length]!()
      times.push(milliseconds() - startedAt)
    }
    times.sort((a, b) => a - b)
    if (round === 1 || (round > 1 && at(times, 0.99) < at(fastest, 0.99))) fastest = times
  }
  return fastest
}

function at(sorted: number[], part: number): number {
  return sorted[Math.floor(sorted.length * part)]!
}

/** A query has no calls if the dataset is too small for it. */
async function drawQueries(services: Services): Promise<Record<string, MeasuredCall[]>> {
  const { db } = services
  const random = seeded(1)
  const below = (limit: number) => Math.floor(random() * limit)
  const as = (id?: number) =>
    appRouter.createCaller({
      ...services,
      sources: { ...services.sources, offers: offersSource },
      now,
      member: id
        ? { id, username: '', sessionHash: '', scopes: null, role: 'member', standing: 'active' }
        : null,
      log,
      requestId: '',
      response: {},
      userAgent: null,
      address: '',
      limit: async () => {},
      recordLogin() {},
    })
  const visitor = as()
  const today = now.toISOString().slice(0, 10)
  const fileDays = {
    from: plusDays(today, -calendarFileDays.before),
    to: plusDays(today, calendarFileDays.after),
  }
  const queries: Record<string, MeasuredCall[]> = {}
  const add = <T>(name: string, list: readonly T[], call: (one: T, turn: number) => Promise<unknown>) => {
    queries[name] = list.map((one, turn) => () => call(one, turn))
  }
  const addOne = (name: string, call: MeasuredCall) => (queries[name] = [call])
  const drawn = <T>(count: number, draw: (turn: number) => T) =>
    Array.from({ length: count }, (_, turn) => draw(turn))

  const titles = await db
    .selectFrom('media')
    .select(['id', 'kind', 'name', 'text_count'])
    .orderBy('id')
    .execute()
  const members = await db
    .selectFrom('users')
    .select(['id', 'username', 'following_count', 'review_count'])
    .orderBy('id')
    .execute()
  // The first titles are the most popular.
  const half = Math.floor(titles.length / 2)
  const some = drawn(80, (turn) => titles[turn % 2 === 0 ? below(40) : half + below(half)]!).map(
    ({ id, kind }) => ({ id, kind, router: kinds[kind].router }),
  )
  const people = drawn(80, () => members[below(members.length)]!)
  const keen = members.toSorted((a, b) => b.review_count - a.review_count).slice(0, 20)
  const genres = (await visitor.items.genres({})).genres.map(({ name }) => name)
  const decades = [2020, 2010, 2000, 1990, 1980, 1960, 1930]
  const prefixesOf = (names: string[]) =>
    drawn(200, () => names[below(names.length)]!).map((name) =>
      name.slice(0, 1 + below(Math.min(12, name.length))),
    )
  const titleWords = prefixesOf(titles.map(({ name }) => name))
  const memberWords = prefixesOf(members.map(({ username }) => username))
  const insideWords = prefixesOf(members.map(({ username }) => username.slice(2)))
  const idsOf50 = () => drawn(50, () => titles[below(titles.length)]!.id).join()

  for (const { router, words } of Object.values(kinds))
    addOne(`popular ${words.many.toLowerCase()}`, () => visitor[router].popular({}))
  addOne('popular movies, a year', () => visitor.movies.popular({ days: 365 }))
  add('detail', some, ({ id, router }) => visitor[router].byId({ id }))
  add('histogram, everyone', some, ({ id, router }) => visitor[router].ratingHistogram({ id }))
  add('reviews, page 1', some, ({ id }) => visitor.reviews.list({ itemId: id }))
  add('reviews by rating', some, ({ id }) => visitor.reviews.list({ itemId: id, sortBy: 'rating' }))
  add('reviews by likes', some, ({ id }) => visitor.reviews.list({ itemId: id, sortBy: 'likeCount' }))
  const discussed = titles.filter((title) => title.text_count >= 1_000)
  add('reviews, page 200', discussed, ({ id }) => visitor.reviews.list({ itemId: id, page: 200 }))
  addOne('items, page 1', () => visitor.items.list({}))
  addOne('items of a kind, page 1', () => visitor.items.list({ category: 'Book' }))
  if (titles.length >= 960) addOne('items, page 40', () => visitor.items.list({ page: 40 }))
  for (const sort of itemSorts) {
    const list = (input: object) => visitor.items.list({ sort, ...input })
    addOne(`items by ${sort}`, () => list({}))
    addOne(`items by ${sort}, a kind`, () => list({ category: 'Book' }))
    add(`items by ${sort}, a genre`, genres, (genre) => list({ genre }))
    add(`items by ${sort}, a decade`, decades, (decade) => list({ decade }))
    add(`items by ${sort}, a genre, a decade and a kind`, genres, (genre, turn) =>
      list({ genre, decade: decades[turn % decades.length]!, category: 'Movie' }),
    )
    add(`items by ${sort}, not rated`, keen, ({ id }) => as(id).items.list({ sort, unrated: true }))
  }
  add('genres', [{}, { category: 'Game' as const }], (input) => visitor.items.genres(input))
  console.log(`The busiest members have ${keen.at(-1)!.review_count} ratings or more.`)
  for (const [of, group] of [
    ['', people],
    [', the busiest members', keen],
  ] as const) {
    for (const sort of librarySort.options)
      add(`library by ${sort}${of}`, group, ({ id }) => visitor.reviews.ofUser({ id, sort }))
    const filters = group.flatMap(({ id }, turn) => [
      { id, kind: kindNames[turn % 4]!, hasText: true },
      { id, genre: genres[turn % genres.length]!, decade: decades[turn % decades.length]! },
      { id, rating: 1 + (turn % 5), year: 2025 },
    ])
    add(`library with filters${of}`, filters, (input) => visitor.reviews.ofUser(input))
    add(`distribution${of}`, group, ({ id }) => visitor.reviews.histogramsOfUser({ id }))

    const diary = (name: string, input: object) =>
      add(`diary, ${name}${of}`, group, ({ id }) => as(id).diary.list({ limit: 50, ...input }))
    diary('page 1', {})
    diary('a year of books', { year: 2025, kind: 'book' })
    diary('want list', { status: 'want' })
    diary('want list by average', { status: 'want', sort: 'average' })
    const pages = group.map(({ id }) => ({ id, itemIds: idsOf50() }))
    add(`diary, marks of 50 titles${of}`, pages, ({ id, itemIds }) => as(id).diary.marks({ itemIds }))
    add(`diary, a year in numbers${of}`, group, ({ id }) => as(id).diary.year({ id, year: 2025 }))
    add(`Up next${of}`, group, ({ id }) => as(id).progress.upNext({}))
    add(`calendar${of}`, group, ({ id }) => as(id).progress.calendar({}))
    add(`calendar file${of}`, group, async ({ id }) => {
      const { entries } = await as(id).progress.calendar(fileDays)
      return calendarFile(entries, { name: 'Medley', origin: services.config.publicUrl }, english, now)
    })
    add(`diary, want list on one’s services${of}`, group, ({ id }) =>
      as(id).diary.list({ status: 'want', onMyServices: true }),
    )
    add(`notifications${of}`, group, ({ id }) => as(id).notifications.list({}))
  }
  const someShows = titles.filter(({ kind }) => kind === 'tvShow').slice(1, 81)
  const soap = await db
    .selectFrom('plays')
    .select(['media_id as showId', 'user_id as id'])
    .where('media_id', '=', (eb) =>
      eb
        .selectFrom('parts')
        .select('media_id')
        .groupBy('media_id')
        .orderBy(({ fn }) => fn.countAll(), 'desc')
        .limit(1),
    )
    .groupBy(['media_id', 'user_id'])
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .limit(people.length)
    .execute()
  for (const [name, seen] of [
    ['a show', people.map(({ id }, turn) => ({ id, showId: someShows[turn % someShows.length]!.id }))],
    ['a show of 5,040 episodes', soap],
  ] as const) {
    add(`seasons of ${name}`, seen, ({ id, showId }) => as(id).progress.seasons({ id: showId }))
    add(`season of ${name}`, seen, ({ id, showId }) => as(id).progress.season({ id: showId, number: 1 }))
  }
  for (const [of, type] of [
    ['a season', 'season'],
    ['an episode', 'episode'],
  ] as const) {
    const parts = await db
      .selectFrom('parts')
      .select('id')
      .where('type', '=', type)
      .where('text_count', '>', 0)
      .execute()
    const input = ({ id }: { id: number }) => (type === 'season' ? { seasonId: id } : { episodeId: id })
    add(`reviews of ${of}`, parts, (part) => visitor.reviews.list(input(part)))
    add(`reviews of ${of} by likes`, parts, (part) =>
      visitor.reviews.list({ ...input(part), sortBy: 'likeCount' }),
    )
    const seen = parts.flatMap((part) => people.slice(0, 20).map(({ id }) => ({ id, input: input(part) })))
    add(`reviews of ${of}, as a member`, seen, (one) => as(one.id).reviews.list(one.input))
  }
  const offered = some.filter(({ kind }) => kind === 'movie' || kind === 'tvShow')
  add('where to watch', offered, ({ id, kind }) =>
    kind === 'movie' ? visitor.offers.ofMovie({ id, country }) : visitor.offers.ofTvShow({ id, country }),
  )
  addOne('services of a country', () => as(people[0]!.id).offers.services({ country }))
  const pages = people.map(({ id }) => ({ id, ids: idsOf50() }))
  add('my stars for 50 titles', pages, ({ id, ids }) => as(id).reviews.mineFor({ ids }))
  add('title suggestions', titleWords, (q) => visitor.movies.search({ q }))
  add('search, all kinds', titleWords, (q) => visitor.items.search({ q }))
  for (const q of worstWords) {
    addOne(`search, all kinds, “${q}”`, () => visitor.items.search({ q }))
    addOne(`users search, “${q}”`, () => visitor.social.searchUsers({ q }))
    addOne(`library, “${q}”, the busiest member`, () => visitor.reviews.ofUser({ id: keen[0]!.id, q }))
  }
  add('users search', memberWords, (q) => visitor.social.searchUsers({ q }))
  add('users search, inside', insideWords, (q) => visitor.social.searchUsers({ q }))
  add('profile', people, ({ id }) => visitor.accounts.profile({ id }))
  add('followers', people, ({ id }) => visitor.social.followers({ id }))
  add('favorites', people, ({ id }) => visitor.favoriteMovies.list({ id }))
  // Without the cache, which keeps a list for an hour.
  add('similar titles', some, ({ id, kind }) => computeSimilar(db, kind, id))
  add('taste match', people, ({ id }, turn) =>
    as(id).social.tasteMatch({ id: people[(turn + 1) % people.length]!.id }),
  )
  add('suggested people', people, ({ id }) => as(id).social.suggestedPeople({}))
  add('notifications, unread', people, ({ id }) => as(id).notifications.countUnread())
  add('notifications, rows of a page', people, ({ id }) => listNotifications(db, id, '9999', 30))

  for (const sort of ['popular', 'newest', 'liked'] as const) {
    addOne(`lists, ${sort}`, () => visitor.lists.search({ sort }))
    // The worst of each number of words: each finds very many lists, and all together none.
    for (const q of worstWords) addOne(`lists, ${sort}, “${q}”`, () => visitor.lists.search({ q, sort }))
    addOne(`lists, ${sort}, a tag`, () => visitor.lists.search({ tag: genres[0]!, sort }))
    for (const q of ['a', 'a b zzz'])
      addOne(`lists, ${sort}, a tag and “${q}”`, () => visitor.lists.search({ q, tag: genres[0]!, sort }))
  }
  add('lists with a title', some, ({ id }) => visitor.lists.ofTitle({ id, limit: 3 }))
  add('lists of a member', people, ({ id }) => visitor.lists.ofUser({ id }))
  add('lists to add a title to', people, ({ id }, turn) => as(id).lists.mine({ itemId: some[turn]!.id }))
  // The first lists are the largest.
  const large = await Promise.all(
    (await db.selectFrom('lists').select(['id', 'user_id']).orderBy('id').limit(20).execute()).map(
      async (list) => ({
        ...list,
        items: await db
          .selectFrom('list_items')
          .select(['place', 'media_id'])
          .where('list_id', '=', list.id)
          .orderBy('place')
          .execute(),
      }),
    ),
  )
  const size = `list of ${large[0]!.items.length.toLocaleString('en')}`
  const after = (item: { place: string; media_id: number }) => writeCursor([item.place, item.media_id])
  add(`${size}, page 1`, large, ({ id }) => visitor.lists.items({ id }))
  add(`${size}, a page in the middle`, large, ({ id, items }) =>
    visitor.lists.items({ id, cursor: after(items[items.length >> 1]!) }),
  )
  add(`${size}, the last page of a kind`, large, ({ id, items }) =>
    visitor.lists.items({ id, kind: 'book', cursor: after(items.at(-100)!) }),
  )
  add(`${size}, head`, large, ({ id }) => visitor.lists.byId({ id }))
  add(`${size}, head with what the member has seen`, large, ({ id }, turn) =>
    as(keen[turn % keen.length]!.id).lists.byId({ id }),
  )
  const moves = large.flatMap(({ id, user_id, items }) =>
    drawn(10, () => ({
      userId: user_id,
      move: { id, itemId: items[below(items.length)]!.media_id, position: 1 + below(items.length) },
    })),
  )
  add(`${size}, a move`, moves, ({ userId, move }) => as(userId).lists.editItem(move))

  for (const count of [50, 500, 5_000]) {
    const viewers = members
      .filter((member) => member.following_count === count)
      .slice(-40)
      .map(({ id }) => as(id))
    if (viewers.length === 0) continue
    const of = `${count.toLocaleString('en')} followees`
    const seen = some.map((title, turn) => ({ ...title, viewer: viewers[turn % viewers.length]! }))
    const tabs = viewers.flatMap((viewer) => kindNames.map((kind) => viewer[kinds[kind].router]))
    add(`For You, ${of}`, tabs, (tab) => tab.forYou({}))
    add(`histogram, ${of}`, seen, ({ id, router, viewer }) => viewer[router].networkHistogram({ id }))
    add(`raters, ${of}`, seen, ({ id, router, viewer }) => viewer[router].networkRaters({ id }))
    add(`reviews, ${of}`, seen, ({ id, viewer }) => viewer.reviews.list({ itemId: id, scope: 'network' }))
    add(`feed, ${of}`, viewers, (viewer) => viewer.feed.following({}))
    add(`favorites, ${of}`, viewers, (viewer) => viewer.favoriteMovies.network({}))
    const listings = viewers.flatMap((viewer, turn) => [
      { viewer, filter: { network: true, sort: itemSorts[turn % itemSorts.length]! } },
      { viewer, filter: { network: true, unrated: true, genre: genres[turn % genres.length]! } },
    ])
    add(`items, ${of}`, listings, ({ viewer, filter }) => viewer.items.list(filter))
  }

  const follower = members.find((member) => member.following_count === 500) ?? people[0]!
  await restrict(db, follower.id, 'blocks', [])
  const viewer = as(follower.id)
  // Nobody may read the library of a member who is restricted.
  const read = [follower.id, people[0]!.id]
  const others = members.filter(({ id }) => !read.includes(id)).map(({ id }) => id)
  const title = { ...titles[0]!, router: kinds[titles[0]!.kind].router }
  for (const [table, count] of [
    ['blocks', 0],
    ['blocks', 50],
    ['blocks', 1_000],
    ['mutes', 1_000],
    ['private members', 1_000],
  ] as const) {
    const of = `${count.toLocaleString('en')} ${table}`
    // The queries run in order, so the first call of each sets the restrictions.
    const addRestricted = (name: string, call: MeasuredCall) => {
      let isReady: Promise<void> | undefined
      addOne(`${name}, ${of}`, async () => {
        await (isReady ??= restrict(db, follower.id, table, count === 0 ? [] : others.slice(-count)))
        return call()
      })
    }
    addRestricted('reviews of a title', () => viewer.reviews.list({ itemId: title.id }))
    if (title.text_count >= 1_000)
      addRestricted('reviews of a title, page 40', () => viewer.reviews.list({ itemId: title.id, page: 40 }))
    addRestricted('library', () => viewer.reviews.ofUser({ id: people[0]!.id }))
    addRestricted('raters', () => viewer[title.router].networkRaters({ id: title.id }))
    addRestricted('lists', () => viewer.lists.search({}))
    addRestricted('feed', () => viewer.feed.following({}))
    addRestricted('For You', () => viewer.movies.forYou({}))
    addRestricted('suggested people', () => viewer.social.suggestedPeople({}))
    addRestricted('users search', () => viewer.social.searchUsers({ q: memberWords[0]! }))
    addRestricted('notifications', () => viewer.notifications.list({}))
  }
  return queries
}

async function restrict(
  db: Services['db'],
  userId: number,
  what: 'blocks' | 'mutes' | 'private members',
  ids: readonly number[],
): Promise<void> {
  for (const table of ['blocks', 'mutes'] as const) {
    await db.deleteFrom(table).where('user_id', '=', userId).execute()
    const pairs = ids.map((member_id) => ({ user_id: userId, member_id, created_at: now.toISOString() }))
    if (table === what) await insertMany(db, table, pairs)
  }
  await db.updateTable('users').set({ is_private: 0 }).where('is_private', '=', 1).execute()
  if (what === 'private members')
    await db
      .updateTable('users')
      .set({ is_private: 1 })
      .where(isOneOf(db, 'id', ids))
      .execute()
  // As the job does within a minute.
  await settleMembers(db)
  // As autovacuum does within a minute: Postgres then plans prepared statements again.
  if (!isSqlite(db))
    for (const table of ['blocks', 'mutes', 'users']) await sql`analyze ${sql.table(table)}`.execute(db)
}
