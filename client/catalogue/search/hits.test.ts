import { expect, test } from 'vitest'
import { localHit, sourceHit } from './hits.ts'

const movie = {
  kind: 'movie' as const,
  ids: [{ source: 'tmdb-movie' as const, id: '7' }],
  name: 'A',
  text: null,
  imageUrl: null,
  releaseYear: 1999,
  creators: ['A Director'],
  platforms: [],
  localId: null,
  average: null,
}
const platforms = ['PC', 'Switch', 'PS4', 'Xbox']

test('a result shows its year, of a book also authors, of a game up to three platforms, as far as they are known', () => {
  expect(sourceHit(movie, 0)).toMatchObject({ facts: ['1999'], localId: undefined })
  const authors = ['Frank Herbert', 'Another', 'A Third']
  expect(sourceHit({ ...movie, kind: 'book', creators: authors, text: 'A novel' }, 0)).toMatchObject({
    facts: ['1999', 'Frank Herbert, Another'],
    text: 'A novel',
  })
  expect(sourceHit({ ...movie, kind: 'game', releaseYear: null, platforms }, 0).facts).toEqual([
    'PC, Switch, PS4',
  ])
})

test('a movie and a TV show with the same TMDB id have different keys, as do results without an id', () => {
  const show = { ...movie, kind: 'tvShow' as const, ids: [{ source: 'tmdb-tv' as const, id: '7' }] }
  const unknown = { ...movie, ids: [] }
  const keys = [movie, show, unknown, unknown].map((hit, index) => sourceHit(hit, index).key)
  expect(new Set(keys).size).toBe(4)
})

test('a title of the catalogue is known by its id and shows its year and average', () => {
  const item = { id: 9, name: 'A', category: 'TV show' as const, description: null, imageUrl: null }
  expect(localHit({ ...item, releaseYear: 1999, average: 4.5 })).toMatchObject({
    localId: 9,
    kind: 'tvShow',
    facts: ['1999'],
    average: 4.5,
  })
})
