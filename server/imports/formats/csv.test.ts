import { describe, expect, test } from 'vitest'
import { openBytes, openFixture, read, type Read, shortly } from '#scripts/testing/import-file.ts'

describe('any CSV', () => {
  test('columns are guessed by their words, the scale by the highest rating, the order of dates by the days', async () => {
    const csv = await read(await openFixture('csv/semicolons-latin1.csv'))
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
    const csv = await read(await openFixture('csv/tabs-utf16.tsv'))
    expect([...csv.plans.values()].map(({ kind, name }) => [kind, name])).toEqual([
      ['tvShow', 'Breaking Bad'],
      ['game', 'Tetris'],
    ])
    expect(csv.summary.options.scale).toBe(5)
  })

  test('the member can choose other columns', async () => {
    const csv = await openFixture('csv/semicolons-latin1.csv')
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

  test.each([
    ['a day above 12 decides for all dates', '31/12/2023 11:59 PM', '2024-02-01', []],
    ['a month below 13 in the second place decides too', '12/31/2023', '2024-01-02', []],
    [
      'dates that decide nothing are read with the month first, with a note',
      '2023-12-31',
      '2024-01-02',
      ['“01/02/2024” was read with the month first.'],
    ],
  ])('%s', async (_, other, finishedOn, notes) => {
    const file = `Title,Year,Date watched\nJaws,1975,${other}\nPsycho,1960,01/02/2024\n`
    const { plans } = await read(await openBytes(file))
    const { entries, hasUnclearDate, ...plan } = plans.get('Psycho')!
    expect([entries[0]?.finishedOn, plan.notes, hasUnclearDate ?? false]).toEqual([
      finishedOn,
      notes,
      notes.length > 0,
    ])
  })

  test('rows of seasons, episodes and volumes are left out and counted, and shows and movies stay', async () => {
    const header = 'media_id,source,media_type,title,season_number,episode_number,score,status,end_date'
    const csv = await read(
      await openBytes(
        [
          header,
          '1,tmdb,tv,Fargo,,,,In progress,',
          '1,tmdb,season,Fargo,2,,9,Completed,2024-01-01',
          '1,tmdb,episode,Fargo,2,5,8,,2024-01-01',
          '2,tmdb,movie,Open Season 2,,,7,Completed,2024-01-01',
          '3,tmdb,tv,Fargo: Season 3,,,9,Completed,2024-01-01',
        ].join('\n'),
      ),
    )
    expect(csv.notKept).toMatchObject({ seasons: 2, episodes: 1 })
    expect(shortly(csv)).toEqual({
      Fargo: { entries: ['started'] },
      'Open Season 2': { rating: '4←7/10', entries: ['finished 2024-01-01'] },
    })
    const books = await read(await openBytes('Title,Author,Volume,Status\nA Manga,Ann Example,3,read\n'))
    expect([books.plans.size, books.notKept]).toEqual([0, { volumes: 1 }])
  })

  test('the year in a name is read where the file has no other one', async () => {
    const { plans } = await read(
      await openBytes(
        'Title,Year\nAlien (1979),\nDune - 2021,2021\nSuspiria (1977),2018\nBlade Runner 2049,\n',
      ),
    )
    expect([...plans.values()].map(({ name, year, otherNames }) => [name, year, otherNames])).toEqual([
      ['Alien', 1979, ['Alien (1979)']],
      ['Dune', 2021, ['Dune - 2021']],
      ['Suspiria (1977)', 2018, []],
      ['Blade Runner 2049', null, []],
    ])
  })

  test('markup, authors and ISBN of books, and what cannot be read is counted', async () => {
    const csv = await read(
      await openBytes(
        [
          'Title,Author,ISBN,Rating,Date read,Review',
          'Fast &amp; Loose,"Herbert, Frank &amp; Ann Other",[054792822X],4,31/02/2023,One<br>&quot;two&quot; <3',
          'Second,Bo Other,B00ABC,3,2023-01-01,',
          'Third,Bo Other,9.78055E+12,3,2023-01-01,',
        ].join('\n'),
      ),
    )
    expect(csv.plans.get('Fast & Loose')).toMatchObject({
      authors: ['Frank Herbert', 'Ann Other'],
      ids: [{ source: 'isbn13', id: '9780547928227' }],
      review: { text: 'One\n"two" <3' },
      notes: ['“31/02/2023” is not a date.'],
    })
    expect(csv.plans.get('Second')!.notes).toEqual(['“B00ABC” is not an ISBN.'])
    expect(csv.notKept).toMatchObject({ 'unreadable dates': 1, 'unreadable ISBNs': 2 })
  })

  test('exactly one apostrophe is taken away from a cell that marks text', async () => {
    const { plans } = await read(await openBytes("Title,Notes,Rating\n'=Dune,''twice,4\n'til,'-x,5\n"))
    expect(shortly({ plans } as Read)).toEqual({
      '=Dune': { rating: '4←4/5', review: "'twice" },
      "'til": { rating: '5←5/5', review: '-x' },
    })
  })
})
