import { describe, expect, test } from 'vitest'
import { stepsMax } from '#shared/domain/limits.ts'
import type { Kind } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import type { Member } from '#server/calls/context.ts'
import { insertMany, isSqlite } from '#server/db/dialect.ts'
import { features } from '#server/router.ts'
import { aMember, aServer, aTitle, plansOf } from '#server/testing.ts'
import { moveTitle } from '#server/titles/move.ts'
import { listStatuses } from './store.ts'

const { db, as } = await aServer({ RATE_LIMITS: 'off' })
const now = new Date('2026-05-04T12:00:00.000Z')

const lengths: { [K in Kind]?: { runtime: number } | { page_count: number } } = {
  movie: { runtime: 136 },
  book: { page_count: 412 },
}

async function begun(kind: Kind, status: 'want' | 'started' | 'paused' | 'finished' = 'want') {
  const ada = await aMember(db)
  const title = await aTitle(db, kind)
  const length = lengths[kind]
  if (length) await db.updateTable('media').set(length).where('id', '=', title).execute()
  const call = as(ada, { now }).diary
  const { entry } = await call.create({ itemId: title, status })
  return { ada, title, id: entry.id, call }
}
const stepsOf = async (member: Member | null, id: number) =>
  (await as(member, { now }).diary.steps({ id })).steps.map(({ unit, value, on, text }) => [
    unit,
    value,
    on,
    text,
  ])

