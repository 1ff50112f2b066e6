import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultImportOptions, type ImportOptions } from '#shared/imports.ts'
import { importFieldMax, importFileBytesMax, importLinesMax, importZipEntriesMax } from '#shared/limits.ts'
import { messages } from '#shared/messages.ts'
import { bufferedBytes } from '#scripts/testing/memory.ts'
import { zipOf } from '#scripts/testing/zip.ts'
import type { FileRecord, ParsedTitle, UnreadableRecord } from './formats/format.ts'
import { parseRecord } from './formats/index.ts'
import { openFile, type OpenedFile } from './parse.ts'
import { planTitle, titleKeyOf, type TitlePlan } from './plan.ts'

const now = new Date('2026-11-22T08:00:00.000Z')
const fixtures = join(import.meta.dirname, 'fixtures')
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'medley-imports-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function openFixture(name: string): Promise<OpenedFile> {
  const path = join(fixtures, name)
  return openFile({ path, bytes: statSync(path).size })
}

let written = 0
function openBytes(content: string | Buffer): Promise<OpenedFile> {
  const path = join(folder, `upload-${(written += 1)}`)
  writeFileSync(path, content)
  return openFile({ path, bytes: Buffer.byteLength(content) })
}

type Read = {
  service: string
  rows: FileRecord[]
  unreadable: UnreadableRecord[]
  plans: Map<string, TitlePlan>
  notKept: Record<string, number>
  summary: ReturnType<OpenedFile['summary']>
}

/** Reads a file to its plans, by the name of the title. */
async function read(opened: OpenedFile, given: Partial<ImportOptions> = {}): Promise<Read> {
  const all = await Array.fromAsync(opened.records())
  const summary = opened.summary()
  const options = { ...defaultImportOptions, ...summary.options, ...given }
  const rows = all.filter((row) => 'raw' in row)
  const unreadable = all.filter((row) => 'problem' in row)
  const titles = new Map<string, ParsedTitle[]>()
  const notKept: Record<string, number> = {}
  const leaveOut = (what: string) => (notKept[what] = (notKept[what] ?? 0) + 1)
  for (const row of rows) {
    // As it is stored.
    const stored = { ...row, raw: JSON.parse(JSON.stringify(row.raw)) as FileRecord['raw'] }
    const result = parseRecord(opened.service, stored, options)
    if (result.type === 'unreadable')
      unreadable.push({ file: row.file, line: row.line, problem: result.problem })
    else if (result.type === 'notKept') leaveOut(result.what)
    else if (result.type === 'follow') leaveOut('follows')
    else {
      result.notKept?.forEach(leaveOut)
      const key = titleKeyOf(result.title)
      titles.set(key, [...(titles.get(key) ?? []), result.title])
    }
  }
  const plans = new Map<string, TitlePlan>()
  for (const readings of titles.values()) {
    const plan = planTitle(readings, options, now)
    plans.set(plan.name, plan)
  }
  return { service: opened.service, rows, unreadable, plans, notKept, summary }
}

/** Summarizes a plan in the words of a test. */
function inShort({ rating, review, entries, isFavorite }: TitlePlan) {
  return {
    ...(rating && { rating: `${rating.stars}←${rating.given}` }),
    ...(review && { review: review.text }),
    ...(entries.length > 0 && {
      entries: entries.map((entry) =>
        [
          entry.status,
          ...(entry.startedOn ? [`from ${entry.startedOn}`] : []),
          ...(entry.finishedOn ? [entry.finishedOn] : []),
          ...(entry.isAgain ? ['again'] : []),
          ...(entry.ratingGiven ? [entry.ratingGiven] : []),
          ...(entry.text ? [`“${entry.text}”`] : []),
        ].join(' '),
      ),
    }),
    ...(isFavorite && { isFavorite }),
  }
}

const shortly = ({ plans }: Read) =>
  Object.fromEntries([...plans].map(([name, plan]) => [name, inShort(plan)]))

