import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { kinds } from '#shared/domain/kinds.ts'
import { toTenths } from '#shared/domain/ratings.ts'
import { isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { aSignedInMember } from '#server/testing.ts'
import { findDatabaseFaults, type KillOptions, type Site, withSite } from './crash.ts'

export type Victim = { kill: () => Promise<void>; start: () => Promise<void> }

type State = ReadonlyMap<string, string>
type Writer = {
  id: number
  name: string
  token: string
  state: State
  /** If the call in flight was committed: entirely or not at all. */
  open: State | undefined
  reviews: Map<number, number>
  comments: Map<string, number>
  count: number
}
type Stage = {
  writers: Writer[]
  titles: { id: number; kind: keyof typeof kinds }[]
  /** Never deleted; all writers react to them and comment on them. */
  anchors: number[]
}

const writersMax = 6
const titlesMax = 24
const anchorsMax = 8
const acknowledgedMin = 20

/**
 * In each round the server (or `postgres`) is killed at a random moment while writers write. Every acknowledged write must be there, no
 * write may be partial, the counters must equal a recount, and the database must pass its integrity check.
 */
export function killWrites(options: KillOptions & { postgres?: Victim }) {
  const { rounds, report = () => {} } = options
  return withSite(options, async (site) => {
    const { db, random } = site
    const victim = options.postgres ?? site
    const counted = { acknowledged: 0, statuses: {} as Record<number, number> }
    const faults: string[] = []
    const stage = await prepareStage(site)
    for (let round = 1; round <= rounds; round++) {
      const stop = new AbortController()
      const writing = stage.writers.map((writer) => keepWriting(site, stage, writer, stop.signal, counted))
      await wait(50 + Math.floor(random() * 600))
      // A slow machine may not have acknowledged a write yet.
      while (counted.acknowledged < round * acknowledgedMin) await wait(10)
      await victim.kill()
      stop.abort()
      await Promise.all(writing)
      await victim.start()
      await waitUntilReady(site.url())
      if (!isSqlite(db)) await waitUntilIdle(db)
      for (const writer of stage.writers) faults.push(...(await checkWriter(site, writer)))
      faults.push(...(await findDatabaseFaults(db)))
      if (round % 10 === 0)
        report(`${round} rounds, ${counted.acknowledged} writes acknowledged, ${faults.length} faults`)
    }
    return { rounds, ...counted, faults }
  })
}

async function prepareStage({ db, send }: Site): Promise<Stage> {
  const all = await db.selectFrom('media').select(['id', 'kind']).orderBy('id').execute()
  // Few titles of every kind, so that the writers contend for them.
  const titles = all.filter((_, at) => at % Math.ceil(all.length / titlesMax) === 0)
  const writers: Writer[] = []
  for (let at = 0; at < writersMax; at++) {
    const name = `writer-${at}`
    const { id, token } = await aSignedInMember(db, name)
    const ids = { reviews: new Map(), comments: new Map() }
    writers.push({ id, name, token, state: new Map([['name', name]]), open: undefined, ...ids, count: 0 })
  }
  const author = await aSignedInMember(db)
  const anchors: number[] = []
  for (const { id: itemId } of titles.slice(0, anchorsMax)) {
    const text = 'For reactions and comments.'
    const response = await send(author, 'POST', '/reviews', { itemId, rating: 3, text })
    anchors.push(((await response.json()) as { review: { id: number } }).review.id)
  }
  return { writers, titles, anchors }
}

type WriterCall = {
  method: string
  path: string
  body?: object
  /** Undefined removes the value. */
  changes: Record<string, string | undefined>
}
type ResponseBody = { review?: { id: number }; comment?: { id: number } }

const shares = {
  rate: 30,
  removeReview: 10,
  react: 15,
  comment: 15,
  removeComment: 5,
  follow: 10,
  favorite: 8,
  rename: 5,
  register: 2,
}
const drawn = Object.entries(shares).flatMap(([kind, share]) =>
  Array.from({ length: share }, () => kind as keyof typeof shares),
)

function drawCall(
  { writers, titles, anchors }: Stage,
  writer: Writer,
  random: () => number,
): WriterCall | undefined {
  const { state, reviews, comments, name } = writer
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const { id: itemId, kind } = pick(titles)
  const number = ++writer.count
  const text = `${name} says ${number}`
  const review = state.get(`review ${itemId}`)
  const mine = review === undefined ? undefined : reviews.get(itemId)
  const target = mine && random() < 0.5 ? mine : pick(anchors)
  const commentsOn = (reviewId?: number) =>
    [...state.keys()].filter(
      (key) => key.startsWith('comment ') && (!reviewId || state.get(key) === String(reviewId)),
    )
  switch (pick(drawn)) {
    case 'rate': {
      const rating = 1 + Math.floor(random() * 9) / 2
      const given = random() < 0.5 ? text : undefined
      const shown = given ?? review?.slice('10 '.length) ?? ''
      const body = { itemId, rating, text: given }
      return {
        method: 'POST',
        path: '/reviews',
        body,
        changes: { [`review ${itemId}`]: `${toTenths(rating)} ${shown}` },
      }
    }
    case 'removeReview': {
      const keys = [`review ${itemId}`, `reaction ${mine}`, ...commentsOn(mine)]
      const changes = Object.fromEntries(keys.map((key) => [key, undefined]))
      return mine ? { method: 'DELETE', path: `/reviews/${mine}`, changes } : undefined
    }
    case 'react': {
      const reaction = pick(['like', 'dislike', 'none'])
      const changes = { [`reaction ${target}`]: reaction === 'none' ? undefined : reaction }
      return { method: 'POST', path: `/reviews/${target}/reactions`, body: { reaction }, changes }
    }
    case 'comment': {
      const changes = { [`comment ${text}`]: String(target) }
      return { method: 'POST', path: `/reviews/${target}/comments`, body: { text }, changes }
    }
    case 'removeComment': {
      const key = pick(commentsOn())
      const id = key && comments.get(key.slice('comment '.length))
      return id ? { method: 'DELETE', path: `/comments/${id}`, changes: { [key]: undefined } } : undefined
    }
    case 'follow': {
      const { id } = pick(writers.filter((one) => one !== writer))
      const key = `follows ${id}`
      return state.has(key)
        ? {
            method: 'POST',
            path: '/users/unfollow',
            body: { userIdToUnfollow: id },
            changes: { [key]: undefined },
          }
        : { method: 'POST', path: '/users/follow', body: { userIdToFollow: id }, changes: { [key]: '' } }
    }
    case 'favorite': {
      const { favorites, idKey } = kinds[kind]
      const [key, path] = [`favorite ${itemId}`, `/${favorites.path}`]
      return state.has(key)
        ? { method: 'DELETE', path: `${path}/${itemId}`, changes: { [key]: undefined } }
        : { method: 'POST', path, body: { [idKey]: itemId }, changes: { [key]: '' } }
    }
    case 'rename': {
      const username = `${name}-${number}`
      return { method: 'PUT', path: '/users/profile', body: { username }, changes: { name: username } }
    }
    case 'register': {
      const username = `${name}.${number}`
      const body = { username, email: `${username}@example.org`, password: 'six-or-more' }
      return { method: 'POST', path: '/users/register', body, changes: { [`registered ${username}`]: '' } }
    }
  }
}

/** Until `signal`, or until a call is not acknowledged; that call stays in `open`. So does a 503, which may still be committed. */
async function keepWriting(
  { send, random }: Site,
  stage: Stage,
  writer: Writer,
  signal: AbortSignal,
  counted: { acknowledged: number; statuses: Record<number, number> },
): Promise<void> {
  while (!signal.aborted) {
    const drawn = drawCall(stage, writer, random)
    if (!drawn) continue
    const { method, path, body, changes } = drawn
    const after = new Map(writer.state)
    for (const [key, value] of Object.entries(changes))
      if (value === undefined) after.delete(key)
      else after.set(key, value)
    writer.open = after
    let response: Response
    let responseBody: ResponseBody
    try {
      response = await send(writer, method, path, body)
      counted.statuses[response.status] = (counted.statuses[response.status] ?? 0) + 1
      // The body may be cut off; the status acknowledges the call.
      if (response.ok) {
        writer.state = after
        writer.open = undefined
        counted.acknowledged++
      }
      responseBody = (await response.json()) as ResponseBody
    } catch {
      return
    }
    if (response.status === 503) return
    if (!response.ok)
      throw new Error(`${method} ${path} returned ${response.status}: ${JSON.stringify(responseBody)}`)
    const { itemId, text } = (body ?? {}) as { itemId?: number; text?: string }
    if (itemId && responseBody.review) writer.reviews.set(itemId, responseBody.review.id)
    if (text && responseBody.comment) writer.comments.set(text, responseBody.comment.id)
    await wait(0)
  }
}

/** Right is exactly the acknowledged calls, with or without the open one. Resets the writer to the actual state. */
async function checkWriter({ db, countEmails }: Site, writer: Writer): Promise<string[]> {
  const { id, name } = writer
  // A registration without all three is partial.
  const { rows } = await sql<{ key: string; value: string; id: number }>`
    select 'review ' || media_id as key, rating || ' ' || text as value, id from reviews where user_id = ${id}
    union all select 'comment ' || text, cast(review_id as text), id from comments where user_id = ${id}
    union all select 'reaction ' || review_id, reaction, 0 from reactions where user_id = ${id}
    union all select 'follows ' || followee_id, '', 0 from follows where follower_id = ${id}
    union all select 'favorite ' || media_id, '', 0 from favorites where user_id = ${id}
    union all select 'name', username, 0 from users where id = ${id}
    union all select 'registered ' || username, case
      when not exists (select 1 from mail_tokens where user_id = users.id) then 'partially'
      when exists (select 1 from tasks where queue = 'mail' and owner = users.email) then ''
      else email end, 0 from users where username like ${`${name}.%`}`.execute(db)
  const actual = new Map<string, string>()
  writer.reviews.clear()
  writer.comments.clear()
  for (const { key, value, id } of rows) {
    const [what, rest] = [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)]
    if (what === 'review') writer.reviews.set(Number(rest), id)
    if (what === 'comment') writer.comments.set(rest, id)
    actual.set(key, what === 'registered' && countEmails(value) > 0 ? '' : value)
  }
  const differences = (expected: State) =>
    [...new Set([...expected.keys(), ...actual.keys()])]
      .filter((key) => expected.get(key) !== actual.get(key))
      .map((key) => `${name}, ${key}: ${actual.get(key)}, not ${expected.get(key)}`)
  const faults = differences(writer.state)
  const isRight = faults.length === 0 || (writer.open && differences(writer.open).length === 0)
  writer.state = actual
  writer.open = undefined
  return isRight ? [] : faults
}

async function waitUntilReady(url: string): Promise<void> {
  const until = performance.now() + 120_000
  while (performance.now() < until) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined)
    if (response?.ok) return
    await wait(20)
  }
  throw new Error('The server did not become ready again.')
}

/** Statements of the killed server may still run for a moment. */
async function waitUntilIdle(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and backend_type = 'client backend' and pid <> pg_backend_pid() and state <> 'idle'`.execute(db)
    if (rows.length === 0) return
    await wait(5)
  }
}
