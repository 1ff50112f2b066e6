import { findCounterFaults, recountAll } from '#server/testing.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ExportFile } from '#shared/contracts/export.ts'
import { followingMax } from '#shared/domain/limits.ts'
import { type DiaryStatus, kindNames, kinds } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { byFlag } from '#shared/domain/review-flags.ts'
import { listVisibilities } from '#shared/domain/visibilities.ts'
import { toFlagColumns } from '#server/reviews/rules.ts'
import { anImportServer } from '#scripts/testing/imports.ts'
import { seeded } from '#scripts/testing/random.ts'
import { insertMany } from '#server/db/dialect.ts'
import { fold, searchText } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { spreadPlaces } from '#server/lists/places.ts'
import { openZip } from './read/formats/read-zip.ts'

type Random = () => number

type Instance = Awaited<ReturnType<typeof anImportServer>>
type Caller = Awaited<ReturnType<Instance['newCaller']>>

const [here, there] = [await anImportServer(), await anImportServer()]

async function download({ app }: Instance, { token }: Caller, format: string) {
  const headers = { authorization: `Bearer ${token}` }
  const response = await app.inject({ url: `/export?format=${format}`, headers })
  expect(response.statusCode).toBe(200)
  return response
}

const work = (on: Instance) => on.work({ instance: on.config.publicUrl })

const pick = <Item>(random: Random, items: readonly Item[]) => items[Math.floor(random() * items.length)]!
const word = (random: Random) =>
  Array.from({ length: 4 }, () => pick(random, ['ka', 'lo', 'mi', 'nu', 'ra', 'so', 'té', 'vy'])).join('')
const words = (random: Random) => {
  const start = pick(random, ['', '=', '-', '@', "'", '"', '+1, '])
  return `${start}${word(random)}${pick(random, ['', '\n\n', ' <b>&amp; ', ' 😀 ', ', ”'])}${word(random)}`
}
const instant = (random: Random) =>
  new Date(Date.UTC(2012, 0, 1) + Math.floor(random() * 14 * 365 * 86_400_000)).toISOString()
/** A date of one of two years from `first` on. */
const day = (random: Random, first: number) =>
  `${first + Math.floor(random() * 2)}${instant(random).slice(4, pick(random, [4, 7, 10]))}`

type TitlePageRow = {
  kind: (typeof kindNames)[number]
  name: string
  year: number
  externalId: string | null
}