describe('Letterboxd', () => {
  const expected = {
    'The Matrix': {
      rating: '5←4.5/5',
      review: 'Better than I remembered.',
      entries: [
        'want',
        'finished 2022-12-31 4/5 “First time. Whoa.\n\nSecond paragraph, with "quotes" and a comma, too.”',
        'finished 2023-06-09 again 4.5/5',
      ],
      isFavorite: true,
    },
    'Fight Club': { rating: '1←0.5/5', entries: ['finished'] },
    Amélie: {
      rating: '5←5/5',
      review: 'Lovely & odd. More (https://example.org/x)\nquoted',
      entries: ['finished'],
      isFavorite: true,
    },
    'Crouching Tiger, Hidden Dragon': { rating: '4←3.5/5', entries: ['finished'] },
    WALL·E: { entries: ['finished'] },
    Metropolis: {
      rating: '4←4/5',
      review: 'This review may contain spoilers.\nThe machine is not her.',
      entries: ['finished'],
    },
    Parasite: { rating: '3←2.5/5', entries: ['finished'] },
    'The Lighthouse Keeper’s Radio': { rating: '3←3/5', entries: ['finished'] },
    'Untitled Student Short': { entries: ['finished 2001-01-27'] },
    'Blade Runner': { rating: '2←1.5/5', entries: ['finished 2023-06-08 again 1.5/5'] },
    'Seven Samurai': { rating: '4←4/5', entries: ['finished 2023-02-02'] },
    Titanic: {
      review: "=cmd|' /C calc'!A0 said nobody about this boat",
      entries: ["finished “=cmd|' /C calc'!A0 said nobody about this boat”"],
    },
    'Spirited Away': { entries: ['finished'] },
    Stalker: { entries: ['want'] },
    'Solaris, Again': { entries: ['want'] },
  }

  test('a zip becomes one plan per film, with what is not kept counted', async () => {
    const zip = await read(await openFixture('letterboxd/letterboxd-maria-2023-06-11.zip'))
    expect(zip.service).toBe('letterboxd')
    expect(shortly(zip)).toEqual(expected)
    expect(zip.notKept).toEqual({
      lists: 1,
      'places in lists': 2,
      comments: 1,
      likes: 2,
      'deleted entries': 1,
      tags: 2,
    })
    const matrix = zip.plans.get('The Matrix')!
    expect(matrix.rating!.ratedAt).toBe('2023-01-02T12:00:00.000Z')
    expect(matrix.review!.writtenAt).toBe('2023-06-10T12:00:00.000Z')
    expect(matrix.entries[0]).toMatchObject({ addedOn: '2023-04-01' })
    expect(matrix.entries.map(({ origin }) => origin)).toEqual([
      'letterboxd:want:fMtx',
      'letterboxd:entry:eMtx01',
      'letterboxd:entry:eMtx02',
    ])
    expect(zip.plans.get('Metropolis')!.review!.hasSpoilers).toBe(true)
    const samurai = zip.plans.get('Seven Samurai')!
    expect(samurai.rating!.ratedAt).toBeNull()
    expect(samurai.notes).toEqual(['The date of the rating is in the future and is left out.'])
    const titanic = zip.plans.get('Titanic')!
    expect(titanic.isTextWithoutRating).toBe(true)
    expect(titanic.notes).toEqual([
      '“6” is no rating of 0.5 to 5.',
      'Kept in your diary: a review here needs a rating.',
    ])
    expect(zip.plans.get('Untitled Student Short')!.year).toBeNull()
  })

  test('a zip with a folder in it is the same, and the files of macOS are ignored', async () => {
    const zip = await read(await openFixture('letterboxd/letterboxd-in-a-folder.zip'))
    expect(shortly(zip)).toEqual(expected)
    expect(zip.rows.some(({ file }) => file.includes('MACOSX'))).toBe(false)
  })

  test('a newer zip differs in exactly what has changed', async () => {
    const older = await read(await openFixture('letterboxd/letterboxd-maria-2023-06-11.zip'))
    const newer = await read(await openFixture('letterboxd/letterboxd-maria-2023-07-02-newer.zip'))
    const changed = [...newer.plans].filter(
      ([name, plan]) => JSON.stringify(plan) !== JSON.stringify(older.plans.get(name)),
    )
    expect(changed.map(([name, plan]) => [name, inShort(plan)])).toEqual([
      ['Fight Club', { rating: '1←1/5', entries: ['finished'] }],
      ['Alien', { rating: '5←5/5', entries: ['finished 2023-06-30 5/5'] }],
    ])
  })

  test('likes become favorites if the member wants it', async () => {
    const zip = await openFixture('letterboxd/letterboxd-maria-2023-06-11.zip')
    const { plans, notKept } = await read(zip, { likes: true })
    expect(notKept['likes']).toBeUndefined()
    expect(plans.get('The Matrix')).toMatchObject({
      isFavorite: true,
      favoriteOn: '2023-01-02T12:00:00.000Z',
    })
  })

  test('two films of the same name and year stay two, and so do their viewings', async () => {
    const uri = (id: string) => `https://boxd.it/${id}`
    const films = (...ids: string[]) =>
      ['Date,Name,Year,Letterboxd URI', ...ids.map((id) => `2023-01-02,Signs,2020,${uri(id)}`), ''].join('\n')
    const line = (id: string, rating: number, on: string) => `${on},signs,2020,${uri(id)},${rating},,,${on}`
    const opened = await openBytes(
      zipOf({
        'profile.csv': `Username,Favorite Films\nmaria,"${uri('fOne')}"\n`,
        'watched.csv': `${films('fOne', 'fTwo')}2023-01-02,Alien,1979,${uri('fAli')}\n`,
        'ratings.csv': `Date,Name,Year,Letterboxd URI,Rating\n2023-01-02,Signs,2020,${uri('fTwo')},2\n`,
        'watchlist.csv': films('fThree'),
        'diary.csv': [
          'Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date',
          line('eOne', 4, '2023-02-03'),
          line('eTwo', 2, '2023-03-04'),
          '',
        ].join('\n'),
      }),
    )
    const titles = new Map<string, ParsedTitle[]>()
    for await (const row of opened.records()) {
      const result = 'raw' in row && parseRecord('letterboxd', row, defaultImportOptions)
      if (!result || result.type !== 'title') continue
      const key = titleKeyOf(result.title)
      titles.set(key, [...(titles.get(key) ?? []), result.title])
    }
    const plans = [...titles.values()].map((readings) => planTitle(readings, defaultImportOptions, now))
    expect(plans.map((plan) => [plan.name, plan.isNamesake, inShort(plan)])).toEqual([
      ['Signs', true, { entries: ['finished'], isFavorite: true }],
      ['Signs', true, { rating: '2←2/5', entries: ['finished'] }],
      ['Alien', undefined, { entries: ['finished'] }],
      ['Signs', true, { entries: ['want'] }],
      ['signs', true, { rating: '4←4/5', entries: ['finished 2023-02-03 4/5'] }],
      ['signs', true, { rating: '2←2/5', entries: ['finished 2023-03-04 2/5'] }],
    ])
    expect(plans[0]!.notes).toEqual(['The file has several films of this name and year.'])
  })

  test('a single file is read by its columns; whether its films were watched is asked', async () => {
    const ratings = await read(await openFixture('letterboxd/ratings-utf8-bom-lf.csv'))
    expect(ratings.plans.size).toBe(10)
    expect(inShort(ratings.plans.get('Amélie')!)).toEqual({ rating: '5←5/5' })

    const films = () => openBytes('Letterboxd URI,year,NAME\nhttps://boxd.it/fMtx,1999,The Matrix\n')
    const asked = await read(await films())
    expect(asked.summary.shelves).toEqual([{ name: 'Films of this file', count: 1 }])
    expect(inShort(asked.plans.get('The Matrix')!)).toEqual({})
    const wanted = await read(await films(), { shelves: { 'Films of this file': 'want' } })
    expect(inShort(wanted.plans.get('The Matrix')!)).toEqual({ entries: ['want'] })
  })
})

