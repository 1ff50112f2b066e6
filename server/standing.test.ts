import type { AnyProcedure } from '@trpc/server'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Caller, prepareCalls, roleOf } from '#scripts/testing/calls.ts'
import { someEpisodes } from '#scripts/testing/episodes.ts'
import { requestTo } from '#scripts/testing/request.ts'
import { noWeb } from '#server/http/pages/web.ts'
import type { Meta } from '#server/calls/procedures.ts'
import { scopeNames } from '#shared/domain/scopes.ts'
import { buildApp } from './app.ts'
import { appRouter } from './router.ts'
import { aServer, aTitle } from './testing.ts'

/**
 * What each call that writes, and each call of moderators and admins, does with content that only its author still sees, about the
 * caller themselves, while the caller is frozen, and with a token of less. A new call needs a row in the tables below.
 */
const server = await aServer({ RATE_LIMITS: 'off' })
const { db, as } = server
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())
const { newCaller, newAccessToken } = await prepareCalls(server)
const request = requestTo(app)
const procedures = appRouter._def.procedures as unknown as Record<string, AnyProcedure>
const metaOf = (path: string) => procedures[path]!._def.meta as Meta
const names = Object.keys(procedures)
const ofMembers = names.filter((path) => metaOf(path).requiresMember)
const isMutation = (path: string) => procedures[path]!._def.type === 'mutation'
const ofStaff = names.filter((path) => roleOf(procedures[path]!) !== 'member')
const writes = ofMembers.filter((path) => isMutation(path) && !ofStaff.includes(path))
const send = async (path: string, input: object, caller: Caller) => {
  const response = await request('tRPC', path, procedures[path]!, input, caller)
  const { error } = response.json<{ error?: { data: { reason?: string } } }>()
  return { status: response.statusCode, reason: error?.data.reason, body: response.body }
}

/** An input about what the scene has, and the status. */
type Case<Scene> = readonly [input: (scene: Scene) => object, status: number]
/** A row is a list of cases, or the reason why there is none. */
type Row<Scene> = readonly Case<Scene>[] | string

const decide = async (type: 'review' | 'comment' | 'list' | 'title', id: number) => {
  const call = as(await newCaller('moderator')).moderation
  const opened = await call.open({ target: { type, id } })
  await call.decide({ id: opened.case.id, action: 'remove' })
}

