import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { AnyProcedure } from '@trpc/server'
import { sql } from 'kysely'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { type Caller, prepareCalls, roleOf } from '#scripts/testing/calls.ts'
import { checkResponses } from '#scripts/testing/conformance.ts'
import { requestTo, type Transport } from '#scripts/testing/request.ts'
import { findSecret, plantSecrets } from '#scripts/testing/secrets.ts'
import { hashToken } from '#server/accounts/rules.ts'
import type { Tables } from '#server/db/tables.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { includesRole, type Role, roles } from '#shared/domain/roles.ts'
import { type Scope, scopeNames } from '#shared/domain/scopes.ts'
import document from '../docs/openapi.json' with { type: 'json' }
import { buildApp } from './app.ts'
import { inputOf, restProcedures } from '#server/calls/described.ts'
import { appRouter } from './router.ts'
import { aServer, memberColumns } from './testing.ts'
import type { ErrorBody } from '#server/calls/errors.ts'
import type { Meta } from '#server/calls/procedures.ts'
import { noWeb } from '#server/http/pages/web.ts'

/** Authorization of every procedure of the router for a visitor, a stranger and the owner. */
const server = await aServer({ RATE_LIMITS: 'off' })
const { db } = server
const app = await buildApp(server.services, { web: noWeb })
await checkResponses(app)
afterAll(() => app.close())
const prepared = await prepareCalls(server)
const { calls, newCaller, newAccessToken, titles } = prepared

const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyProcedure>) as [
  path: string,
  procedure: AnyProcedure,
][]
const keysOf = (procedure: AnyProcedure) => Object.keys(inputOf(procedure)?.shape ?? {})
// The id of a passkey names nobody without its signature.
const takesId = ([path, procedure]: [string, AnyProcedure]) =>
  path !== 'accounts.passkeyLogin' && keysOf(procedure).some((key) => /[iI]ds?($|[A-Z])/.test(key))
const isOpen = (procedure: AnyProcedure) => !(procedure._def.meta as Meta).requiresMember

/** On Postgres one transport is enough: both execute the same SQL. */
const transportsOf = (procedure: AnyProcedure): Transport[] =>
  inject('postgresUrl') || !(procedure._def.meta as Meta).openapi ? ['tRPC'] : ['tRPC', 'REST']

const request = requestTo(app)

/** The column with the member of a row, by table, without rows that other members’ calls add. */
const owners: (readonly [table: string, column: string])[] = [
  ...(await memberColumns(db)).filter(
    ([table, column]) => /^(user_id|follower_id)$/.test(column) && !/^(notifications|inboxes)$/.test(table),
  ),
  ['users', 'id'],
]

/** Returns all rows of a member by table, without the counters that others change. */
async function rowsOf({ id }: Caller) {
  const uncounted = (row: object) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => !/_count$|^wrote_at$/.test(column)))
  const rows: Record<string, object[]> = {}
  for (const [table, owner] of owners) {
    const own = sql<object>`select * from ${sql.table(table)} where ${sql.ref(owner)} = ${id}`
    // Postgres returns rows in any order.
    const texts = (await own.execute(db)).rows.map((row) => JSON.stringify(uncounted(row)))
    rows[table] = texts.sort().map((text) => JSON.parse(text) as object)
  }
  rows['import_titles'] = await db
    .selectFrom('import_titles')
    .selectAll('import_titles')
    .innerJoin('imports', 'imports.id', 'import_titles.import_id')
    .where('user_id', '=', id)
    .execute()
  return rows
}

/** Returns the status of success: 201 for REST calls that create something, 202 for those that start work, otherwise 200. */
function success({ statusCode }: { statusCode: number }): number {
  return statusCode === 201 || statusCode === 202 ? statusCode : 200
}

