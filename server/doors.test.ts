import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { type Kind, kinds } from '#shared/media.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { hashToken } from '#server/accounts/rules.ts'
import { insertMailToken } from '#server/accounts/store.ts'
import { loadStarter } from '#server/catalogue/starter/load.ts'
import { buildApp } from './app.ts'
import { restProcedures } from './rest.ts'
import { appRouter } from './router.ts'
import { aMember, aServer, aTitle } from './testing.ts'
import type { Meta } from './trpc.ts'
import { noWeb } from './web.ts'

/** Every call of the contract, at both doors: the same input gives the same answer. Runs on both databases. */
const server = await aServer({ RATE_LIMITS: 'off' })
const { db } = server
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())

await loadStarter(db, new Date())
const password = 'six-or-more'
const passwordHash = await hashPassword(password)
const friend = await aMember(db)
const titles = {} as Record<Kind, number>
for (const { kind, idKey } of Object.values(kinds)) {
  titles[kind] = await aTitle(db, kind)
  const call = server.as(friend)
  await call.reviews.save({ [idKey]: titles[kind], rating: 4, text: `About a ${kind}.` } as never)
  await call[kinds[kind].favorites.router].add({ [idKey]: titles[kind] } as never)
}

type Caller = { id: number; username: string; token: string }
type Given = object | undefined
type Prepare = (caller: Caller) => Given | Promise<Given>

const newToken = () => randomBytes(32).toString('base64url')

async function newCaller(): Promise<Caller> {
  const { id, username } = await aMember(db)
  await db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', id).execute()
  const token = newToken()
  const now = new Date().toISOString()
  await db
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      user_id: id,
      created_at: now,
      last_used_at: now,
      expires_at: new Date(Date.now() + 1e8).toISOString(),
      user_agent: null,
    })
    .execute()
  await server.as({ id, username }).social.follow({ userIdToFollow: friend.id })
  return { id, username, token }
}

async function mailedToken({ id }: Caller, purpose: 'verify' | 'reset'): Promise<string> {
  const token = newToken()
  await insertMailToken(db, {
    tokenHash: hashToken(token),
    userId: id,
    purpose,
    expiresAt: new Date(Date.now() + 1e6),
  })
  return token
}

const ownReview = async (caller: Caller) =>
  (await server.as(caller).reviews.save({ movieId: titles.movie, rating: 2, text: 'My own.' })).review
const friendsReview = async () => (await server.as(friend).reviews.mine({ movieId: titles.movie })).review
const emailOf = ({ username }: Caller) => `${username}@example.org`
let names = 0

const calls: Record<string, Prepare> = {
  'accounts.register': () => ({ username: `new.one${++names}`, email: `new${names}@example.org`, password }),
  'accounts.login': (caller) => ({ email: emailOf(caller), password }),
  'accounts.logout': () => undefined,
  'accounts.verifyEmail': async (caller) => ({ token: await mailedToken(caller, 'verify') }),
  'accounts.resendVerification': (caller) => ({ email: emailOf(caller) }),
  'accounts.forgotPassword': (caller) => ({ email: emailOf(caller) }),
  'accounts.resetPassword': async (caller) => ({
    token: await mailedToken(caller, 'reset'),
    newPassword: 'another-one',
  }),
  'accounts.me': () => undefined,
  'accounts.updateProfile': () => ({ username: `renamed${++names}` }),
  'accounts.updatePassword': () => ({ currentPassword: password, newPassword: 'another-one' }),
  'accounts.profile': () => ({ id: friend.id }),
  'accounts.listSessions': () => undefined,
  'accounts.endSession': async (caller) => {
    const { sessions } = await server
      .as({ ...caller, sessionHash: hashToken(caller.token) } as never)
      .accounts.listSessions()
    return { id: sessions[0]!.id }
  },
  'movies.existsByTmdb': () => ({ tmdbIds: '603,1' }),
  'tvShows.existsByTmdb': () => ({ tmdbIds: '1396' }),
  'books.existsByIsbn': () => ({ isbn13s: '9780261103573' }),
  'books.existsByOlid': () => ({ olids: 'OL27448W' }),
  'games.existsByIgdb': () => ({ igdbIds: '72' }),
  'movies.create': () => ({ name: 'Of my own', description: 'Made here.' }),
  'movies.search': () => ({ q: 'matr' }),
  'items.list': () => ({ limit: 3, category: 'book' }),
  'items.search': () => ({ q: 'star' }),
  'items.byId': () => ({ id: titles.game }),
  'sources.searchTmdb': () => ({ q: 'matrix' }),
  'sources.searchBooks': () => ({ q: 'dune' }),
  'sources.searchGames': () => ({ q: 'portal' }),
  'sources.syncTmdb': () => ({ tmdbId: 603, mediaType: 'movie' }),
  'sources.syncBookByIsbn': () => ({ isbn13: '978-0-7432-7356-5' }),
  'sources.syncBookByOlid': () => ({ olid: 'OL27448W' }),
  'sources.syncGame': () => ({ igdbId: 72 }),
  'reviews.list': () => ({ movieId: titles.movie, scope: 'network', sortBy: 'rating', order: 'asc' }),
  'reviews.ofItem': () => ({ id: titles.book }),
  'reviews.mine': async (caller) => ({ movieId: (await ownReview(caller)).itemId }),
  'reviews.save': () => ({ gameId: titles.game, rating: 5 }),
  'reviews.edit': async (caller) => ({ id: (await ownReview(caller)).id, rating: 3 }),
  'reviews.remove': async (caller) => ({ id: (await ownReview(caller)).id }),
  'reviews.react': async () => ({ id: (await friendsReview()).id, reaction: 'like' }),
  'reviews.comments': async () => ({ id: (await friendsReview()).id }),
  'reviews.addComment': async (caller) => ({ id: (await ownReview(caller)).id, text: 'And another thing.' }),
  'reviews.removeComment': async (caller) => {
    const { comment } = await server
      .as(caller)
      .reviews.addComment({ id: (await ownReview(caller)).id, text: 'No.' })
    return { id: comment.id }
  },
  'social.follow': () => ({ userIdToFollow: friend.id }),
  'social.unfollow': () => ({ userIdToUnfollow: friend.id }),
  'social.followStatus': () => ({ id: friend.id }),
  'social.followers': (caller) => ({ id: caller.id }),
  'social.following': (caller) => ({ id: caller.id }),
  'social.searchUsers': () => ({ q: friend.username }),
}
for (const { kind, router, favorites, idKey } of Object.values(kinds)) {
  const ofTitle = () => ({ id: titles[kind] })
  Object.assign(calls, {
    [`${router}.popular`]: () => ({ days: 30, limit: 2 }),
    [`${router}.byId`]: ofTitle,
    [`${router}.overallRating`]: ofTitle,
    [`${router}.ratingHistogram`]: ofTitle,
    [`${router}.networkRating`]: ofTitle,
    [`${router}.networkHistogram`]: ofTitle,
    [`${router}.networkRaters`]: ofTitle,
    [`${router}.forYou`]: () => ({ limit: 3 }),
    [`${favorites.router}.list`]: () => ({ userId: friend.id }),
    [`${favorites.router}.network`]: () => ({}),
    [`${favorites.router}.isFavorite`]: ofTitle,
    [`${favorites.router}.add`]: () => ({ [idKey]: titles[kind] }),
    [`${favorites.router}.remove`]: ofTitle,
  } satisfies Record<string, Prepare>)
}

