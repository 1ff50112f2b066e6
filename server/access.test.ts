import { randomBytes } from 'node:crypto'
import type { AnyProcedure } from '@trpc/server'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type Caller, prepareCalls } from '#scripts/testing/calls.ts'
import { hashToken } from '#server/accounts/rules.ts'
import { kinds } from '#shared/media.ts'
import { buildApp } from './app.ts'
import { inputOf, restProcedures } from '#server/http/rest.ts'
import { appRouter } from './router.ts'
import { aServer } from './testing.ts'
import type { Meta } from '#server/trpc/procedures.ts'
import { noWeb } from '#server/http/web.ts'

/** Who may do what to whose, asked of every procedure that the router has. */
const server = await aServer({ RATE_LIMITS: 'off' })
const { db } = server
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())
const { calls, newCaller, titles } = await prepareCalls(server)

const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyProcedure>) as [
  path: string,
  procedure: AnyProcedure,
][]
const keysOf = (procedure: AnyProcedure) => Object.keys(inputOf(procedure)?.shape ?? {})
const takesId = ([, procedure]: [string, AnyProcedure]) =>
  keysOf(procedure).some((key) => /[iI]ds?($|[A-Z])/.test(key))
const isOpen = (procedure: AnyProcedure) => (procedure._def.meta as Meta).openapi?.protect === false

/** Calls as somebody, at the door of the web app or at the documented one; answers the status and the body. */
type Door = 'tRPC' | 'REST'
async function ask(door: Door, path: string, procedure: AnyProcedure, input: object, caller: Caller | null) {
  const headers = caller ? { authorization: `Bearer ${caller.token}` } : {}
  const isQuery = procedure._def.type === 'query'
  if (door === 'tRPC') {
    const query = isQuery ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''
    const payload = isQuery ? {} : { payload: input }
    return app.inject({ method: isQuery ? 'GET' : 'POST', url: `/trpc/${path}${query}`, headers, ...payload })
  }
  const { openapi } = procedure._def.meta as Meta & { openapi: NonNullable<Meta['openapi']> }
  const given = { ...input } as Record<string, unknown>
  const url = openapi.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(given[name])
    delete given[name]
    return encodeURIComponent(value)
  })
  const inAddress = openapi.method === 'GET' || openapi.method === 'DELETE'
  return app.inject({
    method: openapi.method,
    url: inAddress ? `${url}?${new URLSearchParams(given as Record<string, string>)}` : url,
    headers,
    ...(inAddress ? {} : { payload: given }),
  })
}

