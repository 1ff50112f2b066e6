import { features } from '#server/router.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { prepareCalls } from '#scripts/testing/calls.ts'
import { formWith } from '#scripts/testing/form.ts'
import { buildApp } from '#server/app.ts'
import { hashToken } from '#server/accounts/rules.ts'
import { readSettings } from '#server/members/settings.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { openNotifications } from '#server/notifications/work.ts'
import { runDueImports } from '#server/imports/work.ts'
import { openSetup } from '#server/site/setup.ts'
import { aServer, aSession, aSignedInMember, aTitle, findCounterFaults } from '#server/testing.ts'
import { type Scope, scopeNames } from '#shared/domain/scopes.ts'

/** What members try who want a role, or want to get around a decision. */
const server = await aServer({ RATE_LIMITS: 'off' })
const { db, as } = server
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())
const { newCaller, newAccessToken } = await prepareCalls(server)
type Caller = Awaited<ReturnType<typeof newCaller>>

const moderator = await newCaller('moderator')
const withToken = (token: string) => ({ authorization: `Bearer ${token}` })
async function decide(
  type: 'review' | 'user' | 'list',
  id: number,
  more: { action: 'remove' | 'suspend'; keepsRating?: boolean },
) {
  const call = as(moderator).moderation
  const opened = (await call.open({ target: { type, id } })).case
  return (await call.decide({ id: opened.id, ...more })).decisionId
}
const registration = async () => (await readSettings(db)).registration
const roleOf = async ({ id }: { id: number }) =>
  (await db.selectFrom('users').select('role').where('id', '=', id).executeTakeFirstOrThrow()).role

test('of ten members who open the setup link at once, one becomes the admin', async () => {
  const code = new URL(await openSetup(db, 'https://medley.example', new Date())).searchParams.get('code')!
  const members = await Promise.all(Array.from({ length: 10 }, () => aSignedInMember(db)))
  const results = await Promise.allSettled(members.map((member) => as(member).site.setUp({ code })))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const roles = await Promise.all(members.map(roleOf))
  expect(roles.filter((role) => role === 'admin')).toHaveLength(1)
})

test('no call of a member gives them a role, whatever else it sends', async () => {
  const caller = await newCaller()
  const extra = { role: 'admin', standing: 'active', scopes: ['admin'], isAdmin: true }
  const send = async (method: 'PATCH' | 'POST' | 'PUT', url: string, payload: object) => {
    const headers = withToken(caller.token)
    return (await app.inject({ method, url, headers, payload: { ...extra, ...payload } })).statusCode
  }
  const own = { username: 'born.admin', email: 'born.admin@example.org', password: 'six-or-more' }
  expect(await send('PUT', '/users/profile', { bio: 'About me.' })).toBe(200)
  expect(await send('PATCH', '/users/me/privacy', { hidesFollows: false })).toBe(200)
  expect(await send('PATCH', '/users/me/notification-settings', {})).toBe(200)
  expect(await send('POST', '/users/me/tokens', { name: 'Bot', scopes: ['read'] })).toBe(201)
  expect(await send('POST', '/users/me/tokens', { name: 'Bot', scopes: ['admin'] })).toBe(403)
  expect(await send('POST', '/users/register', own)).toBe(201)
  for (const role of ['moderator', 'admin'])
    expect(await send('PATCH', `/admin/members/${caller.id}`, { role })).toBe(403)
  const bot = await newAccessToken(caller, scopeNames)
  const settings = { url: '/admin/settings', headers: withToken(bot.token) }
  expect((await app.inject(settings)).statusCode).toBe(403)
  const file = JSON.stringify({ account: { ...own, ...extra }, users: [extra], ...extra })
  const { headers, payload } = formWith(Buffer.from(file), 'medley.json')
  await app.inject({
    method: 'POST',
    url: '/imports',
    headers: { ...withToken(caller.token), ...headers },
    payload,
  })
  const roles = await db.selectFrom('users').select('role').where('role', '=', 'admin').execute()
  expect(await roleOf(caller)).toBe('member')
  // The one of the setup link.
  expect(roles.length).toBeLessThanOrEqual(1)
})

