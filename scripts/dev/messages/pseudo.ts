const accents: Record<string, string> = Object.fromEntries(
  Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ', (letter, at) => [
    letter,
    Array.from('àƀçđéƒĝĥîĵķļɱñôƥɋŕšţûṽŵẋýžÀƁÇĐÉƑĜĤÎĴĶĻṀÑÔƤɊŔŠŢÛṼŴẊÝŽ')[at]!,
  ]),
)

/** Letters outside of values, tags and the words of plurals get accents; each text is longer by 40 %. */
export function pseudo(message: string): string {
  let depth = 0
  let letters = 0
  // A form of a plural is a text, and stands at an even depth.
  const accented = message.replaceAll(/<\/?\d+>|'[{}]'|[{}]|[a-zA-Z]/g, (found) => {
    if (found === '{') depth++
    else if (found === '}') depth--
    else if (/^[a-zA-Z]$/.test(found) && depth % 2 === 0) {
      letters++
      return accents[found]!
    }
    return found
  })
  // As words, which may break.
  const longer = '~'.repeat(Math.ceil(letters * 0.4)).replaceAll(/~{5}(?=~)/g, '$& ')
  return `[${accented}${longer}]`
}
