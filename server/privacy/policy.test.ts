import type { AnyProcedure } from '@trpc/server'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { someEpisodes } from '#scripts/testing/episodes.ts'
import { inputOfExamples } from '#scripts/testing/inputs.ts'
import { requestTo, type Transport } from '#scripts/testing/request.ts'
import { buildApp } from '#server/app.ts'
import { builtWeb } from '#server/http/pages/web.ts'
import { appRouter } from '#server/router.ts'
import { kinds, perKind } from '#shared/domain/kinds.ts'
import { aPageCookie, aSignedInMember, aServer, aTitle, settleChanges } from '#server/testing.ts'
import type { Member } from '#server/calls/context.ts'
import { writeCursor } from '#server/calls/cursors.ts'
import type { Meta } from '#server/calls/procedures.ts'
import { payloadOf } from '#server/webhooks/payload.ts'
import { describePolicy, readersOf, type Rule, type RuleName, rules, showsTexts, viewers } from './policy.ts'
import { previewHeader } from '#shared/domain/visibilities.ts'

const server = await aServer({ RATE_LIMITS: 'off', PUBLIC_URL: 'https://medley.example' })
const { db, as } = server
const app = await buildApp(server.services, {
  web: { ...(await builtWeb()), renderTimeoutMs: 60_000 },
})
afterAll(() => app.close())
const request = requestTo(app)
const procedures = appRouter._def.procedures as unknown as Record<string, AnyProcedure>

test('docs/privacy.md is the table of server/privacy/policy.ts', async () => {
  await expect(describePolicy()).toMatchFileSnapshot('../../docs/privacy.md')
})

/** The queries and streams, with what their meta says that they show. */
const reads = Object.entries(procedures)
  .filter(([, { _def }]) => _def.type !== 'mutation')
  .map(([path, { _def }]) => ({
    path,
    returnsData: [(_def.meta as Meta | undefined)?.returnsData ?? []].flat(),
  }))

test('every query and stream says whose data it returns: `returnsData` of its meta in server/<feature>/router.ts', () => {
  expect(reads.filter(({ returnsData }) => returnsData.length === 0)).toEqual([])
})

test('only calls that require a role show what is for a role', () => {
  const forRoles = reads.filter(({ returnsData }) => returnsData.includes('staff')).map(({ path }) => path)
  const withRole = forRoles.filter((path) => (procedures[path]!._def.meta as Meta).role)
  expect(forRoles).toEqual(withRole)
})

/** Returns what shows the data of a rule: procedures, of which the movies’ stand for all kinds, and the `reads` of the rule. */
function readsOf(name: RuleName): string[] {
  const { movie: _movie, ...otherKinds } = kinds
  const otherRouters = Object.values(otherKinds).flatMap(({ router, favorites }) => [
    router,
    favorites.router,
  ])
  const paths = reads.filter(
    ({ path, returnsData }) =>
      returnsData.includes(name) && !otherRouters.includes(path.split('.')[0] as never),
  )
  const { reads: others = [] }: Rule = rules[name]
  return [...paths.map(({ path }) => path), ...others]
}

type Person = Member & { token: string }

const aPerson = (name?: string): Promise<Person> => aSignedInMember(db, name)

type NamedRule = Rule & { name: RuleName }
const cases = Object.entries<Rule>(rules).map(([name, rule]): [string, NamedRule] => [
  rule.what,
  { name: name as RuleName, ...rule },
])

test('each rule has a read', () => {
  expect(cases.filter(([, { name }]) => readsOf(name).length === 0)).toEqual([])
})

let scenes = 0