describe('content that a decision has removed', () => {
  async function newScene() {
    const [author, other] = [await newCaller(), await newCaller()]
    const call = as(author)
    const title = await aTitle(db)
    const created = await call.movies.create({ name: 'Made up', description: 'By its author.' })
    const gone = created.movie.id
    const { review } = await call.reviews.save({ movieId: title, rating: 2, text: 'Buy my things.' })
    const { review: ofGone } = await call.reviews.save({ movieId: gone, rating: 5, text: 'Buy it.' })
    const { entry } = await call.diary.create({ movieId: gone, status: 'finished' })
    const { entry: begun } = await call.diary.create({ movieId: gone, status: 'want' })
    const { step } = await call.diary.addStep({ id: begun.id, percent: 30 })
    const { snapshot } = await call.reviews.snapshot({ movieId: title })
    const show = await aTitle(db, 'tvShow')
    const episodes = await someEpisodes(db, show)
    const { batch } = await call.progress.mark({ id: show, upTo: episodes[1]! })
    const { plays } = await call.progress.plays({ id: show })
    const { list } = await call.lists.create({ title: 'Buy', visibility: 'public' })
    const { list: open } = await call.lists.create({ title: 'Open', visibility: 'public' })
    await call.lists.addItem({ id: list.id, itemId: title })
    await call.lists.invite({ id: list.id, userId: other.id })
    const { review: others } = await as(other).reviews.save({ movieId: title, rating: 1, text: 'Mine.' })
    const { comment } = await call.reviews.addComment({ id: others.id, text: 'Buy!' })
    for (const [type, id] of [
      ['review', review.id],
      ['comment', comment.id],
      ['list', list.id],
      ['title', gone],
      ['title', show],
    ] as const)
      await decide(type, id)
    const ids = { list: list.id, open: open.id, review: review.id, ofGone: ofGone.id, comment: comment.id }
    const ofShow = { show, episodes, batch: batch!.id, play: plays[0]!.id }
    const ofStep = { begun: begun.id, step: step.id }
    return { author, other, title, gone, entry: entry.id, ...ofStep, snapshot: snapshot!, ...ids, ...ofShow }
  }
  type Scene = Awaited<ReturnType<typeof newScene>>

  const account = 'It changes the account, which is frozen or suspended as a whole.'
  const people = 'It takes members only. The follows of suspended ones are hidden with them.'
  const catalogue = 'It reads an outside source. Its titles are not removed.'
  const imports = 'It starts or changes a task, whose writes are tested with imports.'
  const likeMovies = 'It is the same code as of films.'
  const onList = (more: (scene: Scene) => object = () => ({})): Case<Scene> => [
    (scene) => ({ id: scene.list, ...more(scene) }),
    403,
  ]
  const rows: Record<string, Row<Scene>> = {
    'movies.create': 'It makes a title of its own.',
    ...Object.fromEntries(names.filter((one) => one.startsWith('sources.')).map((one) => [one, catalogue])),
    ...Object.fromEntries(names.filter((one) => one.startsWith('imports.')).map((one) => [one, imports])),
    ...Object.fromEntries(
      names.filter((one) => /^(accounts|webhooks)\./.test(one)).map((one) => [one, account]),
    ),
    ...Object.fromEntries(
      names.filter((one) => /^favorite(?!Movies)/.test(one)).map((one) => [one, likeMovies]),
    ),
    ...Object.fromEntries(
      'social.follow social.unfollow privacy.change privacy.block privacy.unblock privacy.mute privacy.unmute privacy.accept privacy.reject privacy.removeFollower'
        .split(' ')
        .map((one) => [one, people]),
    ),
    'reviews.save': [
      [({ title }) => ({ movieId: title, rating: 5, text: 'Again.' }), 403],
      [({ gone }) => ({ movieId: gone, rating: 5 }), 404],
    ],
    'reviews.edit': [
      [({ review }) => ({ id: review, rating: 5 }), 403],
      [({ ofGone }) => ({ id: ofGone, rating: 1 }), 404],
    ],
    'reviews.restore': [[({ snapshot }) => snapshot, 403]],
    'reviews.remove': [
      [({ review }) => ({ id: review }), 200],
      [({ ofGone }) => ({ id: ofGone }), 200],
    ],
    'reviews.react': [
      [({ review }) => ({ id: review, reaction: 'like' }), 403],
      [({ ofGone }) => ({ id: ofGone, reaction: 'like' }), 404],
    ],
    'reviews.addComment': [
      [({ review }) => ({ id: review, text: 'So?' }), 403],
      [({ ofGone }) => ({ id: ofGone, text: 'So?' }), 404],
    ],
    'reviews.removeComment': [[({ comment }) => ({ id: comment }), 404]],
    'diary.create': [[({ gone }) => ({ movieId: gone, status: 'want' }), 404]],
    'diary.edit': [[({ entry }) => ({ id: entry, text: 'Again.' }), 404]],
    'diary.remove': [[({ entry }) => ({ id: entry }), 200]],
    'diary.addStep': [[({ begun }) => ({ id: begun, percent: 40 }), 404]],
    'diary.removeStep': [[({ begun, step }) => ({ id: begun, stepId: step }), 200]],
    'diary.setVisibility': account,
    'progress.createCalendarLink': account,
    'progress.removeCalendarLink': account,
    'progress.mark': [[({ show, episodes }) => ({ id: show, episodeIds: [episodes[2]!] }), 404]],
    'progress.unmark': [[({ show }) => ({ id: show, season: 1 }), 404]],
    'progress.editPlay': [[({ play }) => ({ id: play, watchedOn: 'unknown' }), 404]],
    'progress.removePlay': [[({ play }) => ({ id: play }), 200]],
    'progress.undo': [[({ batch }) => ({ id: batch }), 200]],
    'lists.create': 'It makes a list of its own.',
    'lists.edit': [onList(() => ({ title: 'Sold', visibility: 'public' }))],
    'lists.remove': [[({ list }) => ({ id: list }), 200]],
    'lists.copy': [onList()],
    'lists.addItem': [
      onList(({ title }) => ({ itemId: title })),
      [({ open, gone }) => ({ id: open, itemId: gone }), 404],
    ],
    'lists.editItem': [onList(({ title }) => ({ itemId: title, note: 'Buy!' }))],
    'lists.removeItem': [onList(({ title }) => ({ itemId: title }))],
    'lists.changeItems': [
      onList(({ title }) => ({ action: 'remove', items: [{ itemId: title }] })),
      [({ open, gone }) => ({ id: open, action: 'add', items: [{ itemId: gone }] }), 404],
    ],
    'lists.like': [onList()],
    'lists.unlike': [onList()],
    'lists.follow': [onList()],
    'lists.unfollow': [onList()],
    'lists.invite': [onList(({ other }) => ({ userId: other.id }))],
    'lists.removeEditor': [onList(({ other }) => ({ userId: other.id }))],
    // Its owner is not invited.
    'lists.accept': [[({ list }) => ({ id: list }), 404]],
    'lists.renewLink': [onList()],
    'favoriteMovies.add': [[({ gone }) => ({ movieId: gone }), 404]],
    'favoriteMovies.arrange': 'It changes an order.',
    'favoriteMovies.remove': 'It removes.',
    'notifications.read': account,
    'notifications.changeSettings': account,
    'offers.changeSettings': account,
    'reviews.changeRatingSettings': account,
    'site.setUp': account,
    'invites.create': account,
    'invites.remove': account,
    'moderation.report': [
      [({ review }) => ({ target: { type: 'review', id: review }, category: 'spam' }), 400],
      [({ gone }) => ({ target: { type: 'title', id: gone }, category: 'spam' }), 404],
    ],
    'moderation.confirm': 'It is about a decision of the caller.',
    'moderation.appeal': 'It is about a decision of the caller.',
  }

  test('each call that writes has a row', () => {
    expect(
      Object.keys(rows)
        .filter((path) => writes.includes(path))
        .toSorted(),
    ).toEqual(writes.toSorted())
  })

  let scene: Scene
  beforeAll(async () => {
    scene = await newScene()
  })
  const cases = Object.entries(rows).flatMap(([path, row]) =>
    typeof row === 'string' || !writes.includes(path) ? [] : row.map((one) => [path, ...one] as const),
  )
  // What removes something comes last, because all share a scene.
  const sorted = cases.toSorted((a, b) => Number(a[2] === 200) - Number(b[2] === 200))

  test.each(sorted)('%s by its author: %s is a %i', async (path, input, status) => {
    const response = await send(path, input(scene), scene.author)
    expect(response.status, response.body).toBe(status)
    if (status === 403) expect(response.reason).toBe('CONTENT_REMOVED')
  })

  test('neither a like nor an acceptance of others reaches it', async () => {
    for (const path of ['lists.accept', 'lists.like', 'lists.follow', 'lists.copy'])
      expect((await send(path, { id: scene.list }, scene.other)).status, path).toBe(404)
  })

  test('a review that its author has deleted is not written again, until its removal is undone', async () => {
    const { author, title, review } = await newScene()
    const moderator = await newCaller('moderator')
    await as(author).reviews.remove({ id: review })
    const again = () => send('reviews.save', { movieId: title, rating: 5, text: 'Again.' }, author)
    expect(await again()).toMatchObject({ status: 403, reason: 'CONTENT_REMOVED' })
    const known = db.selectFrom('decisions').select('id').where('target_id', '=', review)
    const { id } = await known.where('target_type', '=', 'review').executeTakeFirstOrThrow()
    await as(moderator).moderation.undo({ id })
    await expect(as(author).reviews.byId({ id: review })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await again()).status).toBe(200)
  })
})