describe('with an id of somebody else’s', () => {
  /**
   * What a stranger is told, where it is not the rule. The rule: what is open, or for members, is so for any member,
   * and what changes something is 403 for all but its owner.
   */
  const toldToStrangers: Record<string, number> = {
    // The id is a title’s or a member’s; what changes is the caller’s own.
    'reviews.save': 200,
    'social.follow': 200,
    'social.unfollow': 200,
    'sources.syncTmdb': 200,
    'sources.syncBookByOlid': 200,
    'sources.syncGame': 200,
    ...Object.fromEntries(
      Object.values(kinds).flatMap(({ favorites: { router } }) => [
        [`${router}.add`, 200],
        [`${router}.remove`, 200],
      ]),
    ),
    // Everybody may say something about a review.
    'reviews.react': 200,
    'reviews.addComment': 200,
    // Who looks at a title hears what anybody can read there: its averages, and that somebody reviewed it.
    'reviews.live': 200,
    // The stranger has none: whose session it is, or whether there is one, is not told.
    'accounts.endSession': 404,
    'reviews.mine': 404,
  }
  /** And a visitor: of the network, which is asked for here, only a member has one. */
  const toldToVisitors: Record<string, number> = { 'reviews.list': 401 }
  const withIds = procedures.filter(takesId)

  /** What is the owner’s, but for what others count of it. */
  async function ownedBy({ id }: Caller) {
    const rows = (table: 'sessions' | 'reviews' | 'comments' | 'reactions' | 'favorites' | 'mail_tokens') =>
      db.selectFrom(table).selectAll().where('user_id', '=', id).execute() as Promise<object[]>
    const uncounted = (row: object) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => !column.endsWith('_count')))
    return {
      user: await db
        .selectFrom('users')
        .select(['username', 'email', 'pending_email', 'password_hash', 'picture', 'verified_at'])
        .where('id', '=', id)
        .execute(),
      follows: await db.selectFrom('follows').selectAll().where('follower_id', '=', id).execute(),
      sessions: await rows('sessions'),
      reviews: (await rows('reviews')).map(uncounted),
      comments: await rows('comments'),
      reactions: await rows('reactions'),
      favorites: await rows('favorites'),
      links: await rows('mail_tokens'),
    }
  }

  test('the table names procedures that there are', () => {
    expect(withIds.map(([path]) => path)).toEqual(expect.arrayContaining(Object.keys(toldToStrangers)))
  })

  test.each(withIds)('%s does for each what it may', async (path, procedure) => {
    const { type } = procedure._def
    // Nobody is asked here for a stream that does not end: that it is for strangers must be said above all the same.
    if (type === 'subscription') return void expect(toldToStrangers).toHaveProperty([path])
    const expected = toldToStrangers[path] ?? (type === 'query' ? 200 : 403)
    for (const door of ['tRPC', 'REST'] as const) {
      const [owner, stranger] = [await newCaller(), await newCaller()]
      for (const { kind, idKey, favorites } of Object.values(kinds))
        await server.as(owner)[favorites.router].add({ [idKey]: titles[kind] } as never)
      const input = (await calls[path]!(owner))!
      const before = await ownedBy(owner)

      const asVisitor = await ask(door, path, procedure, input, null)
      const open = isOpen(procedure) ? success(asVisitor) : 401
      expect(asVisitor.statusCode, `${door}, visitor`).toBe(toldToVisitors[path] ?? open)
      const asStranger = await ask(door, path, procedure, input, stranger)
      const status = expected === 200 ? success(asStranger) : expected
      expect(asStranger.statusCode, `${door}, stranger: ${asStranger.body}`).toBe(status)
      expect(await ownedBy(owner), `${door}: what is the owner’s`).toEqual(before)
      for (const secret of [`${owner.username}@example.org`, owner.token, hashToken(owner.token)])
        expect(asVisitor.body + asStranger.body).not.toContain(secret)

      const asOwner = await ask(door, path, procedure, input, owner)
      expect(asOwner.statusCode, `${door}, owner: ${asOwner.body}`).toBe(success(asOwner))
    }
  })

  /** Success is 201 at the REST door where something was made. */
  function success({ statusCode }: { statusCode: number }): number {
    return statusCode === 201 ? 201 : 200
  }
})

describe('a field that the schema does not name', () => {
  const mutations = restProcedures(appRouter).filter(([, procedure]) => procedure._def.type === 'mutation')
  /** Found nowhere unless it was written there. */
  const marker = `smuggled-${randomBytes(4).toString('hex')}`
  const number = 424_242_424
  const extra = {
    id: number,
    userId: number,
    user_id: number,
    authorId: number,
    createdBy: number,
    created_by: number,
    mediaId: number,
    media_id: number,
    followerId: number,
    role: marker,
    isAdmin: true,
    isDemo: 1,
    is_demo: 1,
    isVerified: true,
    verifiedAt: marker,
    verified_at: marker,
    createdAt: marker,
    created_at: marker,
    updatedAt: marker,
    expiresAt: marker,
    passwordHash: marker,
    password_hash: marker,
    username_folded: marker,
    search_text: marker,
    picture: marker,
    source: marker,
    kind: marker,
    details: marker,
    avg: number,
    ratingSum: number,
    rating_count: number,
    reviewCount: number,
    review_count: number,
    followerCount: number,
    likeCount: number,
    popularity: number,
    text_count: number,
  }
  const tables = [
    'users',
    'sessions',
    'mail_tokens',
    'media',
    'external_ids',
    'reviews',
    'reactions',
    'comments',
    'follows',
    'favorites',
    'uploads',
  ] as const
  let caller: Caller
  beforeEach(async () => {
    caller = await newCaller()
  })

  test.each(mutations)('%s keeps nothing of it', async (path, procedure) => {
    const named = keysOf(procedure)
    const smuggled = Object.fromEntries(Object.entries(extra).filter(([key]) => !named.includes(key)))
    for (const door of ['tRPC', 'REST'] as const) {
      const input = { ...smuggled, ...(await calls[path]!(caller)) }
      const answer = await ask(door, path, procedure, input, caller)
      expect(answer.statusCode, answer.body).toBeLessThan(300)
      expect(answer.body).not.toMatch(new RegExp(`${marker}|${number}`))
      for (const table of tables) {
        const rows = JSON.stringify(await db.selectFrom(table).selectAll().execute())
        expect(rows.includes(marker) || rows.includes(String(number)), table).toBe(false)
      }
      const risen = await db.selectFrom('users').select('id').where('is_demo', '<>', 0).execute()
      expect(risen).toEqual([])
      if (/logout|endSession|resetPassword|updatePassword/i.test(path)) caller = await newCaller()
    }
  })
})
