import { setImmediate } from 'node:timers/promises'
import type { AnyProcedure } from '@trpc/server'
import { afterAll, afterEach, describe, expect, inject, test, vi } from 'vitest'
import { buildApp } from '#server/app.ts'
import type { Config } from '#server/config.ts'
import { setPassword } from '#server/accounts/credentials-store.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { hashToken } from '#server/accounts/rules.ts'
import type { Meta } from '#server/calls/procedures.ts'
import { appRouter } from '#server/router.ts'
import { requestTo } from '#scripts/testing/request.ts'
import { aMember, aPageCookie, aServer, aSignedInMember, aTitle } from '#server/testing.ts'
import { builtWeb, noWeb, type Web } from './web.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const { db } = server
const browser = { accept: 'text/html,*/*;q=0.8' }
const closers: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closers.splice(0).map((close) => close())))

/** Builds an app whose pages say for whom and where they are rendered. */
async function anApp(web: Partial<Web> = {}, config: Partial<Config> = {}) {
  const page: Web['page'] = async (_url, { procedures, readerLocale }) => {
    const { member } = await procedures.createContext()
    return {
      status: 200,
      html: `for ${member?.username ?? 'a visitor'} ${JSON.stringify(readerLocale ?? null)}`,
    }
  }
  const shell = async () => ({ status: 200, html: 'the app shell' })
  const app = await buildApp(
    { ...server.services, config: { ...server.config, ...config } },
    { web: { ...noWeb, renderTimeoutMs: 60_000, page, shell, ...web } },
  )
  if (Object.keys({ ...web, ...config }).length > 0) closers.push(() => app.close())
  const get = (url: string, headers: Record<string, string> = {}) =>
    app.inject({ url, headers: { ...browser, ...headers } })
  const reader = async (headers: Record<string, string>, url = '/diary') =>
    (await get(url, headers)).body.split(' {')[0]!.replace(/ null$/, '')
  const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url, payload, headers })
  return { app, get, reader, post }
}

const password = 'six-or-more'
async function aLogin(app: Awaited<ReturnType<typeof anApp>>, headers: Record<string, string> = {}) {
  const { id } = await aMember(db)
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await setPassword(db, id, await hashPassword(password), new Date())
  const logIn = () => app.post('/auth/login', { email, password }, headers)
  const response = await logIn()
  expect(response.statusCode).toBe(200)
  return { id, email, logIn, token: response.json<{ token: string }>().token, ...cookieOf(response) }
}

function cookieOf({ headers }: { headers: Record<string, unknown> }) {
  const set = String(headers['set-cookie'])
  const [, cookie, key] = /^(\S+?=([^;]*));/.exec(set) ?? []
  return { set, cookie: cookie!, key: key! }
}

const app = await anApp()
afterAll(() => app.app.close())

const visitor = 'for a visitor'