test('a suspended member can do nothing with an old session or an access token, not even appeal', async () => {
  const author = await newCaller()
  const { token } = await newAccessToken(
    author,
    scopeNames.filter((scope) => scope !== 'moderate' && scope !== 'admin'),
  )
  const id = await decide('user', author.id, { action: 'suspend' })
  for (const old of [author.token, token]) {
    const headers = withToken(old)
    const appeal = {
      method: 'POST',
      url: `/decisions/${id}/appeal`,
      payload: { text: 'Why?' },
      headers,
    } as const
    expect((await app.inject(appeal)).statusCode).toBe(401)
    for (const url of ['/users/me', `/decisions/${id}`, '/export', '/users/me/reviews'])
      expect((await app.inject({ url, headers })).statusCode, url).toBe(401)
  }
})

test.each([true, false])(
  'an import does not bring back a review that a moderator removed (the rating counts: %s)',
  async (keepsRating) => {
    const author = await newCaller()
    const name = `Advertised ${keepsRating ? 'once' : 'twice'}`
    const movieId = await aTitle(db, 'movie', name)
    const { review } = await as(author).reviews.save({ movieId, rating: 2, text: 'Buy my things.' })
    const id = await decide('review', review.id, { action: 'remove', keepsRating })
    await importCsv(author, `Title,Rating,Review\n${name},5,Buy my other things.\n`)
    expect((await as(null).reviews.list({ movieId })).reviews).toEqual([])
    expect(await findCounterFaults(db)).toEqual([])
    await as(moderator).moderation.undo({ id })
    expect((await as(null).reviews.list({ movieId })).reviews).toHaveLength(1)
  },
)

test.each<[name: string, deleteList: (author: Caller, id: number) => Promise<unknown>, again: string]>([
  ['and its owner keeps', async () => {}, 'Buy: my things'],
  ['and its owner has deleted', (author, id) => as(author).lists.remove({ id }), 'buy my things!'],
])('an import does not bring back a list that a moderator removed %s', async (_name, deleteList, again) => {
  const [author, other] = [await newCaller(), await newCaller()]
  const film = `Advertised ${author.id}`
  await aTitle(db, 'movie', film)
  const fileOf = (name: string) =>
    'Letterboxd list export v7\nDate,Name,Tags,URL,Description\n2023-05-05,' +
    `${name},,https://boxd.it/l${author.id},At evil.example.\n\nPosition,Name,Year,URL,Description\n1,${film},,,Buy!\n`
  const listsOf = async (caller: Caller) =>
    (await as(caller).lists.mine({})).lists.map(({ title, isRemoved = false }) => ({ title, isRemoved }))

  // The member has renamed it since the first import.
  await importCsv(author, fileOf('Cheap things'))
  const { id } = (await as(author).lists.mine({})).lists[0]!
  await as(author).lists.edit({ id, title: 'Buy my things', visibility: 'public' })
  const waiting = await uploadCsv(author, fileOf('Another name').replace('/l', '/other'))
  await as(author).lists.create({ title: 'Another name', visibility: 'public' })
  const decisionId = await decide('list', id, { action: 'remove' })
  const renamed = (await as(author).lists.mine({ limit: 50 })).lists.find((one) => one.id !== id)!
  await decide('list', renamed.id, { action: 'remove' })
  await deleteList(author, id)
  await deleteList(author, renamed.id)
  const left = await listsOf(author)
  for (const name of ['Cheap things', 'Buy my things', again]) await importCsv(author, fileOf(name))
  // Removed since the rehearsal.
  await applyImport(author, waiting)
  expect(await listsOf(author)).toEqual(left)
  expect(left.every(({ isRemoved }) => isRemoved)).toBe(true)
  await importCsv(other, fileOf(again))
  expect(await listsOf(other)).toEqual([{ title: again, isRemoved: false }])
  // What is typed again is new, and can be reported.
  const typed = await as(author).lists.create({ title: again, visibility: 'public' })
  await as(other).moderation.report({ target: { type: 'list', id: typed.list.id }, category: 'spam' })
  await as(author).lists.remove({ id: typed.list.id })

  await as(moderator).moderation.undo({ id: decisionId })
  await importCsv(author, fileOf('Buy my things'))
  expect(await listsOf(author)).toContainEqual({ title: 'Buy my things', isRemoved: false })
  expect(await findCounterFaults(db)).toEqual([])
})

