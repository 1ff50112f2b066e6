import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import * as opentype from 'opentype.js/dist/opentype.mjs'
import type { Font, Glyph } from 'opentype.js/dist/opentype.mjs'

const require = createRequire(import.meta.url)

/** The folder of each font family, located through a file that every font package has. */
const folders = {
  anton: dirname(require.resolve('@fontsource/anton/files/anton-latin-400-normal.woff')),
  archivo: dirname(require.resolve('@fontsource/archivo/files/archivo-latin-400-normal.woff')),
  bungee: dirname(require.resolve('@fontsource/bungee/files/bungee-latin-400-normal.woff')),
  'eb-garamond': dirname(require.resolve('@fontsource/eb-garamond/files/eb-garamond-latin-400-normal.woff')),
  fraunces: dirname(require.resolve('@fontsource/fraunces/files/fraunces-latin-400-normal.woff')),
  'lexend-mega': dirname(require.resolve('@fontsource/lexend-mega/files/lexend-mega-latin-400-normal.woff')),
}
type Family = keyof typeof folders

/** Family and style, as in the file names of the font packages. */
const files = {
  condensed: ['anton', '400-normal'],
  grotesk: ['archivo', '900-normal'],
  plain: ['archivo', '600-normal'],
  wide: ['lexend-mega', '900-normal'],
  wideLight: ['lexend-mega', '600-normal'],
  soft: ['fraunces', '900-normal'],
  softText: ['fraunces', '500-normal'],
  softItalic: ['fraunces', '600-italic'],
  serif: ['eb-garamond', '500-normal'],
  serifBold: ['eb-garamond', '700-normal'],
  serifItalic: ['eb-garamond', '500-italic'],
  badge: ['bungee', '400-normal'],
} as const satisfies Record<string, readonly [Family, string]>
export type Face = keyof typeof files

const fonts = new Map<string, Font>()
const fontOf = (family: Family, subset: string, style: string) => {
  const path = join(folders[family], `${family}-${subset}-${style}.woff`)
  let font = fonts.get(path)
  if (!font) {
    const file = readFileSync(path)
    font = opentype.parse(
      file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer,
    )
    fonts.set(path, font)
  }
  return font
}

/** Added between all letters of a face, in em: Lexend Mega is spaced for reading, not for display. */
const tightness: Partial<Record<Face, number>> = { wide: -0.105, wideLight: -0.06 }

const subsets = ['latin', 'latin-ext', 'vietnamese'] as const

/** The order in which typefaces are searched for a character: first the face itself, then faces with more scripts. */
const sources = (face: Face): (readonly [Family, string, string])[] => {
  const [family, style] = files[face]
  return [
    ...subsets.map((subset) => [family, subset, style] as const),
    ...subsets.map((subset) => ['archivo', subset, '900-normal'] as const),
    ...(['cyrillic', 'cyrillic-ext', 'greek'] as const).map(
      (subset) => ['eb-garamond', subset, '700-normal'] as const,
    ),
  ]
}

/** One character's outline in em, y down from the baseline. */
type Drawn = {
  font: Font
  glyph: Glyph
  advance: number
  /** Letters with their coordinates, in em. */
  commands: readonly (readonly [string, ...number[]])[]
  /** Bounds of the ink, in em; zero height if there is none. */
  left: number
  right: number
  top: number
  bottom: number
}

const bands = 16
const profiles = new Map<Drawn, { left: number[]; right: number[] }>()

