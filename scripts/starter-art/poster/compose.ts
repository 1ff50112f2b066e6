import type { Kind } from '../../../shared/media.ts'
import type { StarterTitle } from '../../../server/starter/schema.ts'
import { contrast, distance, firstLegible, mix, schemeOf, shade } from './color.ts'
import type { Color, Ground, Scheme } from './color.ts'
import {
  drawEcho,
  drawFlat,
  drawRuled,
  drawShaded,
  drawShifted,
  drawSplit,
  inksOf,
  silhouette,
} from './draw.ts'
import type { Inks, Place } from './draw.ts'
import type { Part } from './emblem.ts'
import { emblemOf, emblems } from './emblems.ts'
import { map } from './path.ts'
import { seeded } from './random.ts'
import type { Random } from './random.ts'
import { boundingBox, fit, justify, splitSubtitle, toTypographic } from './set.ts'
import type { Block, Box, Fit } from './set.ts'
import { defineDrawing, placeDrawing, write, writeLegibly } from './sheet.ts'
import type { Sheet } from './sheet.ts'
import { run } from './type.ts'
import type { Face } from './type.ts'

const techniques = ['flat', 'spray', 'halftone', 'echo', 'shifted', 'split', 'ruled', 'spray'] as const

/** The art direction of a title: everything that its poster and backdrop share. */
export type Work = {
  title: StarterTitle
  name: string
  year: string
  random: Random
  /** The motif's figure. */
  parts: Part[]
  technique: (typeof techniques)[number]
  /** Background colours in order of preference. Poster and backdrop share the order, so that they match if both designs allow it. */
  grounds: Ground[]
}

export const workOf = (title: StarterTitle, kind: Kind): Work => {
  const random = seeded(`${kind}/${title.slug}`)
  return {
    title,
    name: nameOf(title),
    year: title.releaseDate.slice(0, 4),
    random: random.fork('layout'),
    // The label of a fork is part of its seed: renaming one changes every picture.
    parts: emblemOf(title.art.motif, random.fork('figure')),
    technique: random.fork('manner').pick(techniques),
    grounds: groundsOf(random.fork('ground')),
  }
}

/** Returns the name to print: the words of the slug if no typeface has glyphs for the name. */
const nameOf = (title: StarterTitle) => {
  const name = toTypographic(title.name)
  return isDrawable(name) ? name : title.slug.replaceAll('-', ' ').trim() || 'Untitled'
}
const isDrawable = (text: string) => run(text, 'grotesk').width > 0

const groundsOf = (random: Random): Ground[] => {
  const others = random.shuffle(['middle', 'accent', 'paper', 'ink'] as const)
  return random.chance(0.45) ? ['back', ...others] : [others[0]!, 'back', ...others.slice(1)]
}

export type Layout = (sheet: Sheet, work: Work) => void

/** A poster and its matching backdrop. */
export type Design = { poster: Layout; backdrop: Layout }

/** Returns the title’s colour scheme on its most preferred background among these. */
export const schemeFor = (work: Work, ...grounds: Ground[]): Scheme =>
  schemeOf(work.title.art.palette, work.grounds.find((g) => grounds.includes(g)) ?? 'back')

/** Draws the work’s figure in its style. */
export const figure = (
  sheet: Sheet,
  work: Work,
  place: Place,
  scheme: Scheme,
  technique: Work['technique'] = work.technique,
  inks: Inks = inksOf(scheme),
): string => {
  const dark = contrast(scheme.ink, inks.main) > 2.2 ? scheme.ink : mix(scheme.main, scheme.ground, 0.6)
  const how = technique === 'echo' && silhouette(work.parts).length > 22 ? 'shifted' : technique
  switch (how) {
    case 'flat':
      return drawFlat(work.parts, place, inks)
    case 'spray':
    case 'halftone':
      return drawShaded(sheet, work.parts, place, inks, dark, how)
    case 'echo': {
      const inner = { ...place, r: place.r * 0.8 }
      const rings = [scheme.ground, mix(scheme.ground, scheme.second, 0.75)]
      return drawEcho(work.parts, inner, rings, inner.r * 0.04, 6) + drawFlat(work.parts, inner, inks)
    }
    case 'shifted': {
      const under = mix(scheme.ground, scheme.second, 0.7)
      return drawShifted(work.parts, place, inks, under, place.r * 0.055, place.r * 0.04)
    }
    case 'split':
      return drawSplit(sheet, work.parts, place, inks, mix(inks.main, scheme.ground, 0.3))
    case 'ruled':
      return drawRuled(sheet, work.parts, place, inks, mix(inks.main, scheme.ground, 0.42), 90)
  }
}

