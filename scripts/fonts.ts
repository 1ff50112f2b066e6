import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import subsetFont from 'subset-font'

const root = join(import.meta.dirname, '..')

/** The font files that every page loads: of which file, and the weights that the app uses. */
const fonts = [
  { name: 'bricolage-grotesque', weights: { min: 600, max: 800 } },
  { name: 'instrument-sans', weights: { min: 400, max: 700 } },
]

/**
 * Returns the files of client/fonts by name: the Latin files of the font packages with the characters of `unicode-range` in
 * client/styles.css, the weights and the features that the app uses, and their copyright and licence.
 */
export async function basicFonts(): Promise<Map<string, Buffer>> {
  const css = readFileSync(join(root, 'client/styles.css'), 'utf8')
  const files = fonts.map(async ({ name, weights }) => {
    const file = `${name}-basic.woff2`
    const [, range] = new RegExp(`url\\('\\./fonts/${file}'\\)[^}]*unicode-range:([^;]*);`).exec(css)!
    const source = join(
      root,
      `node_modules/@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`,
    )
    // A variable, because the types do not know `keepFeatures`.
    const options = {
      targetFormat: 'woff2' as const,
      variationAxes: { wght: weights },
      keepFeatures: ['kern', 'liga', 'tnum', 'ccmp', 'locl', 'mark', 'mkmk'],
      // The copyright, and the licence and its URL.
      preserveNameIds: [0, 13, 14],
    }
    return [file, await subsetFont(readFileSync(source), charactersOf(range!), options)] as const
  })
  return new Map(await Promise.all(files))
}

/** Returns the characters of a CSS unicode-range: `U+20-7E, U+A0`. */
function charactersOf(range: string): string {
  return range
    .split(',')
    .flatMap((part) => {
      const [first, last = first] = part.trim().slice(2).split('-')
      const start = Number.parseInt(first!, 16)
      return Array.from({ length: Number.parseInt(last!, 16) - start + 1 }, (_, i) => start + i)
    })
    .map((code) => String.fromCodePoint(code))
    .join('')
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { help: { type: 'boolean' } } })
  if (values.help) {
    console.log(`npm run fonts

Writes the font files that every page loads into client/fonts, from those of the font packages. Run it after an update of these
packages, or after a change of the characters in client/styles.css.`)
    process.exit()
  }
  for (const [file, bytes] of await basicFonts()) {
    writeFileSync(join(root, 'client/fonts', file), bytes)
    console.log(`${file}: ${(bytes.length / 1024).toFixed(1)} KB`)
  }
}