describe('Goodreads', () => {
  test('an export becomes one plan per book, editions joined', async () => {
    const csv = await read(await openFixture('goodreads/goodreads_library_export.csv'))
    expect(csv.rows).toHaveLength(12)
    expect(shortly(csv)).toEqual({
      'The Hobbit': {
        rating: '5←5/5',
        review: 'Read aloud.\n\nTwice.',
        entries: ['finished', 'finished again', 'finished 2021-06-01 again'],
      },
      Dune: { rating: '4←4/5', entries: ['finished 2020-02-03'] },
      'Pride and Prejudice': { entries: ['finished 2019-09-09'] },
      'Frankenstein: The 1818 Text': { rating: '3←3/5', entries: ['finished'] },
      'Moby-Dick or, The Whale': { rating: '2←2/5', entries: ['want'] },
      Dracula: { entries: ['started'] },
      'A Book That Nobody Catalogued': {
        rating: '4←4/5',
        review: 'Only 40 copies were printed.',
        entries: ['finished 2022-12-31'],
      },
      'Crime and Punishment': { rating: '1←1/5', review: 'Stopped at part three.', entries: ['dropped'] },
      'The Great Gatsby': { rating: '5←5/5', entries: ['finished 2010-01-01 3/5', 'finished 2018-07'] },
      'Don Quixote': {
        rating: '4←4/5',
        review: 'Spoils the windmills.',
        entries: ['finished “lent to Ana”'],
      },
      'Nineteen Eighty-Four': { rating: '4←4/5', entries: ['finished 2023-01-05'] },
    })
    const notesOf = (name: string) => csv.plans.get(name)!.notes
    expect(notesOf('Moby-Dick or, The Whale')).toEqual(['The ISBN has a wrong check digit.'])
    expect(notesOf('Don Quixote')).toEqual(['The date of finishing is in the future and is left out.'])
    expect(csv.plans.get('Don Quixote')!.review!.hasSpoilers).toBe(true)
    expect(notesOf('Nineteen Eighty-Four')).toContain('The ISBN lost its digits in a spreadsheet.')
    expect(notesOf('Nineteen Eighty-Four')).toContain('“1/5/23” was read with the month first.')
    const isbnOf = (name: string) => csv.plans.get(name)!.ids.filter(({ source }) => source === 'isbn13')
    expect(isbnOf('The Hobbit')).toEqual([{ source: 'isbn13', id: '9780547928227' }])
    expect(isbnOf('Moby-Dick or, The Whale')).toEqual([])
    expect(csv.plans.get('Pride and Prejudice')!.authors).toEqual(['Jane Austen'])
  })

  test('the older export with 31 columns says the same', async () => {
    const [older, newer] = [
      await read(await openFixture('goodreads/older-31-columns.csv')),
      await read(await openFixture('goodreads/goodreads_library_export.csv')),
    ]
    expect(older.plans.get('The Hobbit')).toEqual(newer.plans.get('The Hobbit'))
  })

  test('a file with a header only is empty', async () => {
    await expect(openFixture('goodreads/header-only.csv')).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: messages.importEmpty,
    })
  })

  test('the meaning of a shelf of the member’s own is asked once for the shelf', async () => {
    const file = () =>
      openBytes(
        'Book Id,Title,Author,Exclusive Shelf,My Rating\n1,A,B,someday maybe,4\n2,C,D,someday maybe,0\n3,E,F,on-hold,0\n',
      )
    const asked = await read(await file())
    expect(asked.summary.shelves).toEqual([{ name: 'someday maybe', count: 2 }])
    expect(shortly(asked)).toEqual({ A: { rating: '4←4/5' }, C: {}, E: { entries: ['paused'] } })
    const chosen = await read(await file(), { shelves: { 'someday maybe': 'want' } })
    expect(inShort(chosen.plans.get('C')!)).toEqual({ entries: ['want'] })
    const skipped = await read(await file(), { shelves: { 'someday maybe': 'skip' } })
    expect(skipped.plans.get('C')).toMatchObject({ entries: [], notes: [] })
  })
})

