import { findCounterFaults } from '#server/testing.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { listItemsMax, listsMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { anImportServer } from '#scripts/testing/imports.ts'
import { zipOf } from '#scripts/testing/zip.ts'
import { insertMany } from '#server/db/dialect.ts'

/** The lists of a file, from the upload to the lists of the member, matched against the starter catalogue. */
const server = await anImportServer()
const { db, newCaller, upload, work } = server

let caller: Awaited<ReturnType<typeof newCaller>>
let call: ReturnType<typeof server.as>
beforeEach(async () => {
  caller = await newCaller()
  call = server.as(caller)
})

async function rehearse(file: string | Buffer) {
  const id = await upload(caller, file)
  await work()
  return (await call.imports.byId({ id })).import
}

async function apply({ id }: { id: number }) {
  await call.imports.start({ id })
  await work()
  expect(await findCounterFaults(db)).toEqual([])
  return (await call.imports.byId({ id })).import
}

async function undo({ id }: { id: number }) {
  const { removes, keepsCount } = await call.imports.previewUndo({ id })
  await call.imports.undo({ id })
  await work()
  expect(await findCounterFaults(db)).toEqual([])
  return { removes, keepsCount }
}

/** Returns the lists of the member: the settings, and the titles in order, with a note as `Alien: note`. */
async function ownLists() {
  const { lists } = await call.lists.mine({ limit: 50 })
  return Promise.all(
    lists.map(async ({ id, title, description, tags, visibility, isRanked }) => {
      const { items } = await call.lists.items({ id, limit: 50 })
      const titles = items.map((item) => item.title.name + (item.note && `: ${item.note}`))
      return { id, title, description, tags, visibility, isRanked, titles }
    }),
  )
}

const films = {
  Alien: 1979,
  Stalker: 1979,
  'The Matrix': 1999,
  Metropolis: 1927,
  Parasite: 2018,
  Nowhere: 1901,
}
type Film = keyof typeof films
const lineOf = (film: Film, at: number, note = '') =>
  `${at + 1},${film},${films[film]},https://boxd.it/f${at},${note}\n`
/** A list as Letterboxd exports it. */
const letterboxd = (
  lines: readonly (Film | [Film, string])[],
  name = 'Rainy days',
  url = 'https://boxd.it/lRain',
) =>
  `Letterboxd list export v7\nDate,Name,Tags,URL,Description\n2023-05-05,${name},"Calm, blue",${url},"two\n\nlines"\n\nPosition,Name,Year,URL,Description\n` +
  lines
    .map((line, at) => (typeof line === 'string' ? lineOf(line, at) : lineOf(line[0], at, line[1])))
    .join('')

const rainy = letterboxd(['Stalker', ['Alien', 'Loud.'], 'Nowhere'])

test('titles that an import adds to a list notify none of its followers', async () => {
  const { list } = await call.lists.create({ title: 'Rainy days', visibility: 'public' })
  await server.as((await newCaller())!).lists.follow({ id: list.id })
  await apply(await rehearse(rainy))
  expect((await ownLists())[0]!.titles).toHaveLength(2)
  const tasks = await db.selectFrom('tasks').select('key').where('queue', '=', 'notifications').execute()
  expect(tasks.filter(({ key }) => key?.startsWith(`titles ${list.id} `))).toEqual([])
})

test('a list is rehearsed, created privately in its order with notes and tags, not created again, and undone', async () => {
  const first = await rehearse(rainy)
  expect(first).toMatchObject({
    service: 'letterboxd',
    counts: { new: 2, notFound: 1 },
    parts: { lists: 1, listItems: 2, ratings: 0, entries: 0 },
    notKept: [],
  })
  const shown = { name: 'Rainy days', itemCount: 3, visibility: 'private', listId: null, state: 'new' }
  expect((await call.imports.lists({ id: first.id })).lists).toEqual([shown])
  expect(await ownLists()).toEqual([])
  expect(await apply(first)).toMatchObject({ state: 'done', parts: { lists: 1, listItems: 2 } })
  const [list] = await ownLists()
  expect(list).toEqual({
    id: expect.any(Number),
    title: 'Rainy days',
    description: 'two\n\nlines',
    tags: ['calm', 'blue'],
    visibility: 'private',
    isRanked: false,
    titles: ['Stalker', 'Alien: Loud.'],
  })
  expect((await call.lists.byId({ id: list!.id })).list.createdAt).toBe('2023-05-05T12:00:00.000Z')
  expect((await call.lists.search({ tag: 'calm' })).lists).toEqual([])
  const { lines } = await call.imports.lines({ id: first.id })
  expect(lines[0]).toMatchObject({ state: 'taken', note: 'List “Rainy days”' })

  const again = await rehearse(rainy)
  expect(again).toMatchObject({ counts: { same: 2, notFound: 1 }, parts: { lists: 0, listItems: 0 } })
  expect((await call.imports.lists({ id: again.id })).lists).toEqual([
    { ...shown, state: 'same', listId: list!.id },
  ])
  await call.imports.remove({ id: again.id })

  const newer = await rehearse(letterboxd(['Metropolis', 'Stalker', ['Alien', 'Louder.']]))
  expect(newer).toMatchObject({ counts: { new: 1, same: 1, newer: 1 }, parts: { lists: 0, listItems: 2 } })
  await apply(newer)
  expect((await ownLists())[0]!.titles).toEqual(['Stalker', 'Alien: Louder.', 'Metropolis'])
  expect((await undo(newer)).removes).toMatchObject({ listItems: 1, lists: 0 })
  expect((await ownLists())[0]!.titles).toEqual(['Stalker', 'Alien: Loud.'])
  expect(await undo(first)).toMatchObject({ removes: { listItems: 2, lists: 1 }, keepsCount: 0 })
  expect(await ownLists()).toEqual([])
  const { state, parts } = (await call.imports.byId({ id: first.id })).import
  expect([state, parts.lists, parts.listItems]).toEqual(['undone', 0, 0])
})

