import { describe, expect, onTestFinished, test } from 'vitest'
import {
  idsMax,
  listEditorsMax,
  listItemsMax,
  listNoteMax,
  listPageSize,
  listsMax,
} from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { listVisibilities } from '#shared/domain/visibilities.ts'
import { blockedMs, isBlockedTooLong, withoutWatch } from '#scripts/testing/event-loop.ts'
import { seeded } from '#scripts/testing/random.ts'
import { insertMany, isSqlite } from '#server/db/dialect.ts'
import { removeAccount } from '#server/accounts/deletion.ts'
import { aMember, aServer, aTitle, plansOf, findCounterFaults } from '#server/testing.ts'
import type { Member } from '#server/calls/context.ts'
import { updatePlaces } from './items-store.ts'
import { placeLengthMax, spreadPlaces } from './places.ts'
import { openRebalancing } from './rebalance.ts'
import { searchLists } from './store.ts'

const { db, as, services } = await aServer()
const now = new Date('2026-05-04T12:00:00.000Z')
const callOf = (member: Member | null, at = now) => as(member, { now: at }).lists

/** Creates a public list with a number of titles. */
async function aList(owner: Member, size = 0, more: object = {}) {
  const { list } = await callOf(owner).create({ title: 'A list', visibility: 'public', ...more })
  const titles: number[] = []
  for (let count = 0; count < size; count++) titles.push(await aTitle(db))
  if (size > 0) await callOf(owner).changeItems({ id: list.id, items: titles.map((itemId) => ({ itemId })) })
  return { id: list.id, titles }
}
async function anEditor(owner: Member, id: number): Promise<Member> {
  const editor = await aMember(db)
  await callOf(owner).invite({ id, userId: editor.id })
  await callOf(editor).accept({ id })
  return editor
}
async function orderOf(id: number, viewer: Member): Promise<number[]> {
  const order: number[] = []
  for (let cursor: string | undefined; ;) {
    const { items, nextCursor } = await callOf(viewer).items({ id, limit: 100, cursor })
    expect(items.map(({ position }) => position)).toEqual(items.map((_, at) => order.length + at + 1))
    order.push(...items.map(({ title }) => title.id))
    if (nextCursor === null) return order
    cursor = nextCursor
  }
}
const itemRows = (id: number) =>
  db.selectFrom('list_items').selectAll().where('list_id', '=', id).orderBy('media_id').execute()

