import type { AnyProcedure } from '@trpc/server'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { type Caller, prepareCalls, roleOf } from '#scripts/testing/calls.ts'
import { crowd } from '#scripts/testing/crowd.ts'
import { saveSeasons } from '#scripts/testing/episodes.ts'
import { blockedMs, isBlockedTooLong } from '#scripts/testing/event-loop.ts'
import { generateSyntheticData } from '#scripts/bench/synthetic-data.ts'
import { insertMany } from '#server/db/dialect.ts'
import type { OfferSource } from '#server/titles/sources/source.ts'
import { jsonSchemaOf } from '#server/calls/described.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { dayMs, plusDays } from '#shared/domain/days.ts'
import { calendarDaysMax, idsMax } from '#shared/domain/limits.ts'
import { allKinds } from '#shared/domain/kinds.ts'
import { includesRole } from '#shared/domain/roles.ts'
import { buildApp } from './app.ts'
import { appRouter } from './router.ts'
import { aSession, aServer, recountAll } from './testing.ts'
import type { Meta } from '#server/calls/procedures.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const { db } = server
const now = new Date()
await generateSyntheticData(db, { reviews: 100_000, lists: 20_000, now })
const { id, username } = await db
  .selectFrom('users')
  .select(['id', 'username'])
  .orderBy('following_count', 'desc')
  .orderBy('id')
  .limit(1)
  .executeTakeFirstOrThrow()
const largest = await crowd(db, { id, now })
const { calls } = await prepareCalls(server)
const busy: Caller = { id, username, token: await aSession(db, { id }), role: 'member' }
const callers = [null, busy, { ...busy, role: 'admin' as const }]

const titlesOf = async (limit: number) =>
  (await db.selectFrom('media').select('id').orderBy('id').limit(limit).execute()).map(({ id }) => id)
const manyTitles = (await titlesOf(idsMax)).join()
const popular = Object.fromEntries(
  await Promise.all(
    allKinds.map(async ({ kind }) => [
      kind,
      (
        await db
          .selectFrom('media')
          .select('id')
          .where('kind', '=', kind)
          .orderBy('id')
          .limit(1)
          .executeTakeFirstOrThrow()
      ).id,
    ]),
  ),
) as Record<string, number>
/** 60 seasons of 80 episodes, all watched. */
const eighty = Array.from({ length: 80 }, () => '2020-01-01')
const [, ...shown] = await saveSeasons(
  db,
  popular['tvShow']!,
  Object.fromEntries(Array.from({ length: 60 }, (_, at) => [at, eighty])),
)
await server
  .as({ id, username })
  .progress.mark({ id: popular['tvShow']!, upTo: shown.at(-1)!, watchedOn: 'airDate' })
const soap = {
  episodeId: shown[0]!,
  seasonId: (
    await db.selectFrom('parts').select('parent_id').where('id', '=', shown[0]!).executeTakeFirstOrThrow()
  ).parent_id!,
}
await addShows(200)
await addPartReviews()
/** Which is not asked: what it said is stored. */
const offersSource: OfferSource = { findOffers: async () => [], listServices: async () => [] }
await addOffers()

const sources = { ...server.services.sources, offers: offersSource }
const app = await buildApp({ ...server.services, sources }, { web: noWeb })
afterAll(() => app.close())
const manyMembers = (
  await db
    .selectFrom('users')
    .select('id')
    .where('id', '<>', id)
    .orderBy('review_count', 'desc')
    .limit(20)
    .execute()
)
  .map(({ id }) => id)
  .join()

/** Each has an episode a day around now, and the member has watched the first ones. */
async function addShows(count: number): Promise<void> {
  const dayAt = (days: number) => new Date(now.getTime() + days * dayMs).toISOString().slice(0, 10)
  const shows = await db
    .selectFrom('media')
    .select('id')
    .where('kind', '=', 'tvShow')
    .where('id', '<>', popular['tvShow']!)
    .orderBy('id')
    .limit(count)
    .execute()
  const days = Array.from({ length: 60 }, (_, at) => dayAt(at - 40))
  for (const { id: showId } of shows) {
    const [first, second] = await saveSeasons(db, showId, { 1: days })
    await server.as({ id, username }).progress.mark({ id: showId, episodeIds: [first!, second!] })
  }
}

