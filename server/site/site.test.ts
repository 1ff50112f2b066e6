import type { AnyProcedure } from '@trpc/server'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { forgetSettings } from '#server/members/settings.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { appRouter } from '#server/router.ts'
import { aMember, aServer, aSignedInMember, aTitle, mailsTo } from '#server/testing.ts'
import type { Meta } from '#server/calls/procedures.ts'
import { languages } from '#shared/domain/languages.ts'
import { messages } from '#shared/texts/messages.ts'
import type { Settings } from '#shared/contracts/site.ts'
import { defaultSettings, defaultSite } from '#shared/domain/site-defaults.ts'
import { isBlockedAddress } from '#server/accounts/rules.ts'

const server = await aServer({ RATE_LIMITS: 'off', PUBLIC_URL: 'https://medley.example' })
const { db, as } = server
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())
const visitor = as()
const procedures = appRouter._def.procedures as unknown as Record<string, AnyProcedure>

beforeEach(async () => {
  await db.deleteFrom('settings').execute()
  forgetSettings(db)
})

async function anAdmin() {
  const member = await aSignedInMember(db)
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', member.id).execute()
  return { ...member, role: 'admin' as const }
}
const admin = await anAdmin()
const change = (changes: object) => as(admin).site.change(changes)
const registration = (changes: Partial<Settings['registration']>) =>
  change({ registration: { mode: 'open', ...changes } })

let count = 0
const fresh = () => ({
  username: `applicant${++count}`,
  email: `applicant${count}@example.org`,
  password: 'six-or-more',
})
const reasonOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: { reason?: string; message: string }) => error.reason ?? error.message,
  )
const isRegistered = async (username: string) =>
  (await db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirst()) !==
  undefined

