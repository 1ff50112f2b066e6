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
