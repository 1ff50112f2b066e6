import { contrast, firstLegible, worst } from './color.ts'
import type { Color, Scheme } from './color.ts'
import { map } from './path.ts'
import type { Shape } from './path.ts'
import type { Random } from './random.ts'
import type { Block, Box } from './set.ts'

/** Text drawn on a sheet, as outlines, with what was measured for it. */
export type Text = {
  role: 'title' | 'small'
  d: string
  fill: Color
  bounds: Box
  /** Lowest WCAG contrast against the colours said to lie behind. */
  ratio: number
}

/** One picture being drawn: its art, and over that its text. Sizes in pixels. */
export type Sheet = {
  w: number
  h: number
  random: Random
  art: string[]
  defs: string[]
  texts: Text[]
}

export const newSheet = (w: number, h: number, random: Random): Sheet => ({
  w,
  h,
  random,
  art: [],
  defs: [],
  texts: [],
})

const n = (v: number) => String(Math.round(v * 100) / 100)

/** Adds a definition under a fresh id and gives its reference. */
export const define = (sheet: Sheet, make: (id: string) => string): string => {
  const id = `d${sheet.defs.length}`
  sheet.defs.push(make(id))
  return `url(#${id})`
}

export const shape = (d: Shape | Shape[], fill: Color, more = ''): string => {
  const path = Array.isArray(d) ? d.join('') : d
  return path && `<path d="${path}" fill="${fill}"${more}/>`
}

export const rect = (x: number, y: number, w: number, h: number, fill: string, more = '') =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="${fill}"${more}/>`

export const disc = (x: number, y: number, r: number, fill: string, more = '') =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}"${more}/>`

export const line = (d: Shape, stroke: Color, width: number, more = '') =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${n(width)}"${more}/>`

export const group = (inside: string, attributes: string) => `<g ${attributes}>${inside}</g>`

/** A window of its own coordinates onto the sheet; nothing leaves it. */
export const frame = (box: Box, inside: string, rounded = '') =>
  rounded
    ? `<g clip-path="${rounded}"><g transform="translate(${n(box.x)} ${n(box.y)})">${inside}</g></g>`
    : `<svg x="${n(box.x)}" y="${n(box.y)}" width="${n(box.w)}" height="${n(box.h)}">${inside}</svg>`

/** Reference to a clip of this path, in the sheet's pixels. */
export const clip = (sheet: Sheet, d: Shape) =>
  define(sheet, (id) => `<clipPath id="${id}"><path clip-rule="evenodd" d="${d}"/></clipPath>`)

/** Keeps a drawing to be put down many times; gives its id. */
export const stamp = (sheet: Sheet, drawing: string) => {
  const id = `d${sheet.defs.length}`
  sheet.defs.push(`<g id="${id}">${drawing}</g>`)
  return id
}

/** Puts a kept drawing down with its origin here. */
export const stamped = (id: string, x: number, y: number, flip = false) =>
  `<use href="#${id}" transform="translate(${n(x)} ${n(y)})${flip ? ' scale(-1 1)' : ''}"/>`

/** A straight gradient between points of the sheet; two stops at one offset make a hard edge. */
export const gradient = (
  sheet: Sheet,
  stops: readonly (readonly [number, Color, number?])[],
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  spread = 'pad',
) =>
  define(
    sheet,
    (id) =>
      `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="${n(x1)}" y1="${n(y1)}" x2="${n(x2)}" y2="${n(y2)}" spreadMethod="${spread}">` +
      stops
        .map(([o, c, a = 1]) => `<stop offset="${n(o)}" stop-color="${c}" stop-opacity="${n(a)}"/>`)
        .join('') +
      '</linearGradient>',
  )

export const radial = (
  sheet: Sheet,
  stops: readonly (readonly [number, Color, number?])[],
  x: number,
  y: number,
  r: number,
) =>
  define(
    sheet,
    (id) =>
      `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" cx="${n(x)}" cy="${n(y)}" r="${n(r)}">` +
      stops
        .map(([o, c, a = 1]) => `<stop offset="${n(o)}" stop-color="${c}" stop-opacity="${n(a)}"/>`)
        .join('') +
      '</radialGradient>',
  )

/** What is wanted of a text's colour: grain and soft edges take a little of it away again. */
const wanted = 5.7

/** Writes text in a colour known to read on what is behind. */
export const write = (
  sheet: Sheet,
  role: Text['role'],
  block: Block,
  fill: Color,
  behind: readonly Color[],
) => {
  sheet.texts.push({ role, d: block.d, fill, bounds: block.bounds, ratio: worst(fill, behind) })
}

/**
 * Writes text in the first of these colours that reads on everything behind it, or the best of them; where none
 * does, lays a panel under it. Gives the colour.
 */
export const writeLegibly = (
  sheet: Sheet,
  role: Text['role'],
  block: Block,
  behind: readonly Color[],
  wishes: readonly Color[],
  scheme: Scheme,
): Color => {
  const fill = firstLegible(behind, [...wishes, scheme.paper, scheme.ink], wanted)
  if (worst(fill, behind) >= 5.1) {
    write(sheet, role, block, fill, behind)
    return fill
  }
  const { x, y, w, h } = block.bounds
  const panel =
    contrast(scheme.ink, scheme.ground) > contrast(scheme.paper, scheme.ground) ? scheme.paper : scheme.ink
  const on = panel === scheme.ink ? scheme.paper : scheme.ink
  sheet.art.push(rect(x - 18, y - 16, w + 36, h + 32, panel))
  write(sheet, role, block, on, [panel])
  return on
}

/** The block turned about the sheet's origin and moved, for text up the side: a quarter turn left. */
export const upright = (block: Block, x: number, y: number): Block => {
  const change = (px: number, py: number) => [x + py, y - px] as const
  const { bounds } = block
  return {
    ...block,
    d: map(block.d, change),
    bounds: { x: x + bounds.y, y: y - bounds.x - bounds.w, w: bounds.h, h: bounds.w },
  }
}

/** The finished SVG; without text where only the art is wanted. */
export const svgOf = (sheet: Sheet, withText = true): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${sheet.w} ${sheet.h}" width="${sheet.w}" height="${sheet.h}">` +
  (sheet.defs.length ? `<defs fill-rule="evenodd">${sheet.defs.join('')}</defs>` : '') +
  `<g fill-rule="evenodd">${sheet.art.join('')}</g>` +
  (withText ? sheet.texts.map((t) => `<path d="${t.d}" fill="${t.fill}"/>`).join('') : '') +
  '</svg>'
