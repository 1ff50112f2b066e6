import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { leaveUnwatched } from '#scripts/testing/event-loop.ts'
import { kindNames } from '#shared/domain/kinds.ts'
import { seeded } from '#scripts/testing/random.ts'
import { variation } from '#scripts/testing/variation.ts'
import {
  aDatabaseAt,
  aMember,
  anOldTitle,
  findCounterFaults,
  freshPostgres,
  plansOf,
} from '#server/testing.ts'
import { listNews } from '#server/feed/store.ts'
import { insertMany } from '#server/db/dialect.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Db, openDatabase } from '#server/db/open.ts'

const before = '0050-sign-in'
const stars = [1, 2, 3, 4, 5]

/** Fills a database from before half stars, with its counters. Returns its reviews. */
async function fill(db: Db, { members, titles, share }: Record<'members' | 'titles' | 'share', number>) {
  const random = seeded(49)
  const below = (limit: number) => Math.floor(random() * limit)
  const users = []
  for (let index = 0; index < members; index++) users.push((await aMember(db)).id)
  const rows: Record<string, string | number>[] = []
  for (let index = 0; index < titles; index++) {
    const kind = kindNames[index % 4]!
    const media_id = await anOldTitle(db, kind)
    for (const user_id of users) {
      if (random() > share) continue
      const [created_at, updated_at, rated_at] = [0, 1, 2].map(() =>
        new Date(Date.UTC(2025, 0, 1) + below(500 * 86_400_000)).toISOString(),
      ) as [string, string, string]
      const text = random() < 0.3 ? 'Slow, and worth every minute. '.repeat(1 + below(200)) : ''
      const times = { created_at, updated_at, rated_at }
      rows.push({ media_id, kind, user_id, rating: 1 + below(5), text, ...times })
    }
  }
  await insertMany(db, 'reviews', rows)
  await recountOld(db)
  await insertMany(db, 'webhooks', [
    {
      user_id: users[0],
      url: 'https://hooks.example/a',
      secret: 's',
      events: 'review',
      created_at: rows[0]!['created_at'],
    },
  ])
  return rows
}

/** Sets the counters that depend on ratings, as the version before half stars counted. */
async function recountOld(db: Db): Promise<void> {
  const ofTitle = 'from reviews r where r.media_id = media.id'
  await sql`update media set rating_count = (select count(*) ${sql.raw(ofTitle)}),
    rating_sum = (select coalesce(sum(r.rating), 0) ${sql.raw(ofTitle)}),
    text_count = (select count(*) ${sql.raw(ofTitle)} and r.text <> ''),
    public_text_count = (select count(*) ${sql.raw(ofTitle)} and r.text <> ''),
    ${sql.join(stars.map((n) => sql`${sql.ref(`stars_${n}`)} = (select count(*) ${sql.raw(ofTitle)} and r.rating = ${sql.lit(n)})`))}
  `.execute(db)
  await sql`update users set review_count = (select count(*) from reviews r where r.user_id = users.id)`.execute(
    db,
  )
  await sql`insert into rating_counts (media_id, kind, days, start, count, sum)
    select media_id, kind, 1, day, count(*), sum(rating) from ${days(db)} group by media_id, kind, day`.execute(
    db,
  )
  for (const span of [8, 64])
    await sql`insert into rating_counts (media_id, kind, days, start, count, sum)
      select media_id, kind, ${sql.lit(span)}, day / ${sql.lit(span)} * ${sql.lit(span)}, count(*), sum(rating)
      from ${days(db)} group by media_id, kind, day / ${sql.lit(span)} * ${sql.lit(span)}`.execute(db)
}

const days = (_db: Db) =>
  inject('postgresUrl')
    ? sql`(select media_id, kind, rating, substr(rated_at, 1, 10)::date - date '1970-01-01' as day from reviews) as days`
    : sql`(select media_id, kind, rating, cast(julianday(substr(rated_at, 1, 10)) - 2440587.5 as integer) as day from reviews) as days`

const reviewsOf = async (db: Db) =>
  (await db.selectFrom('reviews').selectAll().orderBy('id').execute()) as unknown as Record<string, unknown>[]
const oldRatingsOf = async (db: Db) =>
  (
    await sql<
      Record<string, number>
    >`select id, rating_count, rating_sum, stars_1, stars_2, stars_3, stars_4, stars_5,
    text_count, updated from (select media.*, fetched_at as updated from media) as media order by id`.execute(
      db,
    )
  ).rows
const countOf = async (db: Db, table: string) =>
  (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)).rows[0]!.n
/** Migrates the database of `TARGET`; says when the migration of ratings begins. */
const program = `
  import { migrate } from '#server/db/migrate.ts'
  import { openDatabase } from '#server/db/open.ts'
  const db = openDatabase(JSON.parse(process.env.TARGET))
  await migrate(db, ({ migration, ms }) => {
    if (migration === '0051-half-stars' && ms === undefined) console.log('begun')
  })
  await db.destroy()
`

