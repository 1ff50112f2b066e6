import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import subsetFont from 'subset-font'
import { drawnRange } from '#server/share/text.ts'

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

/** The fonts of share pictures: of which package, and the weight. */
const pictureFontSources = [
  { name: 'bricolage-grotesque', weight: 800 },
  { name: 'instrument-sans', weight: 500 },
].flatMap((font) => ['latin', 'latin-ext'].map((set) => ({ ...font, set })))

/** Returns the fonts of server/share/fonts by name: TrueType, because the drawing library reads no WOFF2. */
export async function pictureFonts(): Promise<Map<string, Buffer>> {
  const files = pictureFontSources.map(async ({ name, weight, set }) => {
    const source = join(
      root,
      `node_modules/@fontsource-variable/${name}/files/${name}-${set}-wght-normal.woff2`,
    )
    const options = {
      targetFormat: 'truetype' as const,
      variationAxes: { wght: weight },
      preserveNameIds: [0, 13, 14],
    }
    return [
      `${name}-${set}.ttf`,
      await subsetFont(readFileSync(source), charactersOf(drawnRange), options),
    ] as const
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

Writes the font files that every page loads into client/fonts, and those of share pictures into server/share/fonts, from those of
the font packages. Run it after an update of these packages, or after a change of the characters in client/styles.css or in
server/share/text.ts.`)
    process.exit()
  }
  for (const [folder, fonts] of [
    ['client/fonts', await basicFonts()],
    ['server/share/fonts', await pictureFonts()],
  ] as const)
    for (const [file, bytes] of fonts) {
      writeFileSync(join(root, folder, file), bytes)
      console.log(`${folder}/${file}: ${(bytes.length / 1024).toFixed(1)} KB`)
    }
}