test('an undone import can be read again and applied again', async () => {
  const one = await rehearse(rainy)
  await apply(one)
  await undo(one)
  await call.imports.again({ id: one.id })
  await work()
  expect((await call.imports.byId({ id: one.id })).import.parts).toMatchObject({ lists: 1, listItems: 2 })
  await apply(one)
  expect((await ownLists())[0]!.titles).toEqual(['Stalker', 'Alien: Loud.'])
})

test('a title that is decided later gets the place that it has in the file', async () => {
  const one = await rehearse(letterboxd(['Alien', 'Parasite', 'Stalker']))
  await apply(one)
  expect((await ownLists())[0]!.titles).toEqual(['Alien', 'Stalker'])
  const { notifications, upTo } = await call.notifications.list({})
  expect(notifications).toMatchObject([
    {
      type: 'importDone',
      target: { type: 'import', id: one.id, name: expect.stringMatching(/^\w+: \d+ titles? imported$/) },
    },
  ])
  await call.notifications.read({ upTo: upTo! })
  await call.imports.decideAll({ id: one.id, state: 'ambiguous', decision: 'suggested' })
  await work()
  expect((await ownLists())[0]!.titles).toEqual(['Alien', 'Parasite', 'Stalker'])
  // The member has just decided, and is not told that the import is done again.
  expect((await call.notifications.list({})).unreadCount).toBe(0)
  expect(await findCounterFaults(db)).toEqual([])
})

test('a list of the same name keeps its settings and its order, and gets what it lacks at its end', async () => {
  const { list } = await call.lists.create({ title: 'Rainy days', visibility: 'public', isRanked: true })
  const idOf = async (q: string) => (await call.items.search({ q, limit: 1 })).results[0]!.id
  const own = [{ itemId: await idOf('Metropolis') }, { itemId: await idOf('Alien'), note: 'Mine.' }]
  await call.lists.changeItems({ id: list.id, items: own })
  const one = await rehearse(rainy)
  expect(one).toMatchObject({ counts: { new: 1, same: 1 }, parts: { lists: 0, listItems: 1 } })
  await apply(one)
  const settings = { id: list.id, description: '', visibility: 'public', isRanked: true }
  expect(await ownLists()).toMatchObject([{ ...settings, titles: ['Metropolis', 'Alien: Mine.', 'Stalker'] }])
  // Each place is its own: a title can be moved between any two.
  await call.lists.changeItems({ id: list.id, items: [{ itemId: await idOf('The Matrix') }] })
  await call.lists.editItem({ id: list.id, itemId: await idOf('The Matrix'), position: 3 })
  expect((await ownLists())[0]!.titles).toEqual(['Metropolis', 'Alien: Mine.', 'The Matrix', 'Stalker'])
  expect((await undo(one)).removes).toMatchObject({ listItems: 1, lists: 0 })
  expect((await ownLists())[0]!.titles).toEqual(['Metropolis', 'Alien: Mine.', 'The Matrix'])
})

test('what the member has changed since stays, with the list', async () => {
  const one = await rehearse(letterboxd(['Stalker', 'Alien']))
  await apply(one)
  const [list] = await ownLists()
  const { items } = await call.lists.items({ id: list!.id, limit: 5 })
  await call.lists.editItem({ id: list!.id, itemId: items[0]!.title.id, note: 'Slow.' })
  const { removes, keepsCount } = await undo(one)
  expect([removes.listItems, removes.lists, keepsCount]).toEqual([1, 0, 1])
  expect((await ownLists())[0]!.titles).toEqual(['Stalker: Slow.'])

  const other = await rehearse(letterboxd(['Alien'], 'Loud', 'https://boxd.it/lLoud'))
  await apply(other)
  const [loud] = await ownLists()
  await call.lists.edit({ id: loud!.id, description: 'My own words.' })
  expect((await undo(other)).removes).toMatchObject({ listItems: 1, lists: 0 })
  expect((await ownLists())[0]).toMatchObject({ title: 'Loud', titles: [] })
})