async function insertTitle(db: Db, { kind, name, year, externalId }: TitlePageRow): Promise<number> {
  const { id } = await db
    .insertInto('media')
    .values({
      kind,
      name,
      name_folded: fold(name),
      search_text: searchText(name),
      release_date: String(year),
      release_year: year,
      details: JSON.stringify({ genres: [], creators: [`${name} Maker`], platforms: [], rating: null }),
      source: externalId ? 'somewhere' : null,
      created_at: '2026-01-01T00:00:00.000Z',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const [source] = kinds[kind].idSources
  if (externalId) await insertMany(db, 'external_ids', [{ source, external_id: externalId, media_id: id }])
  return id
}

/** Writes a history of a member, with titles of which `there` knows those with external ids. */
async function writeHistory({ id: userId }: Caller, random: Random, titles: readonly TitlePageRow[]) {
  const { db } = here
  const rows: Record<string, object[]> = { reviews: [], diary_entries: [], favorites: [] }
  for (const title of titles) {
    const media_id = await insertTitle(db, title)
    if (title.externalId) await insertTitle(there.db, title)
    const owner = { user_id: userId, media_id, kind: title.kind }
    const times = () => {
      const created_at = instant(random)
      return { created_at, updated_at: random() < 0.5 ? created_at : '2026-10-01T10:00:00.000Z' }
    }
    const given = () => (random() < 0.5 ? null : pick(random, ['4.5/5', '7/10', '85/100', '0.5/5', '3.25/5']))
    if (random() < 0.7) {
      const text = random() < 0.5 ? '' : words(random)
      rows.reviews!.push({
        ...owner,
        rating: 10 + 5 * Math.floor(random() * 9),
        text,
        ...toFlagColumns(byFlag(() => random() < 0.5)),
        safe_page: title.kind === 'book' && random() < 0.3 ? 1 + Math.floor(random() * 300) : null,
        safe_percent: title.kind === 'movie' && random() < 0.3 ? 1 + Math.floor(random() * 100) : null,
        rating_given: given(),
        rated_at: instant(random),
        ...times(),
      })
    }
    const statuses: DiaryStatus[] = [
      ...(random() < 0.3 ? (['want'] as const) : []),
      ...(random() < 0.3 ? [pick(random, ['started', 'paused'] as const)] : []),
      ...Array.from({ length: Math.floor(random() * 3) }, () =>
        pick(random, ['finished', 'dropped'] as const),
      ),
    ]
    for (const [index, status] of statuses.entries())
      rows.diary_entries!.push({
        ...owner,
        status,
        started_on: status === 'want' || random() < 0.5 ? null : day(random, 2012),
        // Each is different: two entries of the same dates and status would be one.
        finished_on: status === 'finished' || status === 'dropped' ? day(random, 2014 + 2 * index) : null,
        is_again: Math.floor(random() * 2),
        rating_given: given(),
        text: random() < 0.7 ? '' : words(random),
        origin: random() < 0.5 ? null : `letterboxd:entry:${media_id}-${index}`,
        ...times(),
      })
    if (random() < 0.4) rows.favorites!.push({ ...owner, created_at: instant(random) })
  }
  for (const [table, list] of Object.entries(rows)) await insertMany(db, table, list)
  await writeLists(userId, random)
  await recountAll(db)
}

/** Writes lists with some of the titles of a member’s reviews, two of them with the same name. */
async function writeLists(user_id: number, random: Random) {
  const { db } = here
  const titles = await db
    .selectFrom('reviews')
    .select(['media_id', 'kind'])
    .where('user_id', '=', user_id)
    .execute()
  const names = [word(random), `${word(random)} = ${word(random)}`, word(random)]
  for (const title of [...names, names[0]!]) {
    const created_at = instant(random)
    const visibility = pick(random, listVisibilities)
    const settings = { description: words(random).trim(), is_ranked: Math.floor(random() * 2) }
    const { id: list_id } = await db
      .insertInto('lists')
      .values({
        user_id,
        title,
        ...settings,
        visibility,
        link_key: visibility === 'link' ? word(random) : null,
        tags: JSON.stringify(random() < 0.5 ? [] : [word(random), 'two words']),
        copied_from: null,
        created_at,
        updated_at: random() < 0.5 ? created_at : '2026-10-01T10:00:00.000Z',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const chosen = titles.filter(() => random() < 0.5).toSorted(() => random() - 0.5)
    const places = spreadPlaces(chosen.length)
    const items = chosen.map((of, at) => ({
      ...of,
      list_id,
      place: places[at]!,
      note: random() < 0.5 ? '' : words(random).trim(),
      added_by: user_id,
      added_at: instant(random),
    }))
    if (items.length > 0) await insertMany(db, 'list_items', items)
  }
}

const byContent = <Item>(items: readonly Item[]) =>
  items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

/** Returns the lists of an export with their titles in order, sorted by their content. */
function listsIn({ titles, lists, listItems }: ExportFile) {
  const names = new Map(titles.map(({ ref, name }) => [ref, name]))
  return byContent(
    lists.map(({ ref, ...list }) => ({
      ...list,
      items: listItems
        .filter((item) => item.list === ref)
        .map(({ title, note, addedAt }) => ({ title: names.get(title)!, note, addedAt })),
    })),
  )
}

/** Returns what an import restores, sorted, with names in place of the ids of titles. */
function restored(file: ExportFile) {
  const { titles, reviews, diary, favorites } = file
  const names = new Map(titles.map(({ ref, name }) => [ref, name]))
  const used = new Set([...reviews, ...diary, ...favorites].map(({ title }) => title))
  const sorted = (items: object[]) => items.map((item) => JSON.stringify(item)).sort()
  const named = (items: { title: number }[]) =>
    sorted(items.map(({ title, ...item }) => ({ title: names.get(title), ...item })))
  return {
    titles: sorted(titles.filter(({ ref }) => used.has(ref)).map((title) => ({ ...title, ref: undefined }))),
    reviews: named(reviews),
    diary: named(diary.map((entry) => ({ ...entry, ref: undefined }))),
    favorites: named(favorites),
    lists: listsIn(file),
  }
}

test.each([
  [1, 'json'],
  [2, 'zip'],
  [3, 'json'],
])('an export that another server imports is the same there (seed %i, %s)', async (seed, format) => {
  const random = seeded(seed)
  const [owner, receiver] = [await here.newCaller(), await there.newCaller()]
  const titles: TitlePageRow[] = Array.from({ length: 40 }, (_, index) => ({
    kind: kindNames[index % 4]!,
    name: `${word(random)} ${word(random)} ${seed * 1_000 + index}`,
    year: 1950 + Math.floor(random() * 70),
    // ISBNs are checked by their last digit.
    externalId: random() < 0.5 && index % 4 !== 2 ? String(seed * 1_000_000 + index) : null,
  }))
  await writeHistory(owner, random, titles)
  const before = restored((await download(here, owner, 'json')).json<ExportFile>())
  const id = await there.upload(receiver, (await download(here, owner, format)).rawPayload)
  await work(there)
  const call = there.as(receiver)
  await call.imports.update({ id, missing: 'create' })
  await work(there)
  await call.imports.start({ id })
  await work(there)
  expect((await call.imports.byId({ id })).import).toMatchObject({ state: 'done' })
  const after = restored((await download(there, receiver, 'json')).json<ExportFile>())
  expect(after).toEqual(before)
  expect(await findCounterFaults(there.db)).toEqual([])
})

describe('lists', () => {
  /** Writes lists of movies, and returns them with the files of the export. */
  async function exportLists(seed: number) {
    const random = seeded(seed)
    const owner = await here.newCaller()
    const titles = Array.from({ length: 12 }, (_, index) => {
      const name = `${word(random)} ${word(random)} ${seed * 1_000 + index}`
      const externalId = String(seed * 1_000_000 + index)
      return { kind: 'movie' as const, name, year: 1950 + index, externalId }
    })
    await writeHistory(owner, random, titles)
    const lists = listsIn((await download(here, owner, 'json')).json<ExportFile>())
    const path = join(mkdtempSync(join(tmpdir(), 'medley-lists-')), 'export.zip')
    onTestFinished(() => rmSync(dirname(path), { recursive: true }))
    writeFileSync(path, (await download(here, owner, 'zip')).rawPayload)
    const zip = await openZip(path)
    onTestFinished(() => zip.close())
    return { lists: lists.filter(({ items }) => items.length > 0), zip }
  }

  async function importFile(caller: Caller, file: Buffer) {
    const id = await there.upload(caller, file)
    await work(there)
    expect((await there.as(caller).imports.byId({ id })).import.counts).not.toHaveProperty('notFound')
    await there.as(caller).imports.start({ id })
    await work(there)
  }
  const listsOf = async (caller: Caller) =>
    listsIn((await download(there, caller, 'json')).json<ExportFile>())

  test('the table of an export brings back the lists by name, with their titles in order and their notes', async () => {
    const { lists, zip } = await exportLists(7)
    const receiver = await there.newCaller()
    await importFile(receiver, await zip.read('list-titles.csv'))
    const shown = (all: typeof lists) =>
      byContent(
        all.map(({ name, items }) => ({ name, items: items.map(({ title, note }) => ({ title, note })) })),
      )
    // The table cannot tell lists of the same name apart.
    const twice = new Set(lists.map(({ name }) => name).filter((name, at, all) => all.indexOf(name) !== at))
    const once = (all: typeof lists) => shown(all.filter(({ name }) => !twice.has(name)))
    expect(twice.size).toBe(1)
    expect(once(lists).length).toBeGreaterThan(0)
    expect(once(await listsOf(receiver))).toEqual(once(lists))
  })

  test('the files for Letterboxd bring back the lists but for who may read them and whether they are ranked', async () => {
    const { lists, zip } = await exportLists(8)
    const receiver = await there.newCaller()
    const files = zip.files.filter((file) => file.startsWith('for-letterboxd-lists/'))
    expect(files).toHaveLength(lists.length)
    for (const file of files) await importFile(receiver, await zip.read(file))
    const shown = (all: typeof lists) =>
      byContent(
        all.map(({ name, description, tags, createdAt, items }) => ({
          name,
          description,
          tags,
          createdOn: createdAt.slice(0, 10),
          items: items.map(({ title, note }) => ({ title, note })),
        })),
      )
    expect(shown(await listsOf(receiver))).toEqual(shown(lists))
  })
})

describe('follows', () => {
  /** Returns a member who follows nobody. */
  async function aLoner(): Promise<Caller> {
    const caller = await here.newCaller()
    for (const { followee_id } of await followsOf(caller))
      await here.as(caller).social.unfollow({ userIdToUnfollow: followee_id })
    return caller
  }

  /** Exports whom a member follows, changes something, and imports the file. */
  async function restore(change: (about: { owner: Caller; friends: Caller[] }) => Promise<void>) {
    const owner = await aLoner()
    const friends = [await here.newCaller(), await here.newCaller(), await here.newCaller()]
    const call = here.as(owner)
    for (const { id } of friends) await call.social.follow({ userIdToFollow: id })
    const created_at = '2024-05-06T07:08:09.000Z'
    await here.db.updateTable('follows').set({ created_at }).where('follower_id', '=', owner.id).execute()
    const file = (await download(here, owner, 'json')).rawPayload
    await change({ owner, friends })
    const before = await followsOf(owner)
    const id = await here.upload(owner, file)
    await work(here)
    return { owner, friends, file, id, call, before, created_at }
  }
  const followsOf = ({ id }: Caller) =>
    here.db
      .selectFrom('follows')
      .select(['followee_id', 'created_at'])
      .where('follower_id', '=', id)
      .orderBy('followee_id')
      .execute()
  const statesOf = async (call: ReturnType<Instance['as']>, id: number) =>
    (await call.imports.lines({ id })).lines.map(({ state }) => state)
  async function apply(call: ReturnType<Instance['as']>, id: number) {
    await call.imports.start({ id })
    await work(here)
    expect(await findCounterFaults(here.db)).toEqual([])
    return (await call.imports.byId({ id })).import
  }

  test('come back with their times, without notifying anybody, and go again with an undo', async () => {
    const { friends, id, call, before, owner, created_at } = await restore(
      async ({ owner: { id: from }, friends: [kept, ...others] }) => {
        await here.as((await here.newCaller())!).social.follow({ userIdToFollow: kept!.id })
        for (const { id: userIdToUnfollow } of others)
          await here.as({ id: from, username: '' }).social.unfollow({ userIdToUnfollow })
      },
    )
    const rehearsal = (await call.imports.byId({ id })).import
    expect(rehearsal).toMatchObject({ state: 'ready', changes: 0, parts: { follows: 2 }, notKept: [] })
    expect(await followsOf(owner)).toEqual(before)
    const deliveries = here.db.selectFrom('webhook_deliveries').selectAll()
    const news = async () => [
      await deliveries.execute(),
      await here.db.selectFrom('changes').selectAll().where('user_id', '<>', owner.id).execute(),
    ]
    const newsBefore = await news()
    expect(await apply(call, id)).toMatchObject({ state: 'done', parts: { follows: 2 } })
    expect(await news()).toEqual(newsBefore)
    expect(await followsOf(owner)).toEqual(friends.map((friend) => ({ followee_id: friend.id, created_at })))
    // Ended and begun again since: stays.
    const [, changed, undone] = friends
    await call.social.unfollow({ userIdToUnfollow: changed!.id })
    await call.social.follow({ userIdToFollow: changed!.id })
    expect((await call.imports.previewUndo({ id })).removes).toMatchObject({ follows: 1 })
    await call.imports.undo({ id })
    await work(here)
    expect((await call.imports.byId({ id })).import).toMatchObject({ state: 'undone', parts: { follows: 0 } })
    const left = (await followsOf(owner)).map(({ followee_id }) => followee_id)
    expect(left).toEqual(friends.filter((friend) => friend !== undone).map((friend) => friend.id))
    expect(await findCounterFaults(here.db)).toEqual([])
  })

  test('of members who are private, or have blocked the member, do not come back, and look alike', async () => {
    const { id, call, owner } = await restore(async ({ owner: from, friends: [first, second, third] }) => {
      await here.as(first!).privacy.change({ isPrivate: true })
      await here.as(first!).privacy.removeFollower({ userId: from.id })
      await here.as(second!).privacy.block({ id: from.id })
      await here.as(third!).privacy.change({ isPrivate: true })
    })
    expect(await statesOf(call, id)).toEqual(['left', 'left', 'same'])
    const { lines } = await call.imports.lines({ id })
    const notes = lines.map(({ note }) => String(note).replace(/^Follow of [^,]+/, ''))
    expect(notes[0]).not.toBe('')
    expect(notes[1]).toBe(notes[0])
    await apply(call, id)
    expect(await followsOf(owner)).toHaveLength(1)
  })

  test('come back as long as the member follows fewer people than the maximum', async () => {
    const { owner, friends, id, call } = await restore(async ({ owner: from, friends: all }) => {
      for (const { id: userIdToUnfollow } of all) await here.as(from).social.unfollow({ userIdToUnfollow })
    })
    const setCount = (following_count: number) =>
      here.db.updateTable('users').set({ following_count }).where('id', '=', owner.id).execute()
    await setCount(followingMax - 1)
    await call.imports.start({ id })
    await work(here)
    const { lines } = await call.imports.lines({ id })
    expect(lines.map(({ state }) => state)).toEqual(['taken', 'left', 'left'])
    expect(lines.map(({ note }) => note!.includes(messages.tooManyFollows))).toEqual([false, true, true])
    expect((await followsOf(owner)).map(({ followee_id }) => followee_id)).toEqual([friends[0]!.id])
    await setCount(1)
    expect(await findCounterFaults(here.db)).toEqual([])
  })

  test('of members who are gone, or whose name belongs to somebody else now, do not come back', async () => {
    const { friends, id, call, before, owner } = await restore(
      async ({ owner: from, friends: [first, second] }) => {
        const username = (await here.newCaller()).id
        await here.as(from).social.unfollow({ userIdToUnfollow: first!.id })
        await here.as(from).social.unfollow({ userIdToUnfollow: second!.id })
        const { db } = here
        const names = db.selectFrom('users').select(['username', 'username_folded', 'username_key'])
        const taken = await names.where('id', '=', first!.id).executeTakeFirstOrThrow()
        const away = { username: 'away', username_folded: 'away', username_key: 'away' }
        await db.updateTable('users').set(away).where('id', '=', first!.id).execute()
        await db.updateTable('users').set(taken).where('id', '=', username).execute()
        await db.updateTable('users').set({ verified_at: null }).where('id', '=', second!.id).execute()
      },
    )
    expect(await statesOf(call, id)).toEqual(['notFound', 'notFound', 'same'])
    await apply(call, id)
    expect(await followsOf(owner)).toEqual(before)
    expect(before.map(({ followee_id }) => followee_id)).toEqual([friends[2]!.id])
  })

  test('that ended after an import had restored them do not come back, unless the file wins', async () => {
    const { owner, friends, file, id, call } = await restore(async ({ owner: from, friends: all }) => {
      for (const friend of all) await here.as(from).social.unfollow({ userIdToUnfollow: friend.id })
    })
    await apply(call, id)
    await call.social.unfollow({ userIdToUnfollow: friends[0]!.id })
    const again = await here.upload(owner, file)
    await work(here)
    expect(await statesOf(call, again)).toEqual(['left', 'same', 'same'])
    await call.imports.update({ id: again, conflicts: 'file' })
    await work(here)
    await apply(call, again)
    expect(await followsOf(owner)).toHaveLength(3)
    const third = await here.upload(owner, file)
    await work(here)
    await call.imports.update({ id: third, follows: false })
    await work(here)
    expect((await call.imports.byId({ id: third })).import.parts.follows).toBe(0)
  })

  test('of another server are not kept', async () => {
    const owner = await aLoner()
    const friend = await here.newCaller()
    await here.as(owner).social.follow({ userIdToFollow: friend.id })
    const file = (await download(here, owner, 'json')).json<ExportFile>()
    const id = await here.upload(
      owner,
      Buffer.from(JSON.stringify({ ...file, instance: 'https://elsewhere.example' })),
    )
    await work(here)
    const { notKept, parts } = (await here.as(owner).imports.byId({ id })).import
    expect([notKept, parts.follows]).toEqual([[{ what: 'follows on another server', count: 1 }], 0])
  })
})

describe('notification settings', () => {
  async function restore(conflicts: 'mine' | 'file', own: { digestHour?: number }) {
    const [from, to] = [await here.newCaller(), await here.newCaller()]
    const change = { like: { inApp: false }, digestHour: 20, timeZone: 'Europe/Berlin' }
    const exported = await here.as(from).notifications.changeSettings(change)
    const file = (await download(here, from, 'json')).rawPayload
    expect((JSON.parse(String(file)) as ExportFile).notificationSettings).toEqual(exported)
    const call = here.as(to)
    await call.notifications.changeSettings(own)
    const before = await call.notifications.settings()
    if (Object.keys(own).length === 0)
      await here.db.updateTable('inboxes').set({ settings: '{}' }).where('user_id', '=', to.id).execute()
    const id = await here.upload(to, file)
    await work(here)
    if (conflicts === 'file') await call.imports.update({ id, conflicts })
    await work(here)
    const rehearsal = (await call.imports.byId({ id })).import
    await call.imports.start({ id })
    await work(here)
    return { call, id, before, exported, parts: rehearsal.parts }
  }

  test.each([
    ['come back if the member has chosen none', 'mine', {}],
    ['replace the member’s if the file wins', 'file', { digestHour: 3 }],
  ] as const)('%s, and an undo restores the earlier ones', async (_, conflicts, own) => {
    const { call, id, before, exported, parts } = await restore(conflicts, own)
    expect(parts.settings).toBe(1)
    expect(await call.notifications.settings()).toEqual(exported)
    expect((await call.imports.byId({ id })).import.parts.settings).toBe(1)
    expect((await call.imports.previewUndo({ id })).restores).toBe(1)
    await call.imports.undo({ id })
    await work(here)
    expect(await call.notifications.settings()).toEqual(before)
    expect((await call.imports.byId({ id })).import.parts.settings).toBe(0)
  })

  test('stay as the member has chosen them otherwise', async () => {
    const { call, before, parts } = await restore('mine', { digestHour: 3 })
    expect(parts.settings).toBe(0)
    expect(await call.notifications.settings()).toEqual(before)
  })
})

test('a file gives its member no role, whatever it says', async () => {
  const caller = await here.newCaller()
  const exported = String((await download(here, caller, 'json')).rawPayload)
  const file = exported.replace('"member":{', '"role":"admin","member":{"role":"admin","id":1,')
  const id = await here.upload(caller, Buffer.from(file))
  await work(here)
  await here.as(caller).imports.start({ id })
  await work(here)
  const roles = here.db.selectFrom('users').select('role').where('role', '<>', 'member')
  expect(await roles.execute()).toEqual([])
})
