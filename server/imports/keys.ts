import { nameMax } from '#shared/domain/limits.ts'
import { importServices } from '#shared/domain/import-formats.ts'
import type { Kind } from '#shared/domain/media.ts'
import { fold, searchText } from '#server/db/fold.ts'
import type { ParsedId, ParsedTitle } from './formats/parsed.ts'

// Keys that are equal for what is spelled differently: of titles, names and authors.

/** Their ids are those of entries or editions: one title has several. */
const withoutTitleIds: readonly ParsedId['source'][] = [
  'letterboxd',
  'goodreads',
  'storygraph',
  'librarything',
]
/** The ids that join the lines of a title, the first of these sources first: those of the service of the file, then others. */
const joiningSources: readonly ParsedId['source'][] = [
  ...importServices.filter((service) => !['imdb', 'igdb', ...withoutTitleIds].includes(service)),
  'imdb',
  'tmdb-movie',
  'tmdb-tv',
  'igdb',
]

/** Returns a key that is equal for the lines of one title, for one service. */
export function titleKeyOf(title: ParsedTitle): string {
  for (const source of joiningSources) {
    const id = title.ids.find((each) => each.source === source)?.id
    if (id !== undefined && (title.kind !== 'book' || source === 'medley')) return `${source}:${id}`
  }
  const name = searchText(title.name) || fold(title.name).trim()
  const author = title.kind === 'book' ? authorKey(title.authors[0] ?? '') : ''
  const namesake = title.isNamesake ? title.ids.map(({ source, id }) => `${source}:${id}`) : []
  return [title.kind, name, title.year ?? '', author, ...namesake].join('|')
}

/**
 * Returns a key that is equal for the same name in different spellings: without a leading article, a series, brackets and a
 * year; for books also without what follows a colon, unless `keepsSubtitle`. A name of signs alone has an empty key, which
 * matches nothing.
 */
export function nameKey(name: string, kind: Kind, { keepsSubtitle = false } = {}): string {
  const plain = name
    .slice(0, 2 * nameMax)
    .replace(/\([^()]*#[^()]*\)|\[[^[\]]*\]|\(\d{4}\)/g, ' ')
    .replace(/&/g, ' and ')
  const main = kind === 'book' && !keepsSubtitle ? searchText(plain.split(':', 1)[0]!) : ''
  const words = main || searchText(plain) || searchText(name)
  return words.replace(/^(the|an|a) (?=.)/, '')
}

/** Returns the folded surname of an author, who is given as `Ines Example` or `Example, Ines`. */
export function authorKey(author: string): string {
  const [surname = '', ...rest] = author.split(',')
  const isSuffix = /^\s*(jr|sr|ii|iii|iv)\.?\s*$/i.test(rest.join(','))
  const words = searchText(rest.length > 0 && !isSuffix && surname.trim() !== '' ? surname : author).split(
    ' ',
  )
  while (words.length > 1 && /^(jr|sr|ii|iii|iv)$/.test(words.at(-1)!)) words.pop()
  return words.at(-1) ?? ''
}

/** Returns whether two names are of one author, with the surname first or last. */
export function isSameAuthor(a: string, b: string): boolean {
  const [key, other] = [authorKey(a), authorKey(b)]
  if (key === '' || other === '') return false
  return key === other || sortedWords(a) === sortedWords(b)
}

const sortedWords = (author: string) => searchText(author).split(' ').sort().join(' ')
