const plain = 'abcdefghijklmnopqrstuvwxyz'
/** In no name of the tests, so that `english` is exact. In upper case, each is one letter too. */
const accented = 'ȧḃċḋẽḟġḣĭĵķļṁṅȯṗɋṙṡṫŭṽẇẋẏẑ'
const pairs = Array.from(plain, (letter, at) => [letter, accented[at]!] as const)

/** Latin letters, and what the pseudo language has in their places. */
export const accents: ReadonlyMap<string, string> = new Map([
  ...pairs,
  ...pairs.map(([letter, accent]) => [letter.toUpperCase(), accent.toUpperCase()] as const),
])
const letters = new Map(Array.from(accents, ([letter, accent]) => [accent, letter]))

/** What the pseudo language adds: around each text, and after it. The last one lets a line break. */
export const additions = '⟦⟧∼\u200b'

/** Letters outside of values, tags and the words of plurals get accents; each text is longer by 40 %. */
export function pseudo(message: string): string {
  let depth = 0
  let count = 0
  // A form of a plural is a text, and stands at an even depth.
  const text = message.replaceAll(/<\/?\d+>|'[{}]'|[{}]|[a-zA-Z]/g, (found) => {
    if (found === '{') depth++
    else if (found === '}') depth--
    else if (/^[a-zA-Z]$/.test(found) && depth % 2 === 0) {
      count++
      return accents.get(found)!
    }
    return found
  })
  const longer = '∼'.repeat(Math.ceil(count * 0.4)).replaceAll(/∼{5}(?=∼)/g, '$&\u200b')
  return `⟦${text}${longer}⟧`
}

/** The English text of what a page in the pseudo language shows: the inverse of `pseudo`. Values are unchanged. */
export function english(shown: string): string {
  return shown.replaceAll(/[⟦⟧]|∼\u200b?|[\u0100-\u1eff]/g, (found) =>
    additions.includes(found[0]!) ? '' : (letters.get(found) ?? found),
  )
}