const shifted = (block: Block, dy: number): Block => ({
  ...block,
  d: map(block.d, (x, y) => [x, y + dy]),
  bounds: { ...block.bounds, y: block.bounds.y + dy },
  lines: block.lines.map((l) => ({ baseline: l.baseline + dy, bounds: { ...l.bounds, y: l.bounds.y + dy } })),
})

export type TitleStyle = Omit<Fit, 'face'> & {
  /** In order of preference. A later typeface is used if the title would be too small in an earlier one. */
  faces: readonly Face[]
  /** Scales every line to the width of the box. */
  justified?: boolean

  /** Pixels per em. Below this size the next typeface is tried. */
  least?: number
}

/** Typesets the title in the box. A long title’s subtitle is smaller, below its main title. */
export const setTitle = (name: string, box: Box, style: TitleStyle): Block => {
  const { faces, valign = 'top', justified = false, least = 46 } = style
  const [head, sub] = splitSubtitle(name)
  const set = (text: string, face: Face, into: Box): Block =>
    (justified ? justify : fit)(text, into, { ...style, face, valign: 'top' })
  const headBox = sub ? { ...box, h: box.h * 0.68 } : box
  const tried = faces.map((face) => set(head, face, headBox))
  const index = tried.findIndex((block) => block.size >= least)
  const best = index >= 0 ? tried[index]! : tried.reduce((a, b) => (b.size > a.size * 1.25 ? b : a))
  const long = head.split(' ').find((word) => word.length > 16 && !word.includes('-'))
  if (best.size < 30 && long) {
    const half = Math.ceil(long.length / 2)
    return setTitle(name.replace(long, `${long.slice(0, half)}-${long.slice(half)}`), box, style)
  }
  let blocks = [best]
  if (sub) {
    const face = faces[tried.indexOf(best)]!
    const gap = Math.max(12, box.h * 0.05)
    const y = best.bounds.y + best.bounds.h + gap
    const { justified: _, ...plain } = style
    blocks = [
      best,
      fit(
        sub,
        { ...box, y, h: box.y + box.h - y },
        { ...plain, face, valign: 'top', max: Math.max(24, best.size * 0.52) },
      ),
    ]
  }
  const bounds = boundingBox(blocks.map((b) => b.bounds))
  const free = box.h - bounds.h
  const dy = box.y - bounds.y + (valign === 'top' ? 0 : valign === 'middle' ? free / 2 : free)
  const moved = blocks.map((b) => shifted(b, dy))
  return {
    d: moved.map((b) => b.d).join(''),
    size: moved[0]!.size,
    lines: moved.flatMap((b) => b.lines),
    bounds: boundingBox(moved.map((b) => b.bounds)),
  }
}

/** Typesets the title and adds it to the sheet. Returns its bounds and colour. */
export const title = (
  sheet: Sheet,
  work: Work,
  box: Box,
  style: TitleStyle,
  behind: readonly Color[],
  preferred: readonly Color[],
  scheme: Scheme,
): { bounds: Box; color: Color; block: Block } => {
  const block = setTitle(work.name, box, style)
  const color = writeLegibly(sheet, 'title', block, behind, preferred, scheme)
  return { bounds: block.bounds, color, block }
}

/** Returns the creators as a line of text, with shorter alternatives that name fewer; empty if there are none. */
export const credits = (work: Work, separator = ', '): string[] => {
  const names = work.title.creators.map(toTypographic).filter(isDrawable)
  const unique = [...new Set([names.join(separator), names.slice(0, 2).join(separator), names[0] ?? ''])]
  return unique.filter(Boolean)
}

/** Adds a small line of text with its baseline at y: the first of the wordings that fits the width at this size. */
export const small = (
  sheet: Sheet,
  wordings: string | readonly string[],
  {
    x,
    y,
    w,
    size = 17,
    face = 'plain',
    align = 'left',
    caps = true,
    tracking = caps ? 0.09 : 0.01,
  }: {
    x: number
    y: number
    w: number
    size?: number
    face?: Face
    align?: Fit['align']
    caps?: boolean
    tracking?: number
  },
  behind: readonly Color[],
  preferred: readonly Color[],
  scheme: Scheme,
): Box | undefined => {
  const list = (typeof wordings === 'string' ? [wordings] : wordings).filter(Boolean)
  if (!list.length) return undefined
  const style: Fit = { face, caps, tracking, align, max: size, lines: 1, valign: 'top' }
  const tried = list.map((text) => fit(text, { x, y: 0, w, h: 999 }, style))
  const block = tried.find((b) => b.size > size * 0.92) ?? tried.at(-1)!
  const placed = shifted(block, y - block.lines[0]!.baseline)
  write(sheet, 'small', placed, firstLegible(behind, [...preferred, scheme.paper, scheme.ink], 5.7), behind)
  return placed.bounds
}