describe('the cookie of a session', () => {
  test('is set by a login, has a value of its own, and is stored hashed', async () => {
    const { id, token, set, key } = await aLogin(app)
    expect(set).toMatch(/^medley-pages=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
    expect(key).not.toBe(token)
    const rows = await db.selectFrom('sessions').selectAll().where('user_id', '=', id).execute()
    expect(rows).toMatchObject([{ token_hash: hashToken(token), page_hash: hashToken(key) }])
    expect(JSON.stringify(rows)).not.toContain(key)
  })

  test('is sent over https only, if the site is, under a name that no other host can set', async () => {
    const app = await anApp({}, { publicUrl: 'https://medley.example' })
    const { set, cookie } = await aLogin(app)
    expect(set).toMatch(
      /^__Host-medley-pages=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=\d+$/,
    )
    expect(await app.reader({ cookie })).toMatch(/^for member/)
    expect(await app.reader({ cookie: cookie.replace('__Host-', '') })).toBe(visitor)
  })

  test('opens the pages of its member, which nothing stores', async () => {
    const { cookie } = await aLogin(app)
    for (const url of ['/', '/diary', '/movies/popular', '/nowhere']) {
      const { body, headers } = await app.get(url, { cookie })
      expect(body, url).toMatch(/^for member/)
      expect(headers['cache-control'], url).toBe('private, no-store')
      expect(headers.etag, url).toBeUndefined()
      expect(headers.vary, url).toMatch(/, Cookie$/)
      const shared = await app.get(url)
      expect(shared.body, url).toBe(`${visitor} null`)
      expect(shared.headers['cache-control'], url).toBe('public, no-cache')
      expect(shared.headers.vary, url).toMatch(/, Cookie$/)
    }
  })

  test('opens no call, stream, file or feed', async () => {
    const { id, cookie } = await aLogin(app)
    await aTitle(db)
    const json = { accept: 'application/json', cookie }
    for (const url of [
      '/users/me',
      '/trpc/accounts.me',
      '/export?format=json',
      '/notifications/live',
      '/users/me/sessions',
      '/audit.csv',
    ])
      expect([401, 404], url).toContain((await app.app.inject({ url, headers: json })).statusCode)
    for (const [method, url] of [
      ['POST', '/upload'],
      ['POST', '/imports'],
      ['POST', '/auth/logout'],
      ['POST', '/trpc/accounts.openPages'],
      ['DELETE', '/users/me'],
    ] as const) {
      const { statusCode, headers } = await app.app.inject({ method, url, headers: json, payload: {} })
      expect(statusCode, url).toBeGreaterThanOrEqual(400)
      expect(headers['set-cookie'], url).toBeUndefined()
    }
    for (const url of [
      `/users/${id}/profile`,
      `/users/${id}/reviews.atom`,
      '/sitemap.xml',
      '/movies/popular',
    ]) {
      const [withCookie, without] = await Promise.all(
        [json, { accept: json.accept }].map((headers) => app.app.inject({ url, headers })),
      )
      expect(withCookie!.body, url).toBe(without!.body)
      expect(withCookie!.headers['cache-control'], url).toBe(without!.headers['cache-control'])
    }
  })

  test('makes no call for its member: every call of members asks for the token, over both transports', async () => {
    const { cookie } = await aLogin(app)
    const request = requestTo(app.app)
    const procedures = appRouter._def.procedures as unknown as Record<string, AnyProcedure>
    const ofMembers = Object.entries(procedures).filter(([, procedure]) => {
      const { requiresMember } = procedure._def.meta as Meta
      return requiresMember && (procedure._def.type as string) !== 'subscription'
    })
    expect(ofMembers.length).toBeGreaterThan(150)
    for (const [path, procedure] of ofMembers)
      for (const transport of (procedure._def.meta as Meta).openapi
        ? (['tRPC', 'REST'] as const)
        : (['tRPC'] as const)) {
        const { statusCode, headers } = await request(transport, path, procedure, {}, null, { cookie })
        expect(statusCode, `${path} over ${transport}`).toBe(401)
        expect(headers['set-cookie'], path).toBeUndefined()
      }
  })

  test('opens documents only: nothing that a script fetches, a frame, or a client that does not name HTML', async () => {
    const { cookie } = await aLogin(app)
    expect(await app.reader({ cookie, 'sec-fetch-dest': 'document' })).toMatch(/^for member/)
    for (const destination of ['empty', 'iframe', 'image', 'script', 'embed'])
      expect(await app.reader({ cookie, 'sec-fetch-dest': destination })).toBe(visitor)
    expect(await app.reader({ cookie, accept: '*/*' }, '/')).not.toMatch(/^for member/)
  })

  test('writes nothing: a page refuses changes and calls with secrets, and is no use of the session', async () => {
    const outcomes: unknown[] = []
    const page: Web['page'] = async (_url, { procedures: { router, createContext } }) => {
      const call = router.createCaller(await createContext())
      for (const act of [
        () => call.accounts.logout(),
        () => call.accounts.updateProfile({ bio: 'changed' }),
        () => call.accounts.openPages(),
        () => call.accounts.challenge(),
        () => call.accounts.me(),
      ])
        outcomes.push(
          await act().then(
            () => 'done',
            ({ code }: { code: string }) => code,
          ),
        )
      return { status: 200, html: 'the page' }
    }
    const app = await anApp({ page })
    const { id, cookie } = await aLogin(app)
    const rows = async () => [
      await db.selectFrom('sessions').selectAll().where('user_id', '=', id).execute(),
      await db.selectFrom('users').selectAll().where('id', '=', id).execute(),
    ]
    await db
      .updateTable('sessions')
      .set({ last_used_at: '2026-01-01T00:00:00.000Z' })
      .where('user_id', '=', id)
      .execute()
    const before = await rows()
    await app.get('/diary', { cookie })
    expect(outcomes).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'done'])
    expect(await rows()).toEqual(before)
  })

  test('cannot be fixed: a login has a new value, and several values or made-up ones open nothing', async () => {
    const planted = `medley-pages=${'a'.repeat(43)}`
    const { cookie, logIn } = await aLogin(app, { cookie: planted })
    expect(cookie).not.toBe(planted)
    for (const value of [
      planted,
      `${planted}; ${cookie}`,
      `${cookie}; ${planted}`,
      `${cookie}x`,
      'medley-pages=',
    ])
      expect(await app.reader({ cookie: value }), value).toBe(visitor)
    const again = cookieOf(await logIn())
    expect(again.cookie).not.toBe(cookie)
    // Both sessions go on.
    for (const value of [cookie, again.cookie])
      expect(await app.reader({ cookie: value })).toMatch(/^for member/)
  })

  test('follows the last login of a browser: an account’s pages never show another one', async () => {
    const one = await aLogin(app)
    const other = await aLogin(app, { cookie: one.cookie })
    const name = async ({ id }: { id: number }) =>
      (await db.selectFrom('users').select('username').where('id', '=', id).executeTakeFirstOrThrow())
        .username
    expect(await app.reader({ cookie: other.cookie })).toBe(`for ${await name(other)}`)
    expect(await app.reader({ cookie: one.cookie })).toBe(`for ${await name(one)}`)
  })

  test('is renewed by one call with the token, and removed by one without', async () => {
    const { token, cookie } = await aLogin(app)
    const bearer = { authorization: `Bearer ${token}` }
    const renewed = cookieOf(await app.post('/trpc/accounts.openPages', {}, bearer))
    expect(await app.reader({ cookie })).toBe(visitor)
    expect(await app.reader(renewed)).toMatch(/^for member/)
    const { set } = cookieOf(await app.post('/trpc/accounts.closePages', {}))
    expect(set).toBe('medley-pages=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
  })

  test('is given to a session of an earlier version, which has none', async () => {
    const member = await aSignedInMember(db)
    const bearer = { authorization: `Bearer ${member.token}` }
    expect((await app.app.inject({ url: '/users/me', headers: bearer })).statusCode).toBe(200)
    const { cookie } = cookieOf(await app.post('/trpc/accounts.openPages', {}, bearer))
    expect(await app.reader({ cookie })).toBe(`for ${member.username}`)
  })
})

