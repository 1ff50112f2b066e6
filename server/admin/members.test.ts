import { TRPCError } from '@trpc/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkResponses } from '#scripts/testing/conformance.ts'
import { buildApp } from '#server/app.ts'
import { recordCalls } from '#server/titles/sources/calls.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { aSession, aMember, aServer, aSignedInMember, mailsTo } from '#server/testing.ts'
import { countDay } from './overview-store.ts'
import { audit } from '#server/calls/audit.ts'
import type { Member } from '#server/calls/context.ts'
import type { Role } from '#shared/domain/roles.ts'
import { type MemberState, memberStates } from '#shared/domain/member-states.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const { db, as } = server
const app = await buildApp(server.services, { web: noWeb })
beforeAll(() => checkResponses(app))
afterAll(() => app.close())
const start = new Date('2026-05-04T12:00:00.000Z')

async function withRole(role: Role): Promise<Member> {
  const member = await aSignedInMember(db)
  await db.updateTable('users').set({ role }).where('id', '=', member.id).execute()
  return { ...member, role }
}
const [moderator, admin] = [await withRole('moderator'), await withRole('admin')]

/** Sends a request with a new session of a member. */
async function get(member: Member | null, url: string) {
  if (!member) return app.inject({ url })
  const token = await aSession(db, member)
  return app.inject({ url, headers: { authorization: `Bearer ${token}` } })
}

async function decide(id: number, action: 'freeze' | 'suspend') {
  const call = as(moderator, { now: start }).moderation
  const { id: caseId } = (await call.open({ target: { type: 'user', id } })).case
  const until = new Date(start.getTime() + 1e9).toISOString()
  return (await call.decide({ id: caseId, action, reason: 'Why.', until })).decisionId
}

describe('members', () => {
  test('are listed by their state, and a restricted one with the decisions', async () => {
    const [frozen, suspended] = [await aMember(db), await aMember(db)]
    const id = await decide(frozen.id, 'freeze')
    await decide(suspended.id, 'suspend')
    const ids = async (state: 'active' | 'frozen' | 'suspended') =>
      (await as(moderator).admin.members({ state, limit: 100 })).members.map((one) => [one.id, one.state])
    expect(await ids('frozen')).toEqual([[frozen.id, 'frozen']])
    expect(await ids('suspended')).toEqual([[suspended.id, 'suspended']])
    expect((await ids('active')).flat()).not.toContain(frozen.id)
    const { member } = await as(moderator).admin.member({ id: frozen.id })
    expect(member).toMatchObject({
      state: 'frozen',
      decisions: [{ id, action: 'freeze', reason: 'Why.', moderator: { id: moderator.id } }],
    })
    expect(member).not.toHaveProperty('email')
  })

  test('are in exactly the list of the state that they show', async () => {
    const [at, deletion_at] = [start.toISOString(), new Date(start.getTime() + 1e9).toISOString()]
    for (const values of [
      { verified_at: null },
      { verified_at: null, deletion_at },
      { verified_at: null, pending_since: at },
      { verified_at: null, pending_since: at, deletion_at },
      { deletion_at },
      { deletion_at, standing: 'frozen' as const },
    ]) {
      const { id } = await aMember(db)
      await db.updateTable('users').set(values).where('id', '=', id).execute()
    }
    const listed: string[] = []
    for (const state of Object.keys(memberStates) as MemberState[])
      for (const one of (await as(admin).admin.members({ state, limit: 100 })).members) {
        expect(one.state).toBe(state)
        listed.push(one.username)
      }
    const { members } = await as(admin).admin.members({ limit: 100 })
    expect(listed.sort()).toEqual(members.map(({ username }) => username).sort())
  })

  test('are listed by who invited them', async () => {
    const [inviter, invited] = [await aMember(db), await aMember(db)]
    await db.updateTable('users').set({ invited_by: inviter.id }).where('id', '=', invited.id).execute()
    const { members } = await as(moderator).admin.members({ invitedBy: inviter.id })
    expect(members.map(({ id }) => id)).toEqual([invited.id])
  })
})

