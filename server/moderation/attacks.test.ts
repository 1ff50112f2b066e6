import { afterAll, expect, test } from 'vitest'
import { prepareCalls } from '#scripts/testing/calls.ts'
import { formWith } from '#scripts/testing/form.ts'
import { buildApp } from '#server/app.ts'
import { findCounterFaults } from '#server/db/counters.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { runDueImports } from '#server/imports/work.ts'
import { openSetup } from '#server/site/setup.ts'
import { aServer, aSignedInMember, aTitle } from '#server/testing.ts'
import { scopeNames } from '#shared/scopes.ts'

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
  type: 'review' | 'user',
  id: number,
  more: { action: 'remove' | 'suspend'; keepsRating?: boolean },
) {
  const call = as(moderator).moderation
  const opened = (await call.open({ target: { type, id } })).case
  return (await call.decide({ id: opened.id, ...more })).decisionId
}
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
  const send = (method: 'PATCH' | 'POST' | 'PUT', url: string, payload: object) =>
    app.inject({ method, url, headers: withToken(caller.token), payload: { ...payload, ...extra } })
  await send('PATCH', '/users/profile', { bio: 'About me.' })
  await send('POST', '/users/me/tokens', { name: 'Bot', scopes: ['read'] })
  expect((await send('PATCH', `/admin/members/${caller.id}`, {})).statusCode).toBe(403)
  await app.inject({
    method: 'POST',
    url: '/users/register',
    payload: { username: 'born.admin', email: 'born.admin@example.org', password: 'six-or-more', ...extra },
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

async function importCsv(caller: Caller, csv: string): Promise<void> {
  const { headers, payload } = formWith(Buffer.from(csv), 'mine.csv')
  const response = await app.inject({
    method: 'POST',
    url: '/imports',
    headers: { ...withToken(caller.token), ...headers },
    payload,
  })
  expect(response.statusCode, response.body).toBe(201)
  const { id } = response.json<{ import: { id: number } }>().import
  const log = { info() {}, warn() {}, error: (details: object) => console.error(details) }
  const work = () => runDueImports({ db, sources: { lookups: [] }, log, paceMs: 0, instance: '' })
  await work()
  expect((await as(caller).imports.byId({ id })).import.counts).not.toHaveProperty('notFound')
  await as(caller).imports.start({ id })
  await work()
}