/** A member with something in every read, and one viewer of each sort, who all have the same taste. */
async function aScene() {
  const mark = `Mark${++scenes}x`
  const owner = await aPerson(`owner.${mark}`)
  const host = await aPerson()
  const known = await aPerson(`known.${mark}`)
  const people = {
    stranger: await aPerson(),
    requested: await aPerson(),
    follower: await aPerson(),
    muting: await aPerson(),
    blocked: await aPerson(),
    blocking: await aPerson(),
    moderator: { ...(await aPerson()), role: 'moderator' as const },
  }
  await db.updateTable('users').set({ role: 'moderator' }).where('id', '=', people.moderator.id).execute()
  await db
    .updateTable('users')
    .set({ bio: `Bio of ${mark}` })
    .where('id', '=', owner.id)
    .execute()
  const common = [await aTitle(db), await aTitle(db), await aTitle(db)]
  const title = await aTitle(db, 'movie', `Title of ${mark}`)
  const other = await aTitle(db)
  const show = await aTitle(db, 'tvShow', `Title of ${mark}`)
  const [episode] = await someEpisodes(db, show)

  for (const person of [owner, host, ...Object.values(people)]) {
    await as(person).diary.setVisibility({ visibility: 'public' })
    for (const movieId of common) {
      await as(person).reviews.save({ movieId, rating: 5 })
      await as(person).diary.create({ movieId, status: 'finished', finishedOn: '2026-03-04' })
    }
  }
  const { review } = await as(owner).reviews.save({ movieId: title, rating: 5, text: `Text of ${mark}` })
  await as(owner).favoriteMovies.add({ movieId: title })
  await as(owner).diary.create({ movieId: title, status: 'finished', finishedOn: '2026-03-05' })
  const { entry } = await as(owner).diary.create({ movieId: title, status: 'want' })
  await as(owner).diary.addStep({ id: entry.id, percent: 30 })
  await as(owner).progress.mark({ id: show, episodeIds: [episode!] })
  const { list } = await as(owner).lists.create({ title: `List of ${mark}`, visibility: 'public' })
  await as(owner).lists.addItem({ id: list.id, itemId: title })
  const { review: hosts } = await as(host).reviews.save({ movieId: title, rating: 3, text: 'By the host.' })
  await as(owner).reviews.addComment({ id: hosts.id, text: `Text of ${mark}` })
  const { list: edited } = await as(host).lists.create({ title: 'Edited', visibility: 'public' })
  await as(host).lists.invite({ id: edited.id, userId: owner.id })
  await as(owner).lists.accept({ id: edited.id })
  await as(owner).lists.addItem({ id: edited.id, itemId: other })
  await as(owner).social.follow({ userIdToFollow: known.id })
  await as(known).social.follow({ userIdToFollow: owner.id })

  const replies: Partial<Record<string, { reviewId: number; commentId: number }>> = {}
  for (const [name, person] of Object.entries(people)) {
    await as(person).lists.follow({ id: list.id })
    await as(person).reviews.react({ id: review.id, reaction: 'like' })
    const { review: own } = await as(person).reviews.save({ movieId: other, rating: 3, text: 'Own.' })
    const { comment } = await as(owner).reviews.addComment({ id: own.id, text: `Reply of ${mark}` })
    await as(owner).reviews.react({ id: own.id, reaction: 'like' })
    replies[name] = { reviewId: own.id, commentId: comment.id }
  }
  for (const person of [people.follower, people.muting, people.blocked, people.blocking])
    await as(person).social.follow({ userIdToFollow: owner.id })
  await as(people.muting).privacy.mute({ id: owner.id })
  await as(owner).privacy.block({ id: people.blocked.id })
  await as(people.blocking).privacy.block({ id: owner.id })
  const signs: Record<string, string> = {
    name: owner.username,
    bio: `Bio of ${mark}`,
    text: `Text of ${mark}`,
    title: `Title of ${mark}`,
    list: `List of ${mark}`,
    reply: `Reply of ${mark}`,
    known: known.username,
    distribution: '"firstRatedAt":"20',
    isVisible: '"isVisible":true',
    common: '"commonCount":3',
    one: '1,"total":1',
    two: '2',
    // The comment, and the reaction.
    unread: '"unreadCount":2',
    author: `"author":"${owner.username}"`,
  }
  return { owner, host, known, people, title, other, entry, review, list, hosts, edited, replies, signs }
}
type Scene = Awaited<ReturnType<typeof aScene>>

