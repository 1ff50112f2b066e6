import unhomoglyph from 'unhomoglyph'

/** Postgres rejects words of 2 KB in full-text columns and queries. */
const wordMax = 100
/** In UTF-16 units: an entry of a Postgres index holds at most 2.7 KB. */
const sortKeyMax = 200
const searchTextMax = 800
const namesTextMax = 24_000

/** NFKD does not decompose these; mostly as in the Latin-ASCII transform of CLDR. */
// prettier-ignore
const undecomposedBy = {
  ss: 'ß', ae: 'æ', oe: 'œ', th: 'þ', b: 'ƀɓ', c: 'ƈȼ', d: 'đðɖɗ', e: 'əǝɛɇ', f: 'ƒ', g: 'ǥɠɣ', h: 'ħ', i: 'ıɨɩ', j: 'ȷɉ',
  k: 'ƙ', l: 'łƚɫ', m: 'ɱ', n: 'ŋɲƞ', o: 'øɔɵ', p: 'ƥ', q: 'ĸ', r: 'ɍ', s: 'ȿ', t: 'ŧƭʈ', u: 'ʉʊ', v: 'ʋ', y: 'ƴɏ', z: 'ƶȥʒ',
  σ: 'ς', г: 'ґ',
}
const letters = new Map(
  Object.entries(undecomposedBy).flatMap(([folded, given]) =>
    Array.from(given, (letter): [string, string] => [letter, folded]),
  ),
)
export const undecomposed = Array.from(letters.keys()).join('')
const anyUndecomposed = new RegExp(`[${undecomposed}]`, 'g')

export function foldLetters(text: string): string {
  return text.replace(anyUndecomposed, (letter) => letters.get(letter)!)
}

/**
 * Strips diacritics, lower-cases, and replaces compatibility forms (NFKD) and letters that do not decompose. Folded texts are stored: a
 * change requires a migration that folds them again (see 0039).
 */
export function fold(text: string): string {
  const decomposed = text
    // Before normalization too, which sorts each run of marks in quadratic time.
    .replace(/\p{M}+/gu, '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
  return foldLetters(decomposed.toLowerCase())
}

export function sortKey(name: string): string {
  // NFKD expands one compatibility character into as many as eighteen letters.
  return start(fold(name), sortKeyMax)
}

/** And what is typed or printed for them. They join the parts of a word, as no other sign does. */
const apostrophes = /['’‘‛`´ʼʻʹʾʿ′‵＇]/g

/** Letters and digits, separated by single spaces. */
export function searchText(...texts: readonly string[]): string {
  // A compatibility form such as ´ folds to a space.
  const words = fold(texts.join(' ').replace(apostrophes, '')).matchAll(wordsOf)
  return start(Array.from(words, ([, word]) => word).join(' '), searchTextMax)
}

/** Of the names of a title in languages; without those that fold to the same. */
export function namesText(names: readonly string[]): string {
  return start([...new Set(names.map((name) => separated(searchText(name))))].join(' ').trim(), namesTextMax)
}

/** Scripts that do not separate words. */
const unseparated = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}]/gu

/** Each letter of a script without spaces becomes a word: a part of such a name is found as a phrase. */
export function separated(words: string): string {
  return words.search(unseparated) < 0 ? words : words.replace(unseparated, ' $& ').trim().replace(/ +/g, ' ')
}

export function titleColumns(name: string, others: readonly string[] = []) {
  const search_text = start(separated(searchText(name, ...others)), searchTextMax)
  return { name_folded: sortKey(name), name_key: nameKey(name), search_text }
}

const ignored = { articles: new Set(['the', 'a', 'an']), and: new Set(['and', 'und']) }

// prettier-ignore
const numberWords = [
  'zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen',
  'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen', 'twenty',
]
const romanNumerals = ['', 'x', 'xx', 'xxx'].flatMap((tens) =>
  ['', 'i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix'].map((ones) => tens + ones),
)
const numerals = new Map([
  ...numberWords.map((word, value) => [word, String(value)] as const),
  ...romanNumerals.slice(1).map((word, at) => [word, String(at + 1)] as const),
])

/**
 * Equal for the forms of a name: joined or split words (Spider-Man, spiderman), dots between initials, “and” or “&”, numerals (II, 2, two),
 * the first article. A name of signs has these as its key.
 */
export function nameKey(name: string): string {
  const words = searchText(name).split(' ').filter(Boolean)
  const isArticle = words.length > 1 && ignored.articles.has(words[0]!)
  const rest = isArticle ? words.slice(1) : words
  const kept = rest.length > 1 ? rest.filter((word) => !ignored.and.has(word)) : rest
  const key = kept.map((word) => numerals.get(word) ?? word).join('')
  return start(key || fold(name).replace(/\s+/g, ''), sortKeyMax)
}

export function numeralsLike(word: string): string[] {
  const value = numerals.get(word) ?? word
  return [...new Set([word, value, ...[...numerals].flatMap(([form, of]) => (of === value ? form : []))])]
}
const wordsOf = new RegExp(`([\\p{L}\\p{Nd}]{1,${wordMax}})[\\p{L}\\p{Nd}]*`, 'gu')

/** Folded like `searchText`; at most eight. */
export function foldWords(text: string): string[] {
  return searchText(text).split(' ', 8).filter(Boolean)
}

/** The index has no entry for one-letter words: each reads all words with that initial. */
const lettersMax = 4

/** A word that is a prefix of another one is left out: it matches whenever the other one does. */
export function termsOf(words: readonly string[]): string[] {
  let letters = 0
  return [...new Set(words)].filter((word, _at, distinct) => {
    if (distinct.some((other) => other !== word && other.startsWith(word))) return false
    return word.length > 1 || ++letters <= lettersMax
  })
}

/**
 * The `skeleton` of UTS 39: equal for usernames that look alike, ignoring case, such as the Latin `scope` and the Cyrillic `ѕсоре`,
 * `paypal` and `paypa1`. Keys are stored: an upgrade of the library that changes its table requires a migration.
 */
export function confusableKey(username: string): string {
  const shape = unhomoglyph(username.normalize('NFKC').normalize('NFD'))
  // After lower-casing again, because the skeletons differ: M stays M, m becomes rn.
  return unhomoglyph(shape.toLowerCase().normalize('NFD')).toLowerCase().normalize('NFC')
}

export function usernameColumns(username: string) {
  return {
    username,
    username_folded: caseless(username),
    username_key: confusableKey(username),
    search_text: fold(username),
  }
}

function start(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
}

export function caseless(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
