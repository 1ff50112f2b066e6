import { describe, expect, test } from 'vitest'
import { openBytes, read, shortly } from '#scripts/testing/import-file.ts'
import { zipOf } from '#scripts/testing/zip.ts'

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
    expect(zip.records.get('The Matrix')).toMatchObject({
      year: 1999,
      rating: { ratedAt: '2023-05-06T02:00:00.000Z' },
    })
    expect(zip.records.get('The Matrix')!.ids).toContainEqual({ source: 'tmdb-movie', id: '603' })
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
            JSON.stringify({
              type: 'Collection',
              content: { id: 'https://neodb.social/collection/1', name: 'Rainy days', content: 'calm' },
              items: [{ item: address, metadata: { note: 'slow' } }],
            }) +
            '\n{"type":"ShelfLog","item":"x","status":"wishlist"}\n{broken\n',
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
    const key = 'https://neodb.social/collection/1'
    expect(zip.lists).toMatchObject([{ key, name: 'Rainy days', description: 'calm' }])
    expect(zip.records.get('The Matrix')!.listItems).toEqual([
      { key, name: 'Rainy days', position: 1, note: 'slow', addedOn: null },
    ])
    expect(zip.unreadable).toEqual([{ file: 'journal.ndjson', line: 8, problem: 'This is not valid JSON.' }])
    expect(zip.notKept).toEqual({ 'changes of status': 1 })
  })
})