describe('a cookie opens no page any more', () => {
  type Ending = (login: Awaited<ReturnType<typeof aLogin>>) => unknown
  const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` })
  const endings: Record<string, Ending> = {
    'after a logout here': async (login) => {
      const { set } = cookieOf(await app.post('/auth/logout', {}, bearer(login)))
      expect(set).toMatch(/^medley-pages=; .*Max-Age=0$/)
    },
    'after its session was ended elsewhere': async (login) => {
      const other = (await login.logIn()).json<{ token: string }>()
      const { sessions } = (
        await app.app.inject({ url: '/users/me/sessions', headers: bearer(other) })
      ).json<{ sessions: { id: string; isCurrent: boolean }[] }>()
      const { id } = sessions.find(({ isCurrent }) => !isCurrent)!
      await app.app.inject({ method: 'DELETE', url: `/users/me/sessions/${id}`, headers: bearer(other) })
    },
    'after a new password elsewhere': async (login) => {
      const other = (await login.logIn()).json<{ token: string }>()
      await app.app.inject({
        method: 'PUT',
        url: '/users/password',
        headers: bearer(other),
        payload: { currentPassword: password, newPassword: 'another-password' },
      })
    },
    'after a new password here, which gives the browser another one': async (login) => {
      const response = await app.app.inject({
        method: 'PUT',
        url: '/users/password',
        headers: bearer(login),
        payload: { currentPassword: password, newPassword: 'another-password' },
      })
      expect(await app.reader(cookieOf(response))).toMatch(/^for member/)
    },
    'after a moderator ended all sessions of its member': async ({ id }) => {
      const moderator = { ...(await aSignedInMember(db)), role: 'moderator' as const }
      await db.updateTable('users').set({ role: 'moderator' }).where('id', '=', moderator.id).execute()
      await server.as(moderator).admin.logOut({ id, reason: 'Somebody else has the device.' })
    },
    'while its member is suspended': ({ id }) =>
      db.updateTable('users').set({ standing: 'suspended' }).where('id', '=', id).execute(),
    'once its session has expired': ({ id }) =>
      db
        .updateTable('sessions')
        .set({ expires_at: new Date().toISOString() })
        .where('user_id', '=', id)
        .execute(),
    'once its account is deleted': ({ id }) => db.deleteFrom('users').where('id', '=', id).execute(),
  }
  test.each(Object.entries(endings))('%s', async (_name, end) => {
    const login = await aLogin(app)
    expect(await app.reader({ cookie: login.cookie })).toMatch(/^for member/)
    await end(login)
    expect(await app.reader({ cookie: login.cookie })).toBe(visitor)
  })
})

test('a member’s page says where it is read: the stored languages and time zone, or the languages of the request', async () => {
  const { cookie } = await aLogin(app)
  const place = async (stored: string | undefined, accepted = '') => {
    const placed = stored === undefined ? cookie : `${cookie}; place=${encodeURIComponent(stored)}`
    const { body } = await app.get('/diary', { cookie: placed, 'accept-language': accepted })
    return JSON.parse(body.slice(body.indexOf('{'))) as object
  }
  expect(await place('de-DE,en|Europe/Berlin')).toEqual({
    languages: ['de-DE', 'en'],
    timeZone: 'Europe/Berlin',
  })
  expect(await place(undefined, 'fr-CH, fr;q=0.9, *;q=0.5')).toEqual({
    languages: ['fr-CH', 'fr'],
    timeZone: 'UTC',
  })
  for (const wrong of ['', '|', '<script>|Mars/Base', 'x'.repeat(2_000), '%', 'en_US@posix|../etc'])
    expect(await place(wrong), wrong).toEqual({ languages: [], timeZone: 'UTC' })
  expect(await place('a,b,c|UTC', 'de')).toEqual({ languages: [], timeZone: 'UTC' })
  expect(await place(`${'x,'.repeat(20)}de|UTC`)).toEqual({ languages: [], timeZone: 'UTC' })
})

test('a session that loads many pages gets the app shell, and the others get pages', async () => {
  const app = await anApp({}, { hasRateLimits: true })
  const [one, other] = await Promise.all(
    [1, 2].map(async () => aPageCookie(db, (await aSignedInMember(db)).token)),
  )
  for (let count = 0; count < 120; count++) expect(await app.reader(one!)).toMatch(/^for member/)
  const beyond = await app.get('/diary', one)
  expect([beyond.body, beyond.headers['cache-control']]).toEqual(['the app shell', 'private, no-store'])
  expect(await app.reader(other!)).toMatch(/^for member/)
})

// With Postgres, only the database knows when the last request waits.
test.skipIf(inject('postgresUrl'))(
  'two pages of members are rendered at the same time, and sessions take turns',
  async () => {
    const gate = Promise.withResolvers<void>()
    /** Of the event loop: requests that a test injects go on within one, before queries that pause. */
    const turns = async (count: number) => {
      for (let turn = 0; turn < count; turn++) await setImmediate()
    }
    let running = 0
    let most = 0
    const order: string[] = []
    const page: Web['page'] = async (_url, { procedures }) => {
      most = Math.max(most, ++running)
      await gate.promise
      await turns(20)
      running--
      order.push((await procedures.createContext()).member!.username)
      return { status: 200, html: '' }
    }
    const app = await anApp({ page })
    const [busy, calm] = await Promise.all([aSignedInMember(db), aSignedInMember(db)])
    const [busyCookie, calmCookie] = await Promise.all(
      [busy, calm].map(({ token }) => aPageCookie(db, token)),
    )
    const many = Array.from({ length: 20 }, () => app.get('/diary', busyCookie))
    await vi.waitFor(() => expect(running).toBe(2))
    const few = app.get('/diary', calmCookie)
    // All wait for their turns.
    await turns(300)
    gate.resolve()
    await Promise.all([...many, few])
    expect(most).toBe(2)
    expect(order.slice(0, 5)).toContain(calm.username)
  },
)

test('visitors and members who open all pages at the same time see nothing of each other', async () => {
  const web = { ...(await builtWeb()), renderTimeoutMs: 60_000 }
  const app = await anApp(web)
  const members = await Promise.all([1, 2].map(() => aSignedInMember(db)))
  const cookies = await Promise.all(members.map(({ token }) => aPageCookie(db, token)))
  const movie = await aTitle(db)
  const urls = [
    ['/', `/movies/${movie}`, '/search', '/lists', '/for-you', '/items', '/diary', '/favorites', '/settings'],
    ['/notifications', '/imports', '/create-item', '/create-item/movies', '/admin'],
    ...members.map(({ id }) => ['', '/reviews', '/followers', '/diary'].map((part) => `/user/${id}${part}`)),
  ].flat()
  const requests = urls.flatMap((url) =>
    [undefined, 0, 1].map(async (at) => {
      const { statusCode, body, headers } = await app.get(url, at === undefined ? {} : cookies[at])
      const what = `${url} for ${at === undefined ? 'a visitor' : members[at]!.username}`
      expect(statusCode, what).toBe(200)
      expect(headers['cache-control'], what).toBe(at === undefined ? 'public, no-cache' : 'private, no-store')
      const owner = /data-member="(\d+)"/.exec(body)?.[1]
      expect(owner, what).toBe(at === undefined ? undefined : String(members[at]!.id))
      for (const [index, { username, id }] of members.entries())
        if (index !== at && !url.startsWith(`/user/${id}`)) expect(body, what).not.toContain(username)
      if (at !== undefined) expect(body, what).toContain(members[at]!.username)
    }),
  )
  await Promise.all(requests)
})
