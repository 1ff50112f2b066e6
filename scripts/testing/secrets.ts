import { sql } from 'kysely'
import type { TitlePlan } from '#server/imports/plan.ts'
import { newProgress } from '#server/imports/progress.ts'
import type { Tables } from '#server/db/tables.ts'
import type { TestServer } from '#server/testing.ts'
import type { Caller, prepareCalls } from './calls.ts'

/** Texts of private columns contain it. */
const marker = 'secret-of'
/** Values of private columns that cannot contain the marker. */
const [startedOn, finishedOn] = ['1871-02-03', '1872-03-04']
const deletionAt = '2098-07-06T05:04:03.002Z'
const reaction = 'dislike'
const secret = (what: string) => `${marker}-${what}`

const plan: TitlePlan = {
  kind: 'movie',
  name: secret('plan'),
  otherNames: [],
  year: null,
  authors: [secret('authors')],
  ids: [],
  rating: { stars: 3, given: secret('given'), isHalf: false, ratedAt: null },
  review: { text: secret('review'), hasSpoilers: false, writtenAt: null },
  isTextWithoutRating: false,
  entries: [],
  isFavorite: false,
  favoriteOn: null,
  listItems: [],
  notes: [secret('note')],
}
const facts = {
  ...newProgress({ columns: [secret('column')], shelves: [{ name: secret('shelf'), count: 1 }], lines: 1 }),
  titles: 1,
  counts: { notFound: 1 },
  notKept: { [secret('list')]: 1 },
}
const options = { shelves: { [secret('shelf')]: 'want' }, columns: { name: secret('column') } }
const snapshot = { rating: null, hasSpoilers: false, imageUrl: null, title: null, writtenAt: null }
const candidate = { mediaId: null, kind: 'movie', name: secret('candidate'), year: null, imageUrl: null }

type Columns = { [Table in keyof Tables]: Partial<Record<keyof Tables[Table] & string, string>> }
/**
 * The private columns of each table with a value that can be recognized. Of other members’ data, visitors read the columns that are
 * missing here; or they hold ids, times, states, keys and hashes.
 */
const secrets = ({ id }: Pick<Caller, 'id'>): Columns => ({
  users: {
    email: `${marker}-${id}@example.org`,
    email_folded: `${marker}-${id}@example.org`,
    pending_email: `${marker}-pending-${id}@example.org`,
    deletion_at: deletionAt,
    signup_reason: secret('application'),
  },
  sessions: { user_agent: secret('agent') },
  api_tokens: { name: secret('token') },
  idempotency_keys: { body: JSON.stringify(secret('response')) },
  mail_tokens: {},
  tasks: {},
  mail_counts: {},
  media: {},
  external_ids: {},
  story_titles: {},
  reviews: { rating_given: secret('scale') },
  rating_counts: {},
  name_parts: {},
  title_counts: {},
  title_facets: {},
  facet_counts: {},
  reactions: { reaction },
  comments: {},
  removed_reviews: {},
  removed_rows: {},
  removed_pictures: {},
  cases: { snapshot: JSON.stringify({ ...snapshot, text: secret('snapshot') }) },
  reports: { comment: secret('report') },
  decisions: { reason: secret('decision'), appeal: secret('appeal'), answer: secret('answer') },
  follows: {},
  follow_requests: {},
  blocks: {},
  mutes: {},
  favorites: {},
  diary_entries: {
    // Only entries that are over have both dates.
    status: 'finished',
    started_on: startedOn,
    finished_on: finishedOn,
    rating_given: secret('entry-scale'),
    text: secret('entry'),
  },
  lists: { link_key: secret('link') },
  list_items: {},
  list_likes: {},
  list_follows: {},
  list_editors: {},
  list_words: {},
  inboxes: {},
  notifications: {},
  notification_actors: {},
  imports: {
    file_name: secret('file'),
    options: JSON.stringify(options),
    facts: JSON.stringify(facts),
    waiting_for: secret('source'),
  },
  import_titles: {
    title_key: secret('key'),
    name: secret('name'),
    search_text: secret('words'),
    plan: JSON.stringify(plan),
    matched: JSON.stringify({ mediaId: null, reason: secret('reason') }),
    candidates: JSON.stringify([{ ...candidate, creators: [], why: secret('why') }]),
  },
  import_lines: {
    file: secret('folder'),
    raw: JSON.stringify({ title: secret('line') }),
    note: secret('line'),
  },
  import_keys: {},
  import_changes: {},
  import_usage: {},
  import_lists: { name: secret('list'), settings: JSON.stringify({ description: secret('list') }) },
  changes: {},
  webhooks: { url: `https://${marker}.example/`, secret: secret('signature') },
  webhook_deliveries: { error: secret('error') },
  uploads: {},
  active_counts: {},
  settings: {},
  secrets: {},
  used_challenges: {},
  source_calls: {},
  setup_codes: {},
  invites: { note: secret('invite') },
  audit: {},
})

/**
 * Gives a member private data of each kind, and all of it a value that `findSecret` recognizes. Call it once the rows that a call
 * needs exist: they get such values too.
 */
export async function plantSecrets(
  { db, as }: TestServer,
  { calls, titles }: Pick<Awaited<ReturnType<typeof prepareCalls>>, 'calls' | 'titles'>,
  member: Caller,
): Promise<void> {
  // The inputs of these calls name rows, which preparing them creates.
  for (const path of ['imports.byId', 'webhooks.edit']) await calls[path]!(member)
  for (const itemId of Object.values(titles)) {
    const { review } = await as(member).reviews.save({ itemId, rating: 3 })
    await as(member).reviews.react({ id: review.id, reaction })
  }
  await as(member).diary.create({ movieId: titles.movie, status: 'finished' })
  for (const [table, columns] of Object.entries(secrets(member))) {
    const values = Object.entries(columns).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
    if (values.length === 0) continue
    await sql`update ${sql.table(table)} set ${sql.join(values)} where ${ofMember(table, member)}`.execute(db)
  }
}

function ofMember(table: string, { id }: Caller) {
  if (table === 'users') return sql`id = ${id}`
  if (table === 'import_titles' || table === 'import_lines' || table === 'import_lists')
    return sql`import_id in (select id from imports where user_id = ${id})`
  if (table === 'webhook_deliveries')
    return sql`webhook_id in (select id from webhooks where user_id = ${id})`
  if (table === 'invites') return sql`created_by = ${id}`
  return sql`user_id = ${id}`
}

/** Returns a private value of `plantSecrets` that a text contains; undefined if it contains none. */
export function findSecret(text: string): string | undefined {
  const patterns = [`${marker}[\\w@.-]*`, startedOn, finishedOn, deletionAt, `"${reaction}"`]
  return new RegExp(patterns.join('|')).exec(text)?.[0]
}
