import { nameMax } from '#shared/domain/limits.ts'
import type { Kind } from '#shared/domain/kinds.ts'
import { searchText } from '#server/db/fold.ts'

/**
 * Without a leading article, a series, brackets and a year; for books also without what follows a colon, unless `keepsSubtitle`. A name of
 * signs alone has an empty key, which matches nothing.
 */
export function matchKey(name: string, kind: Kind, { keepsSubtitle = false } = {}): string {
  const plain = name
    .slice(0, 2 * nameMax)
    .replace(/\([^()]*#[^()]*\)|\[[^[\]]*\]|\(\d{4}\)/g, ' ')
    .replace(/&/g, ' and ')
  const main = kind === 'book' && !keepsSubtitle ? searchText(plain.split(':', 1)[0]!) : ''
  const words = main || searchText(plain) || searchText(name)
  return words.replace(/^(the|an|a) (?=.)/, '')
}

export function authorKey(author: string): string {
  const [surname = '', ...rest] = author.split(',')
  const isSuffix = /^\s*(jr|sr|ii|iii|iv)\.?\s*$/i.test(rest.join(','))
  const words = searchText(rest.length > 0 && !isSuffix && surname.trim() !== '' ? surname : author).split(
    ' ',
  )
  while (words.length > 1 && /^(jr|sr|ii|iii|iv)$/.test(words.at(-1)!)) words.pop()
  return words.at(-1) ?? ''
}

export function isSameAuthor(a: string, b: string): boolean {
  const [key, other] = [authorKey(a), authorKey(b)]
  if (key === '' || other === '') return false
  return key === other || sortedWords(a) === sortedWords(b)
}

const sortedWords = (author: string) => searchText(author).split(' ').sort().join(' ')
