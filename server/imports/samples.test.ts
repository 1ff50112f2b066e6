import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { importServices } from '#shared/domain/import-formats.ts'
import { toStars } from '#shared/domain/ratings.ts'
import { anImportServer } from '#scripts/testing/imports.ts'
import { aTitle, findCounterFaults } from '#server/testing.ts'

/** The samples of each service, from the upload to the diary, matched against the starter catalogue without external sources. */
const server = await anImportServer()
const { db, newCaller, upload, work, everything } = server

let caller: Awaited<ReturnType<typeof newCaller>>
let call: ReturnType<typeof server.as>
beforeEach(async () => {
  caller = await newCaller()
  call = server.as(caller)
})

const folder = join(import.meta.dirname, 'fixtures')

async function rehearse(path: string, options?: { missing: 'create' }) {
  const id = await upload(caller, readFileSync(join(folder, path)))
  await work()
  if (options) {
    await call.imports.update({ id, ...options })
    await work()
  }
  return (await call.imports.byId({ id })).import
}

async function apply({ id }: { id: number }) {
  await call.imports.start({ id })
  await work()
  return (await call.imports.byId({ id })).import
}

const titlesOf = async ({ id }: { id: number }) => (await call.imports.titles({ id, limit: 100 })).titles

/** Returns the member’s rating, as `4.5←4.5/5`, the beginning of the text, and the diary of each title, by name. */
async function readMember() {
  const rows = await db
    .selectFrom('media')
    .leftJoin('reviews', (join) =>
      join.onRef('reviews.media_id', '=', 'media.id').on('reviews.user_id', '=', caller.id),
    )
    .select(['media.id', 'media.name', 'rating', 'rating_given', 'text'])
    .orderBy('media.id')
    .execute()
  const entries = await db
    .selectFrom('diary_entries')
    .selectAll()
    .where('user_id', '=', caller.id)
    .orderBy('id')
    .execute()
  return Object.fromEntries(
    rows.flatMap(({ id, name, rating, rating_given, text }) => {
      const ofTitle = entries
        .filter((entry) => entry.media_id === id)
        .map(({ status, started_on, finished_on, is_again }) =>
          [status, started_on, finished_on, is_again ? 'again' : null].filter(Boolean).join(' '),
        )
      if (rating === null && ofTitle.length === 0) return []
      return [[name, [rating && `${toStars(rating)}←${rating_given}`, text ?? '', ...ofTitle]]]
    }),
  )
}

describe('Letterboxd', () => {
  test('becomes ratings, reviews, a diary and favorites; again it adds nothing; a newer file adds its changes', async () => {
    const first = await rehearse('letterboxd/letterboxd-maria-2023-06-11.zip')
    expect(first).toMatchObject({
      service: 'letterboxd',
      counts: { new: 11, ambiguous: 1, notFound: 3, repeated: 1 },
      parts: { ratings: 7, reviews: 3, entries: 13, favorites: 2, titles: 0 },
      withoutRating: 1,
    })
    const titles = await titlesOf(first)
    expect(titles.find(({ state }) => state === 'ambiguous')).toMatchObject({
      name: 'Parasite',
      candidates: [{ name: 'Parasite', year: 2019, why: 'A year apart' }],
    })
    await apply(first)
    const member = await readMember()
    expect(member).toEqual({
      'The Matrix': [
        '4.5←4.5/5',
        'Better than I remembered.',
        'want',
        'finished 2022-12-31',
        'finished 2023-06-09 again',
      ],
      'Fight Club': ['1←0.5/5', '', 'finished'],
      Amélie: ['5←5/5', expect.stringContaining('More (https://example.org/x)'), 'finished'],
      'Crouching Tiger, Hidden Dragon': ['3.5←3.5/5', '', 'finished'],
      WALL·E: [null, '', 'finished'],
      Metropolis: ['4←4/5', expect.stringContaining('The machine is not her.'), 'finished'],
      'Blade Runner': ['1.5←1.5/5', '', 'finished 2023-06-08 again'],
      'Seven Samurai': ['4←4/5', '', 'finished 2023-02-02'],
      Titanic: [null, '', 'finished'],
      'Spirited Away': [null, '', 'finished'],
      Stalker: [null, '', 'want'],
    })
    const again = await rehearse('letterboxd/letterboxd-in-a-folder.zip')
    expect(again).toMatchObject({
      counts: { same: 11, ambiguous: 1, notFound: 3 },
      parts: { ratings: 0, entries: 0 },
    })
    await apply(again)
    expect(await readMember()).toEqual(member)
    const newer = await rehearse('letterboxd/letterboxd-maria-2023-07-02-newer.zip')
    expect(newer).toMatchObject({
      counts: { new: 1, newer: 1, same: 10 },
      parts: { ratings: 2, reviews: 0, entries: 1, favorites: 0 },
    })
    await apply(newer)
    expect(await readMember()).toEqual({
      ...member,
      Alien: ['5←5/5', '', 'finished 2023-06-30'],
      'Fight Club': ['1←1/5', '', 'finished'],
    })
    expect(await findCounterFaults(db)).toEqual([])
  })
})

