import { english, type Translator } from '#server/text/translator.ts'
import { truncate } from '#shared/texts/truncate.ts'

/** A CSS `unicode-range`; `npm run fonts` writes the fonts. */
export const drawnRange = 'U+20-7E, U+A0-17F, U+2010-2026, U+20AC'

const isDrawn = new RegExp(
  `^[${drawnRange
    .split(', ')
    .map((part) =>
      part
        .slice(2)
        .split('-')
        .map((code) => String.raw`\u{${code}}`)
        .join('-'),
    )
    .join('')}]$`,
  'u',
)

/**
 * One line, at most `max` characters: letters with unknown marks lose them, other unknown characters, such as emoji, are left out. Reads
 * the first characters only.
 */
export function drawable(text: string, max: number): string {
  // Marks can take many times as many characters as the letters that remain.
  const characters = [...text.slice(0, 20 * max).normalize('NFC')]
  const drawn = characters
    .map((one) => {
      if (/\s/u.test(one)) return ' '
      if (isDrawn.test(one)) return one
      const [letter = ''] = one.normalize('NFKD')
      return isDrawn.test(letter) ? letter : ''
    })
    .join('')
    .replaceAll(/ +/g, ' ')
    .trim()
  return truncate(text.length <= 20 * max ? drawn : `${drawn}…`, max)
}

/** English for a language whose script the fonts do not have. */
export function drawableTexts(texts: Translator): Translator {
  return new Intl.Locale(texts.language).maximize().script === 'Latn' ? texts : english
}