test('StoryGraph: several reads, quarters, ids that are no ISBN and a line with tags alone', async () => {
  const csv = await read(await openFixture('storygraph/storygraph_export.csv'))
  expect(shortly(csv)).toEqual({
    'The Hobbit': {
      rating: '4←4.25/5',
      review: 'Cosy.',
      entries: ['finished 2021-09-14', 'finished from 2022-10-29 2022-11-28 again'],
    },
    Dune: { rating: '4←3.75/5', entries: ['finished from 2023-01-20 2023-02-02'] },
    Dracula: { rating: '5←4.5/5', entries: ['finished 2023-05'] },
    'Moby-Dick': { rating: '1←0.5/5', entries: ['finished'] },
    Frankenstein: { entries: ['started'] },
    'Don Quixote': { entries: ['want'] },
    'Crime and Punishment': { entries: ['dropped'] },
    'To Kill a Mockingbird': { entries: ['paused'] },
    'Only Tagged': {},
    'The Great Gatsby': {
      rating: '5←5/5',
      review: 'Line one\nline two, with a "quote"',
      entries: ['finished'],
    },
  })
  expect(csv.plans.get('Dune')!.ids).toEqual([{ source: 'storygraph', id: 'B0851JCZYV' }])
  expect(csv.notKept).toEqual({ tags: 2 })
})

describe('IMDb', () => {
  test('ratings: kinds, episodes and a line that stands there twice', async () => {
    const csv = await read(await openFixture('imdb/ratings-2024.csv'))
    expect(shortly(csv)).toEqual({
      'The Matrix': { rating: '5←9/10' },
      "Le Fabuleux Destin d'Amélie Poulain": { rating: '4←7/10' },
      'Breaking Bad': { rating: '5←10/10' },
      Chernobyl: { rating: '4←8/10' },
      'A Film Nobody Made': { rating: '1←1/10' },
      'Some Short': { rating: '3←5/10' },
      'Some Game': { rating: '3←6/10' },
      'Blade Runner': { rating: '2←3/10' },
    })
    expect(csv.notKept).toEqual({ episodes: 1 })
    expect([...csv.plans.values()].map(({ kind }) => kind)).toEqual([
      'movie',
      'movie',
      'tvShow',
      'tvShow',
      'movie',
      'movie',
      'game',
      'movie',
    ])
    expect(csv.plans.get('Breaking Bad')).toMatchObject({
      year: 2008,
      ids: [{ source: 'imdb', id: 'tt0903747' }],
      rating: { ratedAt: '2024-01-06T12:00:00.000Z' },
    })
  })

  test('an older file in Latin-1 says the same', async () => {
    const older = await read(await openFixture('imdb/ratings-2019-latin1.csv'))
    const newer = await read(await openFixture('imdb/ratings-2024.csv'))
    const names = [...older.plans.keys()]
    expect(names).toEqual([...newer.plans.keys()].slice(0, 3))
    for (const name of names) expect(inShort(older.plans.get(name)!)).toEqual(inShort(newer.plans.get(name)!))
  })

  test('a list is the watchlist unless the member says otherwise', async () => {
    const quoted = await read(await openFixture('imdb/watchlist-2017-quoted.csv'))
    expect(shortly(quoted)).toEqual({ Inception: { rating: '5←10/10', entries: ['want'] } })
    expect(quoted.plans.get('Inception')!.entries[0]).toMatchObject({ addedOn: '2011-04-23' })
    const list = await openFixture('imdb/watchlist-2024.csv')
    expect(shortly(await read(list))).toEqual({
      Stalker: { entries: ['want'] },
      'The Matrix': { rating: '5←9/10', entries: ['want “again”'] },
    })
    expect(list.summary().shelves).toEqual([{ name: 'IMDb list', count: 2 }])
    const watched = await read(list, { shelves: { 'IMDb list': 'finished' } })
    expect(inShort(watched.plans.get('Stalker')!)).toEqual({ entries: ['finished'] })
  })
})

describe('Trakt', () => {
  test.each(['trakt-export.zip', 'trakt-export-in-folders.zip'])(
    '%s becomes one plan per title',
    async (name) => {
      const zip = await read(await openFixture(`trakt/${name}`))
      expect(zip.service).toBe('trakt')
      expect(shortly(zip)).toEqual({
        'The Matrix': { rating: '5←9/10', entries: ['finished 2014-04-05', 'finished 2023-06-01 again'] },
        'A Film Nobody Made': { rating: '2←4/10', entries: ['finished'] },
        'Breaking Bad': { rating: '5←10/10', entries: ['started from 2023-03-14'] },
        Stalker: { entries: ['want'] },
      })
      expect(zip.notKept).toEqual({ seasons: 1, episodes: 1, lists: 1, 'places in lists': 1 })
      expect(zip.plans.get('The Matrix')!.rating!.ratedAt).toBe('2024-01-15T10:30:00.000Z')
      expect(zip.plans.get('Breaking Bad')!.ids).toContainEqual({ source: 'tmdb-tv', id: '1396' })
    },
  )

  test('shows that were begun are finished if the member says so', async () => {
    const { plans } = await read(await openFixture('trakt/trakt-export.zip'), { shows: 'finished' })
    expect(inShort(plans.get('Breaking Bad')!)).toEqual({
      rating: '5←10/10',
      entries: ['finished from 2023-03-14 2023-03-15'],
    })
  })
})