describe('invites of all members', () => {
  test('are shown to admins without their codes, and the invites of a suspended member wait for the end of the suspension', async () => {
    const inviter = await aSignedInMember(db)
    const { invite } = await as(inviter, { now: start }).invites.create({ note: 'For Ada' })
    const call = (isOpen?: boolean) =>
      as(admin, { now: start }).invites.listAll({ limit: 100, ...(isOpen !== undefined && { isOpen }) })
    const shown = async (isOpen?: boolean) => (await call(isOpen)).invites.find(({ id }) => id === invite.id)
    expect(await shown()).toMatchObject({ note: 'For Ada', isOpen: true, createdBy: { id: inviter.id } })
    expect(JSON.stringify(await call())).not.toContain(invite.code)
    await expect(as(moderator).invites.listAll({})).rejects.toMatchObject({ code: 'FORBIDDEN' })

    const valid = async () =>
      (await as(null, { now: start }).invites.find({ id: invite.code })).invite.isValid
    const id = await decide(inviter.id, 'suspend')
    expect([await valid(), (await shown(false))?.isOpen, await shown(true)]).toEqual([
      false,
      false,
      undefined,
    ])
    await as(moderator, { now: start }).moderation.undo({ id })
    expect(await valid()).toBe(true)
    await as(admin).invites.remove({ id: invite.id })
    expect(await shown()).toBeUndefined()
  })

  test('tell their creator whether the settings let them invite', async () => {
    expect((await as(await aMember(db)).invites.list()).mayInvite).toBe(true)
    await as(admin).site.change({ registration: { mode: 'invite', invitesBy: 'moderators' } })
    expect((await as(await aMember(db)).invites.list()).mayInvite).toBe(false)
    expect((await as(moderator).invites.list()).mayInvite).toBe(true)
  })
})

describe('the export of a member by an admin', () => {
  test('is the one that the member downloads, and is in the audit log', async () => {
    const member = await aSignedInMember(db)
    await as(member).accounts.updateProfile({ bio: 'About me.' })
    const mine = (await get(member, '/export?format=json')).json()
    const response = await get(admin, `/admin/members/${member.id}/export?format=json`)
    expect(response.json()).toEqual({ ...mine, exportedAt: expect.any(String) })
    const { entries } = await as(admin).admin.audit({ action: 'member.export' })
    expect(entries).toMatchObject([
      { actor: { id: admin.id }, target: { type: 'user', id: member.id, name: member.username } },
    ])
  })

  test('is refused to everybody else, and for an unknown member', async () => {
    const member = await aSignedInMember(db)
    const url = `/admin/members/${member.id}/export`
    const callers: [Member | null, number][] = [
      [null, 401],
      [member, 403],
      [moderator, 403],
    ]
    for (const [caller, status] of callers) expect((await get(caller, url)).statusCode).toBe(status)
    expect((await get(admin, '/admin/members/999999/export')).statusCode).toBe(404)
    expect((await get(admin, '/admin/members/1e9x/export')).statusCode).toBe(400)
    const { entries } = await as(admin).admin.audit({
      action: 'member.export',
      targetId: member.id,
      target: 'user',
    })
    expect(entries).toEqual([])
  })
})

describe('the audit log as CSV', () => {
  test('has the filtered entries, guarded against formulas', async () => {
    const target = { type: 'user' as const, id: 7, name: '=HYPERLINK("http://evil.example")' }
    const reason = '+1 "quoted", twice'
    await audit(db, { by: admin, action: 'member.logOut', target, reason, at: start })
    await audit(db, { by: admin, action: 'member.approve', target, reason, at: start })
    const { body, headers } = await get(moderator, '/admin/audit.csv?action=member.logOut&from=2026-05-04')
    expect(headers['content-disposition']).toContain('.csv')
    const lines = body.replace('\ufeff', '').trimEnd().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(`,"'=HYPERLINK(""http://evil.example"")",`)
    expect(lines[1]).toContain(`"'+1 ""quoted"", twice"`)
  })

  test('is complete beyond a page', async () => {
    await Promise.all(
      Array.from({ length: 510 }, (_, id) =>
        audit(db, { by: admin, action: 'title.correct', target: { type: 'title', id }, at: start }),
      ),
    )
    const { body } = await get(moderator, '/admin/audit.csv?action=title.correct')
    expect(body.trimEnd().split('\r\n')).toHaveLength(511)
  })

  test('is refused to members, and with a filter that does not exist', async () => {
    expect((await get(await aSignedInMember(db), '/admin/audit.csv')).statusCode).toBe(403)
    expect((await get(null, '/admin/audit.csv')).statusCode).toBe(401)
    expect((await get(moderator, '/admin/audit.csv?action=nothing')).statusCode).toBe(400)
  })
})

