import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { exportFormat, exportServices, isRatingAt, type Loss, losses, ratingAt } from './export-formats.ts'

test.each([
  // The original on the scale of the service, to the nearest step.
  [35, '7/10', { letterboxd: 3.5, goodreads: 4, imdb: 7, trakt: 7, yamtrack: 7, storygraph: 3.5 }],
  [45, '85/100', { letterboxd: 4.5, goodreads: 4, imdb: 9, trakt: 9, yamtrack: 8.5, storygraph: 4.25 }],
  [10, '0.5/5', { letterboxd: 0.5, goodreads: 1, imdb: 1, trakt: 1, yamtrack: 1, storygraph: 0.5 }],
  [30, '61/100', { letterboxd: 3, goodreads: 3, imdb: 6, trakt: 6, yamtrack: 6.1, storygraph: 3 }],
  // Between two steps, towards the stored rating.
  [40, '4.25/5', { letterboxd: 4, goodreads: 4, imdb: 8, trakt: 8, yamtrack: 8.5, storygraph: 4.25 }],
  [40, '4.5/5', { letterboxd: 4.5, goodreads: 4, imdb: 9, trakt: 9, yamtrack: 9, storygraph: 4.5 }],
  [50, '4.5/5', { letterboxd: 4.5, goodreads: 5, imdb: 9, trakt: 9, yamtrack: 9, storygraph: 4.5 }],
  // Without an original, the stars. Goodreads rounds up.
  [35, null, { letterboxd: 3.5, goodreads: 4, imdb: 7, trakt: 7, yamtrack: 7, storygraph: 3.5 }],
  [10, null, { letterboxd: 1, goodreads: 1, imdb: 2, trakt: 2, yamtrack: 2, storygraph: 1 }],
] as const)(
  'a rating of %i with the original %s leaves in the steps of each service',
  (rating, rating_given, all) => {
    const stored = { rating, rating_given }
    for (const service of exportServices) {
      expect(ratingAt(service, stored).number, service).toBe(all[service])
      expect(isRatingAt(service, stored, `${all[service]}/${exportFormat(service).rating.max}`)).toBe(true)
      expect(isRatingAt(service, stored, `0/${exportFormat(service).rating.max}`)).toBe(false)
    }
  },
)

test('a rating is rounded if the steps of the service do not have it', () => {
  const rounded = (rating: number, rating_given: string | null) =>
    exportServices.filter((service) => ratingAt(service, { rating, rating_given }).isRounded)
  expect(rounded(35, null)).toEqual(['goodreads'])
  expect(rounded(45, '85/100')).toEqual(['letterboxd', 'goodreads', 'imdb', 'trakt'])
  expect(rounded(30, '61/100')).toEqual(['letterboxd', 'goodreads', 'imdb', 'trakt', 'storygraph'])
  expect(rounded(40, '8/10')).toEqual([])
})

test('docs/imports.md has the table of what each format cannot hold', () => {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const formats = exportServices.map(exportFormat)
  const table = [
    row(['', ...formats.map(({ name }) => name)]),
    row(['---', ...formats.map(() => '---')]),
    row(['ratings', ...formats.map(({ ratings }) => ratings)]),
    ...(Object.keys(losses) as Loss[]).map((loss) =>
      row([losses[loss], ...formats.map((format) => (format.losses.includes(loss) ? 'no' : ''))]),
    ),
  ].join('\n')
  expect(readFileSync('docs/imports.md', 'utf8')).toContain(table)
})