describe('the settings', () => {
  test('of a new site are the defaults', async () => {
    expect((await visitor.site.get()).site).toMatchObject(defaultSite)
  })

  test('take effect at once, are audited with what changed, and increase the version', async () => {
    expect((await app.inject('/site')).json().site.name).toBe('Medley')
    const { settings } = await change({ name: 'Film Club', accent: 210 })
    expect((await app.inject('/site')).json().site).toMatchObject({
      name: 'Film Club',
      accent: 210,
      version: 1,
    })
    await change({ name: 'Film Club' })
    expect((await visitor.site.get()).site.version).toBe(settings.version)
    const { entries } = await as(admin).admin.audit({ action: 'settings.change', limit: 1 })
    expect(entries[0]).toMatchObject({
      before: { name: 'Medley', accent: null },
      after: { name: 'Film Club', accent: 210 },
    })
  })

  test('are not changed by an admin who read an earlier version', async () => {
    const call = (ifMatch: string) =>
      app.inject({
        method: 'PATCH',
        url: '/admin/settings',
        headers: { 'if-match': ifMatch, authorization: `Bearer ${token}` },
        payload: { name: 'Other' },
      })
    const token = 'x'.repeat(43)
    const { hashToken } = await import('#server/accounts/rules.ts')
    await db
      .updateTable('sessions')
      .set({ token_hash: hashToken(token) })
      .where('user_id', '=', admin.id)
      .execute()
    const read = await app.inject({ url: '/admin/settings', headers: { authorization: `Bearer ${token}` } })
    const tag = String(read.headers['etag'])
    expect((await call(tag)).statusCode).toBe(200)
    expect((await call(tag)).statusCode).toBe(412)
    await db
      .updateTable('sessions')
      .set({ token_hash: `session of ${admin.id}` })
      .where('user_id', '=', admin.id)
      .execute()
  })

  test.each<[string, object]>([
    ['a hue beyond the circle', { accent: 360 }],
    ['a picture that was never uploaded', { icon: '/uploads/none-640.webp' }],
    [
      'rules with the same id',
      {
        rules: [
          { id: 'a', text: 'One' },
          { id: 'a', text: 'Two' },
        ],
      },
    ],
    ['an unknown mode', { registration: { mode: 'secret' } }],
    ['a blank name', { name: '  ' }],
    ['a domain with an @', { registration: { mode: 'open', blockedEmailDomains: ['a@b.example'] } }],
  ])('refuse %s', async (_, input) => {
    await expect(change(input)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('a value that this version does not know counts as the default', async () => {
    const row = { key: 'accent', value: '"green"', version: 5, updated_at: '2026-01-01T00:00:00.000Z' }
    await db.insertInto('settings').values(row).execute()
    forgetSettings(db)
    expect((await visitor.site.get()).site).toMatchObject({ accent: null, version: 5 })
  })

  test('of the sign-up and of visitors close the site if this version does not know their values', async () => {
    for (const [key, value] of [
      ['registration', '{"mode":"by-letter"}'],
      ['visitorsMayRead', '"sometimes"'],
    ] as const)
      await db
        .insertInto('settings')
        .values({ key, value, version: 5, updated_at: '2026-01-01T00:00:00.000Z' })
        .execute()
    forgetSettings(db)
    expect((await visitor.site.get()).site).toMatchObject({
      registration: { mode: 'closed' },
      visitorsMayRead: false,
    })
  })

  test('the settings name the languages of the app, and no other language can be the default', async () => {
    const all = languages.map(({ code, name, isReviewed }) => ({ code, name, isReviewed }))
    const offers = { reviewed: all.filter(({ isReviewed }) => isReviewed), all }
    expect(offers.reviewed).toContainEqual({ code: 'en', name: 'English', isReviewed: true })
    for (const offer of ['reviewed', 'all'] as const) {
      await change({ languages: { default: 'en', offer } })
      const { site } = await visitor.site.get()
      expect(site).toMatchObject({ languages: offers[offer], defaultLanguage: 'en' })
    }
    for (const code of ['xx', 'en-XA', ''])
      await expect(change({ languages: { default: code, offer: 'all' } })).rejects.toThrow()
  })

  test.each(['never written', 'emptied'])('a page that was %s is not found', async (how) => {
    if (how === 'emptied') {
      await change({ pages: { ...defaultSettings.pages, about: 'A site.' } })
      expect((await visitor.site.page({ name: 'about' })).page.markdown).toBe('A site.')
      await change({ pages: defaultSettings.pages })
    }
    expect((await app.inject('/site/pages/about')).statusCode).toBe(404)
  })

  test('an announcement ends at its time', async () => {
    await change({ announcement: { text: 'Soon.', until: '2030-01-01T00:00:00.000Z' } })
    const at = (now: string) => as(null, { now: new Date(now) }).site.get()
    expect((await at('2029-12-31T23:59:59.000Z')).site.announcement?.text).toBe('Soon.')
    expect((await at('2030-01-01T00:00:00.000Z')).site.announcement).toBeNull()
  })

  test('the name of the site stands in its emails', async () => {
    await change({ name: 'Film Club' })
    const reader = fresh()
    await visitor.accounts.register(reader)
    const [mail] = await mailsTo(db, reader.email)
    expect(mail!.subject + mail!.text).toContain('Film Club')
    expect(mail!.subject + mail!.text).not.toContain('Medley')
  })
})

describe('a site that visitors may not read', () => {
  test('refuses every read of visitors at once, cached or not, and serves members', async () => {
    const id = await aTitle(db)
    const reads = [
      '/movies/popular',
      `/movies/${id}`,
      `/trpc/movies.byId?input=${encodeURIComponent(JSON.stringify({ id }))}`,
      `/movies/${id}/reviews.atom`,
      `/oembed?url=${encodeURIComponent(`https://medley.example/movies/${id}`)}`,
      '/sitemap.xml',
      '/sitemaps/1.xml',
    ]
    for (const url of reads) expect((await app.inject(url)).statusCode, url).toBe(200)
    await change({ visitorsMayRead: false })
    const more = ['/reviews/live?movieId=1', '/lists/1.atom', '/users/1/reviews.atom', '/reviews/1/share.jpg']
    for (const url of [...reads, ...more, '/users/1/share.jpg', '/lists', '/users/search?q=a']) {
      const response = await app.inject(url)
      expect(response.statusCode, url).toBe(401)
      expect(response.body, url).toContain('LOGIN_REQUIRED')
    }
    expect((await app.inject('/robots.txt')).body).toContain('Disallow: /\n')
    for (const url of ['/site', '/healthz']) expect((await app.inject(url)).statusCode, url).toBe(200)
    expect(await as(await aMember(db)).movies.byId({ id })).toBeTruthy()
    await change({ visitorsMayRead: true })
    expect((await app.inject(`/movies/${id}`)).statusCode).toBe(200)
  })

  test('refuses every procedure that visitors read, on both transports', async () => {
    await change({ visitorsMayRead: false })
    const open: string[] = []
    for (const [name, { _def }] of Object.entries(procedures)) {
      const meta = _def.meta as Meta | undefined
      if (_def.type === 'mutation' || meta?.requiresMember) continue
      const urls = [`/trpc/${name}?input=%7B%7D`]
      if (meta?.openapi) urls.push(meta.openapi.path.replaceAll(/\{\w+\}/g, '1'))
      const bodies = await Promise.all(urls.map(async (url) => (await app.inject(url)).body))
      if (!bodies.every((body) => body.includes('LOGIN_REQUIRED'))) open.push(name)
    }
    expect(open.sort()).toEqual([
      'accounts.challenge',
      // The page that asks to log in needs it.
      'accounts.providers',
      'invites.find',
      'site.get',
      'site.page',
    ])
    for (const url of ['/users/1/year/2026/share.jpg', '/lists/1/share.jpg', '/sitemaps/lists-1.xml'])
      expect((await app.inject(url)).statusCode, url).toBe(401)
  })

  test('ends the live streams that are open', async () => {
    const movieId = await aTitle(db)
    const events = await visitor.reviews.live({ movieId })
    const iterator = events[Symbol.asyncIterator]()
    await iterator.next()
    await change({ visitorsMayRead: false })
    await expect(iterator.next()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })

  test('still lets people sign up and log in', async () => {
    await change({ visitorsMayRead: false })
    expect(await visitor.accounts.register(fresh())).toBeTruthy()
  })
})

describe('the sign-up', () => {
  test('of a closed site is refused', async () => {
    await registration({ mode: 'closed' })
    expect(await reasonOf(visitor.accounts.register(fresh()))).toBe('REGISTRATION_CLOSED')
  })

  test('requires that the rules are accepted if there are any', async () => {
    await change({ rules: [{ id: 'kind', text: 'Be kind.' }] })
    expect(await reasonOf(visitor.accounts.register(fresh()))).toBe(messages.rulesNotAccepted)
    expect(await visitor.accounts.register({ ...fresh(), acceptsRules: true })).toBeTruthy()
  })

  test('refuses addresses of blocked domains as if they were broken, at a change of address too', async () => {
    await registration({ blockedEmailDomains: ['bad.example', 'müll.example'] })
    const refused = async (email: string) => {
      const response = await app.inject({
        method: 'POST',
        url: '/users/register',
        payload: { ...fresh(), email },
      })
      return response.json()
    }
    const broken = await refused('not an address')
    for (const email of [
      'a@bad.example',
      'a@BAD.example',
      'a@mail.bad.example',
      'a@xn--mll-hoa.example',
      'a@ｂａｄ.example',
      'a@mail.bad。example',
      'a@b\u00ADad.example',
      'a@bad.example.',
    ])
      expect(await refused(email), email).toEqual(broken)
    const member = await aSignedInMember(db)
    await expect(
      as(member).accounts.updateProfile({ email: 'me@bad.example', password: 'six-or-more' }),
    ).rejects.toMatchObject({ message: messages.emailInvalid })
    expect(await visitor.accounts.register({ ...fresh(), email: 'a@notbad.example' })).toBeTruthy()
  })

  test.each([
    ['ｂａｄ．example', true],
    ['bad.example.', true],
    ['a.b.bad.example', true],
    ['bad.example.org', false],
    ['verybad.example', false],
  ])('the domain %s counts as blocked: %s', (domain, isBlocked) => {
    expect(isBlockedAddress(`a@${domain}`, ['bad.example'])).toBe(isBlocked)
    expect(isBlockedAddress(`a@${domain}`, ['*.bad.example'])).toBe(isBlocked)
  })
})

test('an upload without a login is refused if nobody can sign up', async () => {
  const upload = async () => (await app.inject({ method: 'POST', url: '/upload', payload: {} })).statusCode
  // The form is missing.
  expect(await upload()).toBe(415)
  await change({ visitorsMayRead: false })
  expect(await upload()).toBe(415)
  await change({ visitorsMayRead: true })
  await registration({ mode: 'closed' })
  expect(await upload()).toBe(403)
  await change({ visitorsMayRead: false })
  expect(await upload()).toBe(401)
})

describe('an invite', () => {
  test.each<[string, (inviter: Awaited<ReturnType<typeof anAdmin>>) => Promise<unknown>]>([
    ['the settings allow only admins to invite', () => registration({ mode: 'invite', invitesBy: 'admins' })],
    [
      'its member is frozen',
      ({ id }) => db.updateTable('users').set({ standing: 'frozen' }).where('id', '=', id).execute(),
    ],
    [
      'its member loses the role that may invite',
      async ({ id }) => {
        await registration({ mode: 'invite', invitesBy: 'moderators' })
        await db.updateTable('users').set({ role: 'member' }).where('id', '=', id).execute()
      },
    ],
  ])('cannot be used once %s', async (_what, lose) => {
    await registration({ mode: 'invite' })
    const inviter = await aSignedInMember(db)
    await db.updateTable('users').set({ role: 'moderator' }).where('id', '=', inviter.id).execute()
    const { invite } = await as(inviter).invites.create({ maxUses: 3 })
    const isValid = async () => (await visitor.invites.find({ id: invite.code })).invite.isValid
    const use = () => reasonOf(visitor.accounts.register({ ...fresh(), inviteCode: invite.code }))
    expect([await isValid(), await use()]).toEqual([true, 'none'])
    await lose({ ...inviter, role: 'admin' })
    expect([await isValid(), await use()]).toEqual([false, 'INVITE_REQUIRED'])
    const open = (await as(admin).invites.listAll({ isOpen: true, limit: 100 })).invites
    expect(open.map(({ id }) => id)).not.toContain(invite.id)
  })

  test('lets as many people sign up as it allows, however many try at once', async () => {
    await registration({ mode: 'invite' })
    const inviter = await aSignedInMember(db)
    const { invite } = await as(inviter).invites.create({ maxUses: 3 })
    const tries = await Promise.all(
      Array.from({ length: 8 }, () =>
        reasonOf(visitor.accounts.register({ ...fresh(), inviteCode: invite.code })),
      ),
    )
    expect(tries.filter((reason) => reason === 'none')).toHaveLength(3)
    expect(new Set(tries)).toEqual(new Set(['none', 'INVITE_REQUIRED']))
    expect((await as(inviter).invites.list()).invites[0]).toMatchObject({ uses: 3, maxUses: 3 })
    expect(await visitor.invites.find({ id: invite.code })).toEqual({
      invite: { isValid: false, invitedBy: null },
    })
    const invited = await db.selectFrom('users').select('id').where('invited_by', '=', inviter.id).execute()
    expect(invited).toHaveLength(3)
  })

  test('is not used up by a registration that fails', async () => {
    await registration({ mode: 'invite' })
    const inviter = await aSignedInMember(db)
    const { invite } = await as(inviter).invites.create({})
    const person = { ...fresh(), username: inviter.username, inviteCode: invite.code }
    expect(await reasonOf(visitor.accounts.register(person))).toBe('USERNAME_TAKEN')
    expect(await visitor.invites.find({ id: invite.code })).toEqual({
      invite: { isValid: true, invitedBy: inviter.username },
    })
  })

  test('expires, and can be revoked by its member and by admins only', async () => {
    await registration({ mode: 'invite' })
    const inviter = await aSignedInMember(db)
    const { invite } = await as(inviter).invites.create({ expiresInDays: 1 })
    const later = new Date(Date.now() + 25 * 3_600_000)
    const join = as(null, { now: later }).accounts.register({ ...fresh(), inviteCode: invite.code })
    expect(await reasonOf(join)).toBe('INVITE_REQUIRED')
    await expect(as(await aMember(db)).invites.remove({ id: invite.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await as(admin).invites.remove({ id: invite.id })
    expect((await as(inviter).invites.list()).invites).toEqual([])
  })

  test('can be created by those whom the settings name, five at a time, also by concurrent calls', async () => {
    await registration({ mode: 'invite', invitesBy: 'moderators' })
    const member = await aSignedInMember(db)
    await expect(as(member).invites.create({})).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await registration({ mode: 'invite' })
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => as(member).invites.create({})))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  })
})

describe('an approval', () => {
  async function anApplicant(reason = 'I like films.') {
    await registration({ mode: 'approval' })
    const person = fresh()
    await visitor.accounts.register({ ...person, reason })
    const [mail] = await mailsTo(db, person.email)
    const token = /token=([\w-]+)/.exec(mail!.text)![1]!
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('username', '=', person.username)
      .executeTakeFirstOrThrow()
    return { ...person, id, verify: () => visitor.accounts.verifyEmail({ token }) }
  }
  const pending = async () =>
    (await as(admin).admin.members({ state: 'pending' })).members.map(({ id }) => id)

  test('requires a reason if the settings say so', async () => {
    await registration({ mode: 'approval' })
    expect(await reasonOf(visitor.accounts.register(fresh()))).toBe(messages.signUpReasonRequired)
    await registration({ mode: 'approval', reasonRequired: false })
    expect(await visitor.accounts.register(fresh())).toBeTruthy()
  })

  test('is asked for once the address is verified, and lets the member log in', async () => {
    const person = await anApplicant()
    expect(await pending()).not.toContain(person.id)
    expect(await reasonOf(visitor.accounts.login(person))).toBe('EMAIL_UNVERIFIED')
    expect(await person.verify()).toEqual({ message: messages.approvalPending, isPending: true })
    expect(await pending()).toContain(person.id)
    expect(await reasonOf(visitor.accounts.login(person))).toBe('APPROVAL_PENDING')
    await expect(visitor.accounts.profile({ id: person.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await as(admin).admin.approve({ id: person.id })
    expect((await mailsTo(db, person.email)).at(-1)!.text).toContain('approved')
    expect((await visitor.accounts.login(person)).user.id).toBe(person.id)
    await expect(as(admin).admin.approve({ id: person.id })).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('that is refused notifies the applicant, and frees the name and the address', async () => {
    const person = await anApplicant('<b>Let me in</b>')
    await person.verify()
    await as(admin).admin.reject({ id: person.id, reason: 'Spam.' })
    const mail = (await mailsTo(db, person.email)).at(-1)!
    expect(mail.text).toContain('not approved')
    expect(mail.text).not.toContain('Let me in')
    expect(await isRegistered(person.username)).toBe(false)
    const { username, email, password } = person
    expect(await visitor.accounts.register({ username, email, password, reason: 'Again.' })).toBeTruthy()
  })

  test('of one account by two moderators at once happens once', async () => {
    const person = await anApplicant()
    await person.verify()
    const { id } = person
    const results = await Promise.allSettled([
      as(admin).admin.approve({ id }),
      as(admin).admin.reject({ id }),
      as(admin).admin.approve({ id }),
    ])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('the setup link', () => {
  test('makes the member who opens it an admin, once, within a day', async () => {
    const { openSetup } = await import('./setup.ts')
    const now = new Date()
    const code = new URL(await openSetup(db, 'https://medley.example', now)).searchParams.get('code')!
    const member = await aSignedInMember(db)
    const at = (ms: number) => as(member, { now: new Date(now.getTime() + ms) }).site
    await expect(at(0).setUp({ code: 'guess' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(at(25 * 3_600_000).setUp({ code })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await at(0).setUp({ code })
    expect((await as(member).accounts.me()).user.role).toBe('admin')
    const other = await aSignedInMember(db)
    await expect(as(other).site.setUp({ code })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('changes nothing by a GET, without a login, or from another site’s form', async () => {
    const { openSetup } = await import('./setup.ts')
    const code = new URL(await openSetup(db, 'https://medley.example', new Date())).searchParams.get('code')!
    const statuses = [
      await app.inject({ url: `/setup?code=${code}`, headers: { accept: 'application/json' } }),
      await app.inject({ method: 'POST', url: '/setup', payload: { code } }),
      await app.inject({
        method: 'POST',
        url: '/setup',
        headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: 'Bearer x' },
        payload: `code=${code}`,
      }),
    ].map(({ statusCode }) => statusCode)
    expect(statuses.every((status) => status >= 400)).toBe(true)
    expect(await db.selectFrom('setup_codes').select('code_hash').execute()).not.toEqual([])
  })
})
