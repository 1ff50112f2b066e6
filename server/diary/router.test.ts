import { describe, expect, it } from 'vitest'
import { type Kind, kindNames, kinds } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { isSqlite } from '#server/db/dialect.ts'
import type { Member } from '#server/calls/context.ts'
import { aMember, aServer, aTitle, plansOf, rate } from '#server/testing.ts'
import { listEntryIds, listStatuses, listYear } from './store.ts'

const { db, as } = await aServer()
const now = new Date('2026-05-04T12:00:00.000Z')
const diaryOf = (member: Member | null) => as(member, { now }).diary

/** Inserts a finished entry as an import does, with a date that may lack the day or the month. */
async function imported(member: Member, titleId: number, finishedOn: string | null) {
  await db
    .insertInto('diary_entries')
    .values({
      user_id: member.id,
      media_id: titleId,
      kind: 'movie',
      status: 'finished',
      finished_on: finishedOn,
      rating_given: '4.5/5',
      origin: `service:${titleId}:${finishedOn}`,
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    })
    .execute()
}

describe('an entry', () => {
  it.each(Object.values(kinds))('is added to a $kind by either id', async ({ kind, idKey }) => {
    const ada = await aMember(db)
    const id = await aTitle(db, kind, 'A Title')
    const { entry } = await diaryOf(ada).create({ [idKey]: id, status: 'want' })
    expect(entry).toEqual({
      id: entry.id,
      status: 'want',
      startedOn: null,
      finishedOn: null,
      isAgain: false,
      text: '',
      ratingGiven: null,
      runtime: null,
      pageCount: null,
      rating: null,
      progress: null,
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
      title: { id, kind, name: 'A Title', imageUrl: null, releaseYear: null },
    })
    const other = await diaryOf(ada).create({ itemId: id, status: 'finished', finishedOn: '2026-05-04' })
    expect(await diaryOf(ada).mine({ [idKey]: id })).toEqual({
      status: 'finished',
      entries: [other.entry, entry],
    })
  })

  it('is refused for an unknown title, one of another kind, and without a login', async () => {
    const ada = await aMember(db)
    const book = await aTitle(db, 'book')
    await expect(diaryOf(ada).create({ movieId: book, status: 'want' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: kinds.movie.words.notFound,
    })
    await expect(diaryOf(ada).mine({ itemId: 999_999 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(diaryOf(null).create({ bookId: book, status: 'want' })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    })
  })

  it('is refused with impossible dates, as a new entry and as a change', async () => {
    const ada = await aMember(db)
    const movieId = await aTitle(db)
    const { entry } = await diaryOf(ada).create({ movieId, status: 'started', startedOn: '2026-05-01' })
    const cases = [
      [{ status: 'finished', finishedOn: '2026-05-06' }, messages.dateInFuture],
      [{ status: 'finished', finishedOn: '1869-12-31' }, messages.dateTooEarly],
      [{ status: 'finished', finishedOn: '2026-02-29' }, messages.dateInvalid],
      [{ status: 'finished', startedOn: '2026-05-02', finishedOn: '2026-05-01' }, messages.endBeforeStart],
      [{ status: 'want', startedOn: '2026-05-01' }, messages.wantHasDates],
      [{ status: 'paused', finishedOn: '2026-05-01' }, messages.openHasEnd],
    ] as const
    for (const [sent, message] of cases) {
      const error = { code: 'BAD_REQUEST', message: expect.stringContaining(message) }
      await expect(diaryOf(ada).create({ movieId, ...sent })).rejects.toMatchObject(error)
      await expect(diaryOf(ada).edit({ id: entry.id, ...sent })).rejects.toMatchObject(error)
    }
    // At UTC+14 it is already the 5th.
    await diaryOf(ada).create({ movieId, status: 'finished', finishedOn: '2026-05-05' })
    expect((await diaryOf(ada).mine({ movieId })).entries[0]).toEqual(entry)
  })

  it('keeps fields that a change omits, but drops dates that its new status cannot have', async () => {
    const ada = await aMember(db)
    const call = diaryOf(ada)
    const bookId = await aTitle(db, 'book')
    const { entry } = await call.create({ bookId, status: 'want', text: 'Recommended by Bob.' })
    const change = async (sent: object) => (await call.edit({ id: entry.id, ...sent })).entry
    expect(await change({ status: 'started', startedOn: '2026-04-01' })).toMatchObject({
      status: 'started',
      startedOn: '2026-04-01',
      text: 'Recommended by Bob.',
    })
    expect(await change({ status: 'finished', finishedOn: '2026-05-04', isAgain: true })).toMatchObject({
      startedOn: '2026-04-01',
      finishedOn: '2026-05-04',
      isAgain: true,
    })
    expect(await change({ startedOn: null })).toMatchObject({ startedOn: null, finishedOn: '2026-05-04' })
    expect(await change({ status: 'paused' })).toMatchObject({ finishedOn: null, isAgain: true })
    expect(await change({ status: 'want' })).toMatchObject({ startedOn: null, finishedOn: null })
    expect(await call.remove({ id: entry.id })).toEqual({ message: messages.diaryEntryRemoved })
    expect(await call.mine({ bookId })).toEqual({ status: null, entries: [] })
  })

  it('exists at most once per title as want and once in progress, even if calls race', async () => {
    const ada = await aMember(db)
    const gameId = await aTitle(db, 'game')
    const call = diaryOf(ada)
    for (const status of ['want', 'started'] as const) {
      const results = await Promise.allSettled(
        Array.from({ length: 4 }, () => call.create({ gameId, status })),
      )
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
      for (const result of results)
        if (result.status === 'rejected')
          expect(result.reason).toMatchObject({
            code: 'CONFLICT',
            message: status === 'want' ? messages.diaryWantExists : messages.diaryOpenExists,
          })
    }
    await expect(call.create({ gameId, status: 'paused' })).rejects.toMatchObject({ code: 'CONFLICT' })
    const { entry } = await call.create({ gameId, status: 'finished' })
    await call.create({ gameId, status: 'finished', isAgain: true })
    const error = { code: 'CONFLICT', message: messages.diaryOpenExists }
    await expect(call.edit({ id: entry.id, status: 'paused' })).rejects.toMatchObject(error)
    expect((await call.mine({ gameId })).status).toBe('started')
  })

  it('of another member can be neither changed nor deleted', async () => {
    const [ada, eve] = [await aMember(db), await aMember(db)]
    const movieId = await aTitle(db)
    const { entry } = await diaryOf(ada).create({ movieId, status: 'want' })
    const error = { code: 'NOT_FOUND', message: messages.diaryEntryNotFound }
    await expect(diaryOf(eve).edit({ id: entry.id, text: 'Mine.' })).rejects.toMatchObject(error)
    await expect(diaryOf(eve).remove({ id: entry.id })).rejects.toMatchObject(error)
    expect((await diaryOf(ada).mine({ movieId })).entries).toEqual([entry])
  })

  it('is deleted with its member', async () => {
    const ada = await aMember(db)
    await diaryOf(ada).create({ movieId: await aTitle(db), status: 'want' })
    await db.deleteFrom('users').where('id', '=', ada.id).execute()
    expect(await db.selectFrom('diary_entries').select('id').where('user_id', '=', ada.id).execute()).toEqual(
      [],
    )
  })
})

describe('the list', () => {
  it('is sorted by the last date, and its pages have no gaps or duplicates and do not end early', async () => {
    const ada = await aMember(db)
    const ids = await Promise.all(Array.from({ length: 9 }, () => aTitle(db)))
    const dates = [
      '2026-05-04',
      '2026-05-04',
      '2026-05-03',
      '2026-05',
      '2026',
      '2025-12-31',
      '2025-12-31',
      null,
      null,
    ]
    for (const [index, date] of dates.entries()) await imported(ada, ids[index]!, date)
    await diaryOf(ada).create({ movieId: ids[0]!, status: 'want' })
    for (const limit of [1, 2, 3, 9]) {
      const seen: (string | null)[] = []
      let cursor: string | undefined
      do {
        const page = await diaryOf(ada).list({ limit, cursor })
        expect(page.entries.length).toBe(Math.min(limit, 9 - seen.length))
        seen.push(...page.entries.map(({ finishedOn }) => finishedOn))
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      expect(seen).toEqual(dates)
    }
    const ofYear = await diaryOf(ada).list({ year: 2026 })
    expect(ofYear.entries.map(({ finishedOn }) => finishedOn)).toEqual(dates.slice(0, 5))
    expect(ofYear.entries[0]).toMatchObject({ ratingGiven: '4.5/5' })
  })

  it('is filtered by kind, status and year', async () => {
    const ada = await aMember(db)
    const titles = {} as Record<Kind, number>
    for (const kind of kindNames) {
      titles[kind] = await aTitle(db, kind)
      await diaryOf(ada).create({ itemId: titles[kind], status: 'finished', finishedOn: '2026-05-01' })
      await diaryOf(ada).create({ itemId: titles[kind], status: 'started', startedOn: '2025-05-01' })
      await diaryOf(ada).create({ itemId: titles[kind], status: 'want' })
    }
    const list = async (filters: object) => (await diaryOf(ada).list(filters)).entries
    expect(await list({})).toHaveLength(2 * kindNames.length)
    expect((await list({ kind: 'book' })).map(({ title }) => title.id)).toEqual([titles.book, titles.book])
    expect((await list({ status: 'want' })).map(({ title }) => title.kind)).toEqual([...kindNames].reverse())
    expect(await list({ year: 2025, kind: 'game' })).toMatchObject([
      { status: 'started', startedOn: '2025-05-01' },
    ])
    expect(await list({ year: 2024 })).toEqual([])
  })

  it('of wanted titles is sorted by release or average across pages', async () => {
    const ada = await aMember(db)
    const ids = await Promise.all(Array.from({ length: 4 }, () => aTitle(db)))
    const releases = ['1999-03-31', '2020', null, '1999']
    for (const [index, id] of ids.entries()) {
      await db
        .updateTable('media')
        .set({ release_date: releases[index] ?? null })
        .where('id', '=', id)
        .execute()
      await diaryOf(ada).create({ movieId: id, status: 'want' })
    }
    const [bob, cleo, dan] = [await aMember(db), await aMember(db), await aMember(db)]
    await rate({ as }, ids[0]!, [
      [bob, 5],
      [cleo, 4],
      [dan, 4],
    ])
    await rate({ as }, ids[2]!, [[bob, 5]])
    await rate({ as }, ids[3]!, [
      [bob, 4],
      [cleo, 5],
      [dan, 4],
    ])
    const order = async (sort: 'newest' | 'release' | 'average') => {
      const seen: number[] = []
      let cursor: string | undefined
      do {
        const page = await diaryOf(ada).list({ status: 'want', sort, limit: 1, cursor })
        seen.push(...page.entries.map(({ title }) => ids.indexOf(title.id)))
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      return seen
    }
    expect(await order('newest')).toEqual([3, 2, 1, 0])
    expect(await order('release')).toEqual([1, 0, 3, 2])
    expect(await order('average')).toEqual([2, 3, 0, 1])
    // More ratings than an integer of 32 bits can hold when multiplied.
    const many = { rating_count: 400_000, rating_sum: 19_000_000 }
    await db.updateTable('media').set(many).where('id', '=', ids[1]!).execute()
    expect(await order('average')).toEqual([2, 1, 3, 0])
    const { nextCursor } = await diaryOf(ada).list({ status: 'want', limit: 1 })
    for (const sort of ['average', 'release'] as const) {
      const refused = diaryOf(ada).list({ sort, cursor: nextCursor! })
      await expect(refused).rejects.toMatchObject({ code: 'BAD_REQUEST', message: messages.cursorInvalid })
    }
  })

  it('has the member’s own rating of each title', async () => {
    const [ada, bob] = [await aMember(db), await aMember(db)]
    const movieId = await aTitle(db)
    await rate({ as }, movieId, [
      [ada, 2],
      [bob, 5],
    ])
    await diaryOf(ada).create({ movieId, status: 'finished' })
    expect((await diaryOf(ada).list({})).entries).toMatchObject([{ rating: 2 }])
  })
})

it('one of the want list is picked by its length and by who rated it', async () => {
  const [ada, bob] = [await aMember(db), await aMember(db)]
  const call = diaryOf(ada)
  expect(await call.pick({})).toEqual({ entry: null, count: 0 })
  const [short, long, book, unknown] = [
    await aTitle(db),
    await aTitle(db),
    await aTitle(db, 'book'),
    await aTitle(db),
  ]
  const set = (id: number, values: object) =>
    db.updateTable('media').set(values).where('id', '=', id).execute()
  await set(short, { runtime: 90 })
  await set(long, { runtime: 200 })
  await set(book, { page_count: 300 })
  for (const itemId of [short, long, book, unknown]) await call.create({ itemId, status: 'want' })
  const picks = async (filters: object) => {
    const picked = await Promise.all(Array.from({ length: 20 }, (_, seed) => call.pick({ ...filters, seed })))
    return new Set(picked.map(({ entry }) => entry?.title.id))
  }
  expect(await picks({})).toEqual(new Set([short, long, book, unknown]))
  expect(await picks({ maxMinutes: 100 })).toEqual(new Set([short]))
  expect(await picks({ maxMinutes: 200, maxPages: 300 })).toEqual(new Set([short, long, book]))
  expect((await call.list({ status: 'want', maxPages: 300 })).entries).toMatchObject([
    { title: { id: book }, pageCount: 300, runtime: null },
  ])
  expect(await picks({ isRatedByNetwork: true })).toEqual(new Set([undefined]))
  await as(ada).social.follow({ userIdToFollow: bob.id })
  await rate({ as }, long, [[bob, 5]])
  expect(await picks({ isRatedByNetwork: true })).toEqual(new Set([long]))
  const { entry } = await call.pick({ maxMinutes: 100 })
  // The only match is picked again rather than nothing.
  expect(await call.pick({ maxMinutes: 100, not: entry!.id })).toMatchObject({
    entry: { id: entry!.id },
    count: 1,
  })
})

it('the twin of a year is the member with most of its titles whose diary everyone may read', async () => {
  const [ada, near, hidden, far] = [
    await aMember(db),
    await aMember(db),
    await aMember(db),
    await aMember(db),
  ]
  const ids = await Promise.all(Array.from({ length: 5 }, () => aTitle(db)))
  const finish = async (member: typeof ada, titles: number[], year = 2025) => {
    for (const itemId of titles)
      await diaryOf(member).create({ itemId, status: 'finished', finishedOn: `${year}-05-01` })
  }
  await finish(ada, ids)
  await finish(near, ids.slice(1))
  await finish(hidden, ids)
  await finish(far, ids, 2024)
  await diaryOf(near).setVisibility({ visibility: 'public' })
  await diaryOf(far).setVisibility({ visibility: 'public' })
  const { twin } = await diaryOf(ada).yearTwin({ id: ada.id, year: 2025 })
  expect(twin).toMatchObject({ user: { id: near.id }, commonCount: 4 })
  expect(twin!.titles.map(({ id }) => id).toSorted()).toEqual(ids.slice(1).toSorted())
  expect(await diaryOf(ada).yearTwin({ id: ada.id, year: 2023 })).toEqual({ twin: null })
})

it('marks show the current status of each title: that in progress, otherwise the newest that is over, otherwise want', async () => {
  const ada = await aMember(db)
  const [a, b, c, d] = [
    await aTitle(db),
    await aTitle(db, 'book'),
    await aTitle(db, 'game'),
    await aTitle(db),
  ]
  const call = diaryOf(ada)
  for (const itemId of [a, b, c]) await call.create({ itemId, status: 'want' })
  await call.create({ itemId: b, status: 'finished', finishedOn: '2026-03-01' })
  await call.create({ itemId: b, status: 'dropped', finishedOn: '2026-04-01' })
  await call.create({ itemId: c, status: 'finished', finishedOn: '2026-03-01' })
  await call.create({ itemId: c, status: 'paused' })
  const { marks } = await call.marks({ itemIds: [a, b, c, d, 999_999].join(',') })
  expect(marks.sort((one, other) => one.itemId - other.itemId)).toEqual([
    { itemId: a, status: 'want', percent: null },
    { itemId: b, status: 'dropped', percent: null },
    { itemId: c, status: 'paused', percent: null },
  ])
  expect((await call.mine({ itemId: b })).status).toBe('dropped')
  for (const itemIds of ['', '1,', '0', 'a', Array(101).fill('1').join(',')])
    await expect(call.marks({ itemIds })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

describe('a diary', () => {
  it('that is set to “everyone”, as earlier versions called it, is public', async () => {
    const ada = await aMember(db)
    await diaryOf(ada).setVisibility({ visibility: 'everyone' })
    expect(await diaryOf(ada).visibility()).toEqual({ visibility: 'public' })
  })

  it('is visible to the readers that its owner chose, but its notes and imported ratings to the owner only', async () => {
    const [ada, fan, eve] = [await aMember(db), await aMember(db), await aMember(db)]
    await as(fan).social.follow({ userIdToFollow: ada.id })
    const movieId = await aTitle(db, 'movie', 'A Secret Film')
    await diaryOf(ada).create({
      movieId,
      status: 'finished',
      finishedOn: '2026-05-01',
      text: 'A secret note.',
    })
    await imported(ada, movieId, '2026-05-02')
    const calls = (member: Member | null) => {
      const { diary } = as(member)
      return [
        () => diary.ofUser({ id: ada.id }),
        () => diary.ofUser({ id: ada.id, status: 'want' }),
        () => diary.year({ id: ada.id, year: 2026 }),
        () => diary.yearTwin({ id: ada.id, year: 2026 }),
      ]
    }
    const viewers = { owner: ada, follower: fan, stranger: eve, visitor: null }
    const allowed = {
      private: ['owner'],
      followers: ['owner', 'follower'],
      public: ['owner', 'follower', 'stranger', 'visitor'],
    }
    expect(await diaryOf(ada).visibility()).toEqual({ visibility: 'private' })
    for (const [visibility, who] of Object.entries(allowed)) {
      await diaryOf(ada).setVisibility({ visibility: visibility as keyof typeof allowed })
      expect(await diaryOf(ada).visibility()).toEqual({ visibility })
      for (const [name, member] of Object.entries(viewers)) {
        const isAllowed = who.includes(name)
        expect(await diaryOf(member).isVisible({ id: ada.id }), `${visibility}, ${name}`).toEqual({
          isVisible: isAllowed,
        })
        for (const call of calls(member)) {
          if (isAllowed) expect(JSON.stringify(await call())).not.toMatch(/secret note|4\.5\/5|service:/)
          else
            await expect(call()).rejects.toMatchObject({ code: 'FORBIDDEN', message: messages.diaryPrivate })
        }
      }
    }
    await as(fan).social.unfollow({ userIdToUnfollow: ada.id })
    await diaryOf(ada).setVisibility({ visibility: 'followers' })
    await expect(as(fan).diary.ofUser({ id: ada.id })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('of an unknown or unverified member does not exist', async () => {
    const ghost = await aMember(db)
    await db
      .updateTable('users')
      .set({ verified_at: null, diary_visibility: 'public' })
      .where('id', '=', ghost.id)
      .execute()
    for (const id of [ghost.id, 999_999]) {
      const error = { code: 'NOT_FOUND', message: messages.userNotFound }
      await expect(as().diary.ofUser({ id })).rejects.toMatchObject(error)
      await expect(as().diary.year({ id, year: 2026 })).rejects.toMatchObject(error)
      await expect(as().diary.isVisible({ id })).rejects.toMatchObject(error)
    }
  })
})

it('a year counts what was finished in it, and names the years before and after with entries', async () => {
  const ada = await aMember(db)
  const [book, movie] = [await aTitle(db, 'book'), await aTitle(db)]
  const call = diaryOf(ada)
  for (const finishedOn of ['2021-12-31', '2023-01-01', '2023-12-31', '2026-01-01'])
    await call.create({ itemId: book, status: 'finished', finishedOn })
  await call.create({ itemId: movie, status: 'dropped', finishedOn: '2023-06-01' })
  await call.create({ itemId: movie, status: 'started', startedOn: '2023-06-02' })
  expect(await call.year({ id: ada.id, year: 2023 })).toMatchObject({
    total: 2,
    kinds: { book: 2, movie: 0 },
    first: { date: '2023-01-01' },
    last: { date: '2023-12-31' },
    previousYear: 2021,
    nextYear: 2026,
  })
  expect(await call.year({ id: ada.id, year: 2020 })).toMatchObject({
    total: 0,
    previousYear: null,
    nextYear: 2021,
  })
  for (const year of [1869, 10_000, 1.5])
    await expect(call.year({ id: ada.id, year })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

it.runIf(isSqlite(db))(
  'lists, marks and years read an index of the member’s entries, without sorting a list',
  async () => {
    const ada = await aMember(db)
    const page = { userId: ada.id, sort: 'newest', limit: 24 } as const
    const index = 'SEARCH diary_entries USING COVERING INDEX diary_entries_day'
    const planOf = (listing: object) => plansOf(db, (db) => listEntryIds(db, { ...page, ...listing }))
    expect(await planOf({ kind: 'book' })).toEqual([`${index} (user_id=?)`])
    expect(await planOf({ status: 'want' })).toEqual([`${index} (user_id=? AND <expr><?)`])
    for (const listing of [{ year: 2026 }, { after: { value: '2026-05-04', id: 1 } }])
      expect(await planOf(listing)).toEqual([
        expect.stringMatching(/diary_entries_day \(user_id=\? AND <expr>/),
      ])
    // The first call compiles the query.
    await listStatuses(db, ada.id, [1])
    expect(await plansOf(db, (db) => listStatuses(db, ada.id, [1, 2]))).toContain(
      'SEARCH diary_entries USING INDEX diary_entries_title (user_id=? AND media_id=?)',
    )
    const year = await plansOf(db, (db) => listYear(db, ada.id, 2026))
    expect(year[0]).toContain('diary_entries_day (user_id=? AND <expr>')
    expect(year.join()).not.toMatch(/SCAN|TEMP/)
  },
)
