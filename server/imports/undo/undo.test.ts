import { describe, expect, test } from 'vitest'
import { anImportServer } from '#scripts/testing/imports.ts'
import { seeded } from '#scripts/testing/random.ts'
import { aTitle, findCounterFaults } from '#server/testing.ts'

const server = await anImportServer()
const { db, newCaller, upload, work, everything } = server
type Caller = Awaited<ReturnType<typeof newCaller>>

type Random = () => number
const pick = <Item>(random: Random, items: readonly Item[]) => items[Math.floor(random() * items.length)]!

const names = ['One', 'Two', 'Three', 'Four', 'Made by Imports', 'Made Too']

/** A file about some of the titles; the last two are not in the catalogue. */
function aFile(random: Random, seed: number): string {
  const line = (name: string) =>
    [
      `${name} ${seed}`,
      1990,
      pick(random, ['', 1, 3, 5]),
      pick(random, ['', '', 'Words.', 'Other words.']),
      pick(random, ['', '2019-02-03', '2020-03-04']),
      pick(random, ['', 'want to watch', 'watching', 'watched', 'watched']),
    ].join(',')
  const lines = names.filter(() => random() < 0.8).map(line)
  return ['Title,Year,Rating,Review,Date,Status', ...lines, line(names[0]!), ''].join('\n')
}

/** Applies random imports of one member, who has a history of their own, older than the dates of the files. */
async function applyImports(random: Random, seed: number) {
  const caller = await newCaller()
  const call = server.as(caller)
  const earlier = server.as(caller, { now: new Date('2018-01-02T03:04:05.006Z') })
  const itemIds: number[] = []
  for (const name of names.slice(0, 4)) {
    const id = await aTitle(db, 'movie', `${name} ${seed}`)
    await db.updateTable('media').set({ release_year: 1990 }).where('id', '=', id).execute()
    itemIds.push(id)
  }
  for (const itemId of itemIds) {
    if (random() < 0.4)
      await earlier.reviews.save({ itemId, rating: 2, ...(random() < 0.5 && { text: 'Of my own.' }) })
    if (random() < 0.4)
      await earlier.diary.create({ itemId, status: pick(random, ['want', 'started', 'finished']) })
  }
  const before = await everything()
  const ids: number[] = []
  for (let count = 0; count < 2 + Math.floor(random() * 3); count++) {
    const id = await upload(caller, aFile(random, seed))
    await work()
    await call.imports.update({ id, conflicts: pick(random, ['file', 'mine']), missing: 'create' })
    await work()
    await call.imports.start({ id })
    await work()
    ids.push(id)
  }
  /** Undoes the imports, the newest first or in a random order. */
  const undo = async (isShuffled = true) => {
    const order = ids.toReversed().map((id) => ({ id, at: isShuffled ? random() : 0 }))
    for (const { id } of order.sort((a, b) => a.at - b.at)) {
      await call.imports.previewUndo({ id })
      await call.imports.undo({ id })
      await work()
      expect((await call.imports.byId({ id })).import.state).toBe('undone')
      expect(await findCounterFaults(db)).toEqual([])
    }
    return order.map(({ id }) => ids.indexOf(id))
  }
  return { call, itemIds, before, undo }
}

const seeds = Array.from({ length: 6 }, (_, at) => at + 1)

test.each(seeds)(
  'imports that are undone, the newest first, leave everything as it was (seed %i)',
  async (seed) => {
    const { before, undo } = await applyImports(seeded(seed), seed)
    await undo(false)
    expect(await everything()).toEqual(before)
  },
)

test.each(seeds.slice(0, 3))('what the member changed since stays, in any order (seed %i)', async (seed) => {
  const random = seeded(100 + seed)
  const { call, itemIds, undo } = await applyImports(random, 100 + seed)
  const [itemId] = itemIds
  await call.reviews.save({ itemId: itemId!, rating: 4, text: 'Changed since.' })
  const stored = () => db.selectFrom('reviews').selectAll().where('media_id', '=', itemId!).execute()
  const changed = await stored()
  const order = await undo()
  expect(await stored()).toMatchObject(changed.map(({ rating, text }) => ({ rating, text })))
  expect(await findCounterFaults(db), `undone in the order ${order}`).toEqual([])
  const ownTitles = await db.selectFrom('media').select('id').where('id', 'in', itemIds).execute()
  expect(ownTitles).toHaveLength(itemIds.length)
})

test('a field that still has the value of the import is restored, and one that changed since stays', async () => {
  const caller = await newCaller()
  const call = server.as(caller)
  const itemId = await aTitle(db, 'movie', 'Written Twice')
  await db.updateTable('media').set({ release_year: 1990 }).where('id', '=', itemId).execute()
  await call.reviews.save({ itemId, rating: 2 })
  const apply = async (content: string) => {
    const id = await upload(caller, content)
    await work()
    await call.imports.update({ id, conflicts: 'file', missing: 'create' })
    await work()
    await call.imports.start({ id })
    await work()
    return id
  }
  const undo = async (id: number) => {
    await call.imports.undo({ id })
    await work()
    return (await call.reviews.mine({ itemId })).review
  }
  const first = await apply('Title,Year,Rating\nWritten Twice,1990,5\nCreated by the First,1990,5\n')
  const second = await apply(
    'Title,Year,Rating,Review\nWritten Twice,1990,5,Words.\nCreated by the First,1990,3,\n',
  )
  // The rating of the created title, and with it the title, are as the second import left them.
  expect(await call.imports.previewUndo({ id: first })).toMatchObject({
    removes: { reviews: 0, titles: 0 },
    restores: 1,
    keepsCount: 0,
    later: 2,
  })
  expect(await undo(first)).toMatchObject({ rating: 2, text: 'Words.' })
  await call.reviews.save({ itemId, rating: 3 })
  expect(await call.imports.previewUndo({ id: second })).toMatchObject({
    restores: 2,
    keepsCount: 0,
    later: 0,
  })
  expect(await undo(second)).toMatchObject({ rating: 3, text: '' })
})

