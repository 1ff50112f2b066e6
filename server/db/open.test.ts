import { type RawBuilder, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aMember, aServer, aTitle, findCounterFaults, recountAll } from '#server/testing.ts'
import { isForeignKeyViolation, isOneOf, isSqlite, isUniqueViolation } from './dialect.ts'
import { fold, foldWords } from './fold.ts'
import { migrate } from './migrate.ts'
import type { Db } from './open.ts'
import { prepareQuery } from './prepared.ts'

const { db } = await aServer()

test('migrating again changes nothing', async () => {
  expect(await migrate(db)).toEqual([])
})

test('a failed transaction is rolled back', async () => {
  const before = await aTitle(db)
  await expect(
    db.transaction().execute(async (trx) => {
      await aTitle(trx)
      throw new Error('on purpose')
    }),
  ).rejects.toThrow('on purpose')
  const { newest } = await db
    .selectFrom('media')
    .select((eb) => eb.fn.max<number>('id').as('newest'))
    .executeTakeFirstOrThrow()
  expect(newest).toBe(before)
})

test('a prepared query is built once and takes new arguments each time, also inside a transaction', async () => {
  let builds = 0
  const named = prepareQuery((on, name: string, ids: readonly number[]) => {
    builds++
    return on
      .selectFrom('media')
      .select(['id', 'name'])
      .where('kind', '=', 'book')
      .where(isOneOf(on, 'id', ids))
      .where('name', '=', name)
  })
  const [first, second] = [await aTitle(db, 'book', 'First'), await aTitle(db, 'book', 'Other')]
  const [movie, other] = [await aTitle(db, 'movie', 'First'), await aTitle(db, 'book', 'First')]
  expect(await named(db, 'First', [first, second, movie])).toEqual([{ id: first, name: 'First' }])
  expect(await named(db, 'Other', [first, second])).toEqual([{ id: second, name: 'Other' }])
  expect(await named(db, 'First', [])).toEqual([])
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('media').set({ name: 'Changed' }).where('id', '=', other).execute()
    expect(await named(trx, 'Changed', [other])).toEqual([{ id: other, name: 'Changed' }])
  })
  expect(builds).toBe(1)
})

test.runIf(isSqlite(db))('a statement is compiled once, whatever its limit and its arguments', async () => {
  // Takes long to compile and no time to run.
  const never = sql`exists (select 1 from users where id = -1)`
  const condition = sql`(${sql.join(Array(100).fill(never), sql` or `)})`
  const timed = async (kind: RawBuilder<unknown>, limit: RawBuilder<unknown>) => {
    const query = sql`select id from media where kind = ${kind} and ${condition} order by name limit ${limit}`
    const compiled = query.compile(db)
    const times: number[] = []
    for (let turn = 0; turn < 100; turn++) {
      const begun = performance.now()
      await db.executeQuery(compiled)
      times.push(performance.now() - begun)
    }
    return times.sort((one, other) => one - other)[50]!
  }
  const fixed = await timed(sql`'book'`, sql`5`)
  expect(await timed(sql`${'book'}`, sql`${5}`)).toBeLessThan(fixed * 4)
})

test('a prepared query leaves out what an argument of 0 or null does not need, and is built once for each such choice', async () => {
  let builds = 0
  const listed = prepareQuery((on, name: string, notId: number, kind: string | null) => {
    builds++
    return on
      .selectFrom('media')
      .select('id')
      .where('name', '=', name)
      .$if(notId !== 0, (query) => query.where('id', '<>', notId))
      .$if(kind !== null, (query) => query.where('kind', '=', kind as 'book'))
      .orderBy('id')
  })
  const [book, movie] = [await aTitle(db, 'book', 'Choice'), await aTitle(db, 'movie', 'Choice')]
  const ids = async (...values: [number, string | null]) =>
    (await listed(db, 'Choice', ...values)).map(({ id }) => id)
  for (let turn = 0; turn < 2; turn++) {
    expect(await ids(0, null)).toEqual([book, movie])
    expect(await ids(book, null)).toEqual([movie])
    expect(await ids(0, 'book')).toEqual([book])
    expect(await ids(book, 'book')).toEqual([])
  }
  expect(builds).toBe(4)
})

test('a query that does not use an argument as a parameter cannot be prepared', async () => {
  const byName = prepareQuery((on, name: string) =>
    on
      .selectFrom('media')
      .select('id')
      .where('name', '=', `${String(name)}!`),
  )
  await expect(byName(db, 'anything')).rejects.toThrow('not among its parameters')
})

test('a read outside a transaction neither waits for it nor sees its uncommitted changes', async () => {
  const name = 'Not yet'
  await db.transaction().execute(async (trx) => {
    await aTitle(trx, 'book', name)
    const seen = await db.selectFrom('media').select('id').where('name', '=', name).execute()
    expect(seen).toEqual([])
  })
  expect(await db.selectFrom('media').select('id').where('name', '=', name).execute()).toHaveLength(1)
})