/**
 * The inputs of procedures for which the examples of the schema, with the ids of the scene, are not enough; the inputs of one rule have its name.
 * `viewer` is the name of the viewer.
 */
const inputs: Record<string, (scene: Scene, viewer: string) => object> = {
  'social.searchUsers': ({ owner }) => ({ q: owner.username }),
  'social.followers (names)': ({ known }) => ({ id: known.id }),
  'social.following (names)': ({ known }) => ({ id: known.id }),
  'reviews.comments': ({ hosts }) => ({ id: hosts.id }),
  'favoriteMovies.list': ({ owner }) => ({ id: owner.id }),
  'diary.steps': ({ entry }) => ({ id: entry.id }),
  'diary.year': ({ owner }) => ({ id: owner.id, year: 2026 }),
  'lists.search': ({ list }) => ({ q: list.title }),
  'lists.byId (editors)': ({ edited }) => ({ id: edited.id }),
  'lists.items (editors)': ({ edited }) => ({ id: edited.id }),
  'social.tasteMatches': ({ owner }) => ({ ids: String(owner.id) }),
  'diary.yearTwin': (scene, viewer) => ({
    id: (viewer === preview ? scene.host : (personOf(scene, viewer) ?? scene.host)).id,
    year: 2026,
  }),
  'reviews.networkFor': ({ title }) => ({ ids: String(title) }),
  'reviews.list (networkReviews)': ({ title }) => ({ movieId: title, scope: 'network' }),
  'items.list (networkTitles)': () => ({ network: true }),
  'reviews.comments (replies)': ({ replies, hosts }, viewer) => ({
    id: replies[viewer]?.reviewId ?? hosts.id,
  }),
  'changes.list': () => ({ since: writeCursor([0, 0, Date.now()]), limit: 100 }),
}

async function inputFor(scene: Scene, path: string, rule: NamedRule, viewer: string) {
  const input = inputs[`${path} (${rule.name})`] ?? inputs[path]
  if (input) return input(scene, viewer)
  const rows = {
    titles: perKind(() => scene.title),
    memberId: scene.owner.id,
    importId: () => Promise.reject(new Error('The owner has no import.')),
    call: () => Promise.resolve(scene),
  }
  return (await inputOfExamples(path, procedures[path]!, rows)) ?? {}
}

/** The owner who previews the profile as a follower. */
const preview = 'preview'
const headersOf = (viewer: string) => (viewer === preview ? { [previewHeader]: 'follower' } : {})

/** Addresses that are not procedures, with the token of the viewer. */
const addresses: Record<string, (scene: Scene) => string> = {
  'GET /export': () => '/export?format=json',
  'GET reviews.atom of the member': ({ owner }) => `/users/${owner.id}/reviews.atom`,
  'GET reviews.atom of the title': ({ title }) => `/movies/${title}/reviews.atom`,
  'GET oembed of the review': (scene) => oembed(pageOfReview(scene)),
  'GET the page of the review': (scene) => pageOfReview(scene),
  'GET the feed of the list': ({ list }) => `/lists/${list.id}.atom`,
  'GET oembed of the list': ({ list }) => oembed(`/list/${list.id}`),
  'GET the page of the list': ({ list }) => `/list/${list.id}`,
  'GET the page of the title': ({ title }) => `/movies/${title}`,
  'GET the page of the member': ({ owner }) => `/user/${owner.id}`,
  'GET the page of the year': ({ owner }) => `/user/${owner.id}/year/2026`,
  'GET the rendered library': ({ owner }) => `/user/${owner.id}/reviews`,
  'GET the picture of the review': ({ review }) => `/reviews/${review.id}/share.jpg`,
  'GET the picture of the list': ({ list }) => `/lists/${list.id}/share.jpg`,
  'GET the picture of the favorites': ({ owner }) => `/users/${owner.id}/share.jpg`,
  'GET the picture of the year': ({ owner }) => `/users/${owner.id}/year/2026/share.jpg`,
  'GET the sitemap of lists': () => '/sitemaps/lists-1.xml',
}
const pageOfReview = ({ title, review }: Scene) => `/movies/${title}?review=${review.id}`
const oembed = (path: string) => `/oembed?url=${encodeURIComponent(`https://medley.example${path}`)}`