describe('a call of moderators and admins about the caller', () => {
  const secret = 'Said-by-the-reporter'
  async function newScene() {
    const [self, reporter, judge] = [await newCaller('admin'), await newCaller(), await newCaller('admin')]
    const { movie } = await as(self).movies.create({ name: 'Made up', description: 'By an admin.' })
    const { review } = await as(self).reviews.save({ movieId: await aTitle(db), rating: 1, text: 'Buy!' })
    const target = { type: 'review' as const, id: review.id }
    await as(reporter).moderation.report({ target, category: 'spam', comment: secret })
    const decided = (await as(judge).moderation.open({ target })).case.id
    const { decisionId } = await as(judge).moderation.decide({ id: decided, action: 'warn', reason: secret })
    await as(self).moderation.appeal({ id: decisionId, text: 'Why?' })
    await as(reporter).moderation.report({ target, category: 'spam', comment: secret })
    const waiting = (await as(judge).moderation.open({ target })).case.id
    const created = (await as(judge).moderation.open({ target: { type: 'title', id: movie.id } })).case.id
    await as(judge).moderation.decide({ id: created, action: 'remove', reason: secret })
    return { self, target, decided, waiting, decisionId, title: movie.id }
  }
  type Scene = Awaited<ReturnType<typeof newScene>>
  const self = ({ self: { id } }: Scene) => ({ id })
  const ofCase = (more: (scene: Scene) => object = () => ({})): Row<Scene> => [
    [(scene) => ({ id: scene.waiting, ...more(scene) }), 403],
    [(scene) => ({ id: scene.decided, ...more(scene) }), 403],
  ]
  const all: Row<Scene> = [[() => ({ limit: 100 }), 200]]
  const ofDecision = (more: object): Row<Scene> => [[({ decisionId }) => ({ id: decisionId, ...more }), 403]]
  const site = 'It changes nothing of a member.'
  const rows: Record<string, Row<Scene>> = {
    'site.settings': [[() => ({}), 200]],
    'site.change': site,
    'invites.listAll': all,
    'admin.overview': [[() => ({}), 200]],
    'admin.sendTestMail': site,
    'admin.testSource': site,
    'admin.audit': all,
    'admin.members': all,
    'admin.member': [[self, 200]],
    'admin.setRole': 'An admin may resign, unless it is the last one.',
    'admin.approve': [[self, 409]],
    'admin.reject': [[self, 409]],
    'admin.logOut': 'It ends sessions of the caller, as the settings do.',
    'admin.sendReset': 'It is an email to the caller, as the settings send it.',
    'admin.removeMember': 'It is the deletion that the settings offer, unless it is the last admin.',
    'moderation.list': [
      [() => ({ state: 'open', limit: 100 }), 200],
      [() => ({ state: 'closed', limit: 100 }), 200],
      [() => ({ state: 'appealed', limit: 100 }), 200],
    ],
    'moderation.open': [
      [({ target }) => ({ target }), 403],
      [({ self: { id } }) => ({ target: { type: 'user', id } }), 403],
    ],
    'moderation.byId': ofCase(),
    'moderation.assign': ofCase(({ self: { id } }) => ({ userId: id })),
    'moderation.decide': [[({ waiting }) => ({ id: waiting, action: 'dismiss' }), 403]],
    'moderation.undo': ofDecision({}),
    'moderation.answer': ofDecision({ accepts: true, answer: 'Yes.' }),
    'moderation.titles': all,
    'moderation.correctTitle': [[({ title }) => ({ id: title, name: 'Mine' }), 403]],
  }

  test('has a row', () => {
    expect(Object.keys(rows).toSorted()).toEqual(ofStaff.toSorted())
  })

  let scene: Scene
  beforeAll(async () => {
    scene = await newScene()
  })
  const cases = Object.entries(rows).flatMap(([path, row]) =>
    typeof row === 'string' ? [] : row.map((one) => [path, ...one] as const),
  )
  test.each(cases)(
    '%s: %s is a %i, and says nothing of a report or a decision',
    async (path, input, status) => {
      const response = await send(path, input(scene), scene.self)
      expect(response.status, response.body).toBe(status)
      expect(response.body).not.toContain(secret)
    },
  )
})