test('a suspended follower of a private member reads what visitors read, and nothing if they may not', async () => {
  const [follower, recluse] = [await newCaller(), await newCaller()]
  const movieId = await aTitle(db)
  const { review } = await as(recluse).reviews.save({ movieId, rating: 5, text: 'For followers.' })
  await as(follower).social.follow({ userIdToFollow: recluse.id })
  await as(recluse).privacy.change({ isPrivate: true })
  const statusOf = async (url: string) => {
    const headers = withToken(await aSession(db, follower))
    return (await app.inject({ url, headers })).statusCode
  }
  expect(await statusOf(`/reviews/${review.id}`)).toBe(200)
  await decide('user', follower.id, { action: 'suspend' })
  expect(await statusOf(`/reviews/${review.id}`)).toBe(404)
  expect(await statusOf(`/users/${recluse.id}/reviews`)).toBe(403)
  expect(await statusOf(`/movies/${movieId}`)).toBe(200)
  await as(await newCaller('admin')).site.change({ visitorsMayRead: false })
  try {
    expect(await statusOf(`/movies/${movieId}`)).toBe(403)
    expect(await statusOf('/users/me/decisions')).toBe(200)
  } finally {
    await as(await newCaller('admin')).site.change({ visitorsMayRead: true })
  }
})

