import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { up } from '#migrations/0007-starter-pictures.ts'
import { up as addKeys } from '#migrations/0019-demo-username-keys.ts'
import { imageSrcSet } from '#shared/domain/images.ts'
import { kindNames } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { hashToken } from '#server/accounts/rules.ts'
import { buildApp } from '#server/app.ts'
import { aMember, anUpload, aServer, findCounterFaults } from '#server/testing.ts'
import { removeOrphans } from '#server/uploads/orphans.ts'
import { folderStorage } from '#server/uploads/storage.ts'
import { noWeb } from '#server/http/pages/web.ts'
import type { Tables } from '#server/db/tables.ts'
import { readData } from '#server/starter/schema.ts'
import { demoSignIn, hostEmail, loadCommunity, readCommunity, removeCommunity } from './community.ts'
import { loadStarter } from '#server/titles/load-starter.ts'
import { starterFolder, starterId, starterTitles } from '#server/starter/titles.ts'

const { as, db, config, services } = await aServer()
const now = new Date('2026-06-15T12:00:00.000Z')
await loadStarter(db, now)

const aReader = { sessionHash: 'test', scopes: null, role: 'member', standing: 'active' } as const

const count = async (table: keyof Tables) =>
  (
    await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n

test('the data files reference only existing titles and members, without duplicates, and no comment predates its review', () => {
  const { members, reviews: ofTitles, ofEpisodes } = readCommunity()
  const reviews = [...ofTitles, ...ofEpisodes]
  const names = members.map(({ username }) => username)
  expect(new Set(names).size).toBe(names.length)
  const ids = new Set(
    kindNames.flatMap((kind) => starterTitles[kind].map((title) => starterId(kind, title.slug))),
  )
  const unknown = [
    ...members.flatMap(({ follows, favorites }) => [
      ...Object.keys(follows).filter((name) => !names.includes(name)),
      ...Object.keys(favorites).filter((id) => !ids.has(id)),
    ]),
    ...reviews.flatMap(({ title, by, comments = [], likes = [], dislikes = [] }) => [
      ...(ids.has(title) ? [] : [title]),
      ...[by, ...comments.map((comment) => comment.by), ...likes, ...dislikes].filter(
        (name) => !names.includes(name),
      ),
    ]),
  ]
  expect(unknown).toEqual([])
  expect(members.filter(({ username, follows }) => username in follows)).toEqual([])
  expect(new Set(reviews.map(({ by, title, episode }) => `${by} ${title} ${episode}`)).size).toBe(
    reviews.length,
  )
  for (const { likes = [], dislikes = [], comments = [], daysAgo } of reviews) {
    expect(new Set([...likes, ...dislikes]).size).toBe(likes.length + dislikes.length)
    expect(Math.max(0, ...comments.map((comment) => comment.daysAgo))).toBeLessThanOrEqual(daysAgo)
  }
})

test('the community has members, ratings and popular titles of all four kinds, with at least three reviews each', async () => {
  expect(await loadCommunity(db, now)).toBe('created')
  const demo = await as().accounts.login(demoSignIn)
  const diary = as({ id: demo.user.id, username: demo.user.username }, { now }).diary
  expect((await diary.year({ id: demo.user.id, year: 2026 })).total).toBeGreaterThan(20)
  expect((await diary.list({ status: 'want' })).entries.length).toBeGreaterThan(5)
  expect(await count('users')).toBeGreaterThanOrEqual(30)
  expect(await count('reviews')).toBeGreaterThan(1_400)
  const { texts } = await db
    .selectFrom('reviews')
    .where('text', '<>', '')
    .select((eb) => eb.fn.countAll<number>().as('texts'))
    .executeTakeFirstOrThrow()
  expect(texts).toBeGreaterThanOrEqual(200)
  expect(await findCounterFaults(db)).toEqual([])
  const caller = as(null, { now })
  for (const kind of [caller.movies, caller.tvShows, caller.books, caller.games]) {
    const { popular } = await kind.popular({})
    expect(popular).toHaveLength(6)
    for (const { id } of popular) {
      const { pagination } = await caller.reviews.list({ itemId: id })
      expect([id, pagination.total >= 3]).toEqual([id, true])
    }
  }
})

test('the plays name known members and shows once, from the first mark to the last, after the member joined', () => {
  const { plays } = readData('plays', 'plays.json')
  const joined = new Map(readCommunity().members.map((one) => [one.username, one.joinedDaysAgo]))
  const shows = new Set(starterTitles.tvShow.map(({ slug }) => starterId('tvShow', slug)))
  expect(new Set(plays.map(({ by, title }) => `${by} ${title}`)).size).toBe(plays.length)
  for (const { by, title, marks, stated } of plays) {
    expect([title, shows.has(title)]).toEqual([title, true])
    const days = [joined.get(by)!, ...marks.map(({ daysAgo }) => daysAgo), stated?.daysAgo ?? 0]
    expect(days, `${by} ${title}`).toEqual(days.toSorted((a, b) => b - a))
  }
})

const listShows = () =>
  db
    .selectFrom('diary_entries as entry')
    .innerJoin('users', 'users.id', 'entry.user_id')
    .innerJoin('external_ids', 'external_ids.media_id', 'entry.media_id')
    .select(['users.username', 'external_ids.external_id as title', 'entry.media_id', 'entry.pass'])
    .select(['entry.status', 'entry.started_on', 'entry.finished_on', 'entry.is_again'])
    .where('external_ids.source', '=', 'starter')
    .where('entry.kind', '=', 'tvShow')
    .orderBy('entry.id')
    .execute()

test('the demo member has watched shows in every state, with the days in their diary', async () => {
  const { user } = await as().accounts.login(demoSignIn)
  const demo = as(user, { now }).progress
  const own = (await listShows()).filter(({ username, pass }) => username === 'demo' && pass !== null)
  const states = own.map(({ title, status, started_on, finished_on, is_again }) => [
    title.slice('tv-shows/'.length),
    status,
    ...(is_again ? ['again'] : []),
    ...(started_on ? [started_on] : []),
    ...(finished_on ? [finished_on] : []),
  ])
  expect(states.map((state) => state.join(' '))).toEqual([
    'derry-girls started 2026-06-14',
    'andor started 2026-05-19',
    'emily-in-paris started 2020-10-02',
    'severance finished 2025-12-29 2026-01-06',
    'severance started again 2026-06-04',
    'shogun finished 2026-04-06 2026-04-12',
    'fleabag finished',
    'black-mirror started 2026-06-06',
    'borgen paused 2026-03-16',
    'riverdale dropped 2026-04-16 2026-04-24',
  ])
  const progressOf = async (slug: string) => {
    const { media_id: id } = own.find(({ title }) => title === `tv-shows/${slug}`)!
    return (await demo.seasons({ id })).progress
  }
  const place = { season: 2, number: 5 }
  expect(await progressOf('andor')).toMatchObject({ status: 'started', playedCount: 16, next: place })
  expect(await progressOf('severance')).toMatchObject({ status: 'started', pass: 2, playedCount: 5 })
  expect(await progressOf('emily-in-paris')).toMatchObject({ status: 'started', newSeason: 5 })
  expect(await progressOf('fleabag')).toMatchObject({ status: 'finished', percent: 100, next: null })
  expect(await progressOf('borgen')).toMatchObject({ status: 'paused' })
  expect(await progressOf('riverdale')).toMatchObject({ status: 'dropped' })
})

test('the calendar of the demo member has something in each month and ahead of each day, later too, and Up next several shows', async () => {
  const { user } = await as().accounts.login(demoSignIn)
  const shown = async (at: Date) => {
    const { progress } = as(user, { now: at })
    const day = at.toISOString().slice(0, 10)
    const ahead = (await progress.calendar({})).entries
    const month = await progress.calendar({ from: `${day.slice(0, 7)}-01`, to: day })
    const rest = ahead.filter(({ date }) => date.slice(0, 7) === day.slice(0, 7))
    return [ahead.length >= 4, month.entries.length + rest.length >= 4]
  }
  for (const days of [0, 14, 31, 100]) {
    const at = new Date(now.getTime() + days * 86_400_000)
    expect([days, ...(await shown(at))]).toEqual([days, true, true])
  }
  const { entries } = await as(user, { now }).progress.upNext({})
  expect(entries.map(({ title, leftCount }) => [title.name, leftCount])).toEqual([
    ['Derry Girls', 18],
    ['Andor', 8],
    ['Made Up: The Series', 3],
    ['Severance', 14],
    ['Black Mirror', 18],
    ['Emily in Paris', 10],
  ])
})

test('who reviewed a show has finished it once, on the same day with plays as without', async () => {
  const finished = (await listShows()).filter(
    ({ status, pass }) => status === 'finished' && (pass ?? 1) === 1,
  )
  const days = new Map(finished.map((one) => [`${one.username} ${one.title}`, one.finished_on]))
  const reviews = readCommunity().reviews.filter(({ kind }) => kind === 'tvShow')
  for (const { by, title, daysAgo } of reviews) {
    const day = new Date(now.getTime() - 5 * daysAgo * 86_400_000).toISOString().slice(0, 10)
    expect([by, title, days.get(`${by} ${title}`)]).toEqual([by, title, day])
  }
  const unreviewed = finished.length - reviews.length
  expect([days.size, unreviewed]).toEqual([finished.length, 1])
})

test('an episode is discussed that the demo member has not seen, so neither they nor visitors read the texts', async () => {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('username', 'in', ['demo', 'midnight_oat', 'nope_again'])
    .execute()
  const member = (name: string) => ({ ...rows.find(({ username }) => username === name)!, ...aReader })
  const title = (
    await db.selectFrom('media').select('id').where('name', '=', 'Andor').executeTakeFirstOrThrow()
  ).id
  const textsFor = async (name: string | null, number: number) => {
    const caller = as(name === null ? null : member(name))
    const { episodes } = await caller.progress.season({ id: title, number: 2 })
    const episodeId = episodes.find((one) => one.number === number)!.id
    const { reviews } = await caller.reviews.list({ episodeId })
    const { comments } = await caller.reviews.comments({ id: reviews[0]!.id })
    return [...reviews, ...comments].map(({ text }) => text !== '')
  }
  expect(await textsFor(null, 8)).toEqual([false, false, false])
  expect(await textsFor('demo', 8)).toEqual([false, false, false])
  for (const name of ['midnight_oat', 'nope_again'])
    expect(await textsFor(name, 8)).toEqual([true, true, true])
  // Their own review, of an episode that they have seen.
  expect(await textsFor('demo', 3)).toEqual([true, true])
})

test('the printed credentials log in to a member with a feed and a network', async () => {
  const { user } = await as().accounts.login(demoSignIn)
  const demo = as(user)
  expect((await demo.movies.forYou({})).forYou.length).toBeGreaterThan(5)
  expect((await demo.favoriteMovies.network({})).favoriteMovies?.length).toBeGreaterThan(3)
})

test('the community has lists: ranked ones, of several kinds, and ones that several members edit', async () => {
  const { lists } = await as().lists.search({ limit: 100 })
  expect(lists.length).toBeGreaterThan(4)
  expect(lists.some(({ isRanked }) => isRanked)).toBe(true)
  const kindsOf = (titles: { kind: string }[]) => new Set(titles.map(({ kind }) => kind)).size
  expect(lists.some(({ previewTitles }) => kindsOf(previewTitles) > 2)).toBe(true)
  const details = await Promise.all(lists.map(({ id }) => as().lists.byId({ id })))
  expect(details.filter(({ list }) => list.editors.length > 0).length).toBeGreaterThan(1)
})

test('the demo member has notifications of some days, the newest of which are unread, and no email waits', async () => {
  const { user } = await as().accounts.login(demoSignIn)
  const { notifications, unreadCount } = await as(user).notifications.list({})
  expect(unreadCount).toBe(4)
  expect(notifications.length).toBeGreaterThan(6)
  expect(new Set(notifications.map(({ type }) => type)).size).toBeGreaterThan(2)
  const { target } = notifications.find(({ type }) => type === 'newSeason')!
  expect(target).toMatchObject({ season: { number: 5, next: { season: 5, number: 1, isAired: true } } })
  expect(notifications.map(({ isRead }) => isRead)).toEqual(notifications.map((_, at) => at >= 4))
  expect(await db.selectFrom('tasks').select('id').where('queue', '=', 'notifications').execute()).toEqual([])
})

test('the host of the community has a bio, and two reports to decide', async () => {
  const { user } = await as().accounts.login({ ...demoSignIn, email: hostEmail })
  const host = as({ ...user, role: 'admin' } as never)
  expect((await host.accounts.me()).user.bio).not.toBe('')
  const { cases } = await host.moderation.list({ state: 'open' })
  expect(cases.map(({ target, reportCount }) => [target.type, reportCount])).toEqual([
    ['comment', 1],
    ['review', 1],
  ])
})

test('a demo member can save their profile unchanged, and no other member can use a starter picture', async () => {
  const { user, token } = await as().accounts.login(demoSignIn)
  const picture = user.profilePicture!
  expect(picture).toMatch(/^\/starter\//)
  // Saving a profile needs the session itself, not only its member.
  const demo = as({ ...user, sessionHash: hashToken(token) } as never)
  await demo.accounts.updateProfile({ profilePicture: picture })
  const member = await aMember(db)
  await expect(as(member).accounts.updateProfile({ profilePicture: picture })).rejects.toThrow(
    messages.uploadFirst,
  )
  await db.deleteFrom('users').where('id', '=', member.id).execute()
})

test('the other demo members cannot log in', async () => {
  await expect(as().accounts.login({ email: 'member1@medley.example', password: '!' })).rejects.toThrow(
    'Invalid email or password.',
  )
})

test('every picture of the catalogue and the community is served and cached for a year', async () => {
  const app = await buildApp(services, { web: noWeb })
  const titles = await db
    .selectFrom('media')
    .select(['image', 'backdrop'])
    .where('created_by', 'is', null)
    .execute()
  const people = await db.selectFrom('users').select('picture').where('picture', 'is not', null).execute()
  expect(people.length).toBeGreaterThan(20)
  const paths = [
    ...titles.flatMap(({ image, backdrop }) => [image!, backdrop!]),
    ...people.map(({ picture }) => picture!),
  ]
  expect(paths.filter((path) => !existsSync(join(starterFolder, basename(path))))).toEqual([])
  const urls = [titles[0]!.image!, titles[0]!.backdrop!, people[0]!.picture!].flatMap((path) =>
    imageSrcSet(path)!
      .split(', ')
      .map((size) => size.split(' ')[0]!),
  )
  expect(urls).toHaveLength(3 + 4 + 2)
  for (const url of urls) {
    const { statusCode, headers } = await app.inject(url)
    expect([url, statusCode, headers['content-type']]).toEqual([url, 200, 'image/webp'])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  }
  await app.close()
})

test('the migration replaces generated uploads with the starter pictures, and the old files are removed as orphans', async () => {
  const readPictures = () =>
    Promise.all([
      db.selectFrom('media').select(['id', 'image', 'backdrop']).orderBy('id').execute(),
      db.selectFrom('users').select(['id', 'picture']).orderBy('id').execute(),
    ])
  const member = await aMember(db)
  const uploaded = await anUpload(db)
  await db.updateTable('users').set({ picture: uploaded }).where('id', '=', member.id).execute()
  const now = await readPictures()
  const [titles, people] = now
  // The state of the version before the migration.
  const former = (path: string | null) => path?.replace('/starter/', '/uploads/') ?? null
  for (const { id, image, backdrop } of titles)
    await db
      .updateTable('media')
      .set({ image: former(image), backdrop: former(backdrop) })
      .where('id', '=', id)
      .execute()
  for (const { id, picture } of people)
    await db
      .updateTable('users')
      .set({ picture: former(picture) })
      .where('id', '=', id)
      .execute()
  const folder = join(config.dataDir, 'uploads')
  mkdirSync(folder, { recursive: true })
  const file = join(config.dataDir, former(titles[0]!.image)!)
  writeFileSync(file, 'drawn')
  utimesSync(file, new Date(0), new Date(0))
  const storage = folderStorage(config.dataDir)
  expect(await removeOrphans(db, storage, new Date())).toMatchObject({ files: 0 })

  await up(db)
  expect(await readPictures()).toEqual(now)
  expect(await removeOrphans(db, storage, new Date())).toMatchObject({ files: 1 })
  await db.deleteFrom('users').where('id', '=', member.id).execute()
})

const register = (username: string) =>
  as().accounts.register({ username, email: `${username}@example.org`, password: 'six-or-more' })
const keys = () => db.selectFrom('users').select(['id', 'username_key']).orderBy('id').execute()

test('a name that is confusable with a demo member’s is taken', async () => {
  await expect(register('derno')).rejects.toThrow(messages.usernameTaken)
})

test('the migration adds the keys of demo members, except one that another member has', async () => {
  const before = await keys()
  const [first, second] = before
  const member = await aMember(db)
  await db.updateTable('users').set({ username_key: null }).execute()
  const { username_key } = second!
  await db.updateTable('users').set({ username_key }).where('id', '=', member.id).execute()
  await addKeys(db)
  const [firstAfter, secondAfter, ...others] = await keys()
  expect([firstAfter, secondAfter]).toEqual([first, { ...second, username_key: null }])
  expect(others).toEqual([...before.slice(2), { id: member.id, username_key }])
  await db.deleteFrom('users').where('id', '=', member.id).execute()
  await addKeys(db)
  expect(await keys()).toEqual(before)
})

test('a later start creates no duplicates and shifts the times', async () => {
  const before = await count('reviews')
  const later = new Date(now.getTime() + 30 * 86_400_000)
  expect(await loadCommunity(db, later)).toBe('exists')
  const { user } = await as().accounts.login(demoSignIn)
  const { entries } = await as(user, { now: later }).progress.calendar({})
  expect(entries.filter(({ episode }) => episode?.season === 2)).toHaveLength(4)
  expect(await count('reviews')).toBe(before)
  expect((await as(null, { now: later }).movies.popular({})).popular).toHaveLength(6)
  expect(await findCounterFaults(db)).toEqual([])
})

test('the host of the community can log in, and is an admin, only where nobody else reaches the site', async () => {
  const signIn = { ...demoSignIn, email: hostEmail }
  const { token, user } = await as().accounts.login(signIn)
  expect(user.role).toBe('admin')
  await loadCommunity(db, now, { hasDemoHost: false })
  await expect(as().accounts.login(signIn)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  const role = db.selectFrom('users').select('role').where('id', '=', user.id)
  expect(await role.execute()).toEqual([{ role: 'member' }])
  const session = db.selectFrom('sessions').select('user_id').where('token_hash', '=', hashToken(token))
  expect(await session.execute()).toEqual([])
  await loadCommunity(db, now)
  expect((await as().accounts.login(signIn)).user.role).toBe('admin')
  // Nor do demo members count as active members of the site.
  expect(await count('active_counts')).toBe(0)
})

test('removeCommunity deletes all demo data and no data of real members', async () => {
  const member = await aMember(db, 'real.member')
  const { items } = await as().items.list({ limit: 1 })
  await as(member).reviews.save({ itemId: items[0]!.id, rating: 3, text: 'I stay.' })
  const { user } = await as().accounts.login(demoSignIn)
  const { movie } = await as(user).movies.create({ name: 'Made through the public sign-in' })
  expect(await removeCommunity(db)).toBeGreaterThanOrEqual(30)
  await expect(as().movies.byId({ id: movie.id })).rejects.toThrow('Movie not found.')
  expect(await count('users')).toBe(1)
  expect(await count('reviews')).toBe(1)
  const others = [
    'follows',
    'comments',
    'reactions',
    'favorites',
    'cases',
    'reports',
    'plays',
    'batches',
  ] as const
  for (const table of others) expect(await count(table)).toBe(0)
  expect(await findCounterFaults(db)).toEqual([])
})

test('a demo member whose name is confusable with a real member’s gets a suffix', async () => {
  await register('derno')
  await loadCommunity(db, now)
  expect((await as().accounts.login(demoSignIn)).user.username).toBe('demo.made-up')
  expect((await keys()).filter(({ username_key }) => username_key === null)).toHaveLength(1)
})

test('a show whose episodes are not known is in the diary without plays', async () => {
  await removeCommunity(db)
  await db.deleteFrom('parts').execute()
  await loadCommunity(db, now)
  const { own } = await db
    .selectFrom('plays')
    .innerJoin('media', 'media.id', 'media_id')
    .where('media.created_by', 'is not', null)
    .select((eb) => eb.fn.countAll<number>().as('own'))
    .executeTakeFirstOrThrow()
  expect(await count('plays')).toBe(own)
  const reviews = readCommunity().reviews.filter(({ kind }) => kind === 'tvShow')
  const finished = (await listShows()).filter(({ status }) => status === 'finished')
  expect(finished).toHaveLength(reviews.length)
})
