import unhomoglyph from 'unhomoglyph'

/** Words are compared by their beginnings, up to this many letters: Postgres takes none of 2 KB, in a text or a query. */
const wordMax = 100
/** UTF-16 units of what titles are sorted and found by: an entry of a Postgres index has room for 2.7 KB. */
const sortKeyMax = 200
const searchTextMax = 800

/** Folds text for search: strips diacritics, lower-cases, and replaces compatibility forms (NFKD). */
export function fold(text: string): string {
  return (
    text
      // Before they are normalized, which sorts each run of them in the square of its length.
      .replace(/\p{M}+/gu, '')
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .replace(/ß/g, 'ss')
      .replace(/æ/g, 'ae')
      .replace(/œ/g, 'oe')
      .replace(/ø/g, 'o')
      .replace(/ł/g, 'l')
      .replace(/đ/g, 'd')
  )
}

/** Returns the key that sorts a title with this name. */
export function sortKey(name: string): string {
  // One compatibility character can become eighteen letters.
  return start(fold(name), sortKeyMax)
}

/** Returns the folded words of the texts, separated by single spaces; letters and digits only. */
export function searchText(...texts: readonly string[]): string {
  const words = fold(texts.join(' ')).replace(/['’]/g, '').matchAll(wordsOf)
  return start(Array.from(words, ([, word]) => word).join(' '), searchTextMax)
}
const wordsOf = new RegExp(`([\\p{L}\\p{Nd}]{1,${wordMax}})[\\p{L}\\p{Nd}]*`, 'gu')

/** Splits a search query into words folded like `searchText`; at most eight. */
export function foldWords(text: string): string[] {
  return searchText(text).split(' ', 8).filter(Boolean)
}

/**
 * What a username looks like, whatever its case: names with the same key are confusable by UTS 39 (its `skeleton`, with the
 * table of the library): the Latin `scope` and the Cyrillic `ѕсоре`, or `paypal` and `paypa1`.
 *
 * The keys of existing names are stored. A version of the library with another table needs a migration that computes them
 * again.
 */
export function confusableKey(username: string): string {
  const shape = unhomoglyph(username.normalize('NFKC').normalize('NFD'))
  // Once more, since lower case looks different: M is itself, m is rn.
  return unhomoglyph(shape.toLowerCase().normalize('NFD')).toLowerCase().normalize('NFC')
}

function start(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
}