/** By all members, of an episode and its season. */
async function addPartReviews(): Promise<void> {
  const authors = await db.selectFrom('users').select('id').where('id', '<>', id).execute()
  const at = now.toISOString()
  for (const [place, part_id] of Object.values(soap).entries())
    await insertMany(
      db,
      'reviews',
      authors.map((author, turn) => ({
        user_id: author.id,
        part_id,
        kind: 'tvShow',
        rating: 10 + 5 * ((turn + place) % 9),
        text: turn % 2 === 0 ? 'The best one so far.' : '',
        created_at: at,
        updated_at: at,
        rated_at: at,
      })),
    )
  await recountAll(db)
}

async function addOffers(): Promise<void> {
  const titles = await db.selectFrom('media').select('id').where('kind', 'in', ['movie', 'tvShow']).execute()
  const at = now.toISOString()
  const ids = Array.from({ length: 200 }, (_, place) => place + 1)
  await insertMany(
    db,
    'streaming_services',
    ids.map((service) => ({ id: service, name: `Service ${service}`, image: null })),
  )
  const row = { country: 'DE', services: JSON.stringify(ids), checked_at: at }
  await insertMany(db, 'country_services', [row])
  const services = JSON.stringify({ stream: ids.slice(0, 100), rent: ids, buy: ids })
  for (const { id: media_id } of titles) {
    await db.insertInto('offer_checks').values({ media_id, checked_at: at }).execute()
    await db.insertInto('offers').values({ media_id, country: 'DE', link: null, services }).execute()
  }
  const own = { country: 'DE', subscriptions: JSON.stringify([1]) }
  await db.updateTable('users').set(own).where('id', '=', id).execute()
}

const reads = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyProcedure>).filter(
  ([, procedure]) => procedure._def.type === 'query',
)

/** Searches that find very much, and searches that find nothing although each of their words finds much. */
const searches = ['a', 'the', 'a b zzz', 'a e i o', 'the of a in', 'zzz', 'the zzzz']

type Input = Record<string, unknown>

/** Returns the id of the largest that a path with `{id}` can be about. */
function largestAt(path: string): number | undefined {
  const [, folder, rest] = /^(.*)\/\{id\}(.*)/.exec(path) ?? []
  // Only the author of a review may ask for its origin.
  if (folder === undefined || rest === '/origin') return undefined
  const ofKind = allKinds.find((one) => folder === `/${one.path}`)
  if (ofKind) return popular[ofKind.kind]
  return (
    {
      '/items': largest.titleId,
      '/episodes': soap.episodeId,
      '/reviews': largest.reviewId,
      '/lists': largest.listId,
      '/imports': largest.importId,
      '/users/me/webhooks': largest.webhookId,
      '/moderation/cases': largest.caseId,
      '/admin/members': id,
    }[folder] ?? (/^\/(users|favorite-)/.test(folder) ? id : undefined)
  )
}