describe('the last admin who can act', () => {
  let [one, two]: Caller[] = []
  const isAdmin = async (caller: Caller) => (await roleOf(caller)) === 'admin'
  const demote = (by: Caller, { id }: Caller) => as(by).admin.setRole({ id, role: 'member' })
  async function suspend(by: Caller, { id }: Caller) {
    const { case: found } = await as(by).moderation.open({ target: { type: 'user', id } })
    return (await as(by).moderation.decide({ id: found.id, action: 'suspend' })).decisionId
  }
  beforeEach(async () => {
    await db.updateTable('users').set({ role: 'member' }).where('role', '=', 'admin').execute()
    ;[one, two] = [await newCaller('admin'), await newCaller('admin')]
  })

  test('keeps the role and the account, though another admin is suspended', async () => {
    const id = await suspend(one!, two!)
    const session = as({ ...one!, sessionHash: hashToken(one!.token) })
    for (const call of [
      () => demote(one!, one!),
      () => session.admin.removeMember({ id: one!.id }),
      () => session.accounts.requestDeletion({ currentPassword: 'six-or-more' }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'CONFLICT' })
    await as(one).moderation.undo({ id })
    await demote(two!, one!)
    expect(await isAdmin(two!)).toBe(true)
  })

  test('is not suspended by an admin whose account is about to be deleted', async () => {
    await as(two).admin.removeMember({ id: one!.id })
    await expect(suspend(one!, two!)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('stays if two admins demote or suspend each other at once', async () => {
    for (const act of [demote, suspend]) {
      await Promise.allSettled([act(one!, two!), act(two!, one!)])
      const left = await db
        .selectFrom('users')
        .select('id')
        .where('role', '=', 'admin')
        .where('standing', '=', 'active')
        .execute()
      expect(left).not.toEqual([])
      await db.updateTable('users').set({ role: 'admin' }).where('id', 'in', [one!.id, two!.id]).execute()
    }
  })
})

test('a moderator does nothing to an admin or another moderator, nor raises anybody', async () => {
  const [admin, peer, member] = [await newCaller('admin'), await newCaller('moderator'), await newCaller()]
  const call = as(moderator)
  for (const { id } of [admin, peer]) {
    const { case: found } = await as(await newCaller('admin')).moderation.open({
      target: { type: 'user', id },
    })
    for (const act of [
      () => call.moderation.open({ target: { type: 'user', id } }),
      () => call.moderation.byId({ id: found.id }),
      () => call.moderation.assign({ id: found.id, userId: moderator.id }),
      () => call.admin.logOut({ id }),
      () => call.admin.sendReset({ id }),
      () => call.admin.removeMember({ id }),
      () => call.admin.setRole({ id, role: 'member' }),
      () => call.moderation.decide({ id: found.id, action: 'dismiss' }),
      () => call.moderation.decide({ id: found.id, action: 'suspend' }),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'FORBIDDEN' })
  }
  for (const { id } of [member, moderator])
    await expect(call.admin.setRole({ id, role: 'admin' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

describe('a case about a moderator or an admin', () => {
  let cases = 0
  async function aCase(role: 'moderator' | 'admin', isDecided = true) {
    const reason = `Reason-of-case-${++cases}x`
    const [subject, admin, reporter] = [await newCaller(role), await newCaller('admin'), await newCaller()]
    const movieId = await aTitle(db)
    const { review } = await as(subject).reviews.save({ movieId, rating: 1, text: 'Buy my things.' })
    const target = { type: 'review', id: review.id } as const
    await as(reporter).moderation.report({ target, category: 'spam', comment: 'Says-the-reporter' })
    const { id } = (await as(admin).moderation.open({ target })).case
    await as(admin).moderation.assign({ id, userId: admin.id })
    if (!isDecided) return { subject, admin, id, reporter, decisionId: 0, reason }
    const { decisionId } = await as(admin).moderation.decide({ id, action: 'warn', reason })
    return { subject, admin, id, reporter, decisionId, reason }
  }
  const rest = async (caller: Caller, method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
    const response = await app.inject({
      method,
      url,
      headers: withToken(caller.token),
      ...(payload && { payload }),
    })
    return { status: response.statusCode, body: response.body }
  }

  test.each(['moderator', 'admin'] as const)(
    'is read and taken neither by the %s whom it concerns nor by a moderator, and by another admin',
    async (role) => {
      const { subject, admin, id, decisionId, reporter, reason } = await aCase(role)
      await as(admin).moderation.undo({ id: decisionId })
      for (const caller of [subject, moderator]) {
        const responses = [
          await rest(caller, 'GET', `/moderation/cases/${id}`),
          await rest(caller, 'PUT', `/moderation/cases/${id}/assignee`, { userId: caller.id }),
          await rest(caller, 'POST', `/moderation/cases/${id}/decision`, { action: 'dismiss' }),
          // Changes nothing, because it is undone already.
          await rest(caller, 'POST', `/moderation/decisions/${decisionId}/undo`),
        ]
        expect(responses.map(({ status }) => status)).toEqual([403, 403, 403, 403])
        const lists = [
          await rest(caller, 'GET', '/moderation/cases?state=open&limit=100'),
          await rest(caller, 'GET', '/moderation/cases?state=closed&limit=100'),
          await rest(caller, 'GET', '/admin/audit?limit=100'),
          await rest(caller, 'GET', '/admin/audit.csv'),
          await rest(caller, 'GET', `/admin/members/${subject.id}`),
        ]
        expect(lists.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
        for (const { body } of [...responses, ...lists])
          for (const secret of [reporter.username, 'Says-the-reporter', reason, `"case":${id}}`])
            expect(body).not.toContain(secret)
        expect(JSON.parse(lists[0]!.body).cases.map((one: { id: number }) => one.id)).not.toContain(id)
      }
      expect((await rest(admin, 'GET', `/moderation/cases/${id}`)).body).toContain('Says-the-reporter')
      expect((await rest(admin, 'GET', '/admin/audit.csv')).body).toContain(reason)
      const open = (await as(admin).moderation.list({ state: 'open', limit: 100 })).cases
      expect(open.map((one) => one.id)).toContain(id)
      await expect(
        as(admin).moderation.assign({ id, userId: subject.id }),
        'assigned to whom it concerns',
      ).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    },
  )

  test('notifies those who may decide it only, and nobody hears of it with a token without the scope moderate', async () => {
    const { subject, admin, id } = await aCase('moderator', false)
    const log = { info() {}, warn() {}, error: (details: object) => console.error(details) }
    const queue = openNotifications({ db, log, pollMs: 0 })
    await queue.runDue()
    await queue.close()
    const told = await db
      .selectFrom('notifications')
      .select('user_id')
      .where('target_id', '=', id)
      .where('type', '=', 'case')
      .execute()
    const ids = told.map(({ user_id }) => user_id)
    expect(ids).toContain(admin.id)
    expect(ids).not.toContain(subject.id)
    expect(ids).not.toContain(moderator.id)
    const countOf = async (caller: Caller, scopes: Scope[]) => {
      const { token } = await newAccessToken(caller, scopes)
      const list = JSON.parse((await rest({ ...caller, token }, 'GET', '/notifications')).body)
      const cases = list.notifications.filter(({ type }: { type: string }) => type === 'case').length
      expect(list.unreadCount).toBe(cases)
      return cases
    }
    expect(await countOf(admin, ['read', 'moderate', 'admin'])).toBeGreaterThan(0)
    expect(await countOf(admin, ['read'])).toBe(0)
  })
})

test('a token has no more than the role of its scopes: an admin’s with `moderate` acts as a moderator', async () => {
  const [admin, other, peer, member] = [
    await newCaller('admin'),
    await newCaller('admin'),
    await newCaller('moderator'),
    await newCaller(),
  ]
  const { token } = await newAccessToken(admin, ['read', 'moderate', 'account'])
  const send = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const options = { method, url, headers: withToken(token), ...(payload && { payload }) }
    return (await app.inject(options)).statusCode
  }
  for (const { id } of [other, peer]) {
    const opened = (await as(admin).moderation.open({ target: { type: 'user', id } })).case
    expect(await send('POST', `/admin/members/${id}/log-out`)).toBe(403)
    expect(await send('POST', `/admin/members/${id}/send-reset`)).toBe(403)
    expect(await send('POST', '/moderation/cases', { target: { type: 'user', id } })).toBe(403)
    expect(await send('GET', `/moderation/cases/${opened.id}`)).toBe(403)
    expect(await send('POST', `/moderation/cases/${opened.id}/decision`, { action: 'suspend' })).toBe(403)
    expect(await send('PATCH', `/admin/members/${id}`, { role: 'member' })).toBe(403)
    expect(await send('DELETE', `/admin/members/${id}`)).toBe(403)
    const decided = await as(admin).moderation.decide({ id: opened.id, action: 'warn' })
    expect(await send('POST', `/moderation/decisions/${decided.decisionId}/undo`)).toBe(403)
    expect(await send('GET', `/admin/members/${id}/export`)).toBe(403)
  }
  expect(await send('POST', `/admin/members/${member.id}/log-out`)).toBe(200)
  const body = await app.inject({ url: `/admin/members/${member.id}`, headers: withToken(token) })
  expect(body.json().member).not.toHaveProperty('email')
  const bot = await newAccessToken(admin, ['account'])
  await as(admin).site.change({ registration: { ...(await registration()), invitesBy: 'admins' } })
  try {
    const invite = { method: 'POST', url: '/invites', payload: {} } as const
    expect((await app.inject({ ...invite, headers: withToken(bot.token) })).statusCode).toBe(403)
    expect((await app.inject({ ...invite, headers: withToken(admin.token) })).statusCode).toBe(201)
  } finally {
    await as(admin).site.change({ registration: { ...(await registration()), invitesBy: 'members' } })
  }
})

test('a moderator who is frozen while a call runs does not finish it', async () => {
  const frozen = await newCaller('moderator')
  await db.updateTable('users').set({ standing: 'frozen' }).where('id', '=', frozen.id).execute()
  const { id } = await newCaller()
  await expect(as(frozen).admin.logOut({ id })).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('a token of an admin without the scope admin revokes no invites of others, and with it the audit log says so', async () => {
  const [admin, inviter] = [await newCaller('admin'), await aSignedInMember(db)]
  const { invite } = await as(inviter).invites.create({ note: 'For Ada' })
  const revoke = async (scopes: ('account' | 'admin')[]) => {
    const { token } = await newAccessToken(admin, scopes)
    const url = `/invites/${invite.id}`
    return (await app.inject({ method: 'DELETE', url, headers: withToken(token) })).statusCode
  }
  expect(await revoke(['account'])).toBe(404)
  expect(await revoke(['account', 'admin'])).toBe(200)
  const { entries } = await as(admin).admin.audit({ action: 'invite.revoke' })
  expect(entries).toMatchObject([
    {
      actor: { id: admin.id },
      target: { type: 'invite', id: invite.id, name: inviter.username },
      before: { uses: 0, maxUses: 1 },
    },
  ])
})

test('of 25 reports by a member at once, 20 are accepted', async () => {
  const reporter = await newCaller()
  const ids = await Promise.all(Array.from({ length: 25 }, async () => (await newCaller()).id))
  const results = await Promise.allSettled(
    ids.map((id) => as(reporter).moderation.report({ target: { type: 'user', id }, category: 'spam' })),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
})

const log = { info() {}, warn() {}, error: (details: object) => console.error(details) }
const runImports = () =>
  runDueImports({ db, features, sources: { lookups: [] }, log, paceMs: 0, instance: '' })

/** Returns the id of an import whose file wins conflicts, rehearsed. */
async function uploadCsv(caller: Caller, csv: string): Promise<number> {
  const { headers, payload } = formWith(Buffer.from(csv), 'mine.csv')
  const response = await app.inject({
    method: 'POST',
    url: '/imports',
    headers: { ...withToken(caller.token), ...headers },
    payload,
  })
  expect(response.statusCode, response.body).toBe(201)
  const { id } = response.json<{ import: { id: number } }>().import
  await runImports()
  await as(caller).imports.update({ id, conflicts: 'file' })
  await runImports()
  expect((await as(caller).imports.byId({ id })).import.counts).not.toHaveProperty('notFound')
  return id
}

async function applyImport(caller: Caller, id: number): Promise<void> {
  await as(caller).imports.start({ id })
  await runImports()
  expect((await as(caller).imports.byId({ id })).import.state).toBe('done')
}

async function importCsv(caller: Caller, csv: string): Promise<void> {
  await applyImport(caller, await uploadCsv(caller, csv))
}