describe('Goodreads', () => {
  test('becomes ratings, reviews and a diary', async () => {
    const rehearsal = await rehearse('goodreads/goodreads_library_export.csv')
    expect(rehearsal).toMatchObject({ service: 'goodreads', counts: { new: 8, ambiguous: 2, notFound: 1 } })
    const titles = await titlesOf(rehearsal)
    expect(titles.flatMap(({ name, candidates }) => candidates.map(({ why }) => [name, why]))).toEqual([
      ['Frankenstein: The 1818 Text', 'Another subtitle'],
      ['Moby-Dick or, The Whale', 'The name begins the same'],
    ])
    await apply(rehearsal)
    expect(await readMember()).toEqual({
      'The Hobbit': [
        '5←5/5',
        'Read aloud.\n\nTwice.',
        'finished',
        'finished again',
        'finished 2021-06-01 again',
      ],
      Dune: ['4←4/5', '', 'finished 2020-02-03'],
      'Pride and Prejudice': [null, '', 'finished 2019-09-09'],
      Dracula: [null, '', 'started'],
      'Crime and Punishment': ['1←1/5', 'Stopped at part three.', 'dropped'],
      'The Great Gatsby': ['5←5/5', '', 'finished 2010-01-01', 'finished 2018-07'],
      'Don Quixote': ['4←4/5', 'Spoils the windmills.', 'finished'],
      'Nineteen Eighty-Four': ['4←4/5', '', 'finished 2023-01-05'],
    })
    expect(await findCounterFaults(db)).toEqual([])
  })
})

describe('StoryGraph', () => {
  test('becomes ratings and a diary; a line with tags alone is not kept', async () => {
    const rehearsal = await rehearse('storygraph/storygraph_export.csv')
    expect(rehearsal).toMatchObject({ service: 'storygraph', counts: { new: 9, notKept: 1 } })
    await apply(rehearsal)
    expect(await readMember()).toMatchObject({
      'The Hobbit': ['4.5←4.25/5', 'Cosy.', 'finished 2021-09-14', 'finished 2022-10-29 2022-11-28 again'],
      Dune: ['4←3.75/5', '', 'finished 2023-01-20 2023-02-02'],
      'To Kill a Mockingbird': [null, '', 'paused'],
    })
  })
})

describe('IMDb', () => {
  test('becomes ratings; episodes are not kept', async () => {
    const rehearsal = await rehearse('imdb/ratings-2024.csv')
    expect(rehearsal).toMatchObject({
      service: 'imdb',
      counts: { new: 4, ambiguous: 1, notFound: 3, repeated: 1 },
      notKept: [{ what: 'episodes', count: 1 }],
    })
    await apply(rehearsal)
    expect(await readMember()).toEqual({
      'The Matrix': ['4.5←9/10', ''],
      'Breaking Bad': ['5←10/10', ''],
      Chernobyl: ['4←8/10', ''],
      'Blade Runner': ['1.5←3/10', ''],
    })
  })
})