/** Returns inputs of a read: about the largest of everything, with each value of each option alone. */
async function inputsOf(path: string, procedure: AnyProcedure): Promise<(Input | undefined)[]> {
  const given = (await calls[path]!({ ...busy, role: roleOf(procedure) })) as Input | undefined
  if (!given) return [undefined]
  const { properties = {} } = jsonSchemaOf(procedure) as {
    properties?: Record<
      string,
      { enum?: unknown[]; type?: string; maximum?: number; examples?: unknown[]; example?: unknown }
    >
  }
  const input = { ...given }
  const largestId = largestAt((procedure._def.meta as Meta).openapi?.path ?? '')
  if (largestId !== undefined) input['id'] = largestId
  for (const name of Object.keys(input)) {
    const kind = allKinds.find(({ idKey }) => idKey === name)?.kind
    if (kind) input[name] = popular[kind]
    if (name === 'itemId') input[name] = largest.titleId
    if (name === 'ids' || name === 'itemIds')
      input[name] = path.startsWith('social') ? manyMembers : manyTitles
  }
  if (properties['limit']?.maximum) input['limit'] = properties['limit'].maximum
  const inputs: Input[] = [input]
  const { itemId: _, ...others } = input
  for (const [name, { enum: values, type, examples, example }] of Object.entries(properties)) {
    if (name in soap) inputs.push({ ...others, [name]: soap[name as keyof typeof soap] })
    else if (name === 'q') inputs.push(...searches.map((q) => ({ ...input, q })))
    else if (name === 'tag') for (const q of searches) inputs.push({ ...input, q, tag: 'drama' })
    else if (values) for (const value of values) inputs.push({ ...input, [name]: value })
    else if (type === 'boolean') inputs.push({ ...input, [name]: true })
    else if (!(name in input) && name !== 'cursor') {
      const value = example ?? examples?.[0]
      if (value !== undefined) inputs.push({ ...input, [name]: value })
    }
  }
  if (path === 'progress.calendar') inputs.push(longest(now))
  // Each search in each order.
  if ('q' in properties && properties['sort']?.enum)
    for (const sort of properties['sort'].enum) for (const q of searches) inputs.push({ ...input, q, sort })
  return inputs
}

/** As many days as a call may ask for. */
function longest(from: Date) {
  const day = plusDays(from.toISOString().slice(0, 10), -30)
  return { from: day, to: plusDays(day, calendarDaysMax) }
}

/** The responses to visitors are kept until the database changes. */
const change = () => sql`update users set seen_on = seen_on where id = 1`.execute(db)

async function read(paths: readonly string[], input: Input | undefined, caller: Caller | null) {
  const inputs = Object.fromEntries(paths.map((_, at) => [at, input ?? {}]))
  const response = await app.inject({
    url: `/trpc/${paths.join()}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`,
    headers: caller ? { authorization: `Bearer ${caller.token}` } : {},
  })
  return response.statusCode
}

test.each(reads)(
  '%s does not hold the process for 50 ms on a large site, alone or in a batch',
  async (path, procedure) => {
    const slow: string[] = []
    const { requiresMember } = procedure._def.meta as Meta
    const role = roleOf(procedure)
    const inputs = await inputsOf(path, procedure)
    for (const caller of callers) {
      if (!caller ? requiresMember : !includesRole(caller.role, role)) continue
      if (caller)
        await db.updateTable('users').set({ role: caller.role }).where('id', '=', caller.id).execute()
      /** Returns how long the calls hold the process. */
      const measure = async (count: number, input: Input | undefined) => {
        const work = async () => {
          await change()
          const paths = Array.from({ length: count }, () => path)
          const status = await read(paths, input, caller)
          // Other inputs can be combinations that a call refuses; visitors may not read everything, and batches are limited in bytes.
          if (input === inputs[0] && caller && count === 1) expect(status).toBe(200)
        }
        const ms = await blockedMs(work)
        if (await isBlockedTooLong(ms, work))
          slow.push(
            `${count} × ${JSON.stringify(input)} as ${caller?.role ?? 'visitor'}: ${ms.toFixed(0)} ms`,
          )
        return ms
      }
      // Admins read what members read in the same way.
      const isLikeMember = caller?.role === 'admin' && role === 'member'
      const alone: { ms: number; input: Input | undefined }[] = []
      for (const input of isLikeMember ? inputs.slice(0, 1) : inputs)
        alone.push({ ms: await measure(1, input), input })
      alone.sort((a, b) => b.ms - a.ms)
      await measure(20, alone[0]!.input)
    }
    expect(slow).toEqual([])
  },
)
