import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import subsetFont from 'subset-font'
import { drawnRange } from '#server/share/text.ts'

const root = join(import.meta.dirname, '../..')

const fonts = [
  { name: 'bricolage-grotesque', weights: { min: 600, max: 800 }, pictureWeight: 800 },
  { name: 'instrument-sans', weights: { min: 400, max: 700 }, pictureWeight: 500 },
]

function subset(name: string, set: string, range: string, options: Parameters<typeof subsetFont>[2]) {
  const folder = join(root, `node_modules/@fontsource-variable/${name}/files`)
  const source = readFileSync(join(folder, `${name}-${set}-wght-normal.woff2`))
  return subsetFont(source, charactersOf(range), { ...options, preserveNameIds: [0, 13, 14] })
}

/** The Latin files of the font packages, with the `unicode-range` in client/styles.css, and the weights and features that the app uses. */
export async function basicFonts(): Promise<Map<string, Buffer>> {
  const css = readFileSync(join(root, 'client/styles.css'), 'utf8')
  const files = new Map<string, Buffer>()
  for (const { name, weights } of fonts) {
    const file = `${name}-basic.woff2`
    const [, range] = new RegExp(`url\\('\\./fonts/${file}'\\)[^}]*unicode-range:([^;]*);`).exec(css)!
    // A variable, because the types do not know `keepFeatures`.
    const options = {
      targetFormat: 'woff2' as const,
      variationAxes: { wght: weights },
      keepFeatures: ['kern', 'liga', 'tnum', 'ccmp', 'locl', 'mark', 'mkmk'],
    }
    files.set(file, await subset(name, 'latin', range!, options))
  }
  return files
}

/** TrueType, because the drawing library reads no WOFF2. */
export async function pictureFonts(): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  for (const { name, pictureWeight } of fonts)
    for (const set of ['latin', 'latin-ext']) {
      const options = { targetFormat: 'truetype', variationAxes: { wght: pictureWeight } } as const
      files.set(`${name}-${set}.ttf`, await subset(name, set, drawnRange, options))
    }
  return files
}

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

Writes the font files that every page loads into client/fonts, and the fonts of share pictures into server/share/fonts, from the fonts of
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
