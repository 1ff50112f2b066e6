import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import { itemSorts } from '#shared/catalogue.ts'
import { kindNames, kinds } from '#shared/media.ts'
import { librarySort } from '#shared/reviews.ts'
import { insertMany, isOneOf, isSqlite } from '#server/db/dialect.ts'
import { openDatabase } from '#server/db/open.ts'
import { seeded } from '#scripts/testing/random.ts'
import { computeSimilar } from '#server/feed/similar.ts'
import { listNotifications } from '#server/notifications/store.ts'
import { openLog } from '#server/process/log.ts'
import { appRouter } from '#server/router.ts'
import { writeCursor } from '#server/trpc/cursors.ts'
import type { Services } from '#server/trpc/context.ts'
import { openBench, runAsServer, writeResults } from './bench.ts'
import { generateSyntheticData } from './synthetic-data.ts'

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    sizes: { type: 'string', default: '10000,100000,1000000' },
    rounds: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    keep: { type: 'string' },
    database: { type: 'string' },
    cpu: { type: 'boolean' },
    json: { type: 'string', default: 'dist/bench/queries.json' },
  },
})
if (values.help) {
  console.log(`npm exec -- node scripts/bench/queries.ts [--sizes 10000,100000,1000000] [--rounds 5] [--only text] [--json file]

Measures the queries of the screens, called as procedures without a transport, on synthetic datasets (npm run
synthetic-data) with these numbers of reviews: median and p99 in milliseconds, and the growth of the median from one size to
the next. Titles and members are drawn from a seed, popular and unpopular ones alternately. Each query runs 200 times per
round after one warm-up round; the round with the lowest p99 counts, since other processes may use the machine. Prints a
table and writes it as JSON (dist/bench/queries.json).
--only text        runs only the queries whose name contains the text.
--keep folder      keeps the databases in the folder and reuses them.
--cpu              measures the CPU time of this process, which others change little: for SQLite on a busy machine.
--database url     uses a Postgres on which it may create databases (dropped afterwards unless --keep) instead of SQLite.`)
  process.exit()
}

runAsServer()
/** Fixed, so that a reused database gives the same results. */
const now = new Date('2026-06-01T12:00:00.000Z')
const log = openLog('silent')
const sizes = values.sizes.split(',').map(Number)

type Call = () => Promise<unknown>
type Row = {
  query: string
  reviews: number
  calls: number
  medianMs: number
  p99Ms: number
  /** The median relative to that of the previous size; null for the first. */
  growth: number | null
}
const rows: Row[] = []

for (const size of sizes) {
  await withDataset(size, async (services) => {
    for (const [query, calls] of Object.entries(await drawQueries(services))) {
      if (!query.includes(values.only) || calls.length === 0) continue
      const times = await time(calls)
      const before = rows.findLast((row) => row.query === query)
      rows.push({
        query,
        reviews: size,
        calls: times.length,
        medianMs: at(times, 0.5),
        p99Ms: at(times, 0.99),
        growth: before ? at(times, 0.5) / before.medianMs : null,
      })
    }
  })
}

const names = [...new Set(rows.map((row) => row.query))]
console.table(
  Object.fromEntries(
    names.map((name) => [
      name,
      Object.fromEntries(
        rows
          .filter((row) => row.query === name)
          .flatMap(({ reviews, medianMs, p99Ms, growth }) => [
            [`${short(reviews)}: median`, Number(medianMs.toFixed(3))],
            ['p99'.padEnd(short(reviews).length + 3), Number(p99Ms.toFixed(3))],
            ...(growth === null ? [] : [[`×`.padEnd(short(reviews).length), Number(growth.toFixed(2))]]),
          ]),
      ),
    ]),
  ),
)
writeResults(values.json, { seed: Number(values.seed), rows })