test('TMDB: ids, halves, instants; episodes are not kept', async () => {
  const csv = await read(await openFixture('tmdb/tmdb_ratings.csv'))
  expect(shortly(csv)).toEqual({
    'The Matrix': { rating: '4←8/10' },
    'Breaking Bad': { rating: '5←9.5/10' },
  })
  expect(csv.plans.get('Breaking Bad')).toMatchObject({
    kind: 'tvShow',
    ids: [
      { source: 'tmdb-tv', id: '1396' },
      { source: 'imdb', id: 'tt0903747' },
    ],
    rating: { ratedAt: '2023-05-02T09:40:27.000Z' },
  })
  expect(csv.notKept).toEqual({ episodes: 1 })
})

test('IGDB: the status is chosen once for the file, and the average at IGDB is no rating', async () => {
  const csv = await openFixture('igdb/played.csv')
  const asked = await read(csv)
  expect(asked.summary.shelves).toEqual([{ name: 'IGDB list', count: 1 }])
  expect(asked.plans.get('Portal 2')).toMatchObject({
    kind: 'game',
    year: 2011,
    ids: [{ source: 'igdb', id: '72' }],
  })
  expect(inShort(asked.plans.get('Portal 2')!)).toEqual({})
  const played = await read(csv, { shelves: { 'IGDB list': 'finished' } })
  expect(inShort(played.plans.get('Portal 2')!)).toEqual({ entries: ['finished'] })
})

describe('NeoDB', () => {
  const matrix =
    'https://neodb.social/movie/abc123 https://www.imdb.com/title/tt0133093/ https://www.themoviedb.org/movie/603'
  const expected = {
    'The Matrix': {
      rating: '5←9/10',
      review: 'Again\n\nStill **good**.',
      entries: ['finished 2023-05-06 “short”'],
    },
  }

  test('the CSV export: marks, reviews, and what is not kept', async () => {
    const zip = await read(
      await openBytes(
        zipOf({
          'movie_mark.csv': `title,info,links,timestamp,status,rating,comment,tags\nThe Matrix,imdb:tt0133093 year:1999 director:A B/C,${matrix},2023-05-06T10:00:00+08:00,complete,9,short,a|b\n`,
          'movie_review.csv': `title,info,links,timestamp,title,content\nThe Matrix,imdb:tt0133093 year:1999,${matrix},2023-06-06T10:00:00+08:00,Again,Still **good**.\n`,
          'movie_note.csv': `title,info,links,timestamp,progress,title,content\nThe Matrix,,${matrix},2023-06-06T10:00:00+08:00,1,,x\n`,
          'music_mark.csv':
            'title,info,links,timestamp,status,rating,comment,tags\nX,,https://neodb.social/album/x12345,2023-05-06T10:00:00Z,complete,9,,\n',
        }),
      ),
    )
    expect(zip.service).toBe('neodb')
    expect(shortly(zip)).toEqual(expected)
    expect(zip.notKept).toEqual({ notes: 1, 'other media': 1, tags: 1 })
    expect(zip.plans.get('The Matrix')).toMatchObject({
      year: 1999,
      rating: { ratedAt: '2023-05-06T02:00:00.000Z' },
    })
    expect(zip.plans.get('The Matrix')!.ids).toContainEqual({ source: 'tmdb-movie', id: '603' })
  })

  test('one file of an export is read alone', async () => {
    const marks = `title,info,links,timestamp,status,rating,comment,tags\nThe Matrix,,${matrix},2023-05-06T10:00:00Z,wishlist,,,\n`
    expect(shortly(await read(await openBytes(marks)))).toEqual({ 'The Matrix': { entries: ['want'] } })
    // Without the catalog, the titles have no names.
    const journal = await read(
      await openBytes(
        '{"server":"neodb.social","neodb_version":"0.11"}\n{"type":"Rating","content":{"withRegardTo":"x","value":9}}\n',
      ),
    )
    expect(journal.unreadable).toEqual([
      { file: 'journal.ndjson', line: 2, problem: 'This line has no title.' },
    ])
  })

  test('the NDJSON export is joined with its catalog', async () => {
    const address = 'https://neodb.social/movie/abc123'
    const line = (type: string, content: object) =>
      `${JSON.stringify({ type, content: { withRegardTo: address, ...content } })}\n`
    const header = '{"server":"neodb.social","neodb_version":"0.11"}\n'
    const zip = await read(
      await openBytes(
        zipOf({
          'neodb/journal.ndjson':
            header +
            line('ShelfMember', { status: 'complete', published: '2023-05-06T02:00:00Z' }) +
            line('Rating', { value: 9, best: 10, published: '2023-05-06T02:00:00Z' }) +
            line('Comment', { content: 'short', published: '2023-05-06T02:00:00Z' }) +
            line('Review', { name: 'Again', content: 'Still **good**.', published: '2023-06-06T02:00:00Z' }) +
            '{"type":"ShelfLog","item":"x","status":"wishlist"}\n{broken\n',
          'neodb/catalog.ndjson': `${header}${JSON.stringify({
            id: address,
            type: 'Movie',
            display_title: 'The Matrix',
            year: 1999,
            imdb: 'tt0133093',
            external_resources: [{ url: 'https://www.themoviedb.org/movie/603' }],
          })}\n`,
        }),
      ),
    )
    expect(shortly(zip)).toEqual(expected)
    expect(zip.unreadable).toEqual([{ file: 'journal.ndjson', line: 7, problem: 'This is not valid JSON.' }])
    expect(zip.notKept).toEqual({ 'changes of status': 1 })
  })
})