test('a test email is sent to the admin, and a second one within a minute is refused', async () => {
  const call = as(admin, { now: start }).admin
  await call.sendTestMail()
  await expect(call.sendTestMail()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  const mails = await mailsTo(db, `${admin.username}@example.org`)
  expect(mails.map(({ subject }) => subject)).toEqual(['A test email from Medley'])
})

describe('the overview', () => {
  test('counts open, overdue and appealed cases', async () => {
    const before = (await as(moderator, { now: start }).admin.overview()).cases
    const call = (days: number) => as(moderator, { now: new Date(start.getTime() + days * 86_400_000) })
    const [member, other] = [await aMember(db), await aMember(db)]
    await call(0).moderation.open({ target: { type: 'user', id: member.id } })
    await call(5).moderation.open({ target: { type: 'user', id: other.id } })
    const { cases } = await call(5).admin.overview()
    expect(cases).toMatchObject({
      open: before.open + 2,
      overdue: before.open + 1,
      oldest: start.toISOString(),
    })
    const id = await decide(member.id, 'suspend')
    await as({ ...member, standing: 'suspended' }, { now: start }).moderation.appeal({ id, text: 'Why?' })
    expect((await call(5).admin.overview()).cases).toMatchObject({ open: before.open + 1, appealed: 1 })
  })

  test('counts neither members nor ratings of the demo community', async () => {
    const day = start.toISOString().slice(0, 10)
    const before = await countDay(db, day)
    const [demo, other] = [await aMember(db), await aMember(db)]
    const { movie } = await as(other).movies.create({ name: 'Counted' })
    for (const member of [demo, other])
      await as(member, { now: start }).reviews.save({ movieId: movie.id, rating: 4, text: 'Seen.' })
    const created = { created_at: start.toISOString() }
    await db.updateTable('users').set(created).where('id', 'in', [demo.id, other.id]).execute()
    await db.updateTable('users').set({ is_demo: 1 }).where('id', '=', demo.id).execute()
    const { active: _, ...counts } = await countDay(db, day)
    expect(counts).toEqual({
      signUps: before.signUps + 1,
      ratings: before.ratings + 1,
      reviews: before.reviews + 1,
    })
    await db.updateTable('users').set({ is_demo: 0 }).where('id', '=', demo.id).execute()
  })

  test('shows when each source last answered and failed, and stores that seldom', async () => {
    const warnings: unknown[] = []
    const observe = recordCalls(db, { warn: (line: unknown) => void warnings.push(line) })
    const source = async () =>
      (await as(moderator).admin.overview()).sources.find(({ name }) => name === 'openlibrary')!
    observe('openlibrary')
    await expect.poll(source).toMatchObject({ succeededAt: expect.any(String), failedAt: null })
    const { succeededAt } = await source()
    observe('openlibrary', new Error('It is down.'))
    await expect.poll(source).toMatchObject({ succeededAt, error: 'It is down.' })
    const { failedAt } = await source()
    observe('openlibrary', new Error('It is still down.'))
    expect(await source()).toMatchObject({ failedAt, error: 'It is down.' })
    expect(warnings).toEqual([])
  })

  test('shows TVmaze beside the sources of titles, and tests it', async () => {
    const { sources } = await as(moderator).admin.overview()
    expect(sources.map(({ name }) => name)).toEqual(['tmdb', 'openlibrary', 'igdb', 'tvmaze'])
    const tvmazeOf = async (check?: () => Promise<void>) => {
      const findEpisodes = async () => undefined
      const episodes = check ? [{ name: 'tvmaze', findEpisodes, check }] : []
      const asAdmin = as(admin, { services: { sources: { ...server.services.sources, episodes } } }).admin
      const shown = (await asAdmin.overview()).sources.find(({ name }) => name === 'tvmaze')!
      return { ...(await asAdmin.testSource({ name: 'tvmaze' })), isConfigured: shown.isConfigured }
    }
    expect(await tvmazeOf()).toMatchObject({ isWorking: false, isConfigured: false })
    expect(await tvmazeOf(async () => {})).toMatchObject({ isWorking: true, isConfigured: true })
    const down = async () => {
      throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: 'TVmaze timed out.' })
    }
    expect(await tvmazeOf(down)).toMatchObject({ isWorking: false, message: 'TVmaze timed out.' })
  })
})