describe('a call with the id of another member’s data', () => {
  /**
   * Statuses for a stranger that differ from the rule: 200 for queries; for mutations of another member’s data 403 if the document has
   * it, otherwise 404, so that the response does not reveal whether the data exists.
   */
  const statusForStrangers: Record<string, number> = {
    // The id is a title’s or a member’s; the call changes only the caller’s own data.
    'reviews.save': 200,
    'social.follow': 200,
    'social.unfollow': 200,
    'privacy.block': 200,
    'privacy.unblock': 200,
    'privacy.mute': 200,
    'privacy.unmute': 200,
    'privacy.removeFollower': 200,
    'sources.sync': 200,
    'sources.syncTmdb': 200,
    'sources.syncBookByOlid': 200,
    'sources.syncGame': 200,
    ...Object.fromEntries(
      Object.values(kinds).flatMap(({ favorites: { router } }) => [
        [`${router}.arrange`, 200],
        [`${router}.add`, 200],
        [`${router}.remove`, 200],
      ]),
    ),
    // Not in the document.
    'reviews.restore': 403,
    // Any member may react to a review and comment on it.
    'reviews.react': 200,
    'reviews.addComment': 200,
    // Live updates of a title contain only public data: its averages, and the new reviews.
    'reviews.live': 200,
    // The existence of a rating, an import and a webhook is private too.
    'reviews.mine': 404,
    ...Object.fromEntries(
      procedures
        .filter((each) => /^(imports|webhooks)\./.test(each[0]) && takesId(each))
        .map(([path]) => [path, 404]),
    ),
    // What the caller has of a title.
    'imports.origins': 200,
    // Any member may like, follow and copy a public list.
    'lists.like': 200,
    'lists.unlike': 200,
    'lists.follow': 200,
    'lists.unfollow': 200,
    'lists.copy': 200,
    // Any member may report what others write.
    'moderation.report': 200,
    // A decision is shown to the member whom it concerns.
    'moderation.myDecision': 404,
    // Has no passkey of that id; other calls with 403 refuse by who the caller is.
    'accounts.removePasskey': 404,
    'diary.create': 200,
    'progress.mark': 200,
    'progress.unmark': 200,
    'progress.batch': 404,
    'diary.ofUser': 403,
    'diary.year': 403,
    'diary.yearTwin': 403,
    'progress.ofUser': 403,
    'diary.steps': 404,
  }
  /** Statuses for a visitor that differ from the rule: the input asks for the network, which only a member has, or for a private diary. */
  const statusForVisitors: Record<string, number> = {
    'reviews.list': 401,
    'diary.ofUser': 403,
    'diary.year': 403,
    'diary.yearTwin': 403,
    'progress.ofUser': 403,
    'diary.steps': 404,
  }
  const withIds = procedures.filter(takesId)

  test('the exceptions name existing procedures', () => {
    expect(withIds.map(([path]) => path)).toEqual(expect.arrayContaining(Object.keys(statusForStrangers)))
  })

  test.each(withIds)(
    '%s allows visitors, strangers and the owner exactly what it should',
    async (path, procedure) => {
      const { type } = procedure._def
      // Streams do not end, so they are not called here; the exceptions must still list them.
      if (type === 'subscription') return void expect(statusForStrangers).toHaveProperty([path])
      const isForRole = roleOf(procedure) !== 'member'
      const { openapi } = procedure._def.meta as Meta
      const refusal =
        isForRole || (openapi?.errorResponses as number[] | undefined)?.includes(403) ? 403 : 404
      const expected = statusForStrangers[path] ?? (type === 'query' && !isForRole ? 200 : refusal)
      for (const transport of transportsOf(procedure)) {
        const [owner, stranger] = [await newCaller(roleOf(procedure)), await newCaller()]
        for (const { kind, idKey, favorites } of Object.values(kinds))
          await server.as(owner)[favorites.router].add({ [idKey]: titles[kind] } as never)
        const input = (await calls[path]!(owner))!
        const before = await rowsOf(owner)

        const asVisitor = await request(transport, path, procedure, input, null)
        const open = isOpen(procedure) ? success(asVisitor) : 401
        expect(asVisitor.statusCode, `${transport}, visitor`).toBe(statusForVisitors[path] ?? open)
        const asStranger = await request(transport, path, procedure, input, stranger)
        const status = expected === 200 ? success(asStranger) : expected
        expect(asStranger.statusCode, `${transport}, stranger: ${asStranger.body}`).toBe(status)
        expect(await rowsOf(owner), `${transport}: the owner’s rows`).toEqual(before)
        for (const secret of [`${owner.username}@example.org`, owner.token, hashToken(owner.token)])
          expect(asVisitor.body + asStranger.body).not.toContain(secret)

        const asOwner = await request(transport, path, procedure, input, owner)
        expect(asOwner.statusCode, `${transport}, owner: ${asOwner.body}`).toBe(success(asOwner))
      }
    },
  )
})

