import { expect, test } from 'vitest'
import { type Days, saveSeasons } from '#scripts/testing/episodes.ts'
import type { Member } from '#server/calls/context.ts'
import { aMember, aServer, aTitle, mailsTo } from '#server/testing.ts'
import { openNotifications } from './work.ts'

const { db, as } = await aServer({ RATE_LIMITS: 'off' })
const now = new Date('2026-05-04T12:00:00.000Z')
const day = 24 * 3_600_000
const later = (days: number) => new Date(now.getTime() + days * day)

const aired = ['2024-01-01', '2024-01-08']

async function aShow(days: Days) {
  const id = await aTitle(db, 'tvShow')
  const save = (seasons: Days, at = now) => saveSeasons(db, id, seasons, at)
  await save(days)
  return { id, save }
}

async function runTasks(at = now) {
  const log = { info() {}, warn() {}, error: (fields: object) => expect(fields).toBeUndefined() }
  const queue = openNotifications({ db, log, now: () => at, pollMs: 0 })
  await queue.runDue()
  await queue.close()
}

const inbox = async (member: Member, at = now) =>
  (await as(member, { now: at }).notifications.list({})).notifications
const newSeasons = async (member: Member, at = now) =>
  (await inbox(member, at)).map(({ target }) => target!.season!.number)

async function aViewer(show: number, seasons = [1]) {
  const member = await aMember(db)
  for (const season of seasons) await as(member, { now }).progress.mark({ id: show, season })
  return member
}

test('who has nothing left to watch is told of a new season once, and marks its next episode from there', async () => {
  const show = await aShow({ 0: ['2024-01-01'], 1: aired })
  const viewer = await aViewer(show.id)
  await runTasks()
  expect(await inbox(viewer)).toEqual([])
  const longer = { 0: ['2024-01-01', '2026-05-01'], 1: aired, 2: ['2026-05-01', '2026-05-08'] }
  await show.save(longer)
  await runTasks()
  const [told] = await inbox(viewer)
  const first = { season: 2, number: 1, airDate: '2026-05-01', isAired: true }
  expect(told).toMatchObject({
    type: 'newSeason',
    actors: [],
    isRead: false,
    target: { type: 'season', title: { id: show.id, kind: 'tvShow' }, season: { number: 2, next: first } },
  })
  expect(await as(viewer).notifications.countUnread()).toEqual({ unreadCount: 1 })
  const episodeIds = [told!.target!.season!.next!.id]
  await as(viewer, { now }).progress.mark({ id: show.id, episodeIds })
  expect((await inbox(viewer))[0]!.target!.season!.next).toMatchObject({ number: 2, isAired: false })
  expect((await inbox(viewer, later(7)))[0]!.target!.season!.next).toMatchObject({ isAired: true })
  // Neither the same again, nor a season that the source has removed and brings back.
  for (const [at, given] of [longer, { 1: aired }, longer].entries()) {
    await show.save(given, later(at))
    await runTasks(later(at + 1))
  }
  expect(await newSeasons(viewer)).toEqual([2])
  expect(await as(viewer).notifications.countUnread()).toEqual({ unreadCount: 1 })
})

test('a task that is repeated, also on another day, tells nobody twice', async () => {
  const show = await aShow({ 1: aired })
  const viewer = await aViewer(show.id)
  await show.save({ 1: aired, 2: ['2026-05-01'] })
  const task = db.selectFrom('tasks').selectAll().where('queue', '=', 'notifications')
  const queued = await task.where('key', 'like', 'season %').execute()
  expect(queued).toHaveLength(1)
  await runTasks()
  await db.insertInto('tasks').values(queued).execute()
  await runTasks(later(1))
  expect(await newSeasons(viewer)).toEqual([2])
})

test('members who have something left, have dropped the show, or do not want to be told, are not told', async () => {
  const show = await aShow({ 1: aired, 2: aired })
  const viewers = {
    finished: await aViewer(show.id, [1, 2]),
    behind: await aViewer(show.id, [1]),
    dropped: await aViewer(show.id, [1, 2]),
    off: await aViewer(show.id, [1, 2]),
    said: await aMember(db),
    wants: await aMember(db),
    other: await aMember(db),
  }
  const { entries } = await as(viewers.dropped).diary.list({})
  await as(viewers.dropped).diary.edit({ id: entries[0]!.id, status: 'dropped' })
  await as(viewers.off).notifications.changeSettings({ newSeason: { inApp: false } })
  await as(viewers.said, { now }).diary.create({ tvShowId: show.id, status: 'finished' })
  await as(viewers.wants, { now }).diary.create({ tvShowId: show.id, status: 'want' })
  await show.save({ 1: aired, 2: aired, 3: ['2026-06-01'] })
  await runTasks()
  const told = await Promise.all(
    Object.entries(viewers).map(async ([name, member]) => [name, await newSeasons(member)]),
  )
  expect(Object.fromEntries(told)).toEqual({
    finished: [3],
    said: [3],
    behind: [],
    dropped: [],
    off: [],
    wants: [],
    other: [],
  })
})

test('a season that the source has removed is in no notification, and is not new again', async () => {
  const show = await aShow({ 1: aired })
  const viewer = await aViewer(show.id)
  await show.save({ 1: aired, 2: ['2026-05-01'] })
  await runTasks()
  expect(await newSeasons(viewer)).toEqual([2])
  await show.save({ 1: aired })
  for (const seasons of [{ 1: aired }, { 1: aired, 2: ['2026-05-01'] }]) {
    await show.save(seasons)
    await runTasks(later(1))
    expect(await newSeasons(viewer)).toEqual([])
    expect(await as(viewer).notifications.countUnread()).toEqual({ unreadCount: 0 })
  }
})

test('a season is new once its first episode has aired or has a date, and not by another number', async () => {
  const show = await aShow({})
  const viewer = await aMember(db)
  await as(viewer, { now }).diary.create({ tvShowId: show.id, status: 'finished' })
  const told = async (given: Days, days = 0) => {
    await show.save(given, later(days))
    await runTasks(later(days))
    return newSeasons(viewer)
  }
  // The first import of its episodes.
  expect(await told({ 1: aired, 2: aired })).toEqual([])
  expect(await told({ 1: aired, 2: aired, 3: [] })).toEqual([])
  expect(await told({ 1: aired, 2: aired, 3: [null, null] })).toEqual([])
  expect(await told({ 1: aired, 2: aired, 3: [null, '2026-06-01'] })).toEqual([])
  // Its second episode has aired.
  expect(await told({ 1: aired, 2: aired, 3: [null, '2026-06-01'] }, 40)).toEqual([3])
  expect(await told({ 1: aired, 2: aired, 3: [null, '2026-06-01'], 4: ['2027-01-01'] }, 41)).toEqual([4, 3])
})

test('the daily email counts the shows', async () => {
  const shows = [await aShow({ 1: aired }), await aShow({ 1: aired })]
  const viewer = await aViewer(shows[0]!.id)
  await as(viewer, { now }).progress.mark({ id: shows[1]!.id, season: 1 })
  for (const show of shows) await show.save({ 1: aired, 2: ['2026-05-01'] })
  await runTasks()
  await runTasks(later(1))
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', viewer.id)
    .executeTakeFirstOrThrow()
  const [mail] = await mailsTo(db, email)
  expect(mail!.text).toContain('2 shows that you watched have new seasons.')
})
