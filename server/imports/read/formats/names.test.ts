import { describe, expect, test } from 'vitest'
import { authorsOf, partInName, partOfRow, splitYear } from './names.ts'

describe('years in names', () => {
  test.each([
    ['Alien (1979)', 'Alien', 1979],
    ['Alien [1979]', 'Alien', 1979],
    ['Alien - 1979', 'Alien', 1979],
    ['Alien – 1979', 'Alien', 1979],
    ['Alien, 1979', 'Alien', 1979],
    ['Alien (1979 film)', 'Alien', 1979],
    ['Alien (film, 1979)', 'Alien', 1979],
    ['[1979] Alien', 'Alien', 1979],
    ['Alien (1979) Director’s Cut', 'Alien Director’s Cut', 1979],
    ['House of Cards (2013–2018)', 'House of Cards', 2013],
    ['The Boys (2019– )', 'The Boys', 2019],
    ['Blade Runner 2049 (2017)', 'Blade Runner 2049', 2017],
    ['1917 (2019)', '1917', 2019],
    ['2012, 2009', '2012', 2009],
    ['千と千尋の神隠し (2001)', '千と千尋の神隠し', 2001],
  ])('%s is %s of %i', (given, name, year) => {
    expect(splitYear(given, 'movie')).toEqual({ name, year })
  })

  test.each([
    '1917',
    '2012',
    '(2012)',
    'Blade Runner 2049',
    'Cyberpunk - 2077',
    'Class of 1999',
    'Death Race 2000',
    '2001: A Space Odyssey',
    '1984 - Orwell',
    'Alien (Director’s Cut)',
    'Twice (1979) (1980)',
    'Ocean’s, 11',
  ])('%s has none', (name) => {
    expect(splitYear(name, 'movie')).toBeUndefined()
  })

  test('names of books may end in a year', () => {
    expect(splitYear('Diaries, 1915', 'book')).toBeUndefined()
    expect(splitYear('Dune (1965)', 'book')).toEqual({ name: 'Dune', year: 1965 })
  })
})

describe('parts of shows and series', () => {
  test.each([
    'Fargo: Season 2',
    'Fargo - Season 2',
    'Fargo (Season 2)',
    'Fargo, Season Two',
    'Fargo: Season II',
    'Fargo: Series 2',
    'Fargo S02',
    'Fargo Staffel 2',
    'Fargo – 2. Staffel',
    'Fargo Saison 2',
    'Fargo Temporada 2',
    'Fargo: 2ª temporada',
    'Fargo Stagione 2',
    'Fargo Seizoen 2',
    'Fargo Sezon 2',
    'Фарго, сезон 2',
    'ファーゴ シーズン2',
    '冰血暴 第二季',
    '파고 시즌 2',
  ])('%s is a season, whether or not its kind is known', (name) => {
    expect([partInName(name, 'tvShow', true), partInName(name, 'movie', false)]).toEqual([
      'seasons',
      'seasons',
    ])
  })

  test.each(['Fargo S02E05', 'Fargo - 2x05', 'Fargo s2e5'])('%s is an episode', (name) => {
    expect(partInName(name, 'movie', false)).toBe('episodes')
  })

  test('words that movies have too count for shows only', () => {
    for (const name of ['Open Season 2', 'Star Wars: Episode 4 – A New Hope', 'Serie Noire', 'Mission S2']) {
      expect(partInName(name, 'movie', false)).toBeUndefined()
      expect(partInName(name, 'movie', true)).toBeUndefined()
    }
    expect(partInName('Fargo Season 2', 'tvShow', true)).toBe('seasons')
    expect(partInName('Attack on Titan 2nd Season', 'tvShow', true)).toBe('seasons')
    expect(partInName('Fargo: Episode 4', 'tvShow', true)).toBe('episodes')
    expect(partInName('Sam & Max: Season 2', 'game', true)).toBeUndefined()
    expect(partInName('Four Seasons', 'tvShow', true)).toBeUndefined()
    expect(partInName('Season', 'tvShow', true)).toBeUndefined()
  })

  test('a row is of what its kind or its columns name', () => {
    const of = (raw: Record<string, string>, word: string, kind: 'tvShow' | 'book' | 'movie' | 'game') =>
      partOfRow(raw, word, kind)
    expect(of({}, 'season', 'tvShow')).toBe('seasons')
    expect(of({}, 'TV Episode', 'tvShow')).toBe('episodes')
    expect(of({ season_number: '2' }, 'tv', 'tvShow')).toBe('seasons')
    expect(of({ Season: '2', Episode: '5' }, '', 'movie')).toBe('episodes')
    expect(of({ seasonNumber: '1' }, '', 'tvShow')).toBe('seasons')
    expect(of({ Staffel: '1' }, '', 'tvShow')).toBe('seasons')
    expect(of({ season_number: '', episode_number: '-' }, 'tv', 'tvShow')).toBeUndefined()
    expect(of({ Seasons: '5', 'Episodes watched': '62', Progress: '3' }, 'tv', 'tvShow')).toBeUndefined()
    expect(of({ Season: '2' }, 'movie', 'movie')).toBeUndefined()
    expect(of({ Volume: '3' }, 'manga', 'book')).toBe('volumes')
    expect(of({ Volume: '3', Series: 'Dune Chronicles' }, '', 'book')).toBeUndefined()
    expect(of({ 'Volumes read': '3', series_index: '1.0' }, 'manga', 'book')).toBeUndefined()
    expect(of({ Season: '2' }, 'game', 'game')).toBeUndefined()
  })
})

test.each<[string, string[]]>([
  ['Mary Shelley and Percy Shelley', ['Mary Shelley', 'Percy Shelley']],
  ['Antoine de Saint-Exupéry & Katherine Woods', ['Antoine de Saint-Exupéry', 'Katherine Woods']],
  ['Art Spiegelman|Other Person', ['Art Spiegelman', 'Other Person']],
  ['Terry Pratchett; Neil Gaiman', ['Terry Pratchett', 'Neil Gaiman']],
  ['Terry Pratchett with Neil Gaiman', ['Terry Pratchett', 'Neil Gaiman']],
  ['Terry Pratchett/Neil Gaiman', ['Terry Pratchett', 'Neil Gaiman']],
  ['Terry Pratchett, Neil Gaiman', ['Terry Pratchett', 'Neil Gaiman']],
  ['A. B. Sample, Neil Gaiman and Ann Other', ['A. B. Sample', 'Neil Gaiman', 'Ann Other']],
  ['Herbert, Frank', ['Frank Herbert']],
  ['Herbert, Frank; Someone, Else', ['Frank Herbert', 'Else Someone']],
  ['Tolkien, J. R. R.', ['J. R. R. Tolkien']],
  ['Le Guin, Ursula K.', ['Ursula K. Le Guin']],
  ['Saint-Exupéry, Antoine de', ['Antoine de Saint-Exupéry']],
  ['Pratchett, Terry, Gaiman, Neil', ['Terry Pratchett', 'Neil Gaiman']],
  ['Vonnegut, Jr., Kurt', ['Kurt Vonnegut Jr']],
  ['Ann Example (Author), Bo Other (Illustrator)', ['Ann Example', 'Bo Other']],
  ['by Ann Example et al.', ['Ann Example']],
  ['José Ortega y Gasset', ['José Ortega y Gasset']],
  ['Homer', ['Homer']],
  ['', []],
])('%s is read as its authors', (value, authors) => {
  expect(authorsOf(value)).toEqual(authors)
})