/** The least role of each procedure that plain members may not call. */
const rolesOfProcedures: Record<string, Role> = {
  'admin.audit': 'moderator',
  'admin.setRole': 'admin',
  'moderation.list': 'moderator',
  'moderation.open': 'moderator',
  'moderation.byId': 'moderator',
  'moderation.assign': 'moderator',
  'moderation.decide': 'moderator',
  'moderation.undo': 'moderator',
  'moderation.answer': 'moderator',
  'moderation.titles': 'moderator',
  'moderation.correctTitle': 'moderator',
  'site.settings': 'admin',
  'site.change': 'admin',
  'admin.overview': 'moderator',
  'admin.members': 'moderator',
  'admin.member': 'moderator',
  'admin.approve': 'moderator',
  'admin.reject': 'moderator',
  'admin.logOut': 'moderator',
  'admin.sendReset': 'moderator',
  'admin.removeMember': 'admin',
  'admin.sendTestMail': 'admin',
  'admin.testSource': 'admin',
  'invites.listAll': 'admin',
}

test('the table lists the procedures that require a role', () => {
  const required = procedures.filter(([, procedure]) => roleOf(procedure) !== 'member')
  expect(Object.fromEntries(required.map(([path, procedure]) => [path, roleOf(procedure)]))).toEqual(
    rolesOfProcedures,
  )
})

test.each(procedures.filter(([, procedure]) => procedure._def.type !== 'subscription'))(
  '%s admits the roles of the table, and no visitor if it requires one',
  async (path, procedure) => {
    const needed = rolesOfProcedures[path] ?? 'member'
    // A plain member calls them all in other tests of this file.
    for (const role of needed === 'member' ? (['admin'] as const) : roles) {
      const caller = await newCaller(role)
      const isAllowed = includesRole(role, needed)
      const input = isAllowed ? ((await calls[path]!(caller)) ?? {}) : {}
      const response = await request('tRPC', path, procedure, input, caller)
      expect(response.statusCode, `${role}: ${response.body}`).toBe(isAllowed ? 200 : 403)
    }
    if (needed === 'member') return
    expect((await request('tRPC', path, procedure, {}, null)).statusCode).toBe(401)
  },
)