describe('Medley', () => {
  const title = { ref: 12, kind: 'movie', name: 'The Matrix', year: 1999, creators: ['Lana Wachowski'] }
  const exported = {
    format: 'medley',
    version: 1,
    exportedAt: '2026-11-01T00:00:00.000Z',
    instance: 'https://medley.example',
    member: { username: 'maria', createdAt: '2026-01-01T00:00:00.000Z' },
    titles: [
      {
        ...title,
        ids: [
          { source: 'tmdb-movie', id: '603' },
          { source: 'starter', id: 'movies/the-matrix' },
          { source: 'evil', id: '1' },
          { source: 'igdb', id: '1 or 1=1' },
        ],
      },
    ],
    reviews: [
      {
        title: 12,
        rating: 4,
        ratingGiven: '4.5/5',
        text: 'One\n\n<b>Two</b> &amp; \\u0000 \u{1f419}',
        hasSpoilers: true,
        createdAt: '2026-02-03T04:05:06.789Z',
        updatedAt: '2026-03-03T04:05:06.789Z',
        ratedAt: '2026-02-01T04:05:06.789Z',
      },
    ],
    diary: [
      {
        title: 12,
        status: 'finished',
        startedOn: '2020',
        finishedOn: '2020-05',
        isAgain: true,
        ratingGiven: '7/10',
        text: 'Mine.',
        origin: 'letterboxd:entry:x',
        createdAt: '2026-02-03T04:05:06.789Z',
        updatedAt: '2026-02-04T04:05:06.789Z',
      },
    ],
    favorites: [{ title: 12, createdAt: '2026-02-05T04:05:06.789Z' }],
    following: [{ username: 'ada', createdAt: '2026-02-05T04:05:06.789Z' }],
    reactions: [{ review: 1 }],
    comments: [{ text: 'x' }, { text: 'y' }],
    imports: [],
  }
  const plan: TitlePlan = {
    kind: 'movie',
    name: 'The Matrix',
    otherNames: [],
    year: 1999,
    authors: ['Lana Wachowski'],
    ids: [
      { source: 'medley', id: 'https://medley.example 12' },
      { source: 'tmdb-movie', id: '603' },
      { source: 'starter', id: 'movies/the-matrix' },
    ],
    rating: { stars: 4, given: '4.5/5', isHalf: false, ratedAt: '2026-02-01T04:05:06.789Z' },
    review: {
      text: 'One\n\n<b>Two</b> &amp; \\u0000 \u{1f419}',
      hasSpoilers: true,
      writtenAt: '2026-02-03T04:05:06.789Z',
    },
    isTextWithoutRating: false,
    entries: [
      {
        status: 'finished',
        startedOn: '2020',
        finishedOn: '2020-05',
        isAgain: true,
        ratingGiven: '7/10',
        text: 'Mine.',
        origin: 'letterboxd:entry:x',
        addedOn: '2026-02-03T04:05:06.789Z',
        updatedOn: '2026-02-04T04:05:06.789Z',
      },
    ],
    isFavorite: true,
    favoriteOn: '2026-02-05T04:05:06.789Z',
    restored: {
      rating: 4,
      ratingGiven: '4.5/5',
      hasSpoilers: true,
      createdAt: '2026-02-03T04:05:06.789Z',
      updatedAt: '2026-03-03T04:05:06.789Z',
    },
    notes: [],
  }

  test('every value and time of an export is in the plan', async () => {
    for (const content of [
      JSON.stringify(exported),
      JSON.stringify(exported, null, 2),
      zipOf({ 'for-letterboxd.csv': 'Letterboxd URI,Name\nx,y\n', 'medley.json': JSON.stringify(exported) }),
    ]) {
      const read_ = await read(await openBytes(content))
      expect(read_.service).toBe('medley')
      expect([...read_.plans.values()]).toEqual([plan])
      expect(read_.notKept).toEqual({ follows: 1, reactions: 1, comments: 2 })
    }
  })

  test('the order of the lists makes no difference', async () => {
    const { titles, ...others } = exported
    const { plans } = await read(await openBytes(JSON.stringify({ ...others, titles })))
    expect([...plans.values()]).toEqual([plan])
  })

  test('an export that breaks off is read as far as it goes', async () => {
    const text = JSON.stringify(exported)
    const { plans, unreadable } = await read(await openBytes(text.slice(0, text.indexOf('"favorites"') - 30)))
    expect(plans.get('The Matrix')!.rating!.stars).toBe(4)
    expect(unreadable).toEqual([expect.objectContaining({ file: 'diary', line: 1 })])
  })

  test('hostile items are unreadable, and none ends the reading', async () => {
    const reviews = [
      null,
      5,
      'x',
      [],
      {},
      { title: 99 },
      { ...exported.reviews[0], rating: 6 },
      ...exported.reviews,
    ]
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const text = JSON.stringify({ ...exported, reviews }).replace(
      '[null,',
      `[{"title":12,"text":${deep}},null,`,
    )
    const { plans, unreadable } = await read(await openBytes(text))
    expect([...plans.values()]).toEqual([plan])
    expect(unreadable).toHaveLength(8)
  })
})