test('a list that the member has deleted stays deleted, unless the file wins', async () => {
  await apply(await rehearse(rainy))
  await call.lists.remove({ id: (await ownLists())[0]!.id })
  const one = await rehearse(rainy)
  expect(one.parts).toMatchObject({ lists: 0, listItems: 0 })
  expect((await call.imports.lists({ id: one.id })).lists).toMatchObject([{ state: 'left' }])
  await call.imports.update({ id: one.id, conflicts: 'file' })
  await work()
  await apply(one)
  expect(await ownLists()).toHaveLength(1)
})

test('lists are left out if the member says so', async () => {
  const one = await rehearse(rainy)
  await call.imports.update({ id: one.id, lists: false })
  await work()
  const { parts, counts } = (await call.imports.byId({ id: one.id })).import
  expect([parts.lists, parts.listItems, counts]).toEqual([0, 0, { notKept: 3 }])
  await call.imports.update({ id: one.id, lists: true })
  await work()
  expect((await call.imports.byId({ id: one.id })).import.parts).toMatchObject({ lists: 1, listItems: 2 })
})

test('a member gets at most 500 lists, and a list at most 5,000 titles', async () => {
  const at = '2026-01-01T00:00:00.000Z'
  const full = (title: string) => ({
    title,
    user_id: caller.id,
    visibility: 'private' as const,
    link_key: null,
  })
  const rows = Array.from({ length: listsMax - 1 }, (_, index) => full(`List ${index}`))
  await insertMany(
    db,
    'lists',
    rows.map((row) => ({ ...row, copied_from: null, created_at: at, updated_at: at })),
  )
  const zip = zipOf({
    'ratings.csv': 'Date,Name,Year,Letterboxd URI,Rating\n',
    'lists/one.csv': letterboxd(['Alien'], 'One', 'https://boxd.it/l1'),
    'lists/two.csv': letterboxd(['Alien'], 'Two', 'https://boxd.it/l2'),
    'lists/three.csv': letterboxd(['Alien', 'Stalker'], 'List 7', 'https://boxd.it/l3'),
  })
  const one = await rehearse(zip)
  const { id } = await db
    .selectFrom('lists')
    .select('id')
    .where('user_id', '=', caller.id)
    .where('title', '=', 'List 7')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('lists')
    .set({ item_count: listItemsMax - 1 })
    .where('id', '=', id)
    .execute()
  await call.imports.start({ id: one.id })
  await work()
  const { parts, counts } = (await call.imports.byId({ id: one.id })).import
  expect([parts.lists, parts.listItems, counts]).toEqual([1, 2, { taken: 1, left: 1 }])
  const { lines } = await call.imports.lines({ id: one.id })
  expect(lines.flatMap(({ note }) => note ?? [])).toContainEqual(
    expect.stringContaining(messages.tooManyLists),
  )
  const { item_count } = await db
    .selectFrom('lists')
    .select('item_count')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(item_count).toBe(listItemsMax)
  await db.deleteFrom('lists').where('user_id', '=', caller.id).execute()
})

test('a hostile export is read safely: names of control characters, lists without a description, invalid references', async () => {
  const list = {
    ref: 1,
    name: '\u0000 \ud800',
    description: '<script>'.repeat(2_000),
    isRanked: 'yes',
    tags: ['#'],
  }
  const item = (fields: object) => ({
    list: 1,
    title: 1,
    note: 'n'.repeat(5_000),
    addedAt: '9999-01-01',
    ...fields,
  })
  const file = {
    format: 'medley',
    version: 1,
    instance: 'https://elsewhere.example',
    member: {},
    titles: [{ ref: 1, kind: 'movie', name: 'Alien', year: 1979, creators: [], ids: [] }],
    lists: [
      list,
      { ...list, visibility: 'everybody', tags: Array.from({ length: 9_000 }, () => 'x') },
      { name: 7 },
    ],
    listItems: [
      item({}),
      item({ list: '__proto__' }),
      item({ list: {} }),
      item({ title: 2 }),
      item({ list: 99, listName: '' }),
    ],
  }
  const one = await rehearse(JSON.stringify(file))
  expect(one.counts).toMatchObject({ new: 1, unreadable: 3 })
  await apply(one)
  const lists = await ownLists()
  expect(lists.map(({ title, visibility }) => [title, visibility])).toContainEqual(['List', 'private'])
  for (const { description, titles } of lists) {
    expect(description.length).toBeLessThanOrEqual(5_000)
    expect(titles.every((title) => title.startsWith('Alien: n') && title.length < 600)).toBe(true)
  }
  await undo(one)
  expect(await ownLists()).toEqual([])
})

describe('more lists than a member may have', () => {
  test('are counted and not kept, and their titles are read', async () => {
    const lines = Array.from({ length: listsMax + 2 }, (_, index) => `Alien,1979,List ${index}\n`)
    const one = await rehearse(`Title,Year,List name\n${lines.join('')}`)
    expect(one.notKept).toEqual([{ what: 'lists', count: 2 }])
    expect((await call.imports.lists({ id: one.id })).lists).toHaveLength(listsMax)
    expect(one.counts).toMatchObject({ new: 1 })
  })
})
