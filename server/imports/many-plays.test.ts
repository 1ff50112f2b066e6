import { afterEach, expect, test } from 'vitest'
import { plusDays } from '#shared/domain/days.ts'
import { passesMax, showPlaysMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { saveSeasons } from '#scripts/testing/episodes.ts'
import { withoutWatch } from '#scripts/testing/event-loop.ts'
import { anImportServer } from '#scripts/testing/imports.ts'
import { variation } from '#scripts/testing/variation.ts'
import { zipOf } from '#scripts/testing/zip.ts'
import { insertPlays } from '#server/progress/plays-store.ts'
import { settleShow } from '#server/progress/settle.ts'
import { aTitle, findCounterFaults } from '#server/testing.ts'

/** Files and members with as many plays as there can be. */
const server = await anImportServer()
const { db, newCaller, upload, work } = server
afterEach(async () => expect(await findCounterFaults(db)).toEqual([]))

let shows = 0
async function aShow(count: number) {
  const id = await aTitle(db, 'tvShow')
  const external_id = String(8_000_000 + ++shows)
  const name = `Lighthouse ${external_id}`
  await db.updateTable('media').set({ name, release_year: 2020 }).where('id', '=', id).execute()
  const ids = (['tmdb-tv', 'tvdb'] as const).map((source) => ({ source, external_id, media_id: id }))
  await db.insertInto('external_ids').values(ids).execute()
  const days = Array.from({ length: count }, () => '2020-01-01')
  return { id, name, external_id, episodes: await saveSeasons(db, id, { 1: days }) }
}
type Show = Awaited<ReturnType<typeof aShow>>
type Watched = { number: number; day: string }

const traktFile = ({ name, external_id }: Show, plays: readonly Watched[]) => {
  const show = { title: name, year: 2020, ids: { trakt: Number(external_id), tmdb: Number(external_id) } }
  return JSON.stringify(
    plays.map(({ number, day }, at) => ({
      id: at + 1,
      watched_at: `${day}T10:00:00.000Z`,
      type: 'episode',
      episode: { season: 1, number, ids: {} },
      show,
    })),
  )
}
const tvTimeFile = ({ name, external_id }: Show, plays: readonly Watched[]) => {
  const lines = plays.map(({ number, day }, at) =>
    [external_id, name, `${day} 10:00:00`, `rewatch-episode-${at}`, 1, number].join(','),
  )
  const header = 's_id,series_name,created_at,key,season_number,episode_number'
  return zipOf({ 'tracking-prod-records-v2.csv': [header, ...lines].join('\n') })
}
const medleyFile = ({ name, external_id }: Show, plays: readonly Watched[]) =>
  JSON.stringify({
    format: 'medley',
    version: 1,
    titles: [
      {
        ref: 1,
        kind: 'tvShow',
        name,
        year: 2020,
        creators: [],
        ids: [{ source: 'tmdb-tv', id: external_id }],
      },
    ],
    plays: plays.map(({ number, day }, at) => ({
      title: 1,
      season: 1,
      episode: number,
      pass: at + 1,
      watchedOn: day,
      watchedAt: null,
      origin: null,
    })),
  })

async function aMember() {
  const caller = await newCaller()
  const { imports } = server.as(caller)
  /** All rows that an import of plays writes. */
  const rows = () =>
    withoutWatch(async () => {
      const own = async (table: 'plays' | 'diary_entries') =>
        (await db.selectFrom(table).selectAll().where('user_id', '=', caller.id).execute())
          .map((row) => JSON.stringify({ ...row, updated_at: null }))
          .sort()
      return [await own('plays'), await own('diary_entries')]
    })
  return {
    ...caller,
    rows,
    async watch({ id, episodes }: Show, count: number) {
      const play = { user_id: caller.id, media_id: id, watched_at: null, batch_id: null }
      const rest = { watched_on: '2020-01-01', source: 'member', origin: null, created_at: '2026-01-01' }
      const plays = Array.from({ length: count }, (_, at) => ({
        ...play,
        ...rest,
        episode_id: episodes[at % episodes.length]!,
        pass: 1 + Math.floor(at / episodes.length),
      }))
      await withoutWatch(() => insertPlays(db, plays))
      await settleShow(db, caller.id, id, new Date())
    },
    async importOf(file: string | Buffer) {
      const id = await withoutWatch(() => upload(caller, file))
      await work()
      await imports.start({ id })
      await work()
      const one = (await imports.byId({ id })).import
      expect(one.state).toBe('done')
      const [title] = (await imports.titles({ id })).titles
      return { id, added: one.parts.episodes, state: title!.state, notes: title!.notes }
    },
    async undo(id: number) {
      await imports.undo({ id })
      await work()
      expect((await imports.byId({ id })).import.state).toBe('undone')
    },
  }
}

for (const [service, fileOf, kept] of [
  // A day has one play, unless the file says to which pass each belongs.
  ['Trakt', traktFile, 20],
  ['TV Time', tvTimeFile, 20],
  ['Medley', medleyFile, 100],
] as const)
  variation(
    `of 50,000 plays of an episode, ${service}’s first ones are added, on days that can be, and the undo is exact`,
    async () => {
      const [member, show] = [await aMember(), await aShow(3)]
      await member.watch(show, 2)
      const before = await member.rows()
      const plays = Array.from({ length: 50_000 }, (_, at) => ({
        number: 1,
        day: plusDays('1990-01-01', Math.floor(at / 5)),
      }))
      const strange = ['0001-01-01', '9999-12-31'].map((day) => ({ number: 2, day }))
      const file = await withoutWatch(async () => fileOf(show, [...strange, ...plays]))
      const { id, added, state, notes } = await member.importOf(file)
      expect([added, state]).toEqual([kept + 1, 'taken'])
      const said = ['“0001-01-01', 'The date of an episode is in the future', 'Some episodes are left out']
      for (const beginning of said) expect(notes.join('\n')).toContain(beginning)
      await member.undo(id)
      expect(await member.rows()).toEqual(before)
    },
  )

variation(
  'an import adds plays up to the number that a member can have of a show, says which are left out, and is undone',
  async () => {
    const [member, show] = [await aMember(), await aShow(1_000)]
    await member.watch(show, showPlaysMax - 1)
    const before = await member.rows()
    const file = traktFile(
      show,
      [1, 2, 3].map((number) => ({ number, day: '2026-02-02' })),
    )
    const first = await member.importOf(file)
    expect(first).toMatchObject({ added: 1, state: 'taken', notes: [messages.playsFull] })
    expect((await member.rows())[0]).toHaveLength(showPlaysMax)
    await member.undo(first.id)
    expect(await member.rows()).toEqual(before)
  },
)

test('an import adds no pass above the last one that a show can have', async () => {
  const [member, show] = [await aMember(), await aShow(1)]
  await member.watch(show, passesMax - 1)
  const before = await member.rows()
  const file = traktFile(
    show,
    ['2026-02-02', '2026-02-03'].map((day) => ({ number: 1, day })),
  )
  const first = await member.importOf(file)
  const notes = ['Some episodes are left out: they were watched too many times.']
  expect(first).toMatchObject({ added: 1, state: 'taken', notes })
  const full = await member.rows()
  expect(await member.importOf(file)).toMatchObject({ added: 0, state: 'left', notes })
  expect(await member.rows()).toEqual(full)
  await member.undo(first.id)
  expect(await member.rows()).toEqual(before)
})