function personOf({ owner, people }: Scene, viewer: string): Person | null {
  return viewer === 'owner' || viewer === preview
    ? owner
    : viewer === 'visitor'
      ? null
      : people[viewer as 'stranger']
}

/** Returns the first event of a viewer’s stream; undefined if it is refused. */
async function firstEvent(scene: Scene, read: string, viewer: string): Promise<string | undefined> {
  const person = personOf(scene, viewer)
  if (!read.startsWith('GET')) {
    // The preview is a header of requests.
    const events = await as(viewer === preview ? null : person)
      .notifications.live()
      .catch(() => [])
    for await (const event of events) return JSON.stringify(event)
    return undefined
  }
  const headers = { ...headersOf(viewer), ...(person && { authorization: `Bearer ${person.token}` }) }
  const response = await app.inject({ url: read.slice('GET '.length), headers, payloadAsStream: true })
  if (response.statusCode !== 200) return undefined
  for await (const part of response.stream()) return String(part)
  return undefined
}

/** Returns whether the live updates of the title name a review that its author shortens to a rating and writes again. */
async function isAnnounced({ owner, title, review, signs }: Scene, person: Person | null): Promise<boolean> {
  const events = (await as(person).reviews.live({ movieId: title }))[Symbol.asyncIterator]()
  await events.next()
  await as(owner).reviews.edit({ id: review.id, text: '' })
  await as(owner).reviews.edit({ id: review.id, text: signs['text']! })
  const event = await events.next()
  await events.return?.()
  return JSON.stringify(event.value).includes(`"id":${review.id},`)
}

/** Returns whether a viewer sees what a rule is about, by a read. */
async function sees(scene: Scene, read: string, rule: NamedRule, viewer: string, asked: Transport) {
  const { sign } = rule
  const person = personOf(scene, viewer)
  if (read === 'reviews.live') return isAnnounced(scene, person)
  if (read.endsWith('.live') || read.endsWith('/live'))
    return (await firstEvent(scene, read, viewer))?.includes(scene.signs[sign]!) ?? false
  if (read.startsWith('webhooks')) {
    const reply = scene.replies[viewer]
    if (!person || !reply) return false
    const about = {
      action: 'created' as const,
      media_id: scene.other,
      actor_id: scene.owner.id,
      created_at: '',
    }
    const row =
      read === 'webhooks'
        ? { ...about, event: 'comment' as const, thing_id: reply.commentId }
        : { ...about, event: 'reaction' as const, thing_id: reply.reviewId }
    return (
      (await payloadOf(db, server.services.features, person.id, row))?.includes(scene.signs[sign]!) ?? false
    )
  }
  const address = addresses[read]
  if (address) {
    const headers = {
      accept: /the (page|rendered)/.test(read) ? 'text/html' : '*/*',
      ...headersOf(viewer),
      ...(person && { authorization: `Bearer ${person.token}` }),
      ...(person &&
        viewer !== preview &&
        read === 'GET the rendered library' &&
        (await aPageCookie(db, person.token))),
    }
    const { statusCode, body } = await app.inject({ url: address(scene), headers })
    if (read.includes('sitemap')) return body.includes(`/list/${scene.list.id}<`)
    if (read.includes('picture')) return statusCode === 200
    return body.includes(scene.signs[sign]!)
  }
  const procedure = procedures[read]!
  const transport = (procedure._def.meta as Meta).openapi ? asked : 'tRPC'
  const input = await inputFor(scene, read, rule, viewer)
  const { statusCode, body } = await request(transport, read, procedure, input, person, headersOf(viewer))
  expect([200, 401, 403, 404], `${read}: ${body}`).toContain(statusCode)
  expect(body, read).not.toMatch(/"(message|reason)":"[^"]*block/i)
  if (statusCode !== 200) return false
  if (sign === 'one') return /"(count|total)":1\b/.test(body)
  if (sign === 'two') return /"(count|total)":2\b/.test(body)
  if (sign === 'common') return new RegExp(`"commonCount":3\\b`).test(body)
  return body.includes(scene.signs[sign]!)
}

