import type { Color } from './color.ts'
import { seeded } from './random.ts'
import type { Random } from './random.ts'
import { define, gradient, rect } from './sheet.ts'
import type { Sheet } from './sheet.ts'

const tile = 180

/** Specks of one tile. The same for every sheet, so generated once. */
const specks = (seed: string, count: number) => {
  const random = seeded(seed)
  let d = ''
  for (let i = 0; i < count; i++)
    d += `M${random.range(1, tile - 1).toFixed(1)} ${random.range(1, tile - 1).toFixed(1)}h0`
  return d
}

const fine = { dark: specks('dark', 620), light: specks('light', 620) }

const coarse = { dark: specks('coarse dark', 130), light: specks('coarse light', 170) }

/** Returns the fill of woven cloth: faint horizontal threads, dark and light. */
export const weave = (sheet: Sheet) =>
  gradient(
    sheet,
    [
      [0, '#000000', 0.07],
      [0.5, '#000000', 0.07],
      [0.5, '#ffffff', 0.05],
      [1, '#ffffff', 0.05],
    ],
    [0, 0, 0, 4],
    'repeat',
  )

/** Adds paper grain over the whole sheet. Must be added before the text. A strength of 1 is clearly visible. */
export const grain = (sheet: Sheet, strength = 1) => {
  const dot = (d: string, color: string, width: number, alpha: number) =>
    `<path d="${d}" stroke="${color}" stroke-width="${width}" stroke-linecap="round" fill="none" opacity="${(alpha * strength).toFixed(3)}"/>`
  const fill = define(
    sheet,
    (id) =>
      `<pattern id="${id}" width="${tile}" height="${tile}" patternUnits="userSpaceOnUse" patternTransform="translate(${sheet.random.int(0, tile)} ${sheet.random.int(0, tile)})">` +
      dot(fine.dark, '#000', 1.3, 0.15) +
      dot(fine.light, '#fff', 1.3, 0.14) +
      dot(coarse.light, '#fff', 2, 0.12) +
      dot(coarse.dark, '#000', 1.8, 0.12) +
      '</pattern>',
  )
  sheet.art.push(rect(0, 0, sheet.w, sheet.h, fill))
}

/** Sprayed shading: dots in the box, dense at one side and sparser over `reach`, a share of the box. */
export const spray = (
  random: Random,
  box: { x: number; y: number; w: number; h: number },
  color: Color,
  side: 'top' | 'bottom' | 'left' | 'right',
  { count = 1400, reach = 0.8, size = 1.7, alpha = 0.5 } = {},
): string => {
  let d = ''
  for (let i = 0; i < count; i++) {
    const t = random.next() ** 2.2 * reach
    const s = random.next()
    const [x, y] =
      side === 'top' ? [s, t] : side === 'bottom' ? [s, 1 - t] : side === 'left' ? [t, s] : [1 - t, s]
    d += `M${(box.x + x * box.w).toFixed(1)} ${(box.y + y * box.h).toFixed(1)}h0`
  }
  return `<path d="${d}" stroke="${color}" stroke-width="${size}" stroke-linecap="round" fill="none" opacity="${alpha}"/>`
}

/** A halftone screen in the box, from large dots at one end to none at the other. */
export const halftone = (
  box: { x: number; y: number; w: number; h: number },
  color: Color,
  from: 'top' | 'bottom' | 'left' | 'right',
  { step = 13, reach = 1, alpha = 1 } = {},
): string => {
  const across = from === 'left' || from === 'right'
  const [long, wide] = across ? [box.w, box.h] : [box.h, box.w]
  const gap = step * 0.7071
  let out = ''
  for (let row = 0; row * gap <= long * reach; row++) {
    const t = 1 - (row * gap) / (long * reach)
    const width = t * step * 1.18
    if (width < 0.9) break
    let d = ''
    for (let i = row % 2 ? step * 0.7071 : 0; i <= wide; i += step * 1.4142) {
      const along = from === 'top' || from === 'left' ? row * gap : long - row * gap
      const [x, y] = across ? [along, i] : [i, along]
      d += `M${(box.x + x).toFixed(1)} ${(box.y + y).toFixed(1)}h0`
    }
    out += `<path d="${d}" stroke-width="${width.toFixed(1)}"/>`
  }
  return `<g stroke="${color}" stroke-linecap="round" fill="none" opacity="${alpha}">${out}</g>`
}
