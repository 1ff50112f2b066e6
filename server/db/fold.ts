import unhomoglyph from 'unhomoglyph'

/** Words are cut to this many letters, because Postgres rejects words of 2 KB in full-text columns and queries. */
const wordMax = 100
/** The maximum lengths of sort keys and search texts, in UTF-16 units: an entry of a Postgres index holds at most 2.7 KB. */
const sortKeyMax = 200
const searchTextMax = 800

/** Letters that NFKD does not decompose, by what they are folded to, mostly as in the Latin-ASCII transform of CLDR. */
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
/** These letters, as in a character class. */
export const undecomposed = Array.from(letters.keys()).join('')
const anyUndecomposed = new RegExp(`[${undecomposed}]`, 'g')

/** Replaces lower-case letters that do not decompose. */
export function foldLetters(text: string): string {
  return text.replace(anyUndecomposed, (letter) => letters.get(letter)!)
}

/**
 * Folds text for search: strips diacritics, lower-cases, and replaces compatibility forms (NFKD) and letters that do not decompose.
 *
 * Folded texts are stored, so a change requires a migration that folds them again (see 0039).
 */
export function fold(text: string): string {
  const decomposed = text
    // Combining marks are stripped before normalization too, since it sorts each run of them in quadratic time.
    .replace(/\p{M}+/gu, '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
  return foldLetters(decomposed.toLowerCase())
}

/** Returns the sort key of a title with this name. */
export function sortKey(name: string): string {
  // NFKD expands one compatibility character into as many as eighteen letters.
  return start(fold(name), sortKeyMax)
}

/** Apostrophes, and what is typed or printed for them. They join the parts of a word, as no other sign does. */
const apostrophes = /['’‘‛`´ʼʻʹʾʿ′‵＇]/g

/** Returns the folded words of the texts, separated by single spaces; letters and digits only. */
export function searchText(...texts: readonly string[]): string {
  // Removed first: a compatibility form such as ´ folds to a space.
  const words = fold(texts.join(' ').replace(apostrophes, '')).matchAll(wordsOf)
  return start(Array.from(words, ([, word]) => word).join(' '), searchTextMax)
}

/** Letters of scripts that do not separate words. */
const unseparated = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}]/gu

/**
 * Returns folded words in which each letter of a script without spaces is a word of its own. Titles are indexed so, and a part of such a
 * name is found as a phrase.
 */
export function separated(words: string): string {
  return words.search(unseparated) < 0 ? words : words.replace(unseparated, ' $& ').trim().replace(/ +/g, ' ')
}

/** Returns the columns of a title by which it is sorted and searched. `others` are its creators and other names. */
export function titleColumns(name: string, others: readonly string[] = []) {
  const search_text = start(separated(searchText(name, ...others)), searchTextMax)
  return { name_folded: sortKey(name), name_key: nameKey(name), search_text }
}

/** Words that other words may follow, or that a sign may stand for, and that names are compared without. */
const ignored = { articles: new Set(['the', 'a', 'an']), and: new Set(['and', 'und']) }

// prettier-ignore
const numberWords = [
  'zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen',
  'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen', 'twenty',
]
/** From 1 to 39. */
const romanNumerals = ['', 'x', 'xx', 'xxx'].flatMap((tens) =>
  ['', 'i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix'].map((ones) => tens + ones),
)
const numerals = new Map([
  ...numberWords.map((word, value) => [word, String(value)] as const),
  ...romanNumerals.slice(1).map((word, at) => [word, String(at + 1)] as const),
])

/**
 * Returns a key that is equal for the forms in which people write the same name: with joined or split words (Spider-Man, spiderman), with
 * dots between initials or without, with “and” or “&”, with numerals (II, 2, two), with or without the first article. The key of a name
 * that consists of signs are these signs.
 */
export function nameKey(name: string): string {
  const words = searchText(name).split(' ').filter(Boolean)
  const isArticle = words.length > 1 && ignored.articles.has(words[0]!)
  const rest = isArticle ? words.slice(1) : words
  const kept = rest.length > 1 ? rest.filter((word) => !ignored.and.has(word)) : rest
  const key = kept.map((word) => numerals.get(word) ?? word).join('')
  return start(key || fold(name).replace(/\s+/g, ''), sortKeyMax)
}

/** The numerals that mean the same as a word, itself included. */
export function numeralsLike(word: string): string[] {
  const value = numerals.get(word) ?? word
  return [...new Set([word, value, ...[...numerals].flatMap(([form, of]) => (of === value ? form : []))])]
}
const wordsOf = new RegExp(`([\\p{L}\\p{Nd}]{1,${wordMax}})[\\p{L}\\p{Nd}]*`, 'gu')

/** Splits a search query into words folded like `searchText`; at most eight. */
export function foldWords(text: string): string[] {
  return searchText(text).split(' ', 8).filter(Boolean)
}

/**
 * The maximum number of one-letter words that a search uses. The index has no entry for them, so each of them reads all words with
 * that initial.
 */
const lettersMax = 4

/**
 * Returns the words (see `foldWords`) that a prefix search needs. A word that is a prefix of another one is left out, because
 * it matches whenever the other one does. One-letter words after the fourth are left out too.
 */
export function termsOf(words: readonly string[]): string[] {
  let letters = 0
  return [...new Set(words)].filter((word, _at, distinct) => {
    if (distinct.some((other) => other !== word && other.startsWith(word))) return false
    return word.length > 1 || ++letters <= lettersMax
  })
}

/**
 * Returns a key that is equal for usernames that look alike, ignoring case: the `skeleton` of UTS 39, with the library's
 * table of confusables. The Latin `scope` and the Cyrillic `ѕсоре` have the same key, and so have `paypal` and `paypa1`.
 *
 * The keys are stored, so an upgrade of the library that changes its table requires a migration that recomputes them.
 */
export function confusableKey(username: string): string {
  const shape = unhomoglyph(username.normalize('NFKC').normalize('NFD'))
  // Applied again after lower-casing, because the skeletons differ: M stays M, m becomes rn.
  return unhomoglyph(shape.toLowerCase().normalize('NFD')).toLowerCase().normalize('NFC')
}

/** Returns the columns of a new account with its username and the values derived from it. */
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

/** Returns a username or an email in the form that comparisons use. */
export function caseless(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