const silent = ['changes', 'webhook_deliveries', 'notifications', 'tasks']

test('the migration multiplies ratings and sums by ten, and changes neither times nor anything else', async () => {
  const { db, close } = await aDatabaseAt(before)
  const rows = await fill(db, { members: 30, titles: 40, share: 0.6 })
  const old = { reviews: await reviewsOf(db), media: await oldRatingsOf(db) }
  const counts = await Promise.all(silent.map((table) => countOf(db, table)))
  const sums = (await sql<{ sum: number }>`select sum(sum) as sum from rating_counts`.execute(db)).rows[0]!
    .sum
  expect(await migrate(db)).toContain('0051-half-stars')

  // Later migrations add columns.
  expect(await reviewsOf(db)).toMatchObject(
    old.reviews.map((row) => ({ ...row, rating: 10 * (row['rating'] as number) })),
  )
  expect(await oldRatingsOf(db)).toEqual(
    old.media.map((row) => ({ ...row, rating_sum: 10 * row['rating_sum']! })),
  )
  expect(
    (await sql<{ sum: number }>`select sum(sum) as sum from rating_counts`.execute(db)).rows[0]!.sum,
  ).toBe(10 * sums)
  expect(await Promise.all(silent.map((table) => countOf(db, table)))).toEqual(counts)
  expect(await findCounterFaults(db)).toEqual([])

  // The triggers are there again, and know the column; the index of news has its new condition.
  const { id } = await db
    .selectFrom('reviews')
    .select('id')
    .where('rating', '=', 40)
    .limit(1)
    .executeTakeFirstOrThrow()
  await db.updateTable('reviews').set({ rating: 45 }).where('id', '=', id).execute()
  expect(await countOf(db, 'changes')).toBe(counts[0]! + 1)
  for (const rating of [4, 9, 42, 55])
    await expect(db.updateTable('reviews').set({ rating }).where('id', '=', id).execute()).rejects.toThrow(
      /constraint/i,
    )
  if (!inject('postgresUrl'))
    expect(await plansOf(db, (trx) => listNews(trx, 1, ['9999', 0], 5))).toContain(
      'SEARCH reviews USING INDEX reviews_news (user_id=? AND created_at<?)',
    )
  expect(rows.length).toBeGreaterThan(500)
  await close()
})

variation(
  'a migration that is killed at any moment leaves the database as it was, or migrated',
  { timeout: 600_000 },
  async () => {
    leaveUnwatched()
    const postgresUrl = inject('postgresUrl')
    const { db, databaseUrl, dataDir, close } = await aDatabaseAt(before)
    await fill(db, { members: 60, titles: 400, share: 0.5 })
    const old = await oldRatingsOf(db)
    const folder = mkdtempSync(join(tmpdir(), 'medley-test-'))
    if (!postgresUrl) await sql`pragma wal_checkpoint(truncate)`.execute(db)
    await db.destroy()

    /** Migrates a copy in a process of its own, which is killed after a part of the time that the migration takes. */
    async function run(name: string, killAfterMs?: number) {
      const target = postgresUrl
        ? {
            databaseUrl: await freshPostgres(postgresUrl, new URL(databaseUrl).pathname.slice(1)),
            dataDir: '',
          }
        : { databaseUrl: '', dataDir: join(folder, name) }
      if (!postgresUrl) cpSync(dataDir, target.dataDir, { recursive: true })
      const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
        env: { ...process.env, TARGET: JSON.stringify(target) },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const exited = once(child, 'exit')
      const lines = createInterface({ input: child.stdout })
      await new Promise<void>((resolve) => lines.once('line', () => resolve()))
      const startedAt = performance.now()
      if (killAfterMs !== undefined) {
        await wait(killAfterMs)
        child.kill('SIGKILL')
      }
      await exited
      return { target, ms: performance.now() - startedAt }
    }

    const { ms } = await run('whole')
    let undone = 0
    for (let moment = 0; moment < 9; moment++) {
      const { target } = await run(`killed-${moment}`, (ms * moment) / 9)
      const after = openDatabase(target)
      const { rating } = await after
        .selectFrom('reviews')
        .select(({ fn }) => fn.max('rating').as('rating'))
        .executeTakeFirstOrThrow()
      if (rating === 5) {
        undone++
        expect(await oldRatingsOf(after)).toEqual(old)
      }
      await migrate(after)
      expect(await oldRatingsOf(after)).toEqual(
        old.map((row) => ({ ...row, rating_sum: 10 * row['rating_sum']! })),
      )
      expect(await findCounterFaults(after)).toEqual([])
      await after.destroy()
    }
    expect(undone).toBeGreaterThan(0)
    rmSync(folder, { recursive: true, force: true })
    await close()
  },
)