const scene = await aScene()
/** The transports of a read. On Postgres one is enough: both execute the same SQL. */
const transportsOf = (read: string): Transport[] =>
  read in procedures && !read.endsWith('live') && !inject('postgresUrl') ? ['tRPC', 'REST'] : ['tRPC']

const namesIn = (state: 'public' | 'private') =>
  Object.keys(viewers).filter((viewer) => state === 'private' || viewer !== 'requested')

/** Returns the viewers who see what a rule is about, cold and again, by read; both sides of a block. */
async function seenBy(rule: NamedRule, state: 'public' | 'private', of = scene) {
  const seen: Record<string, string[]> = {}
  if (readsOf(rule.name).includes('changes.list')) await settleChanges(db)
  for (const read of readsOf(rule.name))
    for (const time of ['cold', 'again'])
      for (const transport of transportsOf(read)) {
        const names: string[] = (seen[`${read}, ${time}, ${transport}`] = [])
        for (const viewer of namesIn(state))
          for (const one of viewer === 'blocked' ? ['blocked', 'blocking'] : [viewer])
            if (await sees(of, read, rule, one, transport)) names.push(viewer)
      }
  return seen
}

/** Returns what `seenBy` must return according to the table. */
function expectedOf(rule: NamedRule, state: 'public' | 'private', who: readonly string[] = rule[state]) {
  const names = namesIn(state).filter((viewer) => who.includes(viewer))
  const doubled = names.flatMap((viewer) => (viewer === 'blocked' ? [viewer, viewer] : [viewer]))
  const calls = readsOf(rule.name).flatMap((read) =>
    ['cold', 'again'].flatMap((time) =>
      transportsOf(read).map((transport) => `${read}, ${time}, ${transport}`),
    ),
  )
  return Object.fromEntries(calls.map((call) => [call, doubled]))
}

/** Returns where the owner’s preview does not show what a follower sees, of what visitors see of public members. */
async function previewFaults(state: 'public' | 'private') {
  const faults: string[] = []
  for (const [, rule] of cases)
    for (const read of readsOf(rule.name)) {
      const isShown = rule.public.includes('visitor') && rule[state].includes('follower')
      if ((await sees(scene, read, rule, preview, 'tRPC')) !== isShown) faults.push(read)
    }
  return faults
}

