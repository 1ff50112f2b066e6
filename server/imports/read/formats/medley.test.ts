import { describe, expect, test } from 'vitest'
import { byFlag } from '#shared/domain/review-flags.ts'
import { openBytes, read } from '#scripts/testing/import-file.ts'
import { zipOf } from '#scripts/testing/zip.ts'
import { type TitleRecord } from '#server/imports/match/join.ts'

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
  const record: TitleRecord = {
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
    partReviews: [],
    isTextWithoutRating: false,
    listItems: [],
    entries: [
      {
        status: 'finished',
        startedOn: '2020',
        finishedOn: '2020-05',
        isAgain: true,
        pass: null,
        ratingGiven: '7/10',
        text: 'Mine.',
        origin: 'letterboxd:entry:x',
        addedOn: '2026-02-03T04:05:06.789Z',
        updatedOn: '2026-02-04T04:05:06.789Z',
        steps: [],
      },
    ],
    plays: [],
    isFavorite: true,
    favoriteOn: '2026-02-05T04:05:06.789Z',
    restored: {
      rating: 4,
      ratingGiven: '4.5/5',
      ...byFlag(() => false),
      hasSpoilers: true,
      createdAt: '2026-02-03T04:05:06.789Z',
      updatedAt: '2026-03-03T04:05:06.789Z',
    },
    notes: [],
  }

  test('every value and time of an export is in the record', async () => {
    for (const content of [
      JSON.stringify(exported),
      JSON.stringify(exported, null, 2),
      zipOf({ 'for-letterboxd.csv': 'Letterboxd URI,Name\nx,y\n', 'medley.json': JSON.stringify(exported) }),
    ]) {
      const read_ = await read(await openBytes(content))
      expect(read_.service).toBe('medley')
      expect([...read_.records.values()]).toEqual([record])
      expect(read_.notKept).toEqual({ follows: 1, reactions: 1, comments: 2 })
    }
  })

  test.each([
    ['movie', null, false],
    ['movie', { percent: 40 }, false],
    // Of another kind: the text is still not for everybody.
    ['movie', { page: 40 }, true],
    ['movie', { episodeId: 31, season: 2, number: 5 }, true],
    ['book', { page: 40 }, false],
    ['book', { page: 0 }, true],
    ['tvShow', { episodeId: 31, season: 2, number: 5 }, false],
    ['tvShow', { episodeId: 31 }, true],
  ])(
    'a text about a %s for readers who are as far as %j stays so, or has a mark for spoilers: %s',
    async (kind, safeUpTo, hasSpoilers) => {
      const reviews = exported.reviews.map((review) => ({ ...review, hasSpoilers: false, safeUpTo }))
      const titles = exported.titles.map((title) => ({ ...title, kind }))
      const { records } = await read(await openBytes(JSON.stringify({ ...exported, titles, reviews })))
      const { episodeId: _, ...safe } = { episodeId: 0, ...safeUpTo }
      expect(records.get('The Matrix')).toMatchObject({
        // For imports that do not restore the rating.
        review: { hasSpoilers: safeUpTo !== null },
        restored: { hasSpoilers, ...(safeUpTo && !hasSpoilers && { safeUpTo: safe }) },
      })
    },
  )

  test('the order of the lists makes no difference', async () => {
    const { titles, ...others } = exported
    const { records } = await read(await openBytes(JSON.stringify({ ...others, titles })))
    expect([...records.values()]).toEqual([record])
  })

  test('an export that breaks off is read as far as it goes', async () => {
    const text = JSON.stringify(exported)
    const { records, unreadable } = await read(
      await openBytes(text.slice(0, text.indexOf('"favorites"') - 30)),
    )
    expect(records.get('The Matrix')!.rating!.stars).toBe(4)
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
    const { records, unreadable } = await read(await openBytes(text))
    expect([...records.values()]).toEqual([record])
    expect(unreadable).toHaveLength(8)
  })
})
