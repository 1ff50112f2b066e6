import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Days, saveSeasons } from '#scripts/testing/episodes.ts'
import { withoutWatch } from '#scripts/testing/event-loop.ts'
import { anImportServer } from '#scripts/testing/imports.ts'
import { aTitle, findCounterFaults } from '#server/testing.ts'

/** Episodes that were watched, from the upload to the plays. The starter catalogue has the episodes of Breaking Bad. */
const server = await anImportServer()
const { db, newCaller, upload, work } = server

const sample = (path: string) => readFileSync(join(import.meta.dirname, 'fixtures', path))

async function aMember() {
  const caller = await newCaller()
  const call = server.as(caller)
  const byId = async (id: number) => (await call.imports.byId({ id })).import
  return {
    id: caller.id,
    call,
    byId,
    async rehearse(file: string | Buffer) {
      // The server reads files in another process.
      const id = await withoutWatch(() => upload(caller, file))
      await work()
      return byId(id)
    },
    async apply({ id }: { id: number }) {
      await call.imports.start({ id })
      await work()
      return byId(id)
    },
    async undo({ id }: { id: number }) {
      await call.imports.undo({ id })
      await work()
      return byId(id)
    },
    /** As `1×2 #1 2024-02-19`. */
    async plays() {
      const rows = await db
        .selectFrom('plays')
        .innerJoin('parts', 'parts.id', 'plays.episode_id')
        .select(['parts.season', 'parts.number', 'plays.pass', 'plays.watched_on'])
        .where('user_id', '=', caller.id)
        .orderBy('parts.season')
        .orderBy('parts.number')
        .orderBy('plays.pass')
        .execute()
      return rows.map((row) => `${row.season}×${row.number} #${row.pass} ${row.watched_on ?? 'unknown'}`)
    },
    async entries(kind = 'tvShow' as const) {
      const rows = await db
        .selectFrom('diary_entries')
        .selectAll()
        .where('user_id', '=', caller.id)
        .where('kind', '=', kind)
        .orderBy('id')
        .execute()
      return rows.map(({ status, started_on, finished_on, text, pass }) =>
        [status, started_on, finished_on, text, pass && `#${pass}`].filter(Boolean).join(' '),
      )
    },
    /** All rows of the member that an import writes. */
    async rows() {
      const own = async (table: 'plays' | 'diary_entries' | 'reviews' | 'favorites') =>
        (await db.selectFrom(table).selectAll().where('user_id', '=', caller.id).execute())
          .map((row) => JSON.stringify({ ...row, id: 0, wrote_at: null, updated_at: null }))
          .sort()
      return {
        plays: await own('plays'),
        entries: await own('diary_entries'),
        reviews: await own('reviews'),
        favorites: await own('favorites'),
      }
    },
  }
}
type Member = Awaited<ReturnType<typeof aMember>>

const watched = (id: number, season: number, number: number, at: string) => ({
  id,
  watched_at: at,
  type: 'episode',
  episode: { season, number, ids: {} },
})
const history = (...items: object[]) => JSON.stringify(items)

describe.each([
  ['Trakt', 'trakt/trakt-export.zip', ['1×1 #1 2023-03-14'], ['started 2023-03-14 #1']],
  ['Yamtrack', 'yamtrack/yamtrack.csv', ['1×7 #1 2024-02-19'], ['started 2024-02-19 With Bo, on Fridays #1']],
  [
    'Simkl',
    'simkl/SimklBackup.json',
    ['1×1 #1 2024-02-09', '1×2 #1 2024-02-19'],
    ['started 2024-02-09 On Fridays #1'],
  ],
  [
    'TV Time',
    'tvtime/gdpr-data.zip',
    ['1×1 #1 2019-03-03', '1×2 #1 2019-03-04', '1×2 #2 unknown'],
    ['dropped 2019-03-03 2019-03-04 #1', 'started #2', 'want'],
  ],
])('%s', (_name, path, plays, entries) => {
  test('the plays are the file’s, again adds nothing, and the undo is exact', async () => {
    const member = await aMember()
    const first = await member.rehearse(sample(path))
    expect(first.parts.episodes).toBe(plays.length)
    expect(first.unknownEpisodes).toBe(0)
    const before = await member.rows()
    const done = await member.apply(first)
    expect(done.parts.episodes).toBe(plays.length)
    expect(await member.plays()).toEqual(plays)
    expect(await member.entries()).toEqual(entries)
    const { batches } = await member.call.progress.batches({})
    expect(batches).toMatchObject([
      { type: 'import', source: first.service, count: plays.length, importId: first.id, undoneAt: null },
    ])

    const after = await member.rows()
    const again = await member.rehearse(sample(path))
    expect([again.changes, again.parts.episodes]).toEqual([0, 0])
    await member.apply(again).catch(() => undefined)
    expect(await member.rows()).toEqual(after)

    expect((await member.call.imports.previewUndo({ id: first.id })).removes.episodes).toBe(plays.length)
    await member.undo(first)
    expect(await member.rows()).toEqual(before)
    expect((await member.call.progress.batches({})).batches).toMatchObject([{ undoneAt: expect.any(String) }])
    expect(await findCounterFaults(db)).toEqual([])
  })
})

