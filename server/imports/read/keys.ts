import { importServices } from '#shared/domain/import-formats.ts'
import { fold, searchText } from '#server/db/fold.ts'
import { authorKey } from '#server/titles/match/keys.ts'
import type { ParsedId, ParsedTitle } from './formats/records.ts'

/** They identify entries or editions: one title has several. */
const withoutTitleIds: readonly ParsedId['source'][] = [
  'letterboxd',
  'goodreads',
  'storygraph',
  'librarything',
  'calibre',
]
/** The first of these sources first: the service’s own, then others. */
const joiningSources: readonly ParsedId['source'][] = [
  ...importServices.filter((service) => !['imdb', 'igdb', ...withoutTitleIds].includes(service)),
  'imdb',
  'tmdb-movie',
  'tmdb-tv',
  'igdb',
]

/** Files of Yamtrack have no authors: the ids of two editions are joined once they are found. */
const namesBooks: readonly ParsedId['source'][] = ['medley', 'yamtrack']

export function titleKeyOf(title: ParsedTitle): string {
  for (const source of joiningSources) {
    const id = title.ids.find((each) => each.source === source)?.id
    if (id !== undefined && (title.kind !== 'book' || namesBooks.includes(source))) return `${source}:${id}`
  }
  const name = searchText(title.name) || fold(title.name).trim()
  const author = title.kind === 'book' ? authorKey(title.authors[0] ?? '') : ''
  const namesake = title.isNamesake ? title.ids.map(({ source, id }) => `${source}:${id}`) : []
  return [title.kind, name, title.year ?? '', author, ...namesake].join('|')
}