describe('of a text that its author withholds until its reader is there', async () => {
  const withheld = await aScene()
  const { owner, host, people, review, title, other, signs } = withheld
  await as(owner).reviews.edit({ id: review.id, safeUpTo: { percent: 50 } })
  await db.updateTable('comments').set({ safe_percent: 50 }).where('user_id', '=', owner.id).execute()
  const ofTexts = cases.filter(([, rule]) => showsTexts(rule))
  const everybodyElse = ['visitor', ...Object.keys(people).filter((name) => name !== 'moderator'), preview]

  test.each(cases)('nothing is read by somebody who is not there: %s', async (_, rule) => {
    const leaks: string[] = []
    for (const read of readsOf(rule.name))
      // The texts of pictures are tested with the cards that they are drawn from.
      if (read !== 'reviews.live' && !/picture|sitemap/.test(read))
        for (const sign of ['text', 'reply'])
          for (const viewer of everybodyElse)
            if (await sees(withheld, read, { ...rule, sign }, viewer, 'tRPC'))
              leaks.push(`${read}: ${viewer}`)
    expect(leaks).toEqual([])
  })

  test.each(ofTexts)('its author and moderators read it: %s', async (_, rule) => {
    expect(await seenBy(rule, 'public', withheld)).toEqual(expectedOf(rule, 'public', readersOf(rule, false)))
  })

  describe('once they are there', () => {
    beforeAll(async () => {
      for (const person of [host, ...Object.values(people)])
        for (const movieId of [title, other])
          await as(person).diary.create({ movieId, status: 'finished', finishedOn: '2026-03-05' })
    })
    test.each(ofTexts)('members read it: %s', async (_, rule) => {
      expect(await seenBy(rule, 'public', withheld)).toEqual(
        expectedOf(rule, 'public', readersOf(rule, true)),
      )
    })

    test('visitors and those who ask with a preview do not, also if a visitor has asked for it before', async () => {
      const path = `/reviews/${review.id}`
      const text = async (url: string) =>
        (await app.inject({ url, headers: { accept: 'application/json' } })).body
      expect(await text(`${path}?reveal=true`)).toContain(signs['text'])
      for (const url of [path, `${path}?reveal=false`, path])
        expect(await text(url)).not.toContain(signs['text'])
      expect(await text(`${path}/comments?reveal=true`)).not.toContain('"isWithheld"')
    })
  })
})

describe('of a public member', () => {
  test.each(cases)('%s', async (_, rule) => {
    expect(await seenBy(rule, 'public')).toEqual(expectedOf(rule, 'public'))
  })

  test('the member’s preview shows what a follower sees', async () => {
    expect(await previewFaults('public')).toEqual([])
  })
})

describe('after the member has become private, and somebody has asked to follow', () => {
  beforeAll(async () => {
    await as(scene.owner).privacy.change({ isPrivate: true })
    await as(scene.people.requested).social.follow({ userIdToFollow: scene.owner.id })
  })
  test.each(cases)('%s', async (_, rule) => {
    expect(await seenBy(rule, 'private')).toEqual(expectedOf(rule, 'private'))
  })

  test('the member’s preview shows what a follower sees', async () => {
    expect(await previewFaults('private')).toEqual([])
  })

  test('the preview reads nothing of the member’s own, writes nothing, and sees of others what a stranger sees', async () => {
    const { owner, people, title } = scene
    const call = (path: string, input: object) =>
      request('tRPC', path, procedures[path]!, input, owner, headersOf(preview))
    for (const [path, { _def }] of Object.entries(procedures))
      if ((_def.meta as Meta | undefined)?.requiresMember && _def.type !== 'subscription')
        expect((await call(path, {})).statusCode, path).toBe(403)
    await as(people.stranger).privacy.change({ isPrivate: true })
    expect((await call('reviews.ofUser', { id: people.stranger.id })).statusCode).toBe(403)
    await as(people.stranger).privacy.change({ isPrivate: false })
    await as(owner).diary.setVisibility({ visibility: 'followers' })
    expect((await call('diary.ofUser', { id: owner.id })).statusCode).toBe(200)
    await as(owner).diary.setVisibility({ visibility: 'private' })
    expect((await call('diary.ofUser', { id: owner.id })).statusCode).toBe(403)
    await as(owner).diary.setVisibility({ visibility: 'public' })
    expect((await call('reviews.list', { movieId: title })).body).not.toContain('"isOwn":true')
  })
})

describe('after the request was withdrawn and the member has become public again', () => {
  beforeAll(async () => {
    await as(scene.people.requested).social.unfollow({ userIdToUnfollow: scene.owner.id })
    await as(scene.owner).privacy.change({ isPrivate: false })
  })
  const differing = cases.filter(([, rule]) => rule.public !== rule.private)
  test.each(differing)('%s', async (_, rule) => {
    expect(await seenBy(rule, 'public')).toEqual(expectedOf(rule, 'public'))
  })
})