describe('an access token', () => {
  /** Returns the scope in docs/openapi.json, where a reviewer sees each change. Null if the call ignores the token. */
  function requiredBy(procedure: AnyProcedure): Scope | 'session' | null {
    const { openapi, scope } = procedure._def.meta as Meta & { openapi?: { path: string; method: string } }
    if (!openapi) return scope ?? 'read'
    const paths = document.paths as unknown as Record<string, Record<string, { 'x-required-scope'?: Scope }>>
    const required = paths[openapi.path]![openapi.method.toLowerCase()]!['x-required-scope']
    return required ?? (isOpen(procedure) ? null : 'session')
  }
  const unscoped = async (member: Caller) => {
    const { api_tokens, ...rows } = await rowsOf(member)
    return { ...rows, tokens: api_tokens!.length }
  }
  const finite = procedures.filter(([, procedure]) => procedure._def.type !== 'subscription')

  test('each mutation of members names what it requires of a token', () => {
    const mutations = finite.filter(
      ([, procedure]) => procedure._def.type === 'mutation' && !isOpen(procedure),
    )
    const missing = mutations.filter(([, procedure]) => !(procedure._def.meta as Meta).scope)
    expect(missing.map(([path]) => path)).toEqual([])
  })

  // A call without the scope runs no SQL of its procedure, so one project tests this. A token with all other scopes may do whatever a
  // token with some of them may.
  test.skipIf(inject('postgresUrl')).each(finite)(
    'needs exactly the scope of the document: %s',
    async (path, procedure) => {
      const required = requiredBy(procedure)
      for (const transport of transportsOf(procedure)) {
        const owner = await newCaller(roleOf(procedure))
        const withScopes = async (scopes: readonly Scope[]) => ({
          ...owner,
          ...(await newAccessToken(owner, scopes)),
          id: owner.id,
        })
        const input = (await calls[path]!(owner))!
        const others = scopeNames.filter((scope) => scope !== required)
        const [allOthers, alone] = [
          await withScopes(others),
          await withScopes([required === null || required === 'session' ? 'imports' : required]),
        ]
        const before = await unscoped(owner)
        if (required !== null) {
          expectRefused(await request(transport, path, procedure, input, allOthers), required, 'all others')
          expect(await unscoped(owner), `${transport}: the owner’s rows`).toEqual(before)
        }
        if (required === 'session') continue
        const response = await request(transport, path, procedure, input, alone)
        const text = `${transport}, ${required}: ${response.body}`
        expect(response.statusCode, text).toBe(success(response))
      }
    },
  )

  function expectRefused(
    { statusCode, headers, body }: Awaited<ReturnType<typeof request>>,
    required: Scope | 'session',
    given: string,
  ) {
    const text = `with ${given}: ${body}`
    expect(statusCode, text).toBe(403)
    const reason = required === 'session' ? 'SESSION_REQUIRED' : 'INSUFFICIENT_SCOPE'
    const { error, ...rest } = JSON.parse(body) as { error?: { data: ErrorBody } } & ErrorBody
    expect(error?.data ?? rest, text).toMatchObject({ code: 'FORBIDDEN', reason })
    if (error) return
    expect(headers['www-authenticate']).toBe(
      `Bearer error="insufficient_scope"${required === 'session' ? '' : `, scope="${required}"`}`,
    )
    if (required !== 'session') expect(rest.message).toContain(`“${required}”`)
  }

  test('cannot change the email, which the same call does for a login', async () => {
    const owner = await newCaller()
    const { token } = await newAccessToken(owner, scopeNames)
    const procedure = procedures.find(([path]) => path === 'accounts.updateProfile')![1]
    const emails = [`${owner.username}@example.org`, 'mine.now@example.org']
    for (const transport of transportsOf(procedure))
      for (const email of emails) {
        const input = { username: 'taken.over', email, password: 'six-or-more' }
        const before = await unscoped(owner)
        const caller = { ...owner, token }
        expectRefused(
          await request(transport, 'accounts.updateProfile', procedure, input, caller),
          'session',
          'all',
        )
        expect(await unscoped(owner)).toEqual(before)
      }
  })

  test('uploads only with the scope account, though a visitor may upload too', async () => {
    const owner = await newCaller()
    for (const [scopes, status] of [
      [scopeNames.filter((scope) => scope !== 'account'), 403],
      // The form is missing.
      [['account'], 415],
    ] as const) {
      const { token } = await newAccessToken(owner, scopes)
      const headers = { authorization: `Bearer ${token}` }
      const response = await app.inject({ method: 'POST', url: '/upload', headers, payload: {} })
      expect(response.statusCode).toBe(status)
      if (status === 403) expectRefused(response, 'account', 'all others')
    }
  })

  test.each([
    ['GET', '/export', 'read'],
    ['HEAD', '/export', 'read'],
    ['GET', '/admin/members/1/export', 'admin'],
    ['HEAD', '/admin/members/1/export', 'admin'],
    ['GET', '/admin/audit.csv', 'moderate'],
    ['HEAD', '/admin/audit.csv', 'moderate'],
    ['GET', '/imports/1/report', 'read'],
    ['HEAD', '/imports/1/report', 'read'],
    ['POST', '/imports', 'imports'],
    ['GET', '/reviews/live?movieId=1', 'read'],
  ] as const)('is refused by %s %s without the scope %s', async (method, url, required) => {
    const owner = await newCaller()
    const { token } = await newAccessToken(
      owner,
      scopeNames.filter((scope) => scope !== required),
    )
    const response = await app.inject({ method, url, headers: { authorization: `Bearer ${token}` } })
    expect(response.statusCode).toBe(403)
    expect(response.headers['www-authenticate']).toContain(`scope="${required}"`)
    if (method !== 'HEAD') expectRefused(response, required, 'all others')
  })

  test('opens live updates only with the scope read', async () => {
    const owner = await newCaller()
    const url = `/trpc/reviews.live?input=${encodeURIComponent(JSON.stringify({ movieId: titles.movie }))}`
    const { token } = await newAccessToken(owner, ['account'])
    const { body } = await app.inject({ url, headers: { authorization: `Bearer ${token}` } })
    expect(body).toContain('“read”')
  })
})