describe('a step', () => {
  test.each([
    ['movie', { minutes: 68 }, { unit: 'minutes', value: 68, total: 136, percent: 50 }, { minutes: 136 }],
    ['book', { page: 120 }, { unit: 'page', value: 120, total: 412, percent: 29 }, { page: 412 }],
    ['game', { hours: 12.25 }, { unit: 'hours', value: 12.25, total: null, percent: null }, { percent: 100 }],
  ] as const)(
    'begins a %s that was wanted, and the whole finishes nothing',
    async (kind, first, shown, whole) => {
      const { ada, id, title, call } = await begun(kind)
      const { entry, step } = await call.addStep({ id, ...first, text: 'A note.' })
      expect(entry).toMatchObject({ status: 'started', startedOn: '2026-05-04', progress: shown })
      expect(step).toMatchObject({ unit: shown.unit, value: shown.value, on: '2026-05-04', text: 'A note.' })
      const marks = async () => (await call.marks({ itemIds: String(title) })).marks
      expect(await marks()).toEqual([{ itemId: title, status: 'started', percent: shown.percent }])
      // The last day counts, not the last step that was added.
      const { entry: later } = await call.addStep({ id, percent: 1, on: '2026-05-03' })
      expect(later.progress).toEqual(shown)
      const { entry: complete } = await call.addStep({ id, ...whole })
      expect(complete).toMatchObject({ status: 'started', finishedOn: null, progress: { percent: 100 } })
      expect((await call.mine({ itemId: title })).entries[0]).toEqual(complete)
      expect((await call.list({})).entries[0]).toEqual(complete)
      expect(await stepsOf(ada, id)).toEqual([
        [complete.progress!.unit, complete.progress!.value, '2026-05-04', ''],
        [shown.unit, shown.value, '2026-05-04', 'A note.'],
        ['percent', 1, '2026-05-03', ''],
      ])
    },
  )

  test('names one amount of its kind, up to the whole, on a day that has begun', async () => {
    const { id, call } = await begun('book')
    const cases: [object, string | undefined, string][] = [
      [{}, undefined, messages.oneProgress],
      [{ page: 1, percent: 1 }, undefined, messages.oneProgress],
      [{ page: 413 }, 'page', messages.progressBeyondEnd(412)],
      [{ percent: 101 }, 'percent', ''],
      [{ page: 1.5 }, 'page', ''],
      [{ page: -1 }, 'page', ''],
      [{ minutes: 1 }, 'minutes', messages.progressUnitWrong],
      [{ hours: 1 }, 'hours', messages.progressUnitWrong],
      [{ hours: 1.234 }, 'hours', messages.progressTooFine],
      [{ page: 1, on: '2026-05-06' }, 'on', messages.dateInFuture],
      [{ page: 1, on: '1869-12-31' }, 'on', messages.dateTooEarly],
      [{ page: 1, on: '2026-02-30' }, 'on', messages.dateInvalid],
    ]
    for (const [input, path, message] of cases) {
      const error = await call.addStep({ id, ...input }).catch((error: unknown) => error)
      expect(error, JSON.stringify(input)).toMatchObject({ code: 'BAD_REQUEST' })
      const [issue] = (error as { cause: { issues: { path: string[]; message: string }[] } }).cause.issues
      expect(issue!.path).toEqual(path === undefined ? [] : [path])
      if (message !== '') expect(issue!.message).toBe(message)
    }
    expect((await call.steps({ id })).steps).toEqual([])
    expect((await call.addStep({ id, page: 0, on: '2026-05-05' })).entry).toMatchObject({
      startedOn: '2026-05-05',
      progress: { value: 0, percent: 0 },
    })
  })

  test('is refused for an entry that is over, for a show, and beside another entry under way', async () => {
    const over = await begun('movie', 'finished')
    const add = (of: typeof over) => of.call.addStep({ id: of.id, percent: 1 })
    await expect(add(over)).rejects.toMatchObject({ code: 'CONFLICT', reason: 'ENTRY_OVER' })
    await over.call.edit({ id: over.id, status: 'dropped' })
    await expect(add(over)).rejects.toMatchObject({ reason: 'ENTRY_OVER' })
    await expect(add(await begun('tvShow'))).rejects.toMatchObject({
      code: 'CONFLICT',
      reason: 'EPISODES_ONLY',
      message: messages.progressOfShow,
    })
    const wanted = await begun('game')
    await wanted.call.create({ itemId: wanted.title, status: 'paused' })
    await expect(add(wanted)).rejects.toThrow(messages.diaryOpenExists)
    const others = await aMember(db)
    await expect(as(others).diary.addStep({ id: wanted.id, percent: 1 })).rejects.toThrow(
      messages.diaryEntryNotFound,
    )
  })

  test('is one of a bounded number', async () => {
    const { ada, id, call } = await begun('game', 'started')
    const steps = Array.from({ length: stepsMax }, () => ({
      user_id: ada.id,
      entry_id: id,
      unit: 'hours',
      hundredths: 100,
      day: '2026-05-04',
      created_at: now.toISOString(),
    }))
    await insertMany(db, 'steps', steps)
    await expect(call.addStep({ id, hours: 2 })).rejects.toThrow(messages.stepsFull(stepsMax))
    const pages: number[] = []
    for (let cursor: string | undefined; ;) {
      const page = await call.steps({ id, limit: 100, cursor })
      pages.push(...page.steps.map((step) => step.id))
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    expect(pages).toEqual([...new Set(pages)].sort((a, b) => b - a))
    expect(pages).toHaveLength(stepsMax)
  })
})

describe('a deleted step', () => {
  test('leaves the one before it, and gives back what it has ended', async () => {
    const { ada, id, title, call } = await begun('book')
    const first = (await call.addStep({ id, page: 100 })).step
    const second = (await call.addStep({ id, page: 200 })).step
    await expect(as(await aMember(db)).diary.removeStep({ id, stepId: first.id })).rejects.toThrow(
      messages.diaryEntryNotFound,
    )
    await call.removeStep({ id, stepId: second.id })
    await expect(call.removeStep({ id, stepId: second.id })).rejects.toThrow(messages.stepNotFound)
    const current = async () => (await call.mine({ itemId: title })).entries[0]!
    expect(await current()).toMatchObject({ status: 'started', progress: { value: 100 } })
    await call.removeStep({ id, stepId: first.id })
    expect(await current()).toMatchObject({ status: 'want', startedOn: null, progress: null })

    await call.edit({ id, status: 'paused', startedOn: '2026-05-01' })
    const { entry, step } = await call.addStep({ id, percent: 10 })
    expect(entry).toMatchObject({ status: 'started', startedOn: '2026-05-01' })
    await call.removeStep({ id, stepId: step.id })
    expect(await current()).toMatchObject({ status: 'paused', startedOn: '2026-05-01' })
    expect(await stepsOf(ada, id)).toEqual([])
  })

  test('leaves an entry that has changed since, or that another one on the want list excludes', async () => {
    const changed = await begun('movie')
    const { step } = await changed.call.addStep({ id: changed.id, percent: 10 })
    await changed.call.edit({ id: changed.id, startedOn: '2026-05-01' })
    await changed.call.removeStep({ id: changed.id, stepId: step.id })
    expect((await changed.call.mine({ itemId: changed.title })).status).toBe('started')

    const wanted = await begun('movie')
    const { step: other } = await wanted.call.addStep({ id: wanted.id, percent: 10 })
    await wanted.call.create({ itemId: wanted.title, status: 'want' })
    await wanted.call.removeStep({ id: wanted.id, stepId: other.id })
    expect((await wanted.call.mine({ itemId: wanted.title })).entries.map(({ status }) => status)).toEqual([
      'started',
      'want',
    ])
  })
})

test('whoever may read the diary reads the steps, without the notes', async () => {
  const { ada, id, call } = await begun('book')
  await call.addStep({ id, page: 120, text: 'For me.' })
  const bob = await aMember(db)
  await expect(stepsOf(bob, id)).rejects.toThrow(messages.diaryEntryNotFound)
  await call.setVisibility({ visibility: 'public' })
  for (const reader of [bob, null])
    expect(await stepsOf(reader, id)).toEqual([['page', 120, '2026-05-04', '']])
  expect(await stepsOf(ada, id)).toEqual([['page', 120, '2026-05-04', 'For me.']])
  const { entries } = await as(bob).diary.ofUser({ id: ada.id })
  expect(entries[0]).toMatchObject({ progress: { unit: 'page', value: 120, total: 412, percent: 29 } })
  expect(JSON.stringify(entries)).not.toContain('For me.')
})

test('a step changes its entry in the change feed, and goes with it', async () => {
  const { ada, id, call } = await begun('book', 'started')
  const later = as(ada, { now: new Date('2026-05-05T12:00:00.000Z') }).diary
  const { nextCursor: since } = await as(ada).changes.list({})
  const last = async () => (await as(ada).changes.list({ since })).changes.at(-1)
  const { step } = await later.addStep({ id, page: 120 })
  const changed = { area: 'diary', action: 'updated', id }
  await expect.poll(last).toMatchObject({ ...changed, entry: { progress: { value: 120 } } })
  await call.removeStep({ id, stepId: step.id })
  await expect.poll(last).toMatchObject({ ...changed, entry: { progress: null } })
  await call.addStep({ id, page: 130 })
  await call.remove({ id })
  expect(await db.selectFrom('steps').selectAll().where('entry_id', '=', id).execute()).toEqual([])
})

test('steps follow the entry that stays when two titles become one', async () => {
  const { ada, id, title, call } = await begun('book', 'started')
  await call.addStep({ id, page: 120 })
  const to = await aTitle(db, 'book')
  const { entry } = await as(ada, { now: new Date('2026-05-05T12:00:00.000Z') }).diary.create({
    itemId: to,
    status: 'started',
  })
  await call.addStep({ id: entry.id, percent: 1, on: '2026-05-01' })
  await moveTitle(features, db, title, to)
  const { entries } = await call.mine({ itemId: to })
  expect(entries).toMatchObject([{ progress: { value: 120, unit: 'page' } }])
  expect(await stepsOf(ada, entries[0]!.id)).toHaveLength(2)
})

test.runIf(isSqlite(db))('the last step of each entry is read from an index', async () => {
  const { ada, title } = await begun('book')
  await listStatuses(db, ada.id, [title])
  const plan = (await plansOf(db, (db) => listStatuses(db, ada.id, [title]))).join('\n')
  expect(plan).toContain('steps_entry')
  expect(plan).not.toMatch(/SCAN (last|steps)\b/)
})
