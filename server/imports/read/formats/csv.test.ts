import { describe, expect, test } from 'vitest'
import type { ImportOptions } from '#shared/contracts/imports.ts'
import {
  openBytes,
  openFixture,
  partReviewsOf,
  type Read,
  read,
  shortly,
} from '#scripts/testing/import-file.ts'

describe('any CSV', () => {
  test('columns are guessed by their words, the scale by the highest rating, the order of dates by the days', async () => {
    const csv = await read(await openFixture('csv/semicolons-latin1.csv'))
    expect(csv.service).toBe('csv')
    expect(csv.summary).toEqual({
      lines: 3,
      columns: ['Title', 'Year', 'My score', 'Seen on', 'Thoughts'],
      shelves: [],
      options: {
        columns: {
          name: 'Title',
          year: 'Year',
          rating: 'My score',
          finishedOn: 'Seen on',
          note: 'Thoughts',
        },
        kind: 'movie',
        scale: 100,
        dates: 'dmy',
      },
      unclear: [],
    })
    expect(shortly(csv)).toEqual({
      'The Matrix': {
        rating: '4←87/100',
        entries: ['finished 2022-12-31 “=HYPERLINK("http://x";"y")”'],
      },
      Amélie: { rating: '2←45.5/100', entries: ['finished 2023-01-05 “ok”'] },
      Dune: { rating: '5←100/100', entries: ['finished “@sum(1)”'] },
    })
  })

  test('UTF-16 with tabs, and a column of kinds', async () => {
    const csv = await read(await openFixture('csv/tabs-utf16.tsv'))
    expect([...csv.records.values()].map(({ kind, name }) => [kind, name])).toEqual([
      ['tvShow', 'Breaking Bad'],
      ['game', 'Tetris'],
    ])
    expect(csv.summary.options.scale).toBe(5)
  })

  test('the member can choose other columns', async () => {
    const csv = await openFixture('csv/semicolons-latin1.csv')
    const { records } = await read(csv, { columns: { name: 'Thoughts', rating: 'no such column' } })
    expect([...records.keys()]).toEqual(['=HYPERLINK("http://x";"y")', 'ok', '@sum(1)'])
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
    expect(csv.records.get('Dune')).toMatchObject({ review: { text: 'x' }, authors: [] })
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
    const { records } = await read(await openBytes(file))
    const { entries, hasUnclearDate, ...record } = records.get('Psycho')!
    expect([entries[0]?.finishedOn, record.notes, hasUnclearDate ?? false]).toEqual([
      finishedOn,
      notes,
      notes.length > 0,
    ])
  })

  test('rows of seasons and episodes are no titles, rows of volumes are left out and counted, and shows and movies stay', async () => {
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
    expect(csv.notKept).toEqual({ seasons: 1 })
    expect(partReviewsOf(csv)).toEqual({ Fargo: ['2 5←9/10', '2×5 4←8/10'] })
    expect(shortly(csv)).toEqual({
      Fargo: { entries: ['started'] },
      'Open Season 2': { rating: '4←7/10', entries: ['finished 2024-01-01'] },
    })
    const books = await read(await openBytes('Title,Author,Volume,Status\nA Manga,Ann Example,3,read\n'))
    expect([books.records.size, books.notKept]).toEqual([0, { volumes: 1 }])
  })

  test('the year in a name is read where the file has no other one', async () => {
    const { records } = await read(
      await openBytes(
        'Title,Year\nAlien (1979),\nDune - 2021,2021\nSuspiria (1977),2018\nBlade Runner 2049,\n',
      ),
    )
    expect([...records.values()].map(({ name, year, otherNames }) => [name, year, otherNames])).toEqual([
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
    expect(csv.records.get('Fast & Loose')).toMatchObject({
      authors: ['Frank Herbert', 'Ann Other'],
      ids: [{ source: 'isbn13', id: '9780547928227' }],
      review: { text: 'One\n"two" <3' },
      notes: ['“31/02/2023” is not a date.'],
    })
    expect(csv.records.get('Second')!.notes).toEqual(['“B00ABC” is not an ISBN.'])
    expect(csv.notKept).toMatchObject({ 'unreadable dates': 1, 'unreadable ISBNs': 2 })
  })

  test('exactly one apostrophe is taken away from a cell that marks text', async () => {
    const { records } = await read(await openBytes("Title,Review,Rating\n'=Dune,''twice,4\n'til,'-x,5\n"))
    expect(shortly({ records } as Read)).toEqual({
      '=Dune': { rating: '4←4/5', review: "'twice" },
      "'til": { rating: '5←5/5', review: '-x' },
    })
  })
})

/** Reads a table and returns what becomes of it, and what is said about it. */
async function said(rows: string, options?: Partial<ImportOptions>) {
  const file = await read(await openBytes(rows), options)
  const { summary, notKept, unreadable } = file
  return { titles: shortly(file), scale: summary.options.scale, summary, notKept, unreadable, file }
}

describe('texts that are no review', () => {
  test('the description of a book in a file of Calibre without ids is left out and counted', async () => {
    const { titles, notKept, scale } = await said(
      'authors,author_sort,rating,comments,title,title_sort,pubdate\n' +
        'Frank Herbert,"Herbert, Frank",4.5,"<p>A desert planet.</p>",Dune,Dune,1965-08-01T01:00:00+01:00\n',
    )
    expect(titles).toEqual({ Dune: { rating: '5←4.5/5' } })
    expect([scale, notKept]).toEqual([5, { 'column “comments”': 1 }])
  })

  test.each(['Description', 'Blurb', 'Summary', 'Plot', 'Synopsis', 'Overview', 'About', 'Beschreibung'])(
    'a column %s is not taken',
    async (column) => {
      const { titles } = await said(`Title,${column},Rating\nJaws,A shark appears.,4\n`)
      expect(titles).toEqual({ Jaws: { rating: '4←4/5' } })
    },
  )

  test.each(['Notes', 'Note', 'Comments', 'Private Notes', 'My notes', 'Memo', 'Thoughts', 'Remarks'])(
    'a column %s is the private note of a diary entry',
    async (column) => {
      const { titles, notKept } = await said(
        `Title,Rating,Watched on,Status,${column}\nJaws,4,2024-01-02,,Lent twice\nPsycho,3,,,With Ann\nAlien,,,Planned,With Bo\n`,
      )
      expect(titles).toEqual({
        Jaws: { rating: '4←4/5', entries: ['finished 2024-01-02 “Lent twice”'] },
        Psycho: { rating: '3←3/5', entries: ['finished “With Ann”'] },
        Alien: { entries: ['want “With Bo”'] },
      })
      expect(notKept).toEqual({})
    },
  )

  test('a note alone is no viewing, and is counted; a review alone is one', async () => {
    const { titles, notKept } = await said(
      'Title,Notes,Review\nJaws,Recommended by Ann,\nPsycho,,\nAlien,,Still the best.\n',
    )
    expect(titles).toEqual({
      Jaws: {},
      Psycho: {},
      Alien: { review: 'Still the best.', entries: ['finished “Still the best.”'] },
    })
    expect(notKept).toEqual({ notes: 1 })
  })

  test('a comment of LibraryThing is a note, its review a review, its collections the status, its date the year', async () => {
    const { titles, file } = await said(
      'Book Id\tTitle\tPrimary Author\tDate\tReview\tRating\tComment\tCollections\tDate Read\tEntry Date\n' +
        '1\tDune\tHerbert, Frank\t1965\tGrand.\t4.5\tSigned copy\tYour library, Currently reading\t\t2024-01-05\n' +
        '2\tDracula\tStoker, Bram\t1897\t\t\t\tTo read\t\t2024-01-05\n' +
        '3\tBeloved\tMorrison, Toni\t1987\t\t3\t\tYour library\t2023-02-01\t2024-01-05\n',
    )
    expect(titles).toEqual({
      Dune: { rating: '5←4.5/5', review: 'Grand.', entries: ['started “Signed copy”'] },
      Dracula: { entries: ['want'] },
      Beloved: { rating: '3←3/5', entries: ['finished 2023-02-01'] },
    })
    expect([...file.records.values()].map(({ year }) => year)).toEqual([1965, 1897, 1987])
  })

  test('a review of HowLongToBeat is a rating, its notes are private', async () => {
    const { titles } = await said(
      'Title,Storefront,Completed,Review,Review Notes,General Notes\nTetris,None,X,80%,Fun,On the train\n',
    )
    expect(titles).toEqual({
      Tetris: { rating: '4←80/100', review: 'Fun', entries: ['finished “On the train”'] },
    })
  })

  test.each([
    [
      'Yamtrack',
      'media_id,media_type,title,score,status,notes,progress\n1,movie,Jaws,5,Completed,With Bo,1',
      '3←5/10',
    ],
  ])('a note of %s is private, and its ratings are of ten', async (_name, rows, rating) => {
    expect((await said(`${rows}\n`)).titles).toEqual({ Jaws: { rating, entries: ['finished “With Bo”'] } })
  })
})

describe('columns of ratings', () => {
  test.each(
    'Rating|ratings|My Rating|My Ratings|myRating|Rated|rate|vote|My vote|Score|Your score|User rating|userRating|Personal Rating|Grade|My Grade|Mark|My Marks|I rated|Own score'.split(
      '|',
    ),
  )('%s holds ratings, whose scale follows from the highest', async (column) => {
    const { titles, summary } = await said(`Title,${column}\nJaws,7.5\n`)
    expect(titles).toEqual({ Jaws: { rating: '4←7.5/10' } })
    expect(summary.unclear).toEqual([])
  })

  test.each([
    [10, 'Rating10'],
    [10, 'Rating/10'],
    [10, 'Rating (0-10)'],
    [10, 'Rating [1–10]'],
    [10, 'My rating (out of 10)'],
    [10, '10 point rating'],
    [10, '10-point score'],
    [10, 'Note /10'],
    [10, '評価(10点満点)'],
    [5, 'Rating5'],
    [5, 'Stars'],
    [5, 'Star rating'],
    [5, '5 star rating'],
    [5, 'Rating (1 to 5)'],
    [6, 'Rating (1-6)'],
    [20, 'Score out of 20'],
    [100, 'Score %'],
    [100, 'Rating in percent'],
    [100, 'Rating (out of 100)'],
    [100, 'Score100'],
  ])('the scale is %i in a column named %s, whatever its values are', async (scale, column) => {
    const title = column.startsWith('Note') ? 'Titre' : 'Title'
    const { summary, file } = await said(`${title},${column}\nJaws,3\nPsycho,2\n`)
    expect([summary.options.scale, summary.unclear]).toEqual([scale, []])
    expect(file.records.get('Jaws')!.rating?.given).toBe(`3/${scale}`)
  })

  test('the scale is asked if neither the name nor the values say it', async () => {
    expect((await said('Title,Score\nJaws,5\nPsycho,3\n')).summary.unclear).toEqual(['scale'])
    expect((await said('Title,Score\nJaws,15\n')).summary.unclear).toEqual(['scale'])
    expect((await said('Title,Score\nJaws,5/10\n')).summary.unclear).toEqual([])
    expect((await said('Title,Score\nJaws,\n')).summary.unclear).toEqual([])
  })

  test.each([
    ['8/10', '8/10'],
    ['8 / 10', '8/10'],
    ['8 out of 10', '8/10'],
    ['80%', '80/100'],
    ['80 %', '80/100'],
    ['★★★½', '3.5/5'],
    ['★★★☆☆', '3/5'],
    ['★★★★★★★☆☆☆', '7/10'],
    ['⭐⭐⭐⭐', '4/5'],
    ['⭐️⭐️', '2/5'],
    ['4½', '4.5/10'],
    ['4,5', '4.5/10'],
    ['3 stars', '3/10'],
    ['A+', undefined],
    ['11/10', undefined],
  ])('the value %s is %s in a column of ten', async (value, given) => {
    const { file } = await said(`Title,Rating/10\nJaws,"${value}"\n`)
    const record = file.records.get('Jaws')!
    expect(record.rating?.given).toBe(given)
    expect(record.notes).toHaveLength(given === undefined ? 1 : 0)
  })

  test('ratings of others are not taken, and are named', async () => {
    const { titles, notKept } = await said(
      'Title,IMDb Rating,Community Score,averageRating,Num Votes,Goodreads rating,Duration\nJaws,8.1,7,3.4,9000,4,124\n',
    )
    expect(titles).toEqual({ Jaws: {} })
    expect(notKept).toEqual({
      'column “IMDb Rating”': 1,
      'column “Community Score”': 1,
      'column “averageRating”': 1,
      'column “Num Votes”': 1,
      'column “Goodreads rating”': 1,
    })
    const own = await said('Title,IMDb Rating,My Rating\nJaws,8.1,9\n')
    expect(own.titles).toEqual({ Jaws: { rating: '5←9/10' } })
  })

  test.each([
    [
      'Plex',
      'title,year,contentRating,audienceRating,rating,userRating,viewCount\nJaws,1975,PG,8.1,7.7,9.0,2',
      '5←9/10',
    ],
    [
      'Jellyfin',
      'Name,ProductionYear,CommunityRating,CriticRating,OfficialRating,Rating\nJaws,1975,7.1,80,PG,7',
      undefined,
    ],
    ['OMDb', 'Title,Year,Rated,imdbRating,Metascore\nJaws,1975,PG,8.1,87', undefined],
  ])('of a file of %s, only the rating of the user is taken', async (_name, rows, rating) => {
    expect((await said(`${rows}\n`)).titles).toEqual({ Jaws: rating === undefined ? {} : { rating } })
  })

  test('a column that the member chooses is not named any more', async () => {
    const { notKept } = await said('Title,Goodreads rating\nJaws,4\n', {
      columns: { name: 'Title', rating: 'Goodreads rating' },
    })
    expect(notKept).toEqual({})
  })
})

describe('headers', () => {
  const rows = 'Title;Year;Rating\nJaws;1975;4\n'
  test.each([
    ['the separator', `sep=;\n${rows}`, 3],
    ['the separator in quotes', `"sep=;"\r\n${rows}`, 3],
    ['a separator that is not usual', `sep=^\n${rows.replaceAll(';', '^')}`, 3],
    ['a caption', `My films\n${rows}`, 3],
    ['a caption that is the name of a column', `Films\n${rows}`, 3],
    ['a caption with commas', `My films, exported in May 2024\n\n${rows}`, 4],
    ['comments', `# exported 2024-01-02\n# by me; for me\n${rows}`, 4],
    ['blank lines', `\n \n;;\n${rows}`, 5],
    ['a byte order mark and the separator', `\ufeffsep=;\n${rows}`, 3],
    ['bars', rows.replaceAll(';', '|'), 2],
    ['UTF-16 without a mark', Buffer.from(rows, 'utf16le'), 2],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${rows}`, 'utf16le').swap16(), 2],
  ])('a table may begin with %s', async (_name, content, line) => {
    const file = await read(await openBytes(content))
    expect(shortly(file)).toEqual({ Jaws: { rating: '4←4/5' } })
    expect(file.records.get('Jaws')!.year).toBe(1975)
    expect(file.rows.map((row) => row.line)).toEqual([line])
  })

  test('what comes before the header of a known service is skipped too', async () => {
    const file = await read(
      await openBytes(
        'sep=,\nConst,Your Rating,Date Rated,Title,Title Type,Year\ntt0073195,9,2024-01-02,Jaws,Movie,1975\n',
      ),
    )
    expect(file.service).toBe('imdb')
    expect(shortly(file)).toEqual({ Jaws: { rating: '5←9/10' } })
  })

  test.each([
    ['German', 'Titel;Jahr;Meine Bewertung;Gesehen am;Notizen'],
    ['French', 'Titre;Année;Note;Vu le;Commentaires'],
    ['Spanish', 'Título;Año;Calificación;Visto el;Notas'],
    ['Italian', 'Titolo;Anno;Voto;Visto il;Note'],
    ['Portuguese', 'Título;Ano;Avaliação;Assistido em;Comentários'],
    ['Dutch', 'Titel;Jaar;Beoordeling;Gezien op;Opmerkingen'],
    ['Polish', 'Tytuł;Rok;Ocena;Data obejrzenia;Uwagi'],
    ['Japanese', 'タイトル;公開年;評価;鑑賞日;メモ'],
    ['Chinese', '片名;年份;我的评分;观看日期;备注'],
    ['Russian', 'Название;Год;Оценка;Дата просмотра;Заметки'],
    ['Swedish', 'Titel;År;Betyg;Sedd;Anteckningar'],
    ['Danish', 'Titel;År;Vurdering;Set;Noter'],
  ])('columns in %s are read', async (_name, header) => {
    const { titles, file } = await said(`${header}\nJaws;1975;8;31.12.2022;lent twice\n`)
    expect(titles).toEqual({ Jaws: { rating: '4←8/10', entries: ['finished 2022-12-31 “lent twice”'] } })
    expect(file.records.get('Jaws')!.year).toBe(1975)
  })

  test('a word for a rating or a note counts in the language of the file only', async () => {
    expect((await said('Titel;Jahr;Note\nJaws;1975;2\n')).notKept).toEqual({ 'column “Note”': 1 })
    expect((await said('Title;Year;Note\nJaws;1975;2\n')).titles).toEqual({ Jaws: {} })
    expect((await said('Título;Nota\nJaws;8\n')).titles).toEqual({ Jaws: { rating: '4←8/10' } })
  })

  test('columns whose names are not known are asked', async () => {
    const rows = 'Otsikko;Vuosi;Arvosana\nJaws;1975;8\nPsycho;1960;9\n'
    const unknown = await said(rows)
    expect(unknown.summary).toMatchObject({ columns: ['Otsikko', 'Vuosi', 'Arvosana'], unclear: ['columns'] })
    expect([unknown.titles, unknown.unreadable.length]).toEqual([{}, 2])
    const columns = { name: 'Otsikko', year: 'Vuosi', rating: 'Arvosana' }
    expect((await said(rows, { columns, scale: 10 })).titles).toEqual({
      Jaws: { rating: '4←8/10' },
      Psycho: { rating: '5←9/10' },
    })
  })

  test('markup with commas is no table', async () => {
    const rows = '<svg>\n<path d="M1,2 ab\nL3,4 cd\nL5,6 ef"/>\n</svg>\n'
    await expect(openBytes(rows)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('a table without a header keeps its first line, and its columns are asked', async () => {
    const { summary, titles } = await said('Jaws,1975,4\nPsycho,1960,5\n', { columns: { name: 'Column 1' } })
    expect(summary).toMatchObject({ columns: ['Column 1', 'Column 2', 'Column 3'], unclear: ['columns'] })
    expect(Object.keys(titles)).toEqual(['Jaws', 'Psycho'])
  })
})

describe('statuses', () => {
  test.each([
    [
      'want',
      'Planning|Planned|Plan to watch|PLAN_TO_READ|plantowatch|Wishlist|Backlog|To-read|TBR|Geplant|À voir|Por ver|見たい',
    ],
    ['started', 'Watching|In progress|Currently reading|Playing|Current|En cours|視聴中'],
    ['paused', 'Paused|On hold|On-Hold|Stalled|Pausiert|En pause'],
    ['dropped', 'Dropped|DNF|Abandoned|Did not finish|Abgebrochen|Abandonné|Porzucone'],
    ['finished', 'Completed|Watched|Finished|Beaten|Gesehen|Lu|Visto|Obejrzane|読了'],
  ])('words for %s', async (status, words) => {
    const lines = words.split('|').map((word, at) => `T${at},${word}`)
    const { titles, summary } = await said(`Title,Status\n${lines.join('\n')}\n`)
    expect(new Set(Object.values(titles).map(({ entries }) => entries?.join()))).toEqual(new Set([status]))
    expect(summary.shelves).toEqual([])
  })

  test('an unknown status writes nothing and is asked, also beside a text', async () => {
    const rows = 'Title,Status,Review\nJaws,Maybe,Great film\nPsycho,Maybe,\nAlien,Owned,\n'
    const { titles, summary, file } = await said(rows)
    expect(titles).toEqual({ Jaws: {}, Psycho: {}, Alien: {} })
    expect(summary.shelves).toEqual([
      { name: 'Maybe', count: 2 },
      { name: 'Owned', count: 1 },
    ])
    expect(file.records.get('Jaws')!.notes).toEqual([
      'The status “Maybe” is not known; choose what it means.',
      'The text is left out until you choose what the status means.',
    ])
    expect((await said(rows, { shelves: { Maybe: 'want', Owned: 'finished' } })).titles).toMatchObject({
      Psycho: { entries: ['want'] },
      Alien: { entries: ['finished'] },
    })
    expect((await said(rows, { shelves: { Maybe: 'skip' } })).titles).toMatchObject({ Jaws: {} })
  })

  test('an unknown shelf beside a review is no viewing in files of services either', async () => {
    const { titles } = await said(
      'Book Id,Title,Author,My Rating,Exclusive Shelf,My Review\n1,Dune,Frank Herbert,0,someday maybe,A text\n',
    )
    expect(titles).toEqual({ Dune: {} })
  })

  test('a column of yes and no says what was watched', async () => {
    const { titles, file } = await said('Title,Watched\nJaws,Yes\nPsycho,No\nAlien,2024-01-02\nHeat,x\n')
    expect(titles).toEqual({
      Jaws: { entries: ['finished'] },
      Psycho: {},
      Alien: { entries: ['finished 2024-01-02'] },
      Heat: { entries: ['finished'] },
    })
    expect([...file.records.values()].flatMap(({ notes }) => notes)).toEqual([])
  })
})