test.each([1, 2, 3])(
  'titles that are removed while others decide for them cause no deadlock (round %i)',
  async (round) => {
    const owner = await newCaller()
    const callers = [owner, owner, await newCaller(), await newCaller()]
    const count = 12
    const apply = async (caller: Caller, prefix: string) => {
      const rows = Array.from({ length: count }, (_, at) => `${prefix} ${round} ${at},1990,4`)
      const id = await upload(caller, ['Title,Year,Rating', ...rows, ''].join('\n'))
      await work()
      return id
    }
    const start = async (caller: Caller, id: number) => {
      await server.as(caller).imports.start({ id })
      await work()
    }
    const others = []
    for (const [at, caller] of callers.slice(1).entries()) {
      const id = await apply(caller, `Unknown to ${'abc'[at]}`)
      await start(caller, id)
      others.push({
        caller,
        id,
        titles: (await server.as(caller).imports.titles({ id, limit: count })).titles,
      })
    }
    const created = await apply(owner, 'Created')
    await server.as(owner).imports.update({ id: created, missing: 'create' })
    await work()
    await start(owner, created)
    const { titles } = await server.as(owner).imports.titles({ id: created, limit: count })
    await server.as(owner).imports.undo({ id: created })

    const failures: unknown[] = []
    const undone = work({
      log: { info() {}, warn() {}, error: (details: object) => failures.push(details) },
    })
    await Promise.all([
      undone,
      ...others.map(async ({ caller, id, titles: own }) => {
        // The undo begins with the last title.
        for (let at = count - 1; at >= 0; at--)
          await server
            .as(caller)
            .imports.decide({ id, titleId: own[at]!.id, decision: { mediaId: titles[at]!.title!.id } })
            .catch((error: { code: string }) => error.code === 'NOT_FOUND' || failures.push(error))
      }),
    ])
    expect(failures).toEqual([])
    expect((await server.as(owner).imports.byId({ id: created })).import.state).toBe('undone')
    expect(await findCounterFaults(db)).toEqual([])
  },
)

describe('half stars', () => {
  const file = (name: string, rating: number) => `Title,Year,Rating\n${name},1950,${rating}\n`
  async function aMember() {
    const member = await newCaller()
    const own = server.as(member)
    const rehearse = async (name: string, rating: number) => {
      const id = await upload(member, file(name, rating))
      await work()
      await own.imports.update({ id, missing: 'create' })
      await work()
      return id
    }
    const run = async (id: number, action: 'start' | 'undo') => {
      await own.imports[action]({ id })
      await work()
    }
    const apply = async (name: string, rating: number) => {
      const id = await rehearse(name, rating)
      await run(id, 'start')
      return id
    }
    const isOn = async () => (await own.reviews.ratingSettings()).halfStars
    const turnsOn = async (id: number) => (await own.imports.byId({ id })).import.halfStars.turnsOn
    return { own, rehearse, run, apply, isOn, turnsOn }
  }

  test('are turned on by an import that writes halves, and off by its undo', async () => {
    const { own, rehearse, run, apply, isOn, turnsOn } = await aMember()
    await apply('The Whole Reel', 4)
    expect(await isOn()).toBe(false)
    const id = await rehearse('The Half Reel', 3.5)
    expect([await turnsOn(id), await isOn()]).toEqual([true, false])
    await run(id, 'start')
    expect([await turnsOn(id), await isOn()]).toEqual([false, true])
    expect((await own.imports.previewUndo({ id })).restores).toBe(1)
    await run(id, 'undo')
    expect(await isOn()).toBe(false)
  })

  test('stay as the member has chosen since, and on if the member had them on', async () => {
    const { own, run, apply, isOn } = await aMember()
    const first = await apply('The First Half', 3.5)
    await own.reviews.changeRatingSettings({ halfStars: true })
    await run(first, 'undo')
    expect(await isOn()).toBe(true)
    const second = await apply('The Second Half', 2.5)
    await run(second, 'undo')
    expect(await isOn()).toBe(true)
    await own.reviews.changeRatingSettings({ halfStars: false })
    const third = await apply('The Third Half', 1.5)
    expect(await isOn()).toBe(true)
    await own.reviews.changeRatingSettings({ halfStars: false })
    await run(third, 'undo')
    expect(await isOn()).toBe(false)
  })

  test.each([
    [0, 1],
    [1, 0],
  ])('stay on until the last import with halves is undone: %i, then %i', async (...order) => {
    const { run, apply, isOn } = await aMember()
    const ids = [await apply('One Half', 3.5), await apply('Another Half', 4.5)]
    await run(ids[order[0]]!, 'undo')
    expect(await isOn()).toBe(true)
    await run(ids[order[1]]!, 'undo')
    expect(await isOn()).toBe(false)
  })
})