describe('any CSV', () => {
  test('columns are guessed by their words, the scale by the highest rating, the order of dates by the days', async () => {
    const csv = await read(await openFixture('any-csv/semicolons-latin1.csv'))
    expect(csv.service).toBe('csv')
    expect(csv.summary).toEqual({
      columns: ['Title', 'Year', 'My score', 'Seen on', 'Thoughts'],
      shelves: [],
      options: {
        columns: {
          name: 'Title',
          year: 'Year',
          rating: 'My score',
          finishedOn: 'Seen on',
          review: 'Thoughts',
        },
        kind: 'movie',
        scale: 100,
        dates: 'dmy',
      },
    })
    expect(shortly(csv)).toEqual({
      'The Matrix': {
        rating: '4←87/100',
        review: '=HYPERLINK("http://x";"y")',
        entries: ['finished 2022-12-31'],
      },
      Amélie: { rating: '2←45.5/100', review: 'ok', entries: ['finished 2023-01-05'] },
      Dune: { rating: '5←100/100', review: '@sum(1)' },
    })
  })

  test('UTF-16 with tabs, and a column of kinds', async () => {
    const csv = await read(await openFixture('any-csv/tabs-utf16.tsv'))
    expect([...csv.plans.values()].map(({ kind, name }) => [kind, name])).toEqual([
      ['tvShow', 'Breaking Bad'],
      ['game', 'Tetris'],
    ])
    expect(csv.summary.options.scale).toBe(5)
  })

  test('the member can choose other columns', async () => {
    const csv = await openFixture('any-csv/semicolons-latin1.csv')
    const { plans } = await read(csv, { columns: { name: 'Thoughts', rating: 'no such column' } })
    expect([...plans.keys()]).toEqual(['=HYPERLINK("http://x";"y")', 'ok', '@sum(1)'])
  })

  test('columns named as properties of objects are columns', async () => {
    const csv = await read(
      await openBytes('Title,__proto__,constructor,__proto__,Title\nDune,{},x,y,Other\n'),
      { columns: { name: 'Title', review: 'constructor', authors: 'toString' } },
    )
    expect(csv.summary.columns).toEqual([
      'Title',
      '__proto__ (2)',
      'constructor',
      '__proto__ (3)',
      'Title (2)',
    ])
    expect(csv.plans.get('Dune')).toMatchObject({ review: { text: 'x' }, authors: [] })
  })

  test('exactly one apostrophe is taken away from a cell that marks text', async () => {
    const { plans } = await read(await openBytes("Title,Notes,Rating\n'=Dune,''twice,4\n'til,'-x,5\n"))
    expect(shortly({ plans } as Read)).toEqual({
      '=Dune': { rating: '4←4/5', review: "'twice" },
      "'til": { rating: '5←5/5', review: '-x' },
    })
  })
})

