import { spawn } from 'node:child_process'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadStarter } from '#server/titles/load-starter.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { demoSignIn, loadCommunity } from '#server/demo/community.ts'
import { aMember, aServer, aTitle, findCounterFaults, recountAll } from '#server/testing.ts'
import { generateSyntheticData } from '#scripts/bench/synthetic-data.ts'

/** The target on Postgres, and the source on SQLite with the pictures beside it. */
const { db: target, config, as } = await aServer()
const source = openDatabase({ databaseUrl: undefined, dataDir: config.dataDir })
afterAll(() => source.destroy())

const now = new Date('2026-06-01T12:00:00.000Z')
const texts = [
  'Emoji 😀👩‍👩‍👧, quotes \' " ` and “these”, {"json": [1]}, 50 % of $1 or :id',
  'Back\\slash, \\u0000 and \\n as letters; a tab\t, a line\nbreak, \u0001 and \u2028',
  'Ærø, Łódź, e\u0301 apart, 日本語, עברית, NULL, \u{10ffff}',
]

beforeAll(async () => {
  await migrate(source)
  await generateSyntheticData(source, { reviews: 2_000, now })
  await loadStarter(source, now)
  await loadCommunity(source, now)
  for (const [index, text] of texts.entries())
    await source
      .updateTable('reviews')
      .set({ text })
      .where('id', '=', index + 1)
      .execute()
  await recountAll(source)
  // The id of this deleted member must not be assigned again.
  await source
    .deleteFrom('users')
    .where('id', '=', (await aMember(source, 'gone')).id)
    .execute()
})

function move(
  databaseUrl = config.databaseUrl!,
  ...args: string[]
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['scripts/commands/move.ts', ...args], {
    env: { ...process.env, DATA_DIR: config.dataDir, DATABASE_URL: databaseUrl },
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}

const countOf = async (db: typeof target, table: string) =>
  (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)).rows[0]!.n

test('without DATABASE_URL the error names it', async () => {
  expect(await move('')).toMatchObject({ code: 1, output: expect.stringMatching(/^Set DATABASE_URL/) })
})

test('a target with rows is not changed', async () => {
  const { id } = await aMember(target)
  const { code, output } = await move()
  expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('rows in users') })
  expect(await countOf(target, 'users')).toBe(1)
  await target.deleteFrom('users').where('id', '=', id).execute()
})

test('a lock that another program holds for too long ends the move with one line', async () => {
  const { output, code } = await target.transaction().execute(async (trx) => {
    await sql`lock table users in access exclusive mode`.execute(trx)
    return move()
  })
  expect(code).toBe(1)
  expect(output).toMatch(
    /^Another program has locked the database for too long: try again later\. Check DATABASE_URL \([^)]*\): nothing was moved: .*lock timeout\n$/,
  )
})

test('a failure half-way leaves the target empty, and the error names the row', async () => {
  const { id } = await aMember(source, 'zero')
  await source.updateTable('users').set({ picture: 'a\0b' }).where('id', '=', id).execute()
  const { code, output } = await move()
  expect({ code, output }).toMatchObject({
    code: 1,
    output: expect.stringContaining(`users.picture contains a NUL byte in the row with rowid ${id}`),
  })
  for (const table of ['users', 'media', 'reviews']) expect(await countOf(target, table)).toBe(0)
  await source.deleteFrom('users').where('id', '=', id).execute()
})

test('all tables are copied, and the site works on the target', async () => {
  const { code, output } = await move('', '--to', config.databaseUrl!)
  expect({ code, output }).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^--to shows the password[^]*Moved\./),
  })
  const tables = [
    'users',
    'sessions',
    'mail_tokens',
    'tasks',
    'media',
    'external_ids',
    'title_names',
    'reviews',
    'reactions',
    'comments',
    'follows',
    'favorites',
    'diary_entries',
    'changes',
    'webhooks',
    'webhook_deliveries',
    'uploads',
  ]
  for (const table of tables) {
    expect(output).toContain(`${table}: `)
    expect(await countOf(target, table)).toBe(await countOf(source, table))
  }
  expect(await findCounterFaults(target)).toEqual([])
  const reviews = await target
    .selectFrom('reviews')
    .select('text')
    .where('id', '<=', texts.length)
    .orderBy('id')
    .execute()
  expect(reviews.map(({ text }) => text)).toEqual(texts)

  const { user } = await as().accounts.login(demoSignIn)
  const title = await aTitle(target)
  const { review } = await as(user).reviews.save({ itemId: title, rating: 5, text: 'After the move.' })
  const { comment } = await as(user).reviews.addComment({ id: review.id, text: 'Here too.' })
  expect(review.id).toBe((await countOf(source, 'reviews')) + 1)
  expect(comment.id).toBe((await countOf(source, 'comments')) + 1)
  // The id of the member deleted before the move is not reused.
  const last = await sql<{ seq: number }>`select seq from sqlite_sequence where name = 'users'`.execute(
    source,
  )
  expect((await aMember(target, 'next')).id).toBe(last.rows[0]!.seq + 1)
  const keys = await sql<{ n: number }>`select count(*) as n from pg_constraint where contype = 'f'`.execute(
    target,
  )
  expect(keys.rows[0]!.n).toBeGreaterThan(10)
  expect(await findCounterFaults(target)).toEqual([])
})