/** Adds a line with the creators on the left and the year on the right. */
export const footline = (
  sheet: Sheet,
  work: Work,
  y: number,
  behind: readonly Color[],
  preferred: readonly Color[],
  scheme: Scheme,
  { margin = 44, size = 17, face = 'plain' as Face, caps = true } = {},
) => {
  const year = small(
    sheet,
    work.year,
    { x: margin, y, w: sheet.w - margin * 2, size, face, align: 'right', caps },
    behind,
    preferred,
    scheme,
  )
  const room = sheet.w - margin * 2 - (year ? year.w + 24 : 0)
  small(sheet, credits(work), { x: margin, y, w: room, size, face, caps }, behind, preferred, scheme)
}

/** Returns a colour slightly darker or lighter than the background: the one on which text stays legible. */
export const neighbour = (scheme: Scheme, by = 0.06): Color => {
  const text =
    contrast(scheme.ink, scheme.ground) > contrast(scheme.paper, scheme.ground) ? scheme.ink : scheme.paper
  const sides = [shade(scheme.ground, by), shade(scheme.ground, -by)].filter(
    (c) => distance(c, scheme.ground) > Math.abs(by) * 0.5,
  )
  return sides.find((c) => contrast(c, text) >= contrast(scheme.ground, text)) ?? sides[0]!
}

/** Returns at least three distinguishable colours, those that differ most from this colour first. */
export const contrastingColors = (scheme: Scheme, on: Color): Color[] => {
  const sorted = [scheme.main, scheme.second, scheme.pop, scheme.paper, scheme.ink].sort(
    (a, b) => distance(b, on) - distance(a, on),
  )
  const apart: Color[] = []
  for (const color of sorted) if (apart.every((other) => distance(other, color) > 0.11)) apart.push(color)
  while (apart.length < 3) apart.push(mix(apart[0]!, on, 0.35 * apart.length))
  return apart
}

/** Returns the work’s figure, or the motif’s simplest one if it is too complex to be drawn many times. */
export const simplestFigure = (work: Work): Part[] => {
  const count = (parts: readonly Part[]) => silhouette(parts).length
  if (count(work.parts) <= 24) return work.parts
  const random = work.random.fork('plain')
  return emblems[work.title.art.motif]
    .map((make) => make(random))
    .reduce((a, b) => (count(b) < count(a) ? b : a))
}

/** Rows of small figures over the whole sheet, like patterned paper. `step` is their distance in pixels. */
export const wallpaper = (sheet: Sheet, work: Work, inks: Inks, step: number): string => {
  const close = work.random.fork('paper').chance(0.5)
  const parts = simplestFigure(work)
  const place = { x: 0, y: 0, r: step * 0.36 }
  const plain = defineDrawing(sheet, drawFlat(parts, place, inks))
  const other = defineDrawing(
    sheet,
    drawFlat(parts, place, { ...inks, main: inks.second, second: inks.main }),
  )
  let out = ''
  let i = 0
  for (let y = step * 0.55, row = 0; y < sheet.h + step; y += step * (close ? 0.92 : 1.05), row++) {
    for (let x = row % 2 ? 0 : step * 0.5; x < sheet.w + step; x += step) {
      out += placeDrawing((i++ + row) % 3 ? plain : other, x, y, close && row % 2 === 1)
    }
  }
  return out
}

/** Returns distinguishable colours of the scheme for adjacent stripes, starting with `first`. */
export const cycle = (work: Work, first: Color): Color[] => {
  const s = schemeOf(work.title.art.palette, 'back')
  const rest = [s.ground, s.second, s.pop, s.main, mix(s.second, s.main, 0.5)].filter(
    (c) => distance(c, first) > 0.08,
  )
  return [first, ...rest.filter((c, i) => rest.findIndex((o) => distance(o, c) < 0.06) === i)]
}

/** Inks for a figure that is barely visible on its background. */
export const faintInks = (s: Scheme): Inks => ({
  ...inksOf(s),
  main: neighbour(s, 0.07),
  shade: neighbour(s, 0.05),
  second: neighbour(s, 0.1),
  pop: neighbour(s, 0.12),
})

/** Inks for many background figures, softer than those of the main figure. */
export const softInks = (s: Scheme): Inks => ({
  main: s.second,
  shade: mix(s.second, s.ground, 0.25),
  second: mix(s.ground, s.second, 0.5),
  pop: mix(s.ground, s.second, 0.35),
  ground: s.ground,
})
