import { distance, fromOklch, luminance, schemeOf, toOklch } from './color.ts'
import type { Color, Scheme } from './color.ts'
import type { Work } from './compose.ts'

const vivid = (color: Color, by = 1.2): Color => {
  const o = toOklch(color)
  return fromOklch({ ...o, c: o.c < 0.02 ? o.c : Math.min(0.24, o.c * by) })
}

/** Returns whether a hue looks muddy when dark. */
const brownish = (h: number) => h > 32 && h < 120

/** Returns the palette at night: a dark background in one of its hues, with bright other colours. `depth` is a lightness. */
export const night = (work: Work, depth = 0.2): Scheme => {
  const palette = work.title.art.palette
  const sorted = [...palette].sort((a, b) => luminance(a) - luminance(b))
  const colourful = palette.map(toOklch).sort((a, b) => b.c - a.c)
  const cool = [toOklch(sorted[0]!), ...colourful].find((o) => o.c > 0.025 && !brownish(o.h))
  const hue = cool ?? { ...colourful[0]!, h: colourful[0]!.h < 75 ? 12 : 165 }
  const ground = fromOklch({ l: depth, c: Math.min(0.09, hue.c * 0.7 + 0.012), h: hue.h })
  const bright = sorted.slice(1).map((color) => {
    const o = toOklch(color)
    return vivid(o.l < 0.55 ? fromOklch({ ...o, l: 0.62 }) : color)
  })
  if (distance(bright[0]!, bright[1]!) < 0.12) {
    const o = toOklch(bright[0]!)
    bright[0] = fromOklch({ l: 0.6, c: 0.16, h: o.h + 50 })
  }
  return schemeOf([ground, bright[0]!, bright[1]!], 'back')
}

/** Returns the palette by day: one of its backgrounds, with all colours more saturated. */
export const day = (work: Work): Scheme => {
  const ground = work.grounds.find((g) => g === 'back' || g === 'middle' || g === 'accent') ?? 'back'
  return schemeOf(work.title.art.palette.map((c) => vivid(c)) as [Color, Color, Color], ground)
}