const draw = (font: Font, glyph: Glyph): Drawn => {
  const k = 1 / font.unitsPerEm
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  const see = (x: number, y: number) => {
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  const commands = glyph.path.commands.map((c) => {
    const values =
      c.type === 'Z'
        ? []
        : c.type === 'C'
          ? [c.x1 * k, -c.y1 * k, c.x2 * k, -c.y2 * k, c.x * k, -c.y * k]
          : c.type === 'Q'
            ? [c.x1 * k, -c.y1 * k, c.x * k, -c.y * k]
            : [c.x * k, -c.y * k]
    for (let i = 0; i < values.length; i += 2) see(values[i]!, values[i + 1]!)
    return [c.type, ...values] as const
  })
  const empty = left > right
  return {
    font,
    glyph,
    commands,
    advance: (glyph.advanceWidth ?? 0) * k,
    left: empty ? 0 : left,
    right: empty ? 0 : right,
    top: empty ? 0 : top,
    bottom: empty ? 0 : bottom,
  }
}

const drawn = new Map<string, Drawn[]>()

/** Returns the outlines of a character. Falls back to its base letters without accents, then to nothing, if no face has it. */
const drawnOf = (face: Face, char: string): Drawn[] => {
  const key = `${face}/${char}`
  let found = drawn.get(key)
  if (!found) {
    found = []
    for (const [family, subset, style] of sources(face)) {
      const font = fontOf(family, subset, style)
      const glyph = font.charToGlyph(char)
      if (glyph.index > 0) {
        found = [draw(font, glyph)]
        break
      }
    }
    if (!found.length) {
      const base = char.normalize('NFKD').replace(/\p{M}/gu, '')
      if (base && base !== char) found = [...base].flatMap((c) => drawnOf(face, c))
    }
    drawn.set(key, found)
  }
  return found
}

/** Returns the left and right extent of the ink in horizontal bands, from cap height to below the baseline, in em. */
const profileOf = (glyph: Drawn) => {
  let profile = profiles.get(glyph)
  if (profile) return profile
  profile = { left: Array<number>(bands).fill(Infinity), right: Array<number>(bands).fill(-Infinity) }
  let [px, py] = [0, 0]
  const mark = (x: number, y: number) => {
    const band = Math.floor(((y + 0.78) / 0.84) * bands)
    if (band < 0 || band >= bands) return
    profile!.left[band] = Math.min(profile!.left[band]!, x)
    profile!.right[band] = Math.max(profile!.right[band]!, x)
  }
  for (const [type, ...v] of glyph.commands) {
    if (type === 'Z') continue
    const [x, y] = [v.at(-2)!, v.at(-1)!]
    if (type !== 'M') for (let i = 0; i <= 12; i++) mark(px + ((x - px) * i) / 12, py + ((y - py) * i) / 12)
    ;[px, py] = [x, y]
  }
  profiles.set(glyph, profile)
  return profile
}

/** Typefaces whose kerning is in a table format that the parser does not support. */
const unkerned: ReadonlySet<string> = new Set(['eb-garamond'])

/** Returns the kerning between two glyphs, in em: from the font, or optical kerning if its table cannot be read. */
const kern = (face: Face, a: Drawn, b: Drawn) => {
  if (a.font !== b.font) return 0
  if (!unkerned.has(files[face][0])) return a.font.getKerningValue(a.glyph, b.glyph) / a.font.unitsPerEm
  const [p, q] = [profileOf(a), profileOf(b)]
  let gap = Infinity
  for (let i = 0; i < bands; i++) {
    const reach = Math.max(p.right[i - 1] ?? -Infinity, p.right[i]!, p.right[i + 1] ?? -Infinity)
    if (Number.isFinite(reach) && Number.isFinite(q.left[i]))
      gap = Math.min(gap, a.advance - reach + q.left[i]!)
  }
  const usual = 0.09
  return gap === Infinity ? 0 : Math.max(-0.11, Math.min(0, usual - gap) * 0.8)
}

/** A line of text at one em: its width, and the extent of its ink above and below the baseline. */
export type Run = { glyphs: { glyph: Drawn; x: number }[]; width: number; above: number; below: number }

const runs = new Map<string, Run>()

/** Typesets one line at one em. `tracking` is in em. The width is that of the ink. */
export const run = (text: string, face: Face, tracking = 0): Run => {
  const key = `${face}/${tracking}/${text}`
  const known = runs.get(key)
  if (known) return known
  const glyphs: Run['glyphs'] = []
  let x = 0
  let before: Drawn | undefined
  for (const char of text) {
    for (const glyph of drawnOf(face, char)) {
      if (before) x += kern(face, before, glyph) + tracking + (tightness[face] ?? 0)
      glyphs.push({ glyph, x })
      x += glyph.advance
      before = glyph
    }
  }
  const inked = glyphs.filter(({ glyph }) => glyph.right > glyph.left)
  const start = Math.min(...inked.map((g) => g.x + g.glyph.left))
  const end = Math.max(...inked.map((g) => g.x + g.glyph.right))
  const made: Run = inked.length
    ? {
        glyphs: glyphs.map((g) => ({ ...g, x: g.x - start })),
        width: end - start,
        above: Math.max(...inked.map(({ glyph }) => -glyph.top)),
        below: Math.max(0, ...inked.map(({ glyph }) => glyph.bottom)),
      }
    : { glyphs: [], width: 0, above: 0, below: 0 }
  if (runs.size > 4000) runs.clear()
  runs.set(key, made)
  return made
}

/** Returns the run as path data: the ink starts at x, the baseline is y, size in pixels per em. */
export const outline = (line: Run, x: number, y: number, size: number): string => {
  let d = ''
  for (const { glyph, x: gx } of line.glyphs) {
    for (const [type, ...v] of glyph.commands) {
      d += type
      for (let i = 0; i < v.length; i += 2) {
        d += `${i ? ' ' : ''}${(x + (gx + v[i]!) * size).toFixed(1)} ${(y + v[i + 1]! * size).toFixed(1)}`
      }
    }
  }
  return d
}

/** Height of a capital without its accents, in em. */
export const capHeight = (face: Face) => {
  const { tables, unitsPerEm } = fontOf(files[face][0], 'latin', files[face][1])
  return tables.os2.sCapHeight / unitsPerEm
}