describe('a list', () => {
  test('is created, changed and deleted by its owner only', async () => {
    const [ada, bob] = [await aMember(db), await aMember(db)]
    const { list } = await callOf(ada).create({
      title: '  Films  about distance ',
      tags: ['#Space', 'space', 'Slow'],
    })
    expect(list).toMatchObject({
      owner: { id: ada.id, username: ada.username },
      title: 'Films about distance',
      description: '',
      isRanked: false,
      visibility: 'private',
      tags: ['space', 'slow'],
      itemCount: 0,
      mine: { isLiked: false, isFollowed: false, seenCount: 0, canEdit: true, isInvited: false },
    })
    const { id } = list
    const changed = await callOf(ada).edit({ id, isRanked: true, visibility: 'public' })
    expect(changed.list).toMatchObject({
      title: 'Films about distance',
      isRanked: true,
      tags: ['space', 'slow'],
    })
    const error = { code: 'FORBIDDEN', message: messages.listNotYours }
    await expect(callOf(bob).edit({ id, title: 'Mine' })).rejects.toMatchObject(error)
    await expect(callOf(bob).remove({ id })).rejects.toMatchObject(error)
    expect(await callOf(ada).remove({ id })).toEqual({ message: messages.listRemoved })
    await expect(callOf(ada).byId({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test.each(listVisibilities)(
    'with the visibility %s is read by those it names, in every call',
    async (visibility) => {
      const [owner, follower, stranger] = [await aMember(db), await aMember(db), await aMember(db)]
      await as(follower).social.follow({ userIdToFollow: owner.id })
      const { id, titles } = await aList(owner, 1, { visibility, title: `Unique ${visibility}` })
      const editor = await anEditor(owner, id)
      const { link } = (await callOf(owner).byId({ id })).list
      const key = link?.split('key=')[1]
      expect(key !== undefined).toBe(visibility === 'link')
      const readers = {
        private: [owner, editor],
        link: [owner, editor],
        followers: [owner, editor, follower],
        public: [owner, editor, follower, stranger, null],
      }[visibility]
      for (const viewer of [owner, editor, follower, stranger, null]) {
        const call = callOf(viewer)
        const mayRead = (readers as (Member | null)[]).includes(viewer)
        const reads = [
          () => call.byId({ id }),
          () => call.items({ id }),
          ...(viewer ? [() => call.like({ id }), () => call.follow({ id })] : []),
        ]
        for (const read of reads)
          if (mayRead) await read()
          else
            await expect(read()).rejects.toMatchObject({ code: 'NOT_FOUND', message: messages.listNotFound })
        expect((await call.ofUser({ id: owner.id })).lists.map((list) => list.id)).toEqual(
          mayRead ? [id] : [],
        )
        const found = [
          ...(await call.search({ q: 'unique' })).lists,
          ...(await call.ofTitle({ id: titles[0]! })).lists,
        ]
        const isListed = found.some((list) => list.id === id)
        expect(isListed).toBe(visibility === 'public')
        if (viewer) expect((await call.followed({})).lists.length).toBe(mayRead ? 1 : 0)
        if (key) expect((await call.byId({ id, key })).list.link).toBe(viewer === owner ? link : null)
      }
      if (!key) return
      const { link: renewed } = await callOf(owner).renewLink({ id })
      await expect(callOf(null).byId({ id, key })).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await callOf(null).byId({ id, key: renewed.split('key=')[1]! })
      await callOf(owner).edit({ id, visibility: 'private' })
      await expect(callOf(null).byId({ id, key: renewed.split('key=')[1]! })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      })
    },
  )

  test('that is followed with its link stays open without the key, until the link is renewed', async () => {
    const [owner, reader] = [await aMember(db), await aMember(db)]
    const { id } = await aList(owner, 0, { visibility: 'link' })
    const key = (await callOf(owner).byId({ id })).list.link!.split('key=')[1]!
    await expect(callOf(reader).follow({ id, key: `${key}x` })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await callOf(reader).follow({ id, key })
    const followed = async () => (await callOf(reader).followed({})).lists.map((list) => list.id)
    expect(await followed()).toEqual([id])
    expect((await callOf(reader).byId({ id })).list).toMatchObject({ link: null, mine: { isFollowed: true } })
    await callOf(owner).renewLink({ id })
    expect(await followed()).toEqual([])
    await expect(callOf(reader).byId({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('shows its first titles with their pictures, and who copied it from where', async () => {
    const [ada, bob] = [await aMember(db), await aMember(db)]
    const { id, titles } = await aList(ada, 7, { isRanked: true, tags: ['slow'] })
    await callOf(ada).editItem({ id, itemId: titles[0]!, note: 'Mine.' })
    await db.updateTable('media').set({ image: '/uploads/a-640.webp' }).where('id', '=', titles[1]!).execute()
    const [shown] = (await callOf(null).ofUser({ id: ada.id })).lists
    expect(shown!.previewTitles.map((title) => title.id)).toEqual(titles.slice(0, 5))
    expect(shown!.previewImages).toEqual(['/uploads/a-640.webp'])
    const { list } = await callOf(bob).copy({ id })
    expect(list).toMatchObject({
      copiedFrom: id,
      isRanked: true,
      visibility: 'private',
      itemCount: 7,
      tags: [],
    })
    expect(await orderOf(list.id, bob)).toEqual(titles)
    expect((await itemRows(list.id)).map(({ note, added_by }) => [note, added_by])).toEqual(
      titles.map(() => ['', bob.id]),
    )
    // A copy of one's own list keeps one's own notes, not an editor's.
    await db
      .updateTable('list_items')
      .set({ note: 'Theirs.', added_by: bob.id })
      .where('list_id', '=', id)
      .where('media_id', '=', titles[1]!)
      .execute()
    const { list: again } = await callOf(ada).copy({ id })
    expect(again).toMatchObject({ copiedFrom: id, visibility: 'private', itemCount: 7 })
    expect((await itemRows(again.id)).map(({ note, added_by }) => [note, added_by])).toEqual(
      titles.map((_, at) => [at === 0 ? 'Mine.' : '', ada.id]),
    )
    const removed = { removed_at: now.toISOString() }
    await db.updateTable('media').set(removed).where('id', '=', titles[6]!).execute()
    const { list: without } = await callOf(bob).copy({ id })
    expect([without.itemCount, await orderOf(without.id, bob)]).toEqual([6, titles.slice(0, 6)])
    await callOf(ada).remove({ id })
    expect((await callOf(bob).byId({ id: list.id })).list.copiedFrom).toBeNull()
  })

  test('counts the titles that the caller has rated or finished', async () => {
    const [ada, bob] = [await aMember(db), await aMember(db)]
    const { id, titles } = await aList(ada, 4)
    await as(bob).reviews.save({ itemId: titles[0]!, rating: 4 })
    await as(bob).diary.create({ itemId: titles[0]!, status: 'finished' })
    await as(bob).diary.create({ itemId: titles[1]!, status: 'finished' })
    await as(bob).diary.create({ itemId: titles[2]!, status: 'want' })
    expect((await callOf(bob).byId({ id })).list.mine).toMatchObject({ seenCount: 2, canEdit: false })
    const { items } = await callOf(bob).items({ id })
    expect(items.map(({ mine }) => mine)).toEqual([
      { rating: 4, status: 'finished' },
      { rating: null, status: 'finished' },
      { rating: null, status: 'want' },
      { rating: null, status: null },
    ])
    expect((await callOf(null).items({ id })).items[0]).not.toHaveProperty('mine')
  })
})

test('what adds many titles asks for the reserve of the disk; removing and single changes do not', async () => {
  const owner = await aMember(db)
  const { id, titles } = await aList(owner, 3)
  const full = as(owner, { now, services: { disk: { hasFreeSpace: async () => false } } }).lists
  const refused = { code: 'SERVICE_UNAVAILABLE', message: messages.noRoom }
  const batch = { id, items: [{ itemId: titles[0]! }] }
  await expect(full.copy({ id })).rejects.toMatchObject(refused)
  await expect(full.changeItems({ ...batch, action: 'add' })).rejects.toMatchObject(refused)
  expect((await full.changeItems({ ...batch, action: 'remove' })).changed).toBe(1)
  expect((await full.addItem({ id, itemId: titles[0]! })).itemCount).toBe(3)
})

describe('the titles of a list', () => {
  test('are added once each, at the end or at a position, with a note and who added them', async () => {
    const ada = await aMember(db)
    const { id, titles } = await aList(ada, 3)
    const bob = await anEditor(ada, id)
    const book = await aTitle(db, 'book')
    const added = await callOf(bob).addItem({ id, itemId: book, note: ' Read it. ', position: 2 })
    expect(added).toMatchObject({
      itemCount: 4,
      item: { position: 2, note: 'Read it.', addedBy: { id: bob.id }, title: { id: book, kind: 'book' } },
    })
    const again = await callOf(ada).addItem({ id, itemId: book, note: 'Other.', position: 1 })
    expect(again).toEqual(added)
    expect(await orderOf(id, ada)).toEqual([titles[0], book, titles[1], titles[2]])
    expect(await callOf(ada).items({ id, kind: 'book' })).toMatchObject({
      total: 1,
      items: [{ position: 2 }],
    })
    await expect(callOf(ada).addItem({ id, itemId: 999_999 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const removed = await aTitle(db)
    await db.updateTable('media').set({ removed_at: now.toISOString() }).where('id', '=', removed).execute()
    await expect(callOf(ada).changeItems({ id, items: [{ itemId: removed }] })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: messages.itemNotFound,
    })
    expect(await callOf(ada).removeItem({ id, itemId: book })).toMatchObject({ itemCount: 3 })
    await expect(callOf(ada).removeItem({ id, itemId: book })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await findCounterFaults(db)).toEqual([])
  })

  test('move alone and together; a move writes one row of them', async () => {
    const ada = await aMember(db)
    const { id, titles } = await aList(ada, 6)
    const [a, b, c, d, e, f] = titles as [number, number, number, number, number, number]
    const before = await itemRows(id)
    await callOf(ada).editItem({ id, itemId: e, position: 2 })
    expect(await orderOf(id, ada)).toEqual([a, e, b, c, d, f])
    const after = await itemRows(id)
    expect(
      after.filter((row, at) => row.place !== before[at]!.place).map(({ media_id }) => media_id),
    ).toEqual([e])
    for (const [itemId, position, order] of [
      [a, 6, [e, b, c, d, f, a]],
      [a, 1, [a, e, b, c, d, f]],
      [b, 5_000, [a, e, c, d, f, b]],
      [c, 3, [a, e, c, d, f, b]],
    ] as const) {
      await callOf(ada).editItem({ id, itemId, position })
      expect(await orderOf(id, ada)).toEqual(order)
    }
    const move = { id, action: 'move' as const }
    await callOf(ada).changeItems({ ...move, items: [{ itemId: b }, { itemId: a }], position: 2 })
    expect(await orderOf(id, ada)).toEqual([e, b, a, c, d, f])
    await callOf(ada).changeItems({
      ...move,
      items: [
        { itemId: f, position: 1 },
        { itemId: e, position: 3 },
      ],
    })
    expect(await orderOf(id, ada)).toEqual([f, b, e, a, c, d])
    const removed = [{ itemId: b }, { itemId: d }, { itemId: 999_999 }]
    expect(await callOf(ada).changeItems({ id, action: 'remove', items: removed })).toEqual({
      changed: 2,
      changedIds: expect.toSatisfy((ids: number[]) => ids.length === 2 && ids.includes(b) && ids.includes(d)),
      itemCount: 4,
    })
    // As an undo does.
    const items = [
      { itemId: d, position: 6, note: 'Back.' },
      { itemId: b, position: 2 },
    ]
    expect(await callOf(ada).changeItems({ id, items })).toEqual({
      changed: 2,
      changedIds: [d, b],
      itemCount: 6,
    })
    expect(await orderOf(id, ada)).toEqual([f, b, e, a, c, d])
  })

  test('are neither lost nor doubled by 300 moves of two editors at once', async () => {
    const ada = await aMember(db)
    const { id, titles } = await aList(ada, 12)
    const bob = await anEditor(ada, id)
    const random = seeded(27)
    const below = (limit: number) => Math.floor(random() * limit)
    for (let turn = 0; turn < 30; turn++)
      await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          callOf(at % 2 === 0 ? ada : bob).editItem({
            id,
            itemId: titles[below(titles.length)]!,
            position: 1 + below(titles.length),
          }),
        ),
      )
    const order = await orderOf(id, ada)
    expect(order.toSorted((a, b) => a - b)).toEqual(titles)
    // Nothing is decided by a tie, and the next move goes where it should.
    expect(new Set((await itemRows(id)).map(({ place }) => place)).size).toBe(12)
    await callOf(bob).editItem({ id, itemId: order[11]!, position: 5 })
    expect(await orderOf(id, ada)).toEqual([...order.slice(0, 4), order[11], ...order.slice(4, 11)])
  })

  test('get short places again in the background, in the same order', async () => {
    const ada = await aMember(db)
    const { id, titles } = await aList(ada, 3)
    for (let turn = 0; turn < 6 * placeLengthMax; turn++)
      await callOf(ada).editItem({ id, itemId: titles[turn % 2 === 0 ? 2 : 1]!, position: 2 })
    const longest = async () => Math.max(...(await itemRows(id)).map(({ place }) => place.length))
    expect(await longest()).toBeGreaterThan(placeLengthMax)
    const order = await orderOf(id, ada)
    const rebalancing = openRebalancing({ db, log: console, now: () => now, pollMs: 0 })
    await rebalancing.runDue()
    await rebalancing.close()
    expect(await longest()).toBeLessThanOrEqual(4)
    expect(await orderOf(id, ada)).toEqual(order)
  })
})

describe('the editors of a list', () => {
  test('are invited, accept or decline, and change titles but not settings', async () => {
    const [ada, bob, eve] = [await aMember(db), await aMember(db), await aMember(db)]
    const { id, titles } = await aList(ada, 1, { visibility: 'private' })
    await expect(callOf(bob).accept({ id })).rejects.toMatchObject({ message: messages.invitationNotFound })
    const { list } = await callOf(ada).invite({ id, userId: bob.id })
    expect(list).toMatchObject({ editors: [], invited: [{ id: bob.id }] })
    expect((await callOf(bob).invitations({})).lists.map((one) => one.id)).toEqual([id])
    expect((await callOf(bob).byId({ id })).list).toMatchObject({
      invited: [],
      link: null,
      mine: { canEdit: false, isInvited: true },
    })
    const cannotEdit = { code: 'FORBIDDEN', message: messages.listNotEditable }
    await expect(callOf(bob).editItem({ id, itemId: titles[0]!, note: 'Hm' })).rejects.toMatchObject(
      cannotEdit,
    )
    expect((await callOf(bob).accept({ id })).list).toMatchObject({
      editors: [{ id: bob.id }],
      mine: { canEdit: true, isInvited: false },
    })
    expect((await callOf(bob).mine({ itemId: titles[0]! })).lists).toMatchObject([{ id, hasItem: true }])
    await callOf(bob).editItem({ id, itemId: titles[0]!, note: 'Hm' })
    for (const refused of [
      () => callOf(bob).edit({ id, title: 'Ours' }),
      () => callOf(bob).invite({ id, userId: eve.id }),
      () => callOf(bob).renewLink({ id }),
      () => callOf(bob).remove({ id }),
    ])
      await expect(refused()).rejects.toMatchObject({ code: 'FORBIDDEN', message: messages.listNotYours })
    await expect(callOf(ada).invite({ id, userId: ada.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await callOf(bob).removeEditor({ id, userId: bob.id })
    await expect(callOf(bob).byId({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await callOf(ada).items({ id })).items[0]).toMatchObject({ note: 'Hm', addedBy: { id: ada.id } })
  })
})

describe('likes and the lists of lists', () => {
  test('are sorted by recent likes, by all likes and by age, and found by words and tags', async () => {
    const [ada, bob, eve] = [await aMember(db), await aMember(db), await aMember(db)]
    const named = (title: string, tags: string[] = []) => aList(ada, 0, { title, tags })
    const old = await named('Zebra émigrés', ['road movies'])
    const fresh = await named('Zebra days')
    const none = await named('Zebras')
    const early = new Date(now.getTime() - 31 * 24 * 60 * 60_000)
    for (const member of [ada, bob]) await callOf(member, early).like({ id: old.id })
    expect(await callOf(eve).like({ id: fresh.id })).toEqual({ isLiked: true, likeCount: 1 })
    expect(await callOf(eve).like({ id: fresh.id })).toEqual({ isLiked: true, likeCount: 1 })
    const find = async (input: object) =>
      (await callOf(null).search({ q: 'zebra', ...input })).lists.map((list) => list.id)
    expect(await find({})).toEqual([fresh.id, old.id, none.id])
    const pages: number[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await callOf(null).search({ q: 'zebra', limit: 1, ...(cursor && { cursor }) })
      pages.push(...page.lists.map(({ id }) => id))
      cursor = page.nextCursor
    }
    expect(pages).toEqual([fresh.id, old.id, none.id])
    expect(await find({ sort: 'liked' })).toEqual([old.id, fresh.id, none.id])
    expect(await find({ sort: 'newest' })).toEqual([none.id, fresh.id, old.id])
    expect(await find({ q: 'emigr zeb' })).toEqual([old.id])
    expect(await find({ q: 'road' })).toEqual([old.id])
    expect(await find({ q: '!' })).toEqual([])
    expect(await find({ q: undefined, tag: '#Road Movies' })).toEqual([old.id])
    await callOf(ada).edit({ id: old.id, title: 'Emus', tags: [] })
    expect(await find({ q: 'road' })).toEqual([])
    expect(await callOf(eve).unlike({ id: fresh.id })).toEqual({ isLiked: false, likeCount: 0 })
    expect(await find({})).toEqual([none.id, fresh.id])
    const first = await callOf(null).search({ q: 'zebra', limit: 1 })
    const second = await callOf(null).search({ q: 'zebra', limit: 1, cursor: first.nextCursor! })
    expect([first, second].map(({ lists }) => lists[0]!.id)).toEqual([none.id, fresh.id])
    expect(second.nextCursor).toBeNull()
    expect(await findCounterFaults(db)).toEqual([])
  })
})

test('a search for any words and tags does not hold the process for 50 ms, however many lists have each', async () => {
  const owner = await aMember(db)
  const first = 1_000_000
  const at = now.toISOString()
  const ids = Array.from({ length: 2_000 }, (_, place) => first + place)
  await db.transaction().execute(async (trx) => {
    const lists = ids.map((id) => ({ id, user_id: owner.id, title: 'Alder birch', visibility: 'public' }))
    await insertMany(
      trx,
      'lists',
      lists.map((list) => ({ ...list, created_at: at, updated_at: at })),
    )
    const words = ['alder', 'birch', 'cedar', 'dogwood', '#alder', 'alderwood', 'birches']
    const rows = ids.flatMap((list_id) => words.map((word) => ({ word, list_id })))
    await insertMany(trx, 'list_words', rows)
  })
  onTestFinished(async () => {
    await db.deleteFrom('lists').where('user_id', '=', owner.id).execute()
  })
  for (const sort of ['newest', 'liked', 'popular'] as const)
    for (const input of [
      { q: 'a b zzz', hits: 0 },
      { q: 'alder birch cedar zzz', hits: 0 },
      { q: 'a b c d', hits: listPageSize },
      { q: 'birch', tag: 'alder', hits: listPageSize },
      { q: 'a b c', tag: 'alder', hits: listPageSize },
    ]) {
      const { hits, ...search } = input
      const find = async () =>
        expect((await callOf(null).search({ ...search, sort })).lists).toHaveLength(hits)
      expect(await isBlockedTooLong(await blockedMs(find), find), `${input.q} by ${sort}`).toBe(false)
    }
})

test('of a search with many letters, the first four count', async () => {
  const owner = await aMember(db)
  const { list } = await callOf(owner).create({ title: 'Quince rowan spruce thuja', visibility: 'public' })
  const find = async (q: string) => (await callOf(null).search({ q })).lists.map(({ id }) => id)
  expect(await find('q r s t z')).toEqual([list.id])
  expect(await find('q r s z t')).toEqual([])
  expect(await find('qui z')).toEqual([])
})

test.runIf(isSqlite(db))(
  'the popular lists are found from the recent likes, without reading all public lists',
  async () => {
    const search = { sort: 'popular', words: [], since: '2026' } as const
    const [recent] = (
      await plansOf(db, (trx) => searchLists(trx, search, { limit: 5, offset: 0 }, 1))
    ).filter((line) => /\blists\b/.test(line))
    expect(recent).toBe('SEARCH lists USING INTEGER PRIMARY KEY (rowid=?)')
  },
)

test.runIf(isSqlite(db))('a move looks up its titles only, and reads no other of the list', async () => {
  const plans = await plansOf(db, (trx) => updatePlaces(trx, 1, [1], ['a']))
  expect(plans.filter((line) => line.includes('list_items'))).toEqual([
    expect.stringMatching(/\(list_id=\? AND media_id=\?\)$/),
  ])
})

describe('limits', () => {
  test('a member has at most 500 lists', async () => {
    const ada = await aMember(db)
    const at = now.toISOString()
    const row = {
      user_id: ada.id,
      title: 'One of many',
      visibility: 'private',
      created_at: at,
      updated_at: at,
    }
    await insertMany(
      db,
      'lists',
      Array.from({ length: listsMax }, () => ({
        ...row,
        description: '',
        is_ranked: 0,
        tags: '[]',
        item_count: 0,
        like_count: 0,
      })).map((list, index) => ({ id: 900_000 + index, ...list })),
    )
    const error = { code: 'CONFLICT', message: messages.tooManyLists }
    await expect(callOf(ada).create({ title: 'More' })).rejects.toMatchObject(error)
    const { id } = await aList(await aMember(db))
    await expect(callOf(ada).copy({ id })).rejects.toMatchObject(error)
  })

  test('a list has at most 5,000 titles and 20 editors', async () => {
    const ada = await aMember(db)
    const { id } = await aList(ada)
    const at = now.toISOString()
    const title = {
      kind: 'movie',
      name: 'T',
      name_folded: 't',
      search_text: 't',
      details: '{"genres":[],"creators":[],"platforms":[],"rating":null}',
      created_at: at,
    }
    const counters = {
      popularity: 0,
      rating_count: 0,
      rating_sum: 0,
      stars_1: 0,
      stars_2: 0,
      stars_3: 0,
      stars_4: 0,
      stars_5: 0,
      text_count: 0,
    }
    const ids = Array.from({ length: listItemsMax }, (_, index) => 800_000 + index)
    const places = spreadPlaces(listItemsMax)
    await withoutWatch(async () => {
      const titles = ids.map((one) => ({ id: one, ...title, ...counters }))
      await insertMany(db, 'media', titles)
      const items = ids.map((media_id, index) => ({
        list_id: id,
        media_id,
        kind: 'movie',
        place: places[index],
        note: '',
        added_by: ada.id,
        added_at: at,
      }))
      await insertMany(db, 'list_items', items)
    })
    await db.updateTable('lists').set({ item_count: listItemsMax }).where('id', '=', id).execute()
    const error = { code: 'CONFLICT', message: messages.listFull }
    await expect(callOf(ada).addItem({ id, itemId: await aTitle(db) })).rejects.toMatchObject(error)
    expect((await callOf(ada).copy({ id })).list.itemCount).toBe(listItemsMax)
    for (let count = 0; count < listEditorsMax; count++)
      await callOf(ada).invite({ id, userId: (await aMember(db)).id })
    await expect(callOf(ada).invite({ id, userId: (await aMember(db)).id })).rejects.toMatchObject({
      message: messages.tooManyEditors,
    })
  })

  test('a note has at most 500 characters, and a call at most 100 titles', async () => {
    const ada = await aMember(db)
    const { id, titles } = await aList(ada, 1)
    const note = 'x'.repeat(listNoteMax)
    await callOf(ada).editItem({ id, itemId: titles[0]!, note })
    const items = Array.from({ length: idsMax }, (_, at) => ({ itemId: titles[0]! + at }))
    await callOf(ada).changeItems({ id, action: 'remove', items })
    const tooLong = callOf(ada).editItem({ id, itemId: titles[0]!, note: `${note}x` })
    await expect(tooLong).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    const tooMany = callOf(ada).changeItems({ id, items: [...items, { itemId: 1 }] })
    await expect(tooMany).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test.each([
    { title: ' ' },
    { title: 'x'.repeat(101) },
    { title: 'A', description: 'x'.repeat(5_001) },
    { title: 'A', tags: Array.from({ length: 11 }, (_, at) => `tag${at}`) },
    { title: 'A', tags: ['#'] },
    { title: 'A', visibility: 'secret' as 'link' },
  ])('%j is refused', async (input) => {
    await expect(callOf(await aMember(db)).create(input)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})

test('the deletion of an account removes its lists, likes and editorships, and keeps the titles it added to lists of others', async () => {
  const [ada, bob] = [await aMember(db), await aMember(db)]
  const { id } = await aList(ada)
  await callOf(ada).invite({ id, userId: bob.id })
  await callOf(bob).accept({ id })
  await callOf(bob).addItem({ id, itemId: await aTitle(db) })
  await callOf(bob).like({ id })
  await callOf(bob).follow({ id })
  const own = await aList(bob, 2)
  await callOf(ada).like({ id: own.id })
  await db.updateTable('users').set({ deletion_at: now.toISOString() }).where('id', '=', bob.id).execute()
  expect(await removeAccount(db, services, bob.id, now)).toBe(true)
  expect((await callOf(ada).byId({ id })).list).toMatchObject({ likeCount: 0, editors: [], itemCount: 1 })
  expect((await callOf(ada).items({ id })).items[0]!.addedBy).toBeNull()
  await expect(callOf(ada).byId({ id: own.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await findCounterFaults(db)).toEqual([])
})

test('the change log and the export have lists with their titles in order', async () => {
  const ada = await aMember(db)
  const { nextCursor } = await as(ada).changes.list({})
  const { id, titles } = await aList(ada, 2)
  // On Postgres a change is listed once no earlier transaction runs.
  const last = async () => (await as(ada).changes.list({ since: nextCursor })).changes.at(-1)
  const previewTitles = titles.map((title) => ({ id: title }))
  await expect.poll(last).toMatchObject({ area: 'list', id, list: { id, itemCount: 2, previewTitles } })
})
