import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { kinds } from '#shared/media.ts'
import { hashToken, newToken, sessionEnd } from '#server/accounts/rules.ts'
import { fold } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'

/** Somebody who writes over HTTP, one call after the other, and knows what must be true after each. */
export type Writer = {
  id: number
  name: string
  token: string
  /** What is true of them by all that was acknowledged. */
  facts: Facts
  /** A call that was sent and not acknowledged: all of it may be true, or nothing. */
  open: Facts | undefined
  /** Ids that only the server knows: of their review of a title, and of a comment by its text. */
  reviews: Map<number, number>
  comments: Map<string, number>
  count: number
}

/** Each is a line, such as `rating 12 4`. */
export type Facts = ReadonlySet<string>

export type Stage = {
  writers: Writer[]
  titles: { id: number; kind: keyof typeof kinds }[]
  /** Reviews that nobody removes: by all reacted to and commented on. */
  anchors: number[]
}

/** Makes members who are logged in, and reviews to react to, in a database with titles. */
export async function prepareStage(db: Db, count: number, now = new Date()): Promise<Stage> {
  const all = await db.selectFrom('media').select(['id', 'kind']).orderBy('id').execute()
  // Few, so that they meet, and of every kind.
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

type Call = { method: string; path: string; body?: object; after: Facts; keep?: (answer: Answer) => void }
type Answer = { review?: { id: number }; comment?: { id: number } }

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)]!

/** The next call of a writer: ratings, reviews, reactions, comments, follows, favourites, a name, and their removal. */
export function nextCall(stage: Stage, writer: Writer, random: () => number): Call {
  const { facts } = writer
  /** Each prefix ends with a blank: `favorite 1` is no `favorite 11`. */
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
    const kept = hasText ? text : (before?.split(' ').slice(3).join(' ') ?? '')
    return {
      method: 'POST',
      path: '/reviews',
      body: { itemId: title.id, rating, ...(hasText && { text }) },
      after: new Set([...without(`review ${title.id} `), `review ${title.id} ${rating} ${kept}`]),
      keep: ({ review }) => writer.reviews.set(title.id, review!.id),
    }
  }
  if (dice < 0.4) {
    return {
      method: 'DELETE',
      path: `/reviews/${mine}`,
      // Reactions and comments go with it.
      after: new Set(without(`review ${title.id} `, `reaction of ${title.id} `, `comment of ${title.id} `)),
      keep: () => writer.reviews.delete(title.id),
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
      keep: ({ comment }) => writer.comments.set(text, comment!.id),
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
    const isKept = facts.has(`favorite ${title.id}`)
    return {
      method: isKept ? 'DELETE' : 'POST',
      path: `/${favorites.path}${isKept ? `/${title.id}` : ''}`,
      ...(!isKept && { body: { [idKey]: title.id } }),
      after: new Set(isKept ? without(`favorite ${title.id} `) : [...facts, `favorite ${title.id}`]),
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
 * Lets a writer go on until `signal`, or until a call is not acknowledged: then what it would have changed stays open. A 503 says that
 * nothing is sure either.
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
    const { method, path, body, after, keep } = nextCall(stage, writer, random)
    writer.open = after
    let response: Response
    let answer: Answer
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
      // Acknowledged by its status: what follows it may be cut off.
      if (response.ok) {
        writer.facts = after
        writer.open = undefined
        counted.acknowledged++
      }
      answer = (await response.json()) as Answer
    } catch {
      counted.lost++
      return
    }
    if (response.ok) keep?.(answer)
    else {
      counted.refused++
      if (response.status !== 503)
        throw new Error(`${method} ${path} was answered ${response.status}: ${JSON.stringify(answer)}`)
      return
    }
    await wait(0)
  }
}

/** What the database holds of a writer, read directly; learns the ids. */
export async function readFacts(db: Db, writer: Writer): Promise<Facts> {
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
  // A registration is an account, the token of its link, and the mail that carries it.
  const { rows } = await sql<{ username: string; is_whole: number | boolean }>`
    select username, (exists (select 1 from mail_tokens t where t.user_id = users.id)
      and exists (select 1 from outbox o where o.recipient = users.email)) as is_whole
    from users where username like ${`${writer.name}.%`}`.execute(db)
  for (const row of rows) facts.add(`registered ${row.username}${row.is_whole ? '' : ' by half'}`)
  return facts
}

/** What is wrong with a writer's facts in the database: nothing, where it is all that was acknowledged, or all with the open call too. */
export async function checkWriter(db: Db, writer: Writer): Promise<string[]> {
  const found = await readFacts(db, writer)
  const differences = (expected: Facts) => [
    ...[...expected.difference(found)].map((fact) => `missing: ${fact}`),
    ...[...found.difference(expected)].map((fact) => `not told of: ${fact}`),
  ]
  const faults = differences(writer.facts)
  const isOpenDone = writer.open !== undefined && differences(writer.open).length === 0
  const isRight = faults.length === 0 || isOpenDone
  writer.facts = found
  writer.open = undefined
  return isRight ? [] : faults.map((fault) => `${writer.name}: ${fault}`)
}
