import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type Caller, prepareCalls } from '#scripts/testing/calls.ts'
import { checkResponses } from '#scripts/testing/conformance.ts'
import { commentsMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { buildApp } from '#server/app.ts'
import { findLastPosition } from '#server/changes/store.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { aMember, aServer, aTitle } from '#server/testing.ts'
import { noWeb } from '#server/http/pages/web.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const { db } = server
const app = await buildApp(server.services, { web: noWeb })
const inject = app.inject.bind(app)
await checkResponses(app)
afterAll(() => app.close())
const { newCaller } = await prepareCalls(server)

type Sent = { method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'; payload?: object; as?: Caller | null }
async function send(
  url: string,
  { method = 'GET', payload, as = me }: Sent = {},
  headers: Record<string, string> = {},
) {
  const authorization = as ? { authorization: `Bearer ${as.token}` } : {}
  return app.inject({ method, url, headers: { ...authorization, ...headers }, ...(payload && { payload }) })
}
let me: Caller
let other: Caller
let movieId: number
beforeEach(async () => {
  ;[me, other, movieId] = [await newCaller(), await newCaller(), await aTitle(db)]
})
const save = async (rating: number, text = 'Good.') =>
  send('/reviews', { method: 'POST', payload: { movieId, rating, text } })

describe('the ETag of a read by a member', () => {
  test.each(['/users/me', '/movies/popular', '/diary', '/reviews/mine/ratings?ids=1'])(
    'of %s gets a 304 until the response changes',
    async (url) => {
      const first = await send(url)
      expect(first.headers).toMatchObject({
        'cache-control': 'no-store',
        etag: expect.stringMatching(/^W\/"[^"]+"$/),
      })
      const again = await send(url, {}, { 'if-none-match': `"other", ${first.headers.etag}` })
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', first.headers.etag])
      expect((await send(url, {}, { 'if-none-match': '"other"' })).body).toBe(first.body)
    },
  )

  test('changes with the response', async () => {
    const url = `/movies/${movieId}`
    const { etag } = (await send(url)).headers
    await save(4)
    const changed = await send(url, {}, { 'if-none-match': etag! })
    expect(changed.statusCode).toBe(200)
    expect(changed.headers.etag).not.toBe(etag)
  })

  test('is on HEAD too, and on no error', async () => {
    const { etag } = (await send('/users/me')).headers
    const head = await send('/users/me', { method: 'HEAD' })
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', etag])
    expect((await send('/movies/999999')).headers.etag).toBeUndefined()
  })

  test('does not keep a long response from being compressed', async () => {
    await save(4, 'long text '.repeat(400))
    const url = `/reviews?movieId=${movieId}`
    const authorization = `Bearer ${me.token}`
    const response = await inject({ url, headers: { authorization, 'accept-encoding': 'br' } })
    expect(response.headers).toMatchObject({
      'content-encoding': 'br',
      vary: expect.stringContaining('Accept-Encoding'),
      etag: (await send(url)).headers.etag,
    })
  })
})

describe('If-Match', () => {
  const edit = (id: number, ifMatch: string, rating = 2) =>
    send(`/reviews/${id}`, { method: 'PATCH', payload: { rating } }, { 'if-match': ifMatch })
  const refused = [412, { code: 'PRECONDITION_FAILED', message: messages.preconditionFailed }]

  test('with the ETag of the review lets the author edit it, and returns the next ETag', async () => {
    const created = await save(4)
    const { id } = created.json().review
    const read = await send(`/reviews/${id}`)
    expect(read.headers.etag).toBe(created.headers.etag)
    const edited = await edit(id, read.headers.etag!)
    expect([edited.statusCode, edited.json().review.rating]).toEqual([200, 2])
    expect(edited.headers.etag).toBe((await send(`/reviews/${id}`)).headers.etag)
    expect((await edit(id, edited.headers.etag!, 5)).statusCode).toBe(200)
  })

  test('with the ETag of an earlier version is 412, and changes nothing', async () => {
    const created = await save(4)
    const { id } = created.json().review
    await edit(id, '*', 3)
    const response = await edit(id, created.headers.etag!)
    expect([response.statusCode, response.json()]).toEqual(refused)
    const removed = await send(`/reviews/${id}`, { method: 'DELETE' }, { 'if-match': created.headers.etag! })
    expect([removed.statusCode, removed.json()]).toEqual(refused)
    expect((await send(`/reviews/${id}`)).json().review.rating).toBe(3)
  })

  test('of two edits of the same version at once lets one succeed', async () => {
    const created = await save(4)
    const { id } = created.json().review
    const edits = await Promise.all([1, 2, 3, 5].map((rating) => edit(id, created.headers.etag!, rating)))
    expect(edits.map(({ statusCode }) => statusCode).sort()).toEqual([200, 412, 412, 412])
  })

  test('with the ETag of an earlier text is 412, even if the time of the change is the same', async () => {
    const created = await save(4)
    const { id } = created.json().review
    await db.updateTable('reviews').set({ text: 'From an import.' }).where('id', '=', id).execute()
    expect((await edit(id, created.headers.etag!)).statusCode).toBe(412)
  })

  test('is not refused because of likes and comments, and accepts the tag of a visitor', async () => {
    const { id } = (await save(4)).json().review
    const visitors = await send(`/reviews/${id}`, { as: null })
    const before = (await send(`/reviews/${id}`)).headers.etag!
    await server.as(other).reviews.react({ id, reaction: 'like' })
    await server.as(other).reviews.addComment({ id, text: 'Indeed.' })
    const after = (await send(`/reviews/${id}`)).headers.etag!
    expect(after).not.toBe(before)
    expect((await send(`/reviews/${id}`, {}, { 'if-none-match': before })).statusCode).toBe(200)
    for (const tag of [before, visitors.headers.etag!, `"x", ${before}`, before.slice(2)]) {
      const created = await edit(id, tag, 4)
      expect([tag, created.statusCode]).toEqual([tag, 200])
    }
  })

  test.each(['""', '"', 'W/', 'x', '"x"', 'W/"."', ',,,', `"${'a'.repeat(8_000)}`, '\xe4'])(
    'with the value %j is 412',
    async (value) => {
      const { id } = (await save(4)).json().review
      expect((await edit(id, value)).statusCode).toBe(412)
    },
  )

  test('does not reveal the review of another member', async () => {
    const { id } = await server
      .as(other)
      .reviews.save({ movieId, rating: 4 })
      .then(({ review }) => review)
    expect((await edit(id, '"x"')).statusCode).toBe(403)
    expect((await edit(999_999, '"x"')).statusCode).toBe(404)
  })
})

test('a 201 has the path of what was created as Location', async () => {
  const review = await save(4)
  expect(review.headers.location).toBe(`/reviews/${review.json().review.id}`)
  expect((await send(review.headers.location!)).json()).toEqual(review.json())
  const entry = await send('/diary', { method: 'POST', payload: { movieId, status: 'want' } })
  expect(entry.headers.location).toBe(`/diary/${entry.json().entry.id}`)
  expect((await send(entry.headers.location!, { method: 'DELETE' })).statusCode).toBe(200)
  const movie = await send('/movies', { method: 'POST', payload: { name: 'Mine' } })
  expect((await send(movie.headers.location!)).json().movie.id).toBe(movie.json().movie.id)
  const token = await send('/users/me/tokens', { method: 'POST', payload: { name: 'x', scopes: ['read'] } })
  expect((await send(token.headers.location!, { method: 'DELETE' })).statusCode).toBe(200)
  // A favorite has no path of its own.
  const favorite = await send('/favorite-movies', { method: 'POST', payload: { movieId } })
  expect([favorite.statusCode, favorite.headers.location]).toEqual([201, undefined])
})

describe('a list with pages', () => {
  /** Reads a list by its `Link` headers. Returns the ids, and the pages as numbers of entries. */
  async function follow(first: string, key: string, as: Caller | null = me) {
    const pages: number[] = []
    const ids: number[] = []
    for (let url: string | undefined = first; url !== undefined;) {
      const response = await send(url, { as })
      expect(response.statusCode, response.body).toBe(200)
      const { [key]: entries, nextCursor } = response.json()
      pages.push(entries.length)
      ids.push(...entries.map(({ id }: { id: number }) => id))
      const link = response.headers.link as string | undefined
      url = /^<(\/[^>]+)>; rel="next"$/.exec(link ?? '')?.[1]
      expect((url && new URL(url, 'http://x').searchParams.get('cursor')) ?? null).toBe(nextCursor)
    }
    return { pages, ids }
  }

  test('is read to its end by following Link, with the same filters', async () => {
    const titles = await Promise.all([1, 2, 3, 4, 5].map(() => aTitle(db, 'game')))
    for (const [at, bookOrGame] of titles.entries()) {
      await send('/favorite-games', { method: 'POST', payload: { gameId: bookOrGame } })
      const person = await aMember(db)
      await server.as(person).social.follow({ userIdToFollow: me.id })
      await server.as(me).social.follow({ userIdToFollow: person.id })
      await server.as(person).reviews.save({ movieId, rating: 1 + at, text: `Number ${at}` })
      await server.as(me).diary.create({ gameId: bookOrGame, status: 'want' })
    }
    for (const as of [me, null]) {
      for (const [url, key] of [
        [`/reviews?movieId=${movieId}&limit=2&sortBy=rating`, 'reviews'],
        [`/items/${movieId}/reviews?limit=2&order=asc`, 'reviews'],
        [`/users/${me.id}/followers?limit=2`, 'users'],
        [`/favorite-games/${me.id}?limit=2`, 'favoriteGames'],
        [`/users/${me.id}/favorite-games?limit=2`, 'favoriteGames'],
      ] as const) {
        const { pages, ids } = await follow(url, key, as)
        expect([url, pages, new Set(ids).size]).toEqual([url, [2, 2, 1], 5])
      }
    }
    expect((await follow('/diary?status=want&limit=3', 'entries')).pages).toEqual([3, 2])
    const { ids } = await follow('/items?category=Game&limit=2&sort=rating', 'items')
    expect(ids).toEqual(expect.arrayContaining(titles))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('of changes is followed from the given cursor to the last change', async () => {
    // On Postgres, a cursor is before all changes that are newer than the oldest running transaction: here, the follow of a new caller.
    const { xid } = await db
      .selectFrom('changes')
      .select(({ fn }) => fn.max('xid').as('xid'))
      .executeTakeFirstOrThrow()
    await expect.poll(async () => isSqlite(db) || (await findLastPosition(db)).xid > xid).toBe(true)
    const { nextCursor } = (await send('/users/me/changes')).json()
    for (const rating of [1, 2, 3, 4, 5]) await save(rating)
    // On Postgres, once no earlier transaction runs.
    const changed = async () => (await send(`/users/me/changes?since=${nextCursor}`)).json().changes
    await expect.poll(changed, { timeout: 30_000 }).toHaveLength(5)
    let url: string | undefined = `/users/me/changes?limit=2&since=${nextCursor}`
    const places: string[] = []
    while (url !== undefined) {
      const { headers, body } = await send(url)
      const { changes, ...end } = JSON.parse(body)
      places.push(...changes.map(({ action }: { action: string }) => action))
      const link = headers.link as string | undefined
      expect(link === undefined).toBe(!end.hasMore)
      if (link) expect(link).toBe(`</users/me/changes?limit=2&since=${end.nextCursor}>; rel="next"`)
      url = link && link.slice(1, link.indexOf('>'))
    }
    expect(places).toEqual(['created', 'updated', 'updated', 'updated', 'updated'])
    expect((await send('/users/me/changes')).headers.link).toBeUndefined()
  })

  test('has the same pages by number and by cursor', async () => {
    for (let at = 0; at < 3; at++) await aTitle(db)
    const first = (await send('/items?limit=1')).json()
    const [byNumber, byCursor] = [
      await send('/items?limit=1&page=2'),
      await send(`/items?cursor=${first.nextCursor}`),
    ]
    expect(byCursor.json()).toEqual(byNumber.json())
    expect(byCursor.json().pagination).toMatchObject({ page: 2, pageSize: 1 })
  })

  test.each([
    'x',
    'WzFd',
    Buffer.from('["items title",0,1]').toString('base64url'),
    Buffer.from('["items title",1,101]').toString('base64url'),
  ])('refuses the cursor %s', async (cursor) => {
    const response = await send(`/items?cursor=${cursor}`)
    expect([response.statusCode, response.json().message]).toEqual([400, messages.cursorInvalid])
  })

  test('refuses the cursor of another list or order', async () => {
    for (let at = 0; at < 3; at++) await aTitle(db)
    const { nextCursor } = (await send('/items?limit=1')).json()
    const others = [`/users/${me.id}/followers?`, `/reviews?movieId=${movieId}&`, `/favorite-games/${me.id}?`]
    for (const url of ['/items?sort=rating&', '/diary?', ...others])
      expect((await send(`${url}cursor=${nextCursor}`)).statusCode).toBe(400)
  })

  test('of comments is read to the first comment', async () => {
    const { id } = (await save(4)).json().review
    for (let at = 0; at < commentsMax + 2; at++)
      await server.as(other).reviews.addComment({ id, text: `Number ${at}` })
    const { pages, ids } = await follow(`/reviews/${id}/comments`, 'comments')
    expect([pages, new Set(ids).size]).toEqual([[commentsMax, 2], commentsMax + 2])
    const { comments, nextCursor } = (await send(`/reviews/${id}/comments`)).json()
    await server.as(other).reviews.removeComment({ id: comments[0].id })
    const rest = await send(`/reviews/${id}/comments?cursor=${nextCursor}`)
    expect(rest.json().comments.map((one: { id: number }) => one.id)).toEqual(ids.slice(commentsMax))
  })

  test('does not repeat unknown parameters, since visitors share the response', async () => {
    for (let at = 0; at < 3; at++) await aTitle(db)
    const url = `/items?limit=1&category=Movie`
    await send(`${url}&evil=%3E%2Cx&access_token=secret`, { as: null })
    const { headers } = await send(url, { as: null })
    expect(headers.link).toMatch(/^<\/items\?limit=1&category=Movie&cursor=[\w-]+>; rel="next"$/)
  })
})