describe('plays and what the member has', () => {
  const days = (year: number) => [1, 2, 3].map((month) => `${year}-0${month}-01`)
  let shows = 0
  /** A show with two seasons of three episodes and a special, as files of Trakt name it. */
  async function aShow(seasons: Days = { 0: [null], 1: days(2020), 2: days(2021) }) {
    const id = await aTitle(db, 'tvShow')
    const trakt = 9_000_000 + ++shows
    const name = `Harbour ${trakt}`
    await db.updateTable('media').set({ name, release_year: 2020 }).where('id', '=', id).execute()
    await db
      .insertInto('external_ids')
      .values({ source: 'tmdb-tv', external_id: String(trakt), media_id: id })
      .execute()
    const episodes = await saveSeasons(db, id, seasons)
    const show = { title: name, year: 2020, ids: { trakt, tmdb: trakt } }
    return { id, episodes, show }
  }
  type Show = Awaited<ReturnType<typeof aShow>>['show']
  const play = (show: Show, id: number, season: number, number: number, at: string, ids: object = {}) => ({
    ...watched(id, season, number, at),
    episode: { season, number, ids },
    show,
  })
  const importOf = async (member: Member, file: string | Buffer) => member.apply(await member.rehearse(file))

  test('the k-th play is in the k-th pass, 1970 is no day, and a day has one play', async () => {
    const member = await aMember()
    const { show } = await aShow()
    const done = await importOf(
      member,
      history(
        play(show, 5, 1, 1, '2022-02-02T10:00:00.000Z'),
        play(show, 4, 1, 1, '2021-02-02T10:00:00.000Z'),
        play(show, 3, 1, 2, '2021-02-03T10:00:00.000Z'),
        play(show, 2, 1, 2, '2021-02-03T20:00:00.000Z'),
        play(show, 1, 1, 3, '1970-01-01T00:00:00.000Z'),
        play(show, 6, 0, 1, '2021-02-04T10:00:00.000Z'),
        play(show, 7, 2, 1, '2999-02-04T10:00:00.000Z'),
      ),
    )
    expect(await member.plays()).toEqual([
      '0×1 #1 2021-02-04',
      '1×1 #1 2021-02-02',
      '1×1 #2 2022-02-02',
      '1×2 #1 2021-02-03',
      '1×3 #1 unknown',
      '2×1 #1 unknown',
    ])
    expect(done.parts.episodes).toBe(6)
    const [title] = (await member.call.imports.titles({ id: done.id })).titles
    expect(title!.notes).toEqual(
      expect.arrayContaining([
        'The start of 1970 stands for an unknown date.',
        'The date of an episode is in the future and is left out.',
      ]),
    )
  })

  test('episodes that are not known here are counted and named, and the others are imported', async () => {
    const member = await aMember()
    const { show } = await aShow()
    const { show: bare } = await aShow({})
    const first = await member.rehearse(
      history(
        play(show, 1, 1, 1, '2021-02-02T10:00:00.000Z'),
        play(show, 2, 1, 9, '2021-02-02T10:00:00.000Z'),
        play(show, 3, 7, 1, '2021-02-02T10:00:00.000Z'),
        play(bare, 4, 1, 1, '2021-03-03T10:00:00.000Z'),
      ),
    )
    expect([first.parts.episodes, first.unknownEpisodes]).toEqual([1, 3])
    const done = await member.apply(first)
    expect([done.parts.episodes, done.unknownEpisodes]).toEqual([1, 3])
    const named = async (hasUnknownEpisodes: boolean) =>
      (await member.call.imports.titles({ id: done.id, hasUnknownEpisodes })).titles.map(({ notes }) => notes)
    expect(await named(true)).toEqual([
      ['Episodes that are not known here: 1×9, 7×1'],
      ['Episodes that are not known here: 1×1'],
    ])
    expect(await named(false)).toEqual([])
    expect(await member.plays()).toEqual(['1×1 #1 2021-02-02'])
    // Without episodes, the diary says what the file says of the show.
    expect(await member.entries()).toEqual(['started 2021-02-02 #1', 'started 2021-03-03'])
  })

  test('plays of the member are the same plays, and what they changed or removed stays so', async () => {
    const member = await aMember()
    const { id, episodes, show } = await aShow()
    const { progress } = member.call
    const [, first, second, third] = episodes as [number, number, number, number]
    await progress.mark({ id, episodeIds: [first], watchedOn: '2021-02-02' })
    const file = history(
      play(show, 1, 1, 1, '2021-02-02T10:00:00.000Z'),
      play(show, 2, 1, 2, '2021-02-03T10:00:00.000Z'),
      play(show, 3, 1, 3, '2021-02-04T10:00:00.000Z'),
    )
    const done = await importOf(member, file)
    expect(done.parts.episodes).toBe(2)
    const own = (await progress.plays({ id })).plays
    const ofEpisode = (episodeId: number) => own.find(({ episode }) => episode.id === episodeId)!.id
    await progress.editPlay({ id: ofEpisode(second), watchedOn: '2021-05-05' })
    await progress.unmark({ id, episodeIds: String(third) as never })
    const changed = ['1×1 #1 2021-02-02', '1×2 #1 2021-05-05']
    expect(await member.plays()).toEqual(changed)

    const again = await member.rehearse(file)
    expect([again.parts.episodes, again.counts]).toEqual([0, { conflict: 1 }])
    await member.apply(again).catch(() => undefined)
    expect(await member.plays()).toEqual(changed)

    const preview = await member.call.imports.previewUndo({ id: done.id })
    expect([preview.removes.episodes, preview.keepsCount]).toEqual([0, 1])
    await member.undo(done)
    expect(await member.plays()).toEqual(changed)
  })

  test('wanted and paused shows are given back by the undo, and a paused one stays paused', async () => {
    const member = await aMember()
    const [wanted, paused] = [await aShow(), await aShow()]
    await member.call.diary.create({ tvShowId: wanted.id, status: 'want' })
    await member.call.diary.create({ tvShowId: paused.id, status: 'paused', startedOn: '2020-01-01' })
    const before = await member.rows()
    const done = await importOf(
      member,
      history(
        play(wanted.show, 1, 1, 1, '2021-02-02T10:00:00.000Z'),
        play(paused.show, 2, 1, 1, '2021-02-02T10:00:00.000Z'),
      ),
    )
    expect(await member.entries()).toEqual(['started 2021-02-02 #1', 'paused 2021-02-02 #1'])
    await member.undo(done)
    expect(await member.rows()).toEqual(before)
  })

  test.each([
    ['hold', 'paused 2021-02-02 #1'],
    ['dropped', 'dropped 2021-02-02 2021-02-02 #1'],
    ['plantowatch', 'started 2021-02-02 #1'],
    ['completed', 'started 2021-02-02 #1'],
  ])('of a show that Simkl has as %s, the diary says %s', async (status, entry) => {
    const member = await aMember()
    const { show } = await aShow()
    const { trakt, ...ids } = show.ids
    const episodes = [{ number: 1, watched_at: '2021-02-02T10:00:00Z' }]
    const item = {
      status,
      added_to_watchlist_at: '2020-01-01T10:00:00Z',
      show: { ...show, ids: { simkl: trakt, ...ids } },
      seasons: [{ number: 1, episodes }],
    }
    const before = await member.rows()
    const done = await importOf(member, JSON.stringify({ shows: [item] }))
    expect(await member.entries()).toEqual([entry])
    expect((await member.rehearse(JSON.stringify({ shows: [item] }))).changes).toBe(0)
    await member.undo(done)
    expect(await member.rows()).toEqual(before)
  })

  test('an entry that an earlier version imported becomes the pass, and comes back', async () => {
    const member = await aMember()
    const { show } = await aShow()
    const last = [3, 2, 1].flatMap((number) =>
      [1, 2].map((season) =>
        play(show, season * 10 + number, season, number, `2021-02-0${number}T10:00:00.000Z`),
      ),
    )
    const item = {
      plays: 6,
      last_watched_at: '2021-02-03T10:00:00.000Z',
      show,
      seasons: [
        { number: 1, episodes: [{ number: 1, plays: 1, last_watched_at: '2021-02-01T10:00:00.000Z' }] },
      ],
    }
    await db.updateTable('parts').set({ is_gone: 1 }).where('name', 'like', 'Part%').execute()
    const old = await member.rehearse(history(item))
    await member.call.imports.update({ id: old.id, shows: 'finished' })
    await work()
    await member.apply(old)
    await db.updateTable('parts').set({ is_gone: 0 }).where('name', 'like', 'Part%').execute()
    expect(await member.entries()).toEqual(['finished 2021-02-01 2021-02-01'])
    const before = await member.rows()
    const done = await importOf(member, history(...last))
    expect(await member.entries()).toEqual(['finished 2021-02-01 2021-02-03 #1'])
    await member.undo(done)
    expect(await member.rows()).toEqual(before)
  })

  test('without a history, the last time of each episode is known, and how often it was watched', async () => {
    const member = await aMember()
    const { show } = await aShow()
    const at = '2021-02-03T10:00:00.000Z'
    const episodes = [
      { number: 1, plays: 3, last_watched_at: at },
      { number: 2, plays: 1, last_watched_at: '1970-01-01T00:00:00.000Z' },
    ]
    const file = history({ plays: 4, last_watched_at: at, show, seasons: [{ number: 1, episodes }] })
    await importOf(member, file)
    expect(await member.plays()).toEqual([
      '1×1 #1 unknown',
      '1×1 #2 unknown',
      '1×1 #3 2021-02-03',
      '1×2 #1 unknown',
    ])
    expect((await member.rehearse(file)).parts.episodes).toBe(0)
  })

  test('the undo of the batch of an import is the undo of its plays', async () => {
    const member = await aMember()
    const { show } = await aShow()
    const file = history(play(show, 1, 1, 1, '2021-02-02T10:00:00.000Z'))
    const done = await importOf(member, file)
    const { batches } = await member.call.progress.batches({})
    await member.call.progress.undo({ id: batches[0]!.id })
    expect([await member.plays(), await member.entries()]).toEqual([[], []])
    await member.undo(done)
    await importOf(member, file)
    expect(await member.plays()).toEqual(['1×1 #1 2021-02-02'])
  })

  test('a daily show that was watched four times is imported without holding the event loop', async () => {
    const member = await aMember()
    const count = 500
    const { show } = await withoutWatch(() =>
      aShow({ 1: Array.from({ length: count }, (_, at) => dayAfter('2000-01-01', at)) }),
    )
    const items = [0, 1, 2, 3].flatMap((year) =>
      Array.from({ length: count }, (_, at) =>
        play(
          show,
          year * count + at + 1,
          1,
          at + 1,
          `${dayAfter(`${2010 + year}-01-01`, at % 300)}T20:00:00.000Z`,
        ),
      ),
    )
    const file = await withoutWatch(() => history(...items))
    const first = await member.rehearse(file)
    expect(first.parts.episodes).toBe(4 * count)
    const done = await member.apply(first)
    expect(done.parts.episodes).toBe(4 * count)
    expect(await member.entries()).toEqual([
      expect.stringMatching(/^finished 2010-01-01 .* #1$/),
      expect.stringMatching(/^finished 2011-01-01 .* #2$/),
      expect.stringMatching(/^finished 2012-01-01 .* #3$/),
      expect.stringMatching(/^finished 2013-01-01 .* #4$/),
    ])
    await member.undo(done)
    expect([await member.plays(), await member.entries()]).toEqual([[], []])
  })
})

function dayAfter(day: string, count: number): string {
  return new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10)
}
