import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import type { TitleRecord } from '#server/imports/match/join.ts'
import { newFacts } from '#server/imports/facts.ts'
import type { PrivateColumns, Tables } from '#server/db/tables.ts'
import type { TestServer } from '#server/testing.ts'
import type { Caller, prepareCalls } from './calls.ts'

const marker = 'secret-of'
/** Private columns that cannot contain the marker. */
const [startedOn, finishedOn] = ['1871-02-03', '1872-03-04']
const deletionAt = '2098-07-06T05:04:03.002Z'
const reaction = 'dislike'
const subscription = 987_650_123
const secret = (what: string) => `${marker}-${what}`

const record: TitleRecord = {
  kind: 'movie',
  name: secret('record'),
  otherNames: [],
  year: null,
  authors: [secret('authors')],
  ids: [],
  rating: { stars: 3, given: secret('given'), isHalf: false, ratedAt: null },
  review: { text: secret('review'), hasSpoilers: false, writtenAt: null },
  partReviews: [],
  isTextWithoutRating: false,
  entries: [],
  plays: [],
  isFavorite: false,
  favoriteOn: null,
  listItems: [],
  notes: [secret('note')],
}
const facts = {
  ...newFacts({
    columns: [secret('column')],
    shelves: [{ name: secret('shelf'), count: 1 }],
    unclear: [],
    lines: 1,
  }),
  titles: 1,
  counts: { notFound: 1 },
  notKept: { [secret('list')]: 1 },
}
const options = { shelves: { [secret('shelf')]: 'want' }, columns: { name: secret('column') } }
const snapshot = { rating: null, hasSpoilers: false, imageUrl: null, title: null, writtenAt: null }
const candidate = { mediaId: null, kind: 'movie', name: secret('candidate'), year: null, imageUrl: null }

type Columns = { [Table in keyof Tables]?: Partial<Record<keyof Tables[Table] & string, string>> }
/** Columns that cannot be any text, and columns that a constraint ties to them. */
const valuesOf = ({ id }: Pick<Caller, 'id'>): Columns => ({
  users: {
    email: `${marker}-${id}@example.org`,
    email_folded: `${marker}-${id}@example.org`,
    pending_email: `${marker}-pending-${id}@example.org`,
    deletion_at: deletionAt,
    country: 'DE',
    subscriptions: JSON.stringify([subscription]),
  },
  idempotency_keys: { body: JSON.stringify(secret('response')) },
  reactions: { reaction },
  cases: { snapshot: JSON.stringify({ ...snapshot, text: secret('snapshot') }) },
  // Only entries that are over have both dates.
  diary_entries: { status: 'finished', started_on: startedOn, finished_on: finishedOn },
  imports: { options: JSON.stringify(options), facts: JSON.stringify(facts) },
  import_titles: {
    record: JSON.stringify(record),
    matched: JSON.stringify({ mediaId: null, reason: secret('reason') }),
    candidates: JSON.stringify([{ ...candidate, creators: [], why: secret('why') }]),
  },
  import_lines: { raw: JSON.stringify({ title: secret('line') }) },
  import_lists: { settings: JSON.stringify({ description: secret('list') }) },
  webhooks: { url: `https://${marker}.example/` },
})

/**
 * Gives a member private data of each kind, which `findSecret` recognizes. Call it once the rows that a call needs exist: they get such
 * values too.
 */
export async function plantSecrets(
  { db, as }: TestServer,
  { calls, titles }: Pick<Awaited<ReturnType<typeof prepareCalls>>, 'calls' | 'titles'>,
  member: Caller,
): Promise<void> {
  // Preparing these calls creates the rows that they name.
  for (const path of ['imports.byId', 'webhooks.edit']) await calls[path]!(member)
  for (const itemId of Object.values(titles)) {
    const { review } = await as(member).reviews.save({ itemId, rating: 3 })
    await as(member).reviews.react({ id: review.id, reaction })
  }
  await as(member).diary.create({ movieId: titles.movie, status: 'finished' })
  const given = valuesOf(member)
  for (const [table, columns] of Object.entries(await loadPrivateColumns())) {
    if (columns.length === 0) continue
    const texts = {
      ...Object.fromEntries(columns.map((column) => [column, secret(column)])),
      ...given[table as keyof Tables],
    }
    const values = Object.entries(texts).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
    await sql`update ${sql.table(table)} set ${sql.join(values)} where ${ofMember(table, member)}`.execute(db)
  }
}

export async function loadPrivateColumns(): Promise<PrivateColumns> {
  const root = join(import.meta.dirname, '../..')
  const modules = await Promise.all(
    globSync('server/*/tables.ts', { cwd: root }).map(
      (file) => import(pathToFileURL(join(root, file)).href) as Promise<{ privateColumns: PrivateColumns }>,
    ),
  )
  return Object.assign({}, ...modules.map(({ privateColumns }) => privateColumns)) as PrivateColumns
}

function ofMember(table: string, { id }: Caller) {
  if (table === 'users') return sql`id = ${id}`
  if (table === 'import_titles' || table === 'import_lines' || table === 'import_lists')
    return sql`import_id in (select id from imports where user_id = ${id})`
  if (table === 'webhook_deliveries')
    return sql`webhook_id in (select id from webhooks where user_id = ${id})`
  if (table === 'removed_plays') return sql`removed_by in (select id from batches where user_id = ${id})`
  if (table === 'invites') return sql`created_by = ${id}`
  return sql`user_id = ${id}`
}

export function findSecret(text: string): string | undefined {
  const patterns = [
    `${marker}[\\w@.-]*`,
    startedOn,
    finishedOn,
    deletionAt,
    '\\$argon2',
    `"${reaction}"`,
    String(subscription),
  ]
  return new RegExp(patterns.join('|')).exec(text)?.[0]
}
