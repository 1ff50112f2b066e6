import { contrast, firstLegible, lowestContrast } from './color.ts'
import type { Color, Scheme } from './color.ts'
import { map } from './path.ts'
import type { Shape } from './path.ts'
import type { Random } from './random.ts'
import type { Block, Box } from './set.ts'

/** Text on a sheet, as outlines, with its measurements. */
export type Text = {
  role: 'title' | 'small'
  d: string
  fill: Color
  bounds: Box
  /** Lowest WCAG contrast with the declared background colours. */
  ratio: number
}

/** A picture under construction: art, with text on top. Sizes in pixels. */
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

/** Adds a definition with a new id. Returns a `url(#…)` reference to it. */
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

/** A viewport with its own coordinates, which clips its contents. */
export const frame = (box: Box, inside: string, rounded = '') =>
  rounded
    ? `<g clip-path="${rounded}"><g transform="translate(${n(box.x)} ${n(box.y)})">${inside}</g></g>`
    : `<svg x="${n(box.x)}" y="${n(box.y)}" width="${n(box.w)}" height="${n(box.h)}">${inside}</svg>`

/** Adds a clip path in sheet coordinates. Returns a reference to it. */
export const clip = (sheet: Sheet, d: Shape) =>
  define(sheet, (id) => `<clipPath id="${id}"><path clip-rule="evenodd" d="${d}"/></clipPath>`)

/** Defines a drawing that can be placed many times. Returns its id. */
export const defineDrawing = (sheet: Sheet, drawing: string) => {
  const id = `d${sheet.defs.length}`
  sheet.defs.push(`<g id="${id}">${drawing}</g>`)
  return id
}

/** Places a defined drawing with its origin at x, y. */
export const placeDrawing = (id: string, x: number, y: number, flip = false) =>
  `<use href="#${id}" transform="translate(${n(x)} ${n(y)})${flip ? ' scale(-1 1)' : ''}"/>`

/** A linear gradient in sheet coordinates. Two stops at the same offset make a hard edge. */
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

/** Contrast that text colours aim for: above 4.5, because grain and soft edges reduce it. */
const targetContrast = 5.7

/** Adds text in a colour that is known to be legible on its background. */
export const write = (
  sheet: Sheet,
  role: Text['role'],
  block: Block,
  fill: Color,
  behind: readonly Color[],
) => {
  sheet.texts.push({ role, d: block.d, fill, bounds: block.bounds, ratio: lowestContrast(fill, behind) })
}

/**
 * Adds text in the first of the preferred colours that is legible on all background colours, else in the best of them. If
 * none is legible, draws a panel behind the text. Returns the colour of the text.
 */
export const writeLegibly = (
  sheet: Sheet,
  role: Text['role'],
  block: Block,
  behind: readonly Color[],
  preferred: readonly Color[],
  scheme: Scheme,
): Color => {
  const fill = firstLegible(behind, [...preferred, scheme.paper, scheme.ink], targetContrast)
  if (lowestContrast(fill, behind) >= 5.1) {
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

/** Rotates a block 90° counterclockwise and moves it, for vertical text. */
export const upright = (block: Block, x: number, y: number): Block => {
  const change = (px: number, py: number) => [x + py, y - px] as const
  const { bounds } = block
  return {
    ...block,
    d: map(block.d, change),
    bounds: { x: x + bounds.y, y: y - bounds.x - bounds.w, w: bounds.h, h: bounds.w },
  }
}

/** Returns the SVG, optionally without text. */
export const svgOf = (sheet: Sheet, withText = true): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${sheet.w} ${sheet.h}" width="${sheet.w}" height="${sheet.h}">` +
  (sheet.defs.length ? `<defs fill-rule="evenodd">${sheet.defs.join('')}</defs>` : '') +
  `<g fill-rule="evenodd">${sheet.art.join('')}</g>` +
  (withText ? sheet.texts.map((t) => `<path d="${t.d}" fill="${t.fill}"/>`).join('') : '') +
  '</svg>'
