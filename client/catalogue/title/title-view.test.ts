import { expect, test } from 'vitest'
import type { Kind } from '#shared/domain/kinds.ts'
import { viewOf } from './title-view.ts'

const view = (kind: Kind, title: object) => viewOf(kind, title as never)
const book = {
  id: 7,
  title: 'Dune',
  authors: ['Frank Herbert'],
  coverUrl: '/uploads/dune-640.webp',
  backdropUrl: null,
  tagline: null,
  description: '<p>Sand.</p>',
  pageCount: 604,
  publishDate: null,
  publishYear: 1965,
  categories: ['Science Fiction'],
  isbn13: null,
  olid: null,
  source: null,
}

test('a book has the fields that all kinds share, and its description has no tags', () => {
  expect(view('book', book)).toMatchObject({
    name: 'Dune',
    image: '/uploads/dune-640.webp',
    overview: 'Sand.',
    creators: ['Frank Herbert'],
    release: '1965',
    genres: ['Science Fiction'],
    length: 604,
  })
})

test('the release date of a TV show is its first air date', () => {
  const show = {
    id: 1,
    name: 'Dark',
    releaseDate: '2017',
    releaseYear: 2017,
    firstAirDate: '2017-12-01',
    genres: [],
  }
  expect(view('tvShow', show)).toMatchObject({ name: 'Dark', release: '2017-12-01' })
})

test('a title from an external source credits it, with a link to its page there if known', () => {
  expect(view('book', book)).toMatchObject({ credit: null })
  expect(view('book', { ...book, source: 'starter' })).toMatchObject({ credit: null })
  expect(view('book', { ...book, source: 'openlibrary', olid: 'OL893415W' })).toMatchObject({
    credit: { name: 'Open Library', href: 'https://openlibrary.org/works/OL893415W' },
  })
  const game = { id: 1, source: 'igdb', platforms: [], genres: [], developers: [] }
  expect(view('game', game)).toMatchObject({ credit: { name: 'IGDB.com' } })
})

test('a title that an import created names the member, unless the account is gone', () => {
  const imported = { ...book, source: 'import', addedBy: { id: 3, username: 'maria' } }
  expect(view('book', imported)).toMatchObject({
    credit: null,
    imported: { by: { id: 3, username: 'maria' } },
  })
  const orphan = { ...imported, addedBy: null }
  expect(view('book', orphan).imported).toEqual({ by: null })
  expect(view('book', book).imported).toBeNull()
})
