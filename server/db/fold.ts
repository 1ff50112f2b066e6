import unhomoglyph from 'unhomoglyph'

/** Text as search compares it: no diacritics, lower case, compatibility forms made plain. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/æ/g, 'ae')
    .replace(/œ/g, 'oe')
    .replace(/ø/g, 'o')
    .replace(/ł/g, 'l')
    .replace(/đ/g, 'd')
}

/** Every word of these texts, folded, with one space between: letters and digits only. */
export function searchText(...texts: readonly string[]): string {
  return (
    fold(texts.join(' '))
      .replace(/['’]/g, '')
      .match(/[\p{L}\p{Nd}]+/gu) ?? []
  ).join(' ')
}

/** The words that somebody searches for, as `searchText` has them; at most eight. */
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