function milliseconds(): number {
  if (!values.cpu) return performance.now()
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Returns the sorted milliseconds of the calls of the fastest round, since other processes may use the machine. */
async function time(calls: Call[]): Promise<number[]> {
  let fastest: number[] = []
  // The first round is the warm-up.
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

function short(count: number): string {
  return count >= 1_000_000 ? `${count / 1_000_000} M` : `${count / 1_000} k`
}

async function withDataset(reviews: number, measure: (services: Services) => Promise<void>): Promise<void> {
  const name = `medley_bench_${reviews}`
  let isNew = false
  let databaseUrl: string | undefined
  if (values.database) {
    databaseUrl = Object.assign(new URL(values.database), { pathname: `/${name}` }).href
    const { rows } = await onServer(sql`select 1 from pg_database where datname = ${name}`)
    isNew = rows.length === 0
    if (isNew) await onServer(sql`create database ${sql.ref(name)}`)
  }
  const { services, close } = await openBench({
    databaseUrl,
    ...(values.keep && { dataDir: join(values.keep, name) }),
  })
  // Without a version: no result of a query is kept between calls.
  const db = services.db.withoutPlugins()
  try {
    if (!(await db.selectFrom('users').select('id').limit(1).executeTakeFirst())) {
      console.log(`Generating ${reviews.toLocaleString('en')} reviews …`)
      await generateSyntheticData(db, { reviews, seed: Number(values.seed), now })
    }
    await measure({ ...services, db })
  } finally {
    await close()
    if (isNew && !values.keep) await onServer(sql`drop database ${sql.ref(name)}`)
  }
}

async function onServer(query: RawBuilder<unknown>) {
  const admin = openDatabase({ databaseUrl: values.database, dataDir: '' })
  try {
    return await query.execute(admin)
  } finally {
    await admin.destroy()
  }
}

/** Returns the queries to measure, each with calls to make in turn; a query has no calls if the dataset is too small for it. */
async function drawQueries(services: Services): Promise<Record<string, Call[]>> {
  const { db } = services
  const random = seeded(Number(values.seed))
  const below = (limit: number) => Math.floor(random() * limit)
  const as = (id?: number) =>
    appRouter.createCaller({
      ...services,
      now,
      member: id
        ? {
            id,
            username: '',
            sessionHash: '',
            scopes: null,
            role: 'member' as const,
            standing: 'active' as const,
          }
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
  const drawn = <T>(count: number, draw: (turn: number) => T) =>
    Array.from({ length: count }, (_, turn) => draw(turn))
  /** Returns a call for each of a list. */
  const each = <T>(list: readonly T[], call: (one: T) => Promise<unknown>): Call[] =>
    list.map((one) => () => call(one))
  // The first titles are the most popular.
  const some = drawn(80, (turn) => {
    const { id, kind } =
      titles[turn % 2 === 0 ? below(40) : Math.floor(titles.length / 2) + below(titles.length / 2)]!
    return { id, kind, router: kinds[kind].router }
  })
  const people = drawn(80, () => members[below(members.length)]!)
  const keen = members.toSorted((a, b) => b.review_count - a.review_count).slice(0, 20)
  const genres = (await visitor.items.genres({})).genres.map(({ name }) => name)
  const decades = [2020, 2010, 2000, 1990, 1980, 1960, 1930]
  /** Returns random prefixes of names, as typed into a search box. */
  const prefixesOf = (names: string[]) =>
    drawn(200, () => names[below(names.length)]!).map((name) =>
      name.slice(0, 1 + below(Math.min(12, name.length))),
    )
  const titleWords = prefixesOf(titles.map(({ name }) => name))
  const memberWords = prefixesOf(members.map(({ username }) => username))
  const insideWords = prefixesOf(members.map(({ username }) => username.slice(2)))

  const queries: Record<string, Call[]> = {
    ...Object.fromEntries(
      kindNames.map((kind) => [
        `popular ${kinds[kind].words.many.toLowerCase()}`,
        [() => visitor[kinds[kind].router].popular({})],
      ]),
    ),
    'popular movies, a year': [() => visitor.movies.popular({ days: 365 })],
    detail: each(some, ({ id, router }) => visitor[router].byId({ id })),
    'histogram, everyone': each(some, ({ id, router }) => visitor[router].ratingHistogram({ id })),
    'reviews, page 1': each(some, ({ id }) => visitor.reviews.list({ itemId: id })),
    'reviews by rating, page 1': each(some, ({ id }) =>
      visitor.reviews.list({ itemId: id, sortBy: 'rating' }),
    ),
    'reviews by likes, page 1': each(some, ({ id }) =>
      visitor.reviews.list({ itemId: id, sortBy: 'likeCount' }),
    ),
    'reviews, page 200': each(
      titles.filter((title) => title.text_count >= 1_000),
      ({ id }) => visitor.reviews.list({ itemId: id, page: 200 }),
    ),
    'items, page 1': [() => visitor.items.list({})],
    'items of a kind, page 1': [() => visitor.items.list({ category: 'Book' })],
    'items, page 40': titles.length < 960 ? [] : [() => visitor.items.list({ page: 40 })],
    ...Object.fromEntries(
      itemSorts.flatMap((sort) => [
        [`items by ${sort}`, [() => visitor.items.list({ sort })]],
        [`items by ${sort}, a kind`, [() => visitor.items.list({ sort, category: 'Book' })]],
        [`items by ${sort}, a genre`, genres.map((genre) => () => visitor.items.list({ sort, genre }))],
        [`items by ${sort}, a decade`, decades.map((decade) => () => visitor.items.list({ sort, decade }))],
        [
          `items by ${sort}, a genre, a decade and a kind`,
          genres.map(
            (genre, turn) => () =>
              visitor.items.list({ sort, genre, decade: decades[turn % decades.length]!, category: 'Movie' }),
          ),
        ],
        [`items by ${sort}, not rated`, each(keen, ({ id }) => as(id).items.list({ sort, unrated: true }))],
      ]),
    ),
    genres: [() => visitor.items.genres({}), () => visitor.items.genres({ category: 'Game' })],
    'my stars for 50 titles': people.map(({ id }) => {
      const ids = drawn(50, () => titles[below(titles.length)]!.id).join()
      return () => as(id).reviews.mineFor({ ids })
    }),
    ...Object.fromEntries(
      Object.entries({ people, keen }).flatMap(([who, group]) => {
        const of = who === 'keen' ? `, ${Math.min(...keen.map((one) => one.review_count))} ratings` : ''
        const filters = group.flatMap(({ id }, turn) => [
          { id, kind: kindNames[turn % 4]!, hasText: true },
          { id, genre: genres[turn % genres.length]!, decade: decades[turn % decades.length]! },
          { id, rating: 1 + (turn % 5), year: 2025 },
        ])
        return [
          ...librarySort.options.map((sort) => [
            `library by ${sort}${of}`,
            each(group, ({ id }) => visitor.reviews.ofUser({ id, sort })),
          ]),
          [`library with filters${of}`, filters.map((listing) => () => visitor.reviews.ofUser(listing))],
          [`distribution${of}`, each(group, ({ id }) => visitor.reviews.histogramsOfUser({ id }))],
        ]
      }),
    ),
    'title suggestions': titleWords.map((q) => () => visitor.movies.search({ q })),
    'search, all kinds': titleWords.map((q) => () => visitor.items.search({ q })),
    'users search': memberWords.map((q) => () => visitor.social.searchUsers({ q })),
    'users search, inside': insideWords.map((q) => () => visitor.social.searchUsers({ q })),
    profile: each(people, ({ id }) => visitor.accounts.profile({ id })),
    followers: each(people, ({ id }) => visitor.social.followers({ id })),
    favorites: each(people, ({ id }) => visitor.favoriteMovies.list({ id: id })),
    // Without the cache, which keeps a list for an hour.
    'similar titles': each(some, ({ id, kind }) => computeSimilar(db, kind, id)),
    'taste match': people.map(({ id }, turn) => {
      const other = people[(turn + 1) % people.length]!
      return () => as(id).social.tasteMatch({ id: other.id })
    }),
    'suggested people': each(people, ({ id }) => as(id).social.suggestedPeople({})),
  }
  const large = await db
    .selectFrom('lists')
    .select(['id', 'user_id', 'item_count'])
    .orderBy('id')
    .limit(20)
    .execute()
  const size = `list of ${(large[0]?.item_count ?? 0).toLocaleString('en')}`
  const places = await Promise.all(
    large.map(({ id }) =>
      db
        .selectFrom('list_items')
        .select(['place', 'media_id'])
        .where('list_id', '=', id)
        .orderBy('place')
        .execute(),
    ),
  )
  Object.assign(queries, {
    [`${size}, page 1`]: each(large, ({ id }) => visitor.lists.items({ id })),
    [`${size}, a page in the middle`]: large.map(({ id }, turn) => {
      const { place, media_id } = places[turn]![places[turn]!.length >> 1]!
      return () => visitor.lists.items({ id, cursor: writeCursor([place, media_id]) })
    }),
    [`${size}, the last page of a kind`]: large.map(({ id }, turn) => {
      const { place, media_id } = places[turn]!.at(-100)!
      return () => visitor.lists.items({ id, kind: 'book', cursor: writeCursor([place, media_id]) })
    }),
    [`${size}, head`]: each(large, ({ id }) => visitor.lists.byId({ id })),
    [`${size}, head with what the member has seen`]: large.map(
      ({ id }, turn) =>
        () =>
          as(keen[turn % keen.length]!.id).lists.byId({ id }),
    ),
    [`${size}, a move`]: large.flatMap(({ id, user_id, item_count }, turn) =>
      drawn(10, () => {
        const { media_id: itemId } = places[turn]![below(item_count)]!
        const position = 1 + below(item_count)
        return () => as(user_id).lists.editItem({ id, itemId, position })
      }),
    ),
    notifications: each(people, ({ id }) => as(id).notifications.list({})),
    'notifications, the busiest members': each(keen, ({ id }) => as(id).notifications.list({})),
    'notifications, unread': each(people, ({ id }) => as(id).notifications.countUnread()),
    'notifications, rows of a page': each(people, ({ id }) => listNotifications(db, id, '9999', 30)),
    'lists, popular': [() => visitor.lists.search({})],
    'lists, newest': [() => visitor.lists.search({ sort: 'newest' })],
    'lists with a title': each(some, ({ id }) => visitor.lists.ofTitle({ id, limit: 3 })),
    'lists of a member': each(people, ({ id }) => visitor.lists.ofUser({ id })),
    'lists to add a title to': people.map(({ id }, turn) => {
      const itemId = some[turn % some.length]!.id
      return () => as(id).lists.mine({ itemId })
    }),
  })
  const busiest = members.toSorted((a, b) => b.review_count - a.review_count).slice(0, 20)
  const idsOf = (turn: number) =>
    drawn(50, (at) => titles[at % 2 === 0 ? below(200) : (turn * 53 + at * 7) % titles.length]!.id).join(',')
  for (const [name, those] of [
    ['', people],
    [', the busiest members', busiest],
  ] as const)
    Object.assign(queries, {
      [`diary, page 1${name}`]: each(those, ({ id }) => as(id).diary.list({ limit: 50 })),
      [`diary, a year of books${name}`]: each(those, ({ id }) =>
        as(id).diary.list({ limit: 50, year: 2025, kind: 'book' }),
      ),
      [`diary, want list${name}`]: each(those, ({ id }) => as(id).diary.list({ limit: 50, status: 'want' })),
      [`diary, want list by average${name}`]: each(those, ({ id }) =>
        as(id).diary.list({ limit: 50, status: 'want', sort: 'average' }),
      ),
      [`diary, marks of 50 titles${name}`]: those.map(({ id }, turn) => {
        const itemIds = idsOf(turn)
        return () => as(id).diary.marks({ itemIds })
      }),
      [`diary, a year in numbers${name}`]: each(those, ({ id }) => as(id).diary.year({ id, year: 2025 })),
    })
  for (const count of [50, 500, 5_000]) {
    const viewers = members
      .filter((member) => member.following_count === count)
      .slice(-40)
      .map(({ id }) => as(id))
    if (viewers.length === 0) continue
    const of = `${count.toLocaleString('en')} followees`
    const seen = some.map((title, turn) => ({ ...title, viewer: viewers[turn % viewers.length]! }))
    queries[`For You, ${of}`] = viewers.flatMap((viewer) =>
      kindNames.map((kind) => () => viewer[kinds[kind].router].forYou({})),
    )
    queries[`histogram, ${of}`] = each(seen, ({ id, router, viewer }) =>
      viewer[router].networkHistogram({ id }),
    )
    queries[`raters, ${of}`] = each(seen, ({ id, router, viewer }) => viewer[router].networkRaters({ id }))
    queries[`reviews, ${of}`] = each(seen, ({ id, viewer }) =>
      viewer.reviews.list({ itemId: id, scope: 'network' }),
    )
    queries[`feed, ${of}`] = viewers.map((viewer) => () => viewer.feed.following({}))
    queries[`favorites, ${of}`] = viewers.map((viewer) => () => viewer.favoriteMovies.network({}))
    queries[`items, ${of}`] = viewers.flatMap((viewer, turn) => [
      () => viewer.items.list({ network: true, sort: itemSorts[turn % itemSorts.length] }),
      () => viewer.items.list({ network: true, unrated: true, genre: genres[turn % genres.length] }),
    ])
  }
  const follower = members.find((member) => member.following_count === 500) ?? people[0]!
  await restrict(db, follower.id, {})
  const others = members.filter(({ id }) => id !== follower.id).map(({ id }) => id)
  for (const restrictions of [
    {},
    { blocks: others.slice(-50) },
    { blocks: others.slice(-1_000) },
    { mutes: others.slice(-1_000) },
    { privates: others.slice(-1_000) },
  ]) {
    const viewer = as(follower.id)
    const [[what, { length }] = ['blocks', []]] = Object.entries(restrictions)
    const of = `${length.toLocaleString('en')} ${what}`
    // The queries run one after the other, so the first call of each sets the restrictions.
    const after = (call: Call): Call => {
      let isReady: Promise<void> | undefined
      return async () => {
        await (isReady ??= restrict(db, follower.id, restrictions))
        return call()
      }
    }
    Object.assign(queries, {
      [`reviews of a title, ${of}`]: [after(() => viewer.reviews.list({ itemId: some[0]!.id }))],
      [`library, ${of}`]: [after(() => viewer.reviews.ofUser({ id: people[0]!.id }))],
      [`raters, ${of}`]: [after(() => viewer[some[0]!.router].networkRaters({ id: some[0]!.id }))],
      [`lists, ${of}`]: [after(() => viewer.lists.search({}))],
      [`feed, ${of}`]: [after(() => viewer.feed.following({}))],
      [`For You, ${of}`]: [after(() => viewer.movies.forYou({}))],
      [`suggested people, ${of}`]: [after(() => viewer.social.suggestedPeople({}))],
      [`users search, ${of}`]: [after(() => viewer.social.searchUsers({ q: memberWords[0]! }))],
      [`notifications, ${of}`]: [after(() => viewer.notifications.list({}))],
    })
  }
  return queries
}

type Restrictions = Partial<Record<'blocks' | 'mutes' | 'privates', readonly number[]>>

/** Makes a member block and mute exactly these others, and exactly these members private. */
async function restrict(
  db: Services['db'],
  userId: number,
  { blocks = [], mutes = [], privates = [] }: Restrictions,
): Promise<void> {
  const created_at = now.toISOString()
  for (const [table, ids] of [
    ['blocks', blocks],
    ['mutes', mutes],
  ] as const) {
    await db.deleteFrom(table).where('user_id', '=', userId).execute()
    const pairs = ids.map((member_id) => ({ user_id: userId, member_id, created_at }))
    await insertMany(db, table, pairs)
  }
  await db.updateTable('users').set({ is_private: 0 }).where('is_private', '=', 1).execute()
  if (privates.length > 0)
    await db
      .updateTable('users')
      .set({ is_private: 1 })
      .where(isOneOf(db, 'id', privates))
      .execute()
  // As autovacuum does within a minute: Postgres then plans prepared statements again.
  if (!isSqlite(db))
    for (const table of ['blocks', 'mutes', 'users']) await sql`analyze ${sql.table(table)}`.execute(db)
}