describe('an access token without the scope read', () => {
  type Properties = Record<string, unknown>
  const mutations = procedures.filter(([, procedure]) => procedure._def.type === 'mutation')
  const allButRead = scopeNames.filter((scope) => scope !== 'read')
  /** Return stored data for any token, because the input has the password or the login key. */
  const logins = [
    'accounts.login',
    'accounts.firstLogin',
    'accounts.secondFactor',
    'accounts.passkeyLogin',
    'accounts.loginByLink',
    'accounts.providerLogin',
    'accounts.providerLink',
  ]

  /** Returns the paths of values that are not a message, the id of a resource, or the value that the input has under the same name. */
  function unwritten(value: unknown, input: Properties, path: string[] = []): string[] {
    const key = path.at(-1) ?? ''
    if (path.length > 0 && Object.hasOwn(input, key) && isDeepStrictEqual(value, input[key])) return []
    if ((key === 'message' && path.length === 1) || (key === 'id' && path.length <= 2)) return []
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path.join('.')]
    return Object.entries(value).flatMap(([name, one]) => unwritten(one, input, [...path, name]))
  }

  const visitor = server.as()
  /** The resources as visitors read them, by their name in responses. */
  const asVisitor: Record<string, (id: number, input: Properties) => Promise<unknown>> = {
    // The caller’s own reaction is shown only if the call has set it.
    review: async (id, { reaction: userReaction = 'none' }) => ({
      ...(await visitor.reviews.byId({ id })).review,
      userReaction,
    }),
    comment: async (id) => {
      const of = db.selectFrom('comments').select('review_id').where('id', '=', id)
      const { comments } = await visitor.reviews.comments({
        id: (await of.executeTakeFirstOrThrow()).review_id,
      })
      return comments.find((comment) => comment.id === id)
    },
    ...Object.fromEntries(
      Object.values(kinds).map(({ kind, router }) => [
        kind,
        async (id: number) => ((await visitor[router].byId({ id })) as Properties)[kind],
      ]),
    ),
  }

  // The content of responses does not depend on the database.
  test.skipIf(inject('postgresUrl')).each(mutations)(
    'learns nothing that is stored from %s',
    async (path, procedure) => {
      const { returnsPublic } = procedure._def.meta as Meta
      for (const transport of transportsOf(procedure)) {
        const [owner, input] = await ownerWithSecrets(path)
        // No token without `read` may do more.
        const { token } = await newAccessToken(owner, allButRead)
        const response = await request(transport, path, procedure, input, { ...owner, token })
        const text = `${transport}: ${response.body}`
        if (logins.includes(path)) continue
        expect(findSecret(JSON.stringify(response.headers) + response.body), text).toBeUndefined()
        if (response.statusCode === 403) continue
        expect(response.statusCode, text).toBeLessThan(300)
        const body = response.json() as { result: { data: Properties } } & Properties
        const data = transport === 'tRPC' ? body.result.data : body
        if (!returnsPublic && !isOpen(procedure)) expect(unwritten(data, input), text).toEqual([])
        for (const [name, resource] of Object.entries(returnsPublic ? data : {})) {
          if (typeof resource !== 'object') continue
          expect(asVisitor, text).toHaveProperty(name)
          const { id } = resource as { id: number }
          expect(resource, text).toEqual(await asVisitor[name]!(id, input))
        }
      }
    },
  )

  async function ownerWithSecrets(path: string): Promise<[Caller, Properties]> {
    const owner = await newCaller(roleOf(procedures.find(([name]) => name === path)![1]))
    const input = ((await calls[path]!(owner)) ?? {}) as Properties
    await plantSecrets(server, prepared, owner)
    // The call needs an original that is a rating.
    if (path === 'imports.restoreOriginals') await calls[path]!(owner)
    // The call needs an entry that is not over.
    if (path === 'diary.addStep')
      await db
        .updateTable('diary_entries')
        .set({ status: 'started', finished_on: null })
        .where('id', '=', Number(input['id']))
        .execute()
    return [owner, input]
  }

  test.each<[string, Scope, object, (id: number) => object]>([
    ['diary.edit', 'diary:write', {}, (id) => ({ entry: { id } })],
    [
      'diary.edit',
      'diary:write',
      { status: 'dropped', text: ' Too long. ', ratingGiven: 'secret-of-rating_given' },
      (id) => ({ entry: { id, status: 'dropped', text: 'Too long.' } }),
    ],
    [
      'imports.update',
      'imports',
      { halves: 'down', ratings: true },
      (id) => ({ import: { id, options: { halves: 'down', ratings: true } } }),
    ],
    ['imports.stop', 'imports', {}, (id) => ({ import: { id } })],
  ])('gets from %s with %s and %j what it has written', async (path, scope, sent, expected) => {
    const [owner, input] = await ownerWithSecrets(path)
    const { token } = await newAccessToken(owner, [scope])
    const id = input['id'] as number
    const procedure = procedures.find(([name]) => name === path)![1]
    const response = await request('REST', path, procedure, { id, ...sent }, { ...owner, token })
    expect(response.json()).toEqual(expected(id))
  })

  test('writes reviews of a private member, and shows a follower’s token none of them', async () => {
    const [owner, follower] = [await newCaller(), await newCaller()]
    await server.as(follower).social.follow({ userIdToFollow: owner.id })
    await server.as(owner).privacy.change({ isPrivate: true })
    for (const transport of ['REST', 'tRPC'] as const) {
      const send = async (caller: Caller, path: string, input: Properties) => {
        const { token } = await newAccessToken(caller, allButRead)
        const procedure = procedures.find(([name]) => name === path)![1]
        return request(transport, path, procedure, input, { ...caller, token })
      }
      const text = `Mine, by ${transport}.`
      const saved = await send(owner, 'reviews.save', { movieId: titles.movie, rating: 4, text })
      expect(saved.body).toContain(text)
      const { review } = await server.as(owner).reviews.mine({ movieId: titles.movie })
      const { id } = review
      expect((await send(owner, 'reviews.edit', { id, rating: 2 })).body).toContain(text)
      const reacted = await send(follower, 'reviews.react', { id, reaction: 'like' })
      expect([reacted.statusCode, reacted.body.includes(text)]).toEqual([403, false])
      expect((await server.as(owner).reviews.byId({ id })).review).toMatchObject({ rating: 2, likeCount: 0 })
    }
  })

  test('gets what a login gets once it has read too', async () => {
    const owner = await newCaller()
    const { token } = await newAccessToken(owner, ['account', 'read'])
    const procedure = procedures.find(([path]) => path === 'accounts.updateProfile')![1]
    const responses = []
    for (const caller of [{ ...owner, token }, owner])
      responses.push((await request('REST', '', procedure, { profilePicture: null }, caller)).json())
    expect(responses[0]).toEqual(responses[1])
    expect(responses[0].user.email).toBe(`${owner.username}@example.org`)
  })

  test('learns nothing but what it has sent from the upload of a file to import', async () => {
    const owner = await newCaller()
    const { token } = await newAccessToken(owner, allButRead)
    await plantSecrets(server, prepared, owner)
    const form = new FormData()
    form.set('file', new Blob(['Title,Rating\nA Film,4\n']), 'mine.csv')
    const encoded = new Response(form)
    const { statusCode, headers, body } = await app.inject({
      method: 'POST',
      url: '/imports',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': encoded.headers.get('content-type')!,
      },
      payload: Buffer.from(await encoded.arrayBuffer()),
    })
    expect([statusCode, findSecret(JSON.stringify(headers) + body)]).toEqual([201, undefined])
  })
})

