import type { ImportOptions, ImportService } from '#shared/imports.ts'
import type { Interpreted } from './reading.ts'

export function interpret(
  _service: ImportService,
  { raw }: { raw: Record<string, string> },
  _options: ImportOptions,
): Interpreted {
  const type = raw['Title Type'] ?? ''
  if (/episode/i.test(type)) return { type: 'notKept', what: 'episodes' }
  return {
    type: 'title',
    reading: {
      kind: /series/i.test(type) ? 'tvShow' : 'movie',
      name: raw.Title!,
      otherNames: [],
      year: Number(raw.Year) || null,
      authors: [],
      ids: [{ source: 'imdb', id: raw.Const! }],
      rating: raw['Your Rating']
        ? { given: `${raw['Your Rating']}/10`, on: raw['Date Rated'] || null, isOfTitle: true }
        : null,
      review: null,
      entries: raw['Your Rating']
        ? []
        : [
            {
              status: 'want',
              startedOn: null,
              finishedOn: null,
              isAgain: false,
              ratingGiven: null,
              text: '',
              origin: null,
              addedOn: null,
            },
          ],
      isFavorite: false,
      notes: [],
    },
  }
}
