import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import { kindNames, kinds } from '#shared/media.ts'
import { openDatabase } from '#server/db/open.ts'
import { seeded } from '#scripts/testing/random.ts'
import { openLog } from '#server/log.ts'
import { appRouter } from '#server/router.ts'
import type { Services } from '#server/trpc.ts'
import { openBench, writeResults } from './bench.ts'
import { makeWorld } from './world.ts'

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    sizes: { type: 'string', default: '10000,100000,1000000' },
    rounds: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    keep: { type: 'string' },
    database: { type: 'string' },
    json: { type: 'string', default: 'dist/bench/questions.json' },
  },
})
if (values.help) {
  console.log(`npm exec -- node scripts/bench/questions.ts [--sizes 10000,100000,1000000] [--rounds 5] [--only words] [--json file]

Asks what screens ask, through the procedures that the doors call, in worlds (npm run world) of these numbers of reviews:
median and p99 in milliseconds, and how much the median grew from one size to the next. The titles and members asked
about are drawn from a seed, the best known and the least known in turns. Each question is asked 200 times a round after
one round to warm up, and the round with the lowest p99 counts, since others may use the machine too. Prints a table and
writes it as JSON (dist/bench/questions.json). --only asks those whose name has the words in it. --keep folder leaves the
worlds there and uses them again. --database postgres://… takes a Postgres on which it may make databases (and drops them
again, but with --keep) instead of SQLite.`)
  process.exit()
}

/** Fixed, so that a world that was kept asks the same. */
const now = new Date('2026-06-01T12:00:00.000Z')
const log = openLog('silent')
const sizes = values.sizes.split(',').map(Number)

type Ask = () => Promise<unknown>
type Row = {
  question: string
  reviews: number
  asked: number
  medianMs: number
  p99Ms: number
  /** Median against that of the size before; null at the first. */
  growth: number | null
}
const rows: Row[] = []

for (const size of sizes) {
  await withWorld(size, async (services) => {
    for (const [question, asks] of Object.entries(await drawQuestions(services))) {
      if (!question.includes(values.only) || asks.length === 0) continue
      const times = await time(asks)
      const before = rows.findLast((row) => row.question === question)
      rows.push({
        question,
        reviews: size,
        asked: times.length,
        medianMs: at(times, 0.5),
        p99Ms: at(times, 0.99),
        growth: before ? at(times, 0.5) / before.medianMs : null,
      })
    }
  })
}