describe('a field that the schema does not declare', async () => {
  const mutations = restProcedures(appRouter).filter(([, procedure]) => procedure._def.type === 'mutation')
  /** Found in the database only if a procedure stored an undeclared field. */
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
    standing: marker,
    pending_since: marker,
    invited_by: number,
    removed_at: marker,
    isDemo: 1,
    is_demo: 1,
    isVerified: true,
    verifiedAt: marker,
    verified_at: marker,
    createdAt: marker,
    created_at: marker,
    updatedAt: marker,
    expiresAt: marker,
    credentials: marker,
    secret: marker,
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
  const tables = (await db.introspection.getTables()).map(({ name }) => name as keyof Tables)

  test.each(mutations)('%s returns nothing of it', async (path, procedure) => {
    const declared = keysOf(procedure)
    const smuggled = Object.fromEntries(
      Object.entries(extra)
        .filter(([key]) => !declared.includes(key))
        .map(([key, value]) => [key, value === marker ? `${marker} ${path}` : value]),
    )
    for (const transport of transportsOf(procedure)) {
      const caller = await newCaller(roleOf(procedure))
      const input = { ...smuggled, ...(await calls[path]!(caller)) }
      const response = await request(transport, path, procedure, input, caller)
      expect(response.statusCode, response.body).toBeLessThan(300)
      expect(response.body).not.toMatch(new RegExp(`${marker}|${number}`))
    }
  })

  test.each(tables)('is in no row of the table %s after all these calls', async (table) => {
    const rows = await db.selectFrom(table).selectAll().execute()
    const stored = rows.map((row) => JSON.stringify(row))
    expect(stored.filter((row) => row.includes(marker) || row.includes(String(number)))).toEqual([])
    if (table === 'users') expect(rows.filter((row) => 'is_demo' in row && row.is_demo !== 0)).toEqual([])
  })
})