describe('Trakt', () => {
  test.each(['trakt/trakt-export.zip', 'trakt/trakt-export-in-folders.zip'])(
    '%s becomes ratings and a diary',
    async (path) => {
      const rehearsal = await rehearse(path)
      expect(rehearsal).toMatchObject({ service: 'trakt', counts: { new: 3, notFound: 1 } })
      await apply(rehearsal)
      expect(await readMember()).toEqual({
        'The Matrix': ['4.5←9/10', '', 'finished 2014-04-05', 'finished 2023-06-01 again'],
        'Breaking Bad': ['5←10/10', '', 'started 2023-03-14'],
        Stalker: [null, '', 'want'],
      })
    },
  )
})

test('years in names, several authors and volumes decide which title is meant', async () => {
  const suspiria = async (year: number) => {
    const id = await aTitle(db, 'movie', 'Suspiria')
    await db.updateTable('media').set({ release_year: year }).where('id', '=', id).execute()
    return id
  }
  // The remake has the lower id.
  await suspiria(2018)
  await suspiria(1977)
  const rows = [
    'Title,Type,Author,Rating',
    'Suspiria (1977),movie,,5',
    'Suspiria - 2018,movie,,4',
    'Suspiria,movie,,3',
    'Dracula,book,Stoker Bram,5',
    'Frankenstein,book,Nobody Known & Mary Shelley,4',
    'Dune,book,"Herbert, Frank; Someone, Else",4',
    '"Dracula, Vol. 2",book,Bram Stoker,1',
    'Suspiria: Season 2,tv,,1',
  ]
  const id = await upload(caller, Buffer.from(rows.join('\n')))
  await work()
  const { notKept } = (await call.imports.byId({ id })).import
  expect(notKept).toEqual([{ what: 'seasons', count: 1 }])
  const titles = await titlesOf({ id })
  expect(
    titles.map(({ name, year, state, reason, title, candidates }) => [
      name,
      year,
      state,
      reason,
      title?.releaseYear ?? null,
      candidates.map(({ year, why }) => `${year}: ${why}`),
    ]),
  ).toEqual([
    ['Suspiria', 1977, 'new', 'By name and year', 1977, []],
    ['Suspiria', 2018, 'new', 'By name and year', 2018, []],
    ['Suspiria', null, 'ambiguous', null, null, ['2018: The file has no year', '1977: The file has no year']],
    ['Dracula', null, 'new', 'By name and author', 1897, []],
    ['Frankenstein', null, 'new', 'By name and author', 1818, []],
    ['Dune', null, 'new', 'By name and author', 1965, []],
    ['Dracula, Vol. 2', null, 'notFound', null, null, []],
  ])
})

const samples = globSync(`{${importServices.join(',')}}/*`, { cwd: folder })
  .filter((path) => !path.endsWith('/header-only.csv'))
  .sort()

test.each(samples)('%s again adds nothing, and is undone without a trace', async (path) => {
  const before = await everything()
  const first = await rehearse(path, { missing: 'create' })
  await apply(first)
  const applied = await everything()
  const again = await rehearse(path, { missing: 'create' })
  const changing = ['new', 'newer', 'conflict', 'notFound'].filter((state) =>
    Object.hasOwn(again.counts, state),
  )
  expect([changing, again.parts]).toMatchObject([[], { ratings: 0, reviews: 0, entries: 0, titles: 0 }])
  await apply(again)
  expect(await everything()).toEqual(applied)
  for (const { id } of [again, first]) {
    await call.imports.undo({ id })
    await work()
  }
  expect(await everything()).toEqual(before)
  expect(await findCounterFaults(db)).toEqual([])
})