test('no concurrent write is lost', async () => {
  const member = await aMember(db)
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      db.transaction().execute(async (trx) => {
        const { review_count } = await trx
          .selectFrom('users')
          .select('review_count')
          .where('id', '=', member.id)
          .executeTakeFirstOrThrow()
        expect(review_count).toBeGreaterThanOrEqual(0)
        await trx
          .updateTable('users')
          .set((eb) => ({ review_count: eb('review_count', '+', 1), picture: String(index) }))
          .where('id', '=', member.id)
          .execute()
      }),
    ),
  )
  const row = await db
    .selectFrom('users')
    .select('review_count')
    .where('id', '=', member.id)
    .executeTakeFirstOrThrow()
  expect(row.review_count).toBe(50)
  await recountAll(db)
})

test('counts and sums are returned as numbers', async () => {
  const { rows } = await sql<{
    big: number
    sum: number
  }>`select count(*) as big, coalesce(sum(rating_count), 0) as sum from media`.execute(db)
  expect(typeof rows[0]!.big).toBe('number')
  expect(typeof rows[0]!.sum).toBe('number')
})

test('unique and foreign key violations are recognized', async () => {
  const member = await aMember(db, 'twice')
  const again = aMember(db, 'twice')
  await expect(again).rejects.toSatisfy(isUniqueViolation)
  const follow = { follower_id: member.id, followee_id: 10 ** 12, created_at: '2026-01-01T00:00:00.000Z' }
  await expect(db.insertInto('follows').values(follow).execute()).rejects.toSatisfy(isForeignKeyViolation)
})

test('a wrong counter is reported and corrected by a recount', async () => {
  const id = await aTitle(db)
  expect(await findCounterFaults(db)).toEqual([])
  await db.updateTable('media').set({ rating_count: 3, stars_5: 3 }).where('id', '=', id).execute()
  expect(await findCounterFaults(db)).toEqual([
    { table: 'media', column: 'rating_count', id, is: 3, counted: 0 },
    { table: 'media', column: 'stars_5', id, is: 3, counted: 0 },
  ])
  await recountAll(db)
  expect(await findCounterFaults(db)).toEqual([])
})

describe('folded text', () => {
  test.each([
    ['Amélie', 'amelie'],
    ['STRAẞE', 'strasse'],
    ['Ærø', 'aero'],
    ['ＷＡＬＬ·Ｅ', 'wall·e'],
    ['Łódź', 'lodz'],
  ])('of %s is %s', (text, folded) => expect(fold(text)).toBe(folded))

  test('consists of letters and digits only, so search operators cannot be injected', () => {
    expect(foldWords('it\'s "OR" NEAR(a b) -- *; drop* :* & |')).toEqual([
      'its',
      'or',
      'near',
      'a',
      'b',
      'drop',
    ])
    expect(foldWords('"*:&|()')).toEqual([])
  })
})

/** Takes about a millisecond on SQLite. */
const slow = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000) select max(i) from n`
const manyTimes = (run: () => Promise<unknown>) => Array.from({ length: 150 }, () => run)
const write = async (on: Db) => {
  await slow.execute(on)
  await on.updateTable('users').set({ picture: null }).where('id', '=', 0).execute()
}

test.each<[name: string, run: () => Promise<unknown>]>([
  [
    'queries in a loop',
    async () => {
      for (const run of manyTimes(() => slow.execute(db))) await run()
    },
  ],
  ['queries at the same time', () => Promise.all(manyTimes(() => slow.execute(db)).map((run) => run()))],
  [
    'transactions in a loop',
    async () => {
      for (const run of manyTimes(() => db.transaction().execute(write))) await run()
    },
  ],
  [
    'transactions at the same time',
    () => Promise.all(manyTimes(() => db.transaction().execute(write)).map((run) => run())),
  ],
  ['writes at the same time', () => Promise.all(manyTimes(() => write(db)).map((run) => run()))],
  [
    'a transaction of many statements',
    () =>
      db.transaction().execute(async (trx) => {
        for (const run of manyTimes(() => write(trx))) await run()
      }),
  ],
])('%s let the event loop turn', async (_name, run) => {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await run()
  isOver = true
  // On SQLite one in 5 ms, otherwise one for each query.
  expect(turns).toBeGreaterThan(5)
})

test.runIf(isSqlite(db))('a long transaction and many queries do not keep each other waiting', async () => {
  const ending = new AbortController()
  let reads = 0
  const readers = Array.from({ length: 20 }, async () => {
    for (; !ending.signal.aborted; reads++) await slow.execute(db)
  })
  await db
    .transaction()
    .execute(async (trx) => {
      for (const run of manyTimes(() => write(trx))) await run()
    })
    .finally(() => ending.abort())
  await Promise.all(readers)
  expect(reads).toBeGreaterThan(20)
  // If each statement of the transaction waited for all readers, they would read 6,000 times.
  expect(reads).toBeLessThan(4_000)
})

test.runIf(isSqlite(db))(
  'a statement of a transaction that has ended while it waited is not run',
  async () => {
    const name = 'Too late'
    const before = db.transaction().execute(async (trx) => {
      const fails = sql`select no_such_column from media`.execute(trx)
      // Uses up the slice of the writer, so that the second statement waits.
      const until = performance.now() + 10
      while (performance.now() < until);
      const late = aTitle(trx, 'book', name)
      late.catch(() => {})
      await fails
    })
    await expect(before).rejects.toThrow('no_such_column')
    await db.transaction().execute((trx) => slow.execute(trx))
    expect(await db.selectFrom('media').select('id').where('name', '=', name).execute()).toEqual([])
  },
)