test('every procedure with a REST path is called below', () => {
  expect(Object.keys(calls).sort()).toEqual(
    restProcedures(appRouter)
      .map(([path]) => path)
      .sort(),
  )
})

/** What differs between two members and two moments is left out of the comparison. */
const varying =
  /^(id|userId|email|username|token|.*At|imageUrl|userAgent|followersCount|total|commentCount|likeCount)$/
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, varying.test(key) ? typeof inner : comparable(inner)]),
  )
}

test.each(restProcedures(appRouter))('%s answers the same at both doors', async (path, procedure) => {
  const {
    openapi,
    status = 200,
    otherStatus,
  } = procedure._def.meta as Meta & { openapi: NonNullable<Meta['openapi']> }
  const isQuery = procedure._def.type === 'query'
  const prepare = calls[path]!

  const first = await newCaller()
  const given = (await prepare(first)) as Record<string, unknown> | undefined
  const used = new Set<string>()
  const address = openapi.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    used.add(name)
    return encodeURIComponent(String(given![name]))
  })
  const rest = Object.fromEntries(Object.entries(given ?? {}).filter(([name]) => !used.has(name)))
  const inAddress = openapi.method === 'GET' || openapi.method === 'DELETE'
  const atRest = await app.inject({
    method: openapi.method,
    url: inAddress ? `${address}?${new URLSearchParams(rest as Record<string, string>)}` : address,
    headers: { authorization: `Bearer ${first.token}` },
    ...(inAddress ? {} : { payload: rest }),
  })
  expect([status, otherStatus?.status]).toContain(atRest.statusCode)

  const second = await newCaller()
  const input = await prepare(second)
  const atTrpc = await app.inject({
    method: isQuery ? 'GET' : 'POST',
    url: `/trpc/${path}${isQuery && input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''}`,
    headers: { authorization: `Bearer ${second.token}` },
    ...(isQuery ? {} : { payload: (input ?? {}) as object }),
  })
  expect(atTrpc.statusCode, atTrpc.body).toBe(200)
  expect(comparable(atTrpc.json().result.data)).toEqual(comparable(atRest.json()))
})

test.each(restProcedures(appRouter))(
  '%s is closed at both doors to a visitor where it needs a member',
  async (path, procedure) => {
    const { openapi } = procedure._def.meta as { openapi: NonNullable<Meta['openapi']> }
    if (openapi.protect === false) return
    const method = procedure._def.type === 'query' ? 'GET' : 'POST'
    const atTrpc = await app.inject({
      method,
      url: `/trpc/${path}`,
      ...(method === 'POST' ? { payload: {} } : {}),
    })
    const atRest = await app.inject({ method: openapi.method, url: openapi.path.replace(/\{\w+\}/g, '1') })
    expect([atTrpc.statusCode, atRest.statusCode]).toEqual([401, 401])
  },
)