// Refused before the input is read and before any SQL of the call, so one database and no rows are enough.
describe.skipIf(inject('postgresUrl'))('is refused', () => {
  /** What frozen and suspended members may do. */
  const forFrozen = [
    'accounts.logout',
    'accounts.openPages',
    'accounts.requestDeletion',
    'accounts.cancelDeletion',
    'accounts.confirmSelf',
    'accounts.confirmByProvider',
    'moderation.confirm',
    'moderation.appeal',
  ]
  let frozen: Caller
  beforeAll(async () => {
    frozen = await newCaller('admin')
    await db.updateTable('users').set({ standing: 'frozen' }).where('id', '=', frozen.id).execute()
  })

  test('to frozen members: every write that the table does not except, and every call of moderators and admins', async () => {
    expect(writes.filter((path) => metaOf(path).isForSuspended)).toEqual(forFrozen)
    for (const path of new Set([...writes, ...ofStaff])) {
      if (forFrozen.includes(path)) continue
      expect(await send(path, {}, frozen), path).toMatchObject({ status: 403, reason: 'ACCOUNT_FROZEN' })
    }
    for (const url of ['/admin/audit.csv', '/admin/members/1/export', '/admin/members/1'])
      expect(
        (await app.inject({ url, headers: { authorization: `Bearer ${frozen.token}` } })).statusCode,
        url,
      ).toBe(403)
    expect((await as({ ...frozen, standing: 'frozen' }).accounts.me()).user).not.toHaveProperty('role')
  })

  test('to a token: every call of admins with one that may moderate, and of moderators with one that may not', async () => {
    const admin = await newCaller('admin')
    for (const path of ofStaff) {
      const { token } = await newAccessToken(
        admin,
        scopeNames.filter((scope) => scope !== metaOf(path).scope),
      )
      expect(await send(path, {}, { ...admin, token }), path).toMatchObject({
        status: 403,
        reason: 'INSUFFICIENT_SCOPE',
      })
    }
  })
})
