import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { kinds } from '#shared/media.ts'
import { hashToken, newToken, sessionEnd } from '#server/accounts/rules.ts'
import { fold } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'

/** The options of all crash tests. */
export type KillOptions = {
  rounds: number
  seed: number
  /** Undefined for SQLite. */
  databaseUrl?: string | undefined
  report?: (line: string) => void
}

/** A member who writes over HTTP, one call after the other, and tracks the expected state of the database. */
export type Writer = {
  id: number
  name: string
  token: string
  /** The expected state after all acknowledged calls. */
  facts: Facts
  /** The expected state if the call in flight was committed: it may be committed entirely or not at all. */
  open: Facts | undefined
  /** Ids assigned by the server: of the writer's review by title, and of a comment by its text. */
  reviews: Map<number, number>
  comments: Map<string, number>
  count: number
}

/** The state of one writer as a set of lines, such as `favorite 12`. */
export type Facts = ReadonlySet<string>

/** The writers and what they write to. */
export type Stage = {
  writers: Writer[]
  titles: { id: number; kind: keyof typeof kinds }[]
  /** Reviews that are never deleted, which all writers react to and comment on. */
  anchors: number[]
}

/** Creates logged-in members in a database that already has titles. */
export async function prepareStage(db: Db, count: number, now = new Date()): Promise<Stage> {
  const all = await db.selectFrom('media').select(['id', 'kind']).orderBy('id').execute()
  // Few titles of every kind, so that the writers contend for them.
  const titles = all.filter((_, at) => at % Math.ceil(all.length / 24) === 0)
  const writers: Writer[] = []
  for (let at = 0; at < count; at++) {
    const name = `writer-${at}`
    const { id } = await db
      .insertInto('users')
      .values({
        username: name,
        username_folded: name,
        search_text: fold(name),
        email: `${name}@example.org`,
        email_folded: `${name}@example.org`,
        password_hash: 'none',
        verified_at: now.toISOString(),
        created_at: now.toISOString(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const token = newToken()
    const loginAt = now.toISOString()
    await db
      .insertInto('sessions')
      .values({
        token_hash: hashToken(token),
        user_id: id,
        created_at: loginAt,
        last_used_at: loginAt,
        expires_at: sessionEnd(now).toISOString(),
        user_agent: null,
      })
      .execute()
    writers.push({
      id,
      name,
      token,
      facts: new Set(),
      open: undefined,
      reviews: new Map(),
      comments: new Map(),
      count: 0,
    })
  }
  return { writers, titles, anchors: [] }
}

type Call = {
  method: string
  path: string
  body?: object
  /** The expected state once the call is committed. */
  after: Facts
  /** Stores the ids of a response. */
  onResponse?: (body: ResponseBody) => void
}
type ResponseBody = { review?: { id: number }; comment?: { id: number } }

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)]!

/** Draws the next call of a writer: ratings, reviews, reactions, comments, follows, favorites, username, registration. */
function nextCall(stage: Stage, writer: Writer, random: () => number): Call {
  const { facts } = writer
  /** Each prefix ends with a space, so that `favorite 1` does not match `favorite 11`. */
  const without = (...prefixes: string[]) =>
    [...facts].filter((fact) => !prefixes.some((prefix) => `${fact} `.startsWith(prefix)))
  const title = pick(random, stage.titles)
  const number = ++writer.count
  const text = `${writer.name} says ${number}`
  const mine = writer.reviews.get(title.id)
  const target = random() < 0.5 && mine ? mine : pick(random, stage.anchors)
  const aim = target === mine ? `of ${title.id}` : `at ${target}`
  const dice = random()

  if (dice < 0.3 || (dice < 0.4 && !mine)) {
    const rating = 1 + Math.floor(random() * 5)
    const hasText = random() < 0.5
    const before = [...facts].find((fact) => fact.startsWith(`review ${title.id} `))
    const newText = hasText ? text : (before?.split(' ').slice(3).join(' ') ?? '')
    return {
      method: 'POST',
      path: '/reviews',
      body: { itemId: title.id, rating, ...(hasText && { text }) },
      after: new Set([...without(`review ${title.id} `), `review ${title.id} ${rating} ${newText}`]),
      onResponse: ({ review }) => writer.reviews.set(title.id, review!.id),
    }
  }
  if (dice < 0.4) {
    return {
      method: 'DELETE',
      path: `/reviews/${mine}`,
      // Deleting a review deletes its reactions and comments.
      after: new Set(without(`review ${title.id} `, `reaction of ${title.id} `, `comment of ${title.id} `)),
      onResponse: () => writer.reviews.delete(title.id),
    }
  }
  if (dice < 0.55) {
    const reaction = pick(random, ['like', 'dislike', 'none'])
    const rest = without(`reaction ${aim} `)
    return {
      method: 'POST',
      path: `/reviews/${target}/reactions`,
      body: { reaction },
      after: new Set(reaction === 'none' ? rest : [...rest, `reaction ${aim} ${reaction}`]),
    }
  }
  const comments = [...facts].filter((fact) => fact.startsWith('comment '))
  if (dice < 0.7 || (dice < 0.75 && comments.length === 0)) {
    return {
      method: 'POST',
      path: `/reviews/${target}/comments`,
      body: { text },
      after: new Set([...facts, `comment ${aim} ${text}`]),
      onResponse: ({ comment }) => writer.comments.set(text, comment!.id),
    }
  }
  if (dice < 0.75) {
    const gone = pick(random, comments)
    const id = writer.comments.get(gone.split(' ').slice(3).join(' '))
    return { method: 'DELETE', path: `/comments/${id}`, after: new Set(without(`${gone} `)) }
  }
  if (dice < 0.85) {
    const other = pick(
      random,
      stage.writers.filter((one) => one !== writer),
    )
    const follows = facts.has(`follows ${other.id}`)
    return {
      method: 'POST',
      path: follows ? '/users/unfollow' : '/users/follow',
      body: { [follows ? 'userIdToUnfollow' : 'userIdToFollow']: other.id },
      after: new Set(follows ? without(`follows ${other.id} `) : [...facts, `follows ${other.id}`]),
    }
  }
  if (dice < 0.93) {
    const { favorites, idKey } = kinds[title.kind]
    const isFavorite = facts.has(`favorite ${title.id}`)
    return {
      method: isFavorite ? 'DELETE' : 'POST',
      path: `/${favorites.path}${isFavorite ? `/${title.id}` : ''}`,
      ...(!isFavorite && { body: { [idKey]: title.id } }),
      after: new Set(isFavorite ? without(`favorite ${title.id} `) : [...facts, `favorite ${title.id}`]),
    }
  }
  if (dice < 0.98) {
    const name = `${writer.name}-${number}`
    return {
      method: 'PUT',
      path: '/users/profile',
      body: { username: name },
      after: new Set([...without('name '), `name ${name}`]),
    }
  }
  const name = `${writer.name}.${number}`
  return {
    method: 'POST',
    path: '/users/register',
    body: { username: name, email: `${name}@example.org`, password: 'six-or-more' },
    after: new Set([...facts, `registered ${name}`]),
  }
}

export type Counted = {
  acknowledged: number
  refused: number
  lost: number
  statuses: Record<number, number>
}

/**
 * Runs a writer until `signal` or until a call is not acknowledged; that call then stays in `open`. A 503 leaves the call
 * open too, since it may still be committed.
 */
export async function keepWriting(
  stage: Stage,
  writer: Writer,
  {
    url,
    random,
    signal,
    counted,
  }: { url: string; random: () => number; signal: AbortSignal; counted: Counted },
): Promise<void> {
  while (!signal.aborted) {
    const { method, path, body, after, onResponse } = nextCall(stage, writer, random)
    writer.open = after
    let response: Response
    let responseBody: ResponseBody
    try {
      response = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${writer.token}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      counted.statuses[response.status] = (counted.statuses[response.status] ?? 0) + 1
      // The status acknowledges the call; the body may be cut off.
      if (response.ok) {
        writer.facts = after
        writer.open = undefined
        counted.acknowledged++
      }
      responseBody = (await response.json()) as ResponseBody
    } catch {
      counted.lost++
      return
    }
    if (response.ok) onResponse?.(responseBody)
    else {
      counted.refused++
      if (response.status !== 503)
        throw new Error(`${method} ${path} returned ${response.status}: ${JSON.stringify(responseBody)}`)
      return
    }
    await wait(0)
  }
}

/** Reads a writer's actual state from the database, and updates its ids. */
async function readFacts(db: Db, writer: Writer, countEmails: (to: string) => number): Promise<Facts> {
  const facts = new Set<string>()
  const reviews = await db
    .selectFrom('reviews')
    .select(['id', 'media_id', 'rating', 'text'])
    .where('user_id', '=', writer.id)
    .execute()
  writer.reviews = new Map(reviews.map(({ id, media_id }) => [media_id, id]))
  const titleOf = new Map(reviews.map(({ id, media_id }) => [id, media_id]))
  const aimOf = (review: number) => (titleOf.has(review) ? `of ${titleOf.get(review)}` : `at ${review}`)
  for (const { media_id, rating, text } of reviews) facts.add(`review ${media_id} ${rating} ${text}`)
  for (const { review_id, reaction } of await db
    .selectFrom('reactions')
    .select(['review_id', 'reaction'])
    .where('user_id', '=', writer.id)
    .execute())
    facts.add(`reaction ${aimOf(review_id)} ${reaction}`)
  const comments = await db
    .selectFrom('comments')
    .select(['id', 'review_id', 'text'])
    .where('user_id', '=', writer.id)
    .execute()
  writer.comments = new Map(comments.map(({ id, text }) => [text, id]))
  for (const { review_id, text } of comments) facts.add(`comment ${aimOf(review_id)} ${text}`)
  for (const { followee_id } of await db
    .selectFrom('follows')
    .select('followee_id')
    .where('follower_id', '=', writer.id)
    .execute())
    facts.add(`follows ${followee_id}`)
  for (const { media_id } of await db
    .selectFrom('favorites')
    .select('media_id')
    .where('user_id', '=', writer.id)
    .execute())
    facts.add(`favorite ${media_id}`)
  const { username } = await db
    .selectFrom('users')
    .select('username')
    .where('id', '=', writer.id)
    .executeTakeFirstOrThrow()
  if (username !== writer.name) facts.add(`name ${username}`)
  // A registration writes an account, a verification token and a mail; without all three it is partial.
  const { rows } = await sql<{ username: string; email: string; has_token: unknown; is_queued: unknown }>`
    select username, email, exists (select 1 from mail_tokens where user_id = users.id) as has_token,
      exists (select 1 from tasks where queue = 'mail' and owner = users.email) as is_queued
    from users where username like ${`${writer.name}.%`}`.execute(db)
  for (const { username, email, has_token, is_queued } of rows) {
    const isWhole = has_token && (is_queued || countEmails(email) > 0)
    facts.add(`registered ${username}${isWhole ? '' : ' partially'}`)
  }
  return facts
}

/**
 * Returns the differences between a writer's expected and actual state. The state is right if it has exactly the
 * acknowledged calls, or those and the open one. Resets the writer to the actual state.
 */
export async function checkWriter(
  db: Db,
  writer: Writer,
  countEmails: (to: string) => number,
): Promise<string[]> {
  const actual = await readFacts(db, writer, countEmails)
  const differences = (expected: Facts) => [
    ...[...expected.difference(actual)].map((fact) => `missing: ${fact}`),
    ...[...actual.difference(expected)].map((fact) => `unexpected: ${fact}`),
  ]
  const faults = differences(writer.facts)
  const isOpenDone = writer.open !== undefined && differences(writer.open).length === 0
  const isRight = faults.length === 0 || isOpenDone
  writer.facts = actual
  writer.open = undefined
  return isRight ? [] : faults.map((fault) => `${writer.name}: ${fault}`)
}

/** Returns a function that counts the emails to an address that a server without SMTP has written to its data folder. */
export function openOutbox(dataFolder: string): (to: string) => number {
  const folder = join(dataFolder, 'outbox')
  const recipients = new Map<string, string | undefined>()
  return (to) => {
    for (const file of existsSync(folder) ? readdirSync(folder) : [])
      if (file.endsWith('.eml') && !recipients.has(file))
        recipients.set(file, /^To: (.*)$/m.exec(readFileSync(join(folder, file), 'utf8'))?.[1])
    return [...recipients.values()].filter((recipient) => recipient === to).length
  }
}