const names = [...new Set(rows.map((row) => row.question))]
console.table(
  Object.fromEntries(
    names.map((name) => [
      name,
      Object.fromEntries(
        rows
          .filter((row) => row.question === name)
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

/** The milliseconds of each ask, sorted: of the quietest round, since others may use the machine too. */
async function time(asks: Ask[]): Promise<number[]> {
  let quietest: number[] = []
  // The first warms up.
  for (let round = 0; round <= Number(values.rounds); round++) {
    const times: number[] = []
    for (let turn = 0; turn < Math.max(200, asks.length); turn++) {
      const startedAt = performance.now()
      await asks[turn % asks.length]!()
      times.push(performance.now() - startedAt)
    }
    times.sort((a, b) => a - b)
    if (round === 1 || (round > 1 && at(times, 0.99) < at(quietest, 0.99))) quietest = times
  }
  return quietest
}

function at(sorted: number[], part: number): number {
  return sorted[Math.floor(sorted.length * part)]!
}

function short(count: number): string {
  return count >= 1_000_000 ? `${count / 1_000_000} M` : `${count / 1_000} k`
}

async function withWorld(reviews: number, ask: (services: Services) => Promise<void>): Promise<void> {
  const name = `medley_world_${reviews}`
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
  const { db } = services
  try {
    if (!(await db.selectFrom('users').select('id').limit(1).executeTakeFirst())) {
      console.log(`Making a world of ${reviews.toLocaleString('en')} reviews …`)
      await makeWorld(db, { reviews, seed: Number(values.seed), now })
    }
    await ask(services)
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

/** What is asked, with the calls that ask it in turns; without a call where the world is too small for it. */
async function drawQuestions(services: Services): Promise<Record<string, Ask[]>> {
  const { db } = services
  const random = seeded(Number(values.seed))
  const below = (limit: number) => Math.floor(random() * limit)
  const as = (id?: number) =>
    appRouter.createCaller({
      ...services,
      now,
      member: id ? { id, username: '', sessionHash: '' } : null,
      log,
      requestId: '',
      answer: {},
      userAgent: null,
      address: '',
      limit: async () => {},
      trust() {},
    })
  const visitor = as()

  const titles = await db
    .selectFrom('media')
    .select(['id', 'kind', 'name', 'text_count'])
    .orderBy('id')
    .execute()
  const members = await db
    .selectFrom('users')
    .select(['id', 'username', 'following_count'])
    .orderBy('id')
    .execute()
  const drawn = <T>(count: number, draw: (turn: number) => T) =>
    Array.from({ length: count }, (_, turn) => draw(turn))
  // The first titles are the best known.
  const some = drawn(80, (turn) => {
    const { id, kind } =
      titles[turn % 2 === 0 ? below(40) : Math.floor(titles.length / 2) + below(titles.length / 2)]!
    return { id, router: kinds[kind].router }
  })
  const people = drawn(80, () => members[below(members.length)]!)
  /** As far as somebody has typed them. */
  const typed = (names: string[]) =>
    drawn(200, () => names[below(names.length)]!).map((name) =>
      name.slice(0, 1 + below(Math.min(12, name.length))),
    )
  const titleWords = typed(titles.map(({ name }) => name))
  const memberWords = typed(members.map(({ username }) => username))
  const insideWords = typed(members.map(({ username }) => username.slice(2)))

  const questions: Record<string, Ask[]> = {
    ...Object.fromEntries(
      kindNames.map((kind) => [
        `popular ${kinds[kind].words.many.toLowerCase()}`,
        [() => visitor[kinds[kind].router].popular({})],
      ]),
    ),
    'popular movies, a year': [() => visitor.movies.popular({ days: 365 })],
    detail: some.map(
      ({ id, router }) =>
        () =>
          visitor[router].byId({ id }),
    ),
    'histogram, everyone': some.map(
      ({ id, router }) =>
        () =>
          visitor[router].ratingHistogram({ id }),
    ),
    'reviews, page 1': some.map(
      ({ id }) =>
        () =>
          visitor.reviews.list({ itemId: id }),
    ),
    'reviews by rating, page 1': some.map(
      ({ id }) =>
        () =>
          visitor.reviews.list({ itemId: id, sortBy: 'rating' }),
    ),
    'reviews, page 200': titles
      .filter((title) => title.text_count >= 1_000)
      .map(
        ({ id }) =>
          () =>
            visitor.reviews.list({ itemId: id, page: 200 }),
      ),
    'items, page 1': [() => visitor.items.list({})],
    'items of a kind, page 1': [() => visitor.items.list({ category: 'Book' })],
    'items, page 40': titles.length < 960 ? [] : [() => visitor.items.list({ page: 40 })],
    'title suggestions': titleWords.map((q) => () => visitor.movies.search({ q })),
    'search, all kinds': titleWords.map((q) => () => visitor.items.search({ q })),
    'users search': memberWords.map((q) => () => visitor.social.searchUsers({ q })),
    'users search, inside': insideWords.map((q) => () => visitor.social.searchUsers({ q })),
    profile: people.map(
      ({ id }) =>
        () =>
          visitor.accounts.profile({ id }),
    ),
    followers: people.map(
      ({ id }) =>
        () =>
          visitor.social.followers({ id }),
    ),
    favorites: people.map(
      ({ id }) =>
        () =>
          visitor.favoriteMovies.list({ userId: id }),
    ),
  }
  for (const count of [50, 500, 5_000]) {
    const viewers = members
      .filter((member) => member.following_count === count)
      .slice(-40)
      .map(({ id }) => as(id))
    if (viewers.length === 0) continue
    const of = `${count.toLocaleString('en')} followees`
    const seen = some.map((title, turn) => ({ ...title, viewer: viewers[turn % viewers.length]! }))
    questions[`For You, ${of}`] = viewers.flatMap((viewer) =>
      kindNames.map((kind) => () => viewer[kinds[kind].router].forYou({})),
    )
    questions[`histogram, ${of}`] = seen.map(
      ({ id, router, viewer }) =>
        () =>
          viewer[router].networkHistogram({ id }),
    )
    questions[`raters, ${of}`] = seen.map(
      ({ id, router, viewer }) =>
        () =>
          viewer[router].networkRaters({ id }),
    )
    questions[`reviews, ${of}`] = seen.map(
      ({ id, viewer }) =>
        () =>
          viewer.reviews.list({ itemId: id, scope: 'network' }),
    )
    questions[`favorites, ${of}`] = viewers.map((viewer) => () => viewer.favoriteMovies.network({}))
  }
  return questions
}