describe('files that are refused', () => {
  const refused = (message: string, code = 'BAD_REQUEST') => ({ code, message })

  test.each([
    ['bad/empty.csv', messages.importEmpty],
    ['bad/unknown-headers.csv', messages.importUnknown],
    ['bad/picture-named.csv', messages.importUnknown],
    ['bad/not-a-zip.zip', messages.importZip],
    ['bad/paths.zip', messages.importZip],
    ['bad/bomb-64MB.zip', messages.importZip],
    ['bad/bomb-that-lies.zip', messages.importZip],
    ['unsupported/gdpr-data.zip', messages.importUnknown],
    ['unsupported/grouvee_export.json', messages.importUnknown],
    ['unsupported/entities-bomb.xml', messages.importUnknown],
    ['unsupported/animelist.xml', messages.importUnknown],
  ])('%s', async (name, message) => {
    await expect(openFixture(name)).rejects.toMatchObject(refused(message))
  })

  test('white space, byte order marks, empty lists and empty zips have nothing in them', async () => {
    for (const nothing of [
      ' \n\n',
      '\ufeff',
      '\ufeff\n',
      '{"format":"medley","version":1,"reviews":[]}',
      zipOf({}),
    ])
      await expect(openBytes(nothing)).rejects.toMatchObject(refused(messages.importEmpty))
  })

  test('JSON of other shapes is unknown', async () => {
    for (const other of ['{}', '[]', '[1]', '{"format":"medley","version":2}', '{', '['.repeat(100_000)])
      await expect(openBytes(other)).rejects.toMatchObject(refused(messages.importUnknown))
  })

  test('too many files in a zip', async () => {
    const many = Array.from({ length: importZipEntriesMax + 1 }, (_, index) => [`lists/l${index}.csv`, 'x'])
    await expect(openBytes(zipOf(Object.fromEntries(many)))).rejects.toMatchObject(
      refused(messages.importZip),
    )
  })

  test('inflated bytes are counted in all files of a zip together', async () => {
    // Each file is within the limits; the directory claims nearly nothing.
    const file = Buffer.concat([Buffer.from('Letterboxd URI,Name\n'), Buffer.alloc(15 * 1024 * 1024)])
    const files = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${index}/ratings.csv`, file]))
    const before = bufferedBytes()
    await expect(openBytes(zipOf(files)).then((opened) => read(opened))).rejects.toMatchObject(
      refused(messages.importZip),
    )
    await expect.poll(() => bufferedBytes() - before).toBeLessThan(15 * 1024 * 1024)
  })

  test('too many bytes, before the file is read', async () => {
    const missing = { path: join(folder, 'missing'), bytes: importFileBytesMax + 1 }
    await expect(openFile(missing)).rejects.toMatchObject(
      refused(messages.importTooLarge, 'PAYLOAD_TOO_LARGE'),
    )
  })

  test.each([
    ['blank lines', () => `Title\nDune\n${'\n'.repeat(500_000)}`],
    ['lines of commas', () => `Title\nDune\n${',\n'.repeat(500_000)}`],
    [
      'values that no list of an export has',
      () => `{"format":"medley","version":1,"x":[${'1,'.repeat(500_000)}1]}`,
    ],
    ['blank lines of a journal', () => zipOf({ 'journal.ndjson': `{}\n${'\n'.repeat(500_000)}` })],
  ])('too many records, although none is kept: %s', async (_name, content) => {
    await expect(openBytes(content()).then((opened) => read(opened))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: messages.importTooManyLines,
    })
  })

  test('too many lines, while they are read', async () => {
    const opened = await openBytes(`Title\n${'a\n'.repeat(importLinesMax + 1)}`)
    await expect(Array.fromAsync(opened.records())).rejects.toMatchObject(
      refused(messages.importTooManyLines),
    )
    const most = await openBytes(`Title\n${'a\n'.repeat(importLinesMax)}`)
    expect(await Array.fromAsync(most.records())).toHaveLength(importLinesMax)
  })
})

describe('damaged CSV', () => {
  test('an unclosed quote costs its line only', async () => {
    const csv = await read(await openFixture('bad/unclosed-quote.csv'))
    expect(csv.plans.size).toBe(10)
    expect(csv.unreadable).toEqual([{ file: 'ratings.csv', line: 12, problem: 'A quote is never closed.' }])
  })

  test('lines after an unclosed quote are read, and their numbers are right', async () => {
    const csv = await read(
      await openBytes('Title,Year,Rating\n"A\nB",1999,4\n"C,1999,4\nD,1999,4\nE,1999,"4"\nF,2\n\nG\n'),
    )
    expect([...csv.plans.keys()]).toEqual(['A B', 'D', 'E', 'F'])
    expect(csv.unreadable).toEqual([
      { file: '', line: 4, problem: 'A quote is never closed.' },
      { file: '', line: 9, problem: 'This line has 1 of 3 cells.' },
    ])
  })

  test('more cells than columns are noted, far fewer make a line unreadable', async () => {
    const csv = await read(await openFixture('bad/ragged.csv'))
    expect([...csv.plans.values()].map(({ name, notes }) => [name, notes])).toEqual([
      ['The Matrix', ['The line has more cells than the file has columns; the last ones are left out.']],
    ])
    expect(csv.unreadable).toEqual([{ file: 'ratings.csv', line: 3, problem: 'This line has 2 of 5 cells.' }])
  })

  test('NUL characters are left out with a note', async () => {
    const csv = await read(await openFixture('bad/nul-bytes.csv'))
    expect(csv.plans.get('Fight Club')!.notes).toEqual(['The line has NUL characters, which are left out.'])
    expect(csv.plans.size).toBe(10)
  })

  test('a text that is too long is left out if the member wants it', async () => {
    const content = `Title,Year,Rating,Review\nAlien,1979,4,${'x'.repeat(10_001)}\n`
    const { plans } = await read(await openBytes(content), { longTexts: 'skip' })
    expect(plans.get('Alien')).toMatchObject({
      rating: { stars: 4 },
      review: null,
      notes: ['The text is longer than 10,000 characters and is left out.'],
    })
  })

  test('a huge field is cut with a note, and the other fields of its line stay', async () => {
    const csv = await read(
      await openBytes(
        `Date,Name,Year,Letterboxd URI,Rating,Rewatch,Review,Tags,Watched Date\n2023-01-01,The Matrix,1999,https://boxd.it/e,5,,${'long '.repeat(60_000)},,2023-01-01\n`,
      ),
    )
    const length = Object.values(csv.rows[0]!.raw).reduce((sum, { length }) => sum + length, 0)
    expect(length).toBeLessThanOrEqual(importFieldMax)
    const plan = csv.plans.get('The Matrix')!
    expect(plan.notes).toEqual(['The text is longer than 10,000 characters and is cut.'])
    expect(plan.review!.text.length).toBeLessThanOrEqual(10_000)
    expect(plan.entries[0]).toMatchObject({ finishedOn: '2023-01-01' })
  })
})

test('files with random damage are read or refused in words', { timeout: 180_000 }, async () => {
  // A linear congruential generator: the same damage in each run.
  let seed = 7
  const random = (max: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % max
  }
  const files = globSync('{letterboxd,goodreads,storygraph,imdb,trakt,tmdb,igdb,any-csv}/*', {
    cwd: fixtures,
  })
  const outcomes = { read: 0, refused: 0 }
  for (const file of files.sort()) {
    const bytes = readFileSync(join(fixtures, file))
    for (let round = 0; round < 10; round += 1) {
      const damaged = Buffer.from(bytes)
      for (let change = 0; change <= round; change += 1) damaged[random(damaged.length)] = random(256)
      try {
        await read(await openBytes(round % 3 === 0 ? damaged.subarray(0, random(damaged.length)) : damaged))
        outcomes.read += 1
      } catch (error) {
        expect(error, file).toMatchObject({ code: 'BAD_REQUEST' })
        outcomes.refused += 1
      }
    }
  }
  expect(outcomes.read).toBeGreaterThan(50)
  expect(outcomes.refused).toBeGreaterThan(20)
})

test('a file can be read twice, and its summary are those of the last reading', async () => {
  const opened = await openFixture('igdb/played.csv')
  await Array.fromAsync(opened.records())
  await Array.fromAsync(opened.records())
  expect(opened.summary().shelves).toEqual([{ name: 'IGDB list', count: 1 }])
})
