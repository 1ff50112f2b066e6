/** `#rrggbb`, lower case. */
export type Color = string

/** Lightness 0 to 1, chroma 0 to about 0.35, hue in degrees. */
type Oklch = { l: number; c: number; h: number }

const clamp = (v: number, low = 0, high = 1) => Math.min(high, Math.max(low, v))

const channels = (color: Color): [number, number, number] => {
  const v = Number.parseInt(color.slice(1), 16)
  return [(v >> 16) & 255, (v >> 8) & 255, v & 255]
}

const toColor = (rgb: readonly number[]): Color =>
  '#' +
  rgb
    .map((v) =>
      Math.round(clamp(v, 0, 255))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')

const linear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)

const gamma = (v: number) => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)

/** WCAG relative luminance, 0 to 1. */
export const luminance = (color: Color) => {
  const [r, g, b] = channels(color).map((v) => linear(v / 255)) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** WCAG contrast ratio, 1 to 21. */
export const contrast = (a: Color, b: Color) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** Returns the lowest contrast of a colour with several others. */
export const lowestContrast = (color: Color, behind: readonly Color[]) =>
  Math.min(...behind.map((b) => contrast(color, b)))

/** Mixes linearly in sRGB: 0 returns a, 1 returns b. */
export const mix = (a: Color, b: Color, t: number): Color => {
  const [x, y] = [channels(a), channels(b)]
  return toColor(x.map((v, i) => v + (y[i]! - v) * t))
}

export const toOklch = (color: Color): Oklch => {
  const [r, g, b] = channels(color).map((v) => linear(v / 255)) as [number, number, number]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const x = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(x, y),
    h: (Math.atan2(y, x) * 180) / Math.PI,
  }
}

/** Converts to sRGB. Lowers the chroma until the colour is in gamut. */
export const fromOklch = ({ l, c, h }: Oklch): Color => {
  for (let chroma = c; ; chroma -= 0.01) {
    const x = Math.max(0, chroma) * Math.cos((h * Math.PI) / 180)
    const y = Math.max(0, chroma) * Math.sin((h * Math.PI) / 180)
    const L = (l + 0.3963377774 * x + 0.2158037573 * y) ** 3
    const M = (l - 0.1055613458 * x - 0.0638541728 * y) ** 3
    const S = (l - 0.0894841775 * x - 1.291485548 * y) ** 3
    const rgb = [
      4.0767416621 * L - 3.3077115913 * M + 0.2309699292 * S,
      -1.2684380046 * L + 2.6097574011 * M - 0.3413193965 * S,
      -0.0041960863 * L - 0.7034186147 * M + 1.707614701 * S,
    ]
    if (chroma <= 0 || rgb.every((v) => v > -0.002 && v < 1.002)) {
      return toColor(rgb.map((v) => gamma(clamp(v)) * 255))
    }
  }
}

/** Lightens (positive) or darkens a colour by this lightness. Very light and very dark results keep some chroma. */
export const shade = (color: Color, by: number): Color => {
  const o = toOklch(color)
  const l = clamp(o.l + by, 0.08, 0.97)
  return fromOklch({ ...o, l, c: o.c * (l > 0.9 || l < 0.2 ? 0.6 : 1) })
}

/** Returns the perceived difference of two colours: 0 equal, about 0.1 clearly different, 1 black and white. */
export const distance = (a: Color, b: Color) => {
  const [p, q] = [toOklch(a), toOklch(b)]
  const rad = Math.PI / 180
  return Math.hypot(
    p.l - q.l,
    p.c * Math.cos(p.h * rad) - q.c * Math.cos(q.h * rad),
    p.c * Math.sin(p.h * rad) - q.c * Math.sin(q.h * rad),
  )
}

/** The colours of an area. `ground` is the background. */
export type Scheme = {
  ground: Color
  main: Color
  second: Color
  pop: Color
  /** Near-black and near-white, tinted to match the palette. */
  ink: Color
  paper: Color
}

/** Changes a colour’s lightness until it is distinguishable from the background. */
const apart = (color: Color, ground: Color, least: number) => {
  const o = toOklch(color)
  const g = toOklch(ground)
  const up = o.l === g.l ? g.l < 0.6 : o.l > g.l
  for (const direction of up === g.l > 0.86 ? [-1, 1] : up ? [1, -1] : [-1, 1]) {
    for (let step = 0; step <= 0.6; step += 0.03) {
      const l = o.l + step * direction
      if (l < 0.1 || l > 0.97) break
      const moved = step === 0 ? color : fromOklch({ ...o, l })
      if (distance(moved, ground) >= least) return moved
    }
  }
  return color
}

/** Changes a mid-tone until near-black or near-white is legible on it. */
const settle = (color: Color): Color => {
  const o = toOklch(color)
  for (let step = 0; ; step += 0.01) {
    for (const l of [o.l - step, o.l + step]) {
      const moved = step ? fromOklch({ ...o, l }) : color
      const y = luminance(moved)
      if (y <= 0.112 || y >= 0.285) return moved
    }
  }
}

export type Ground = 'back' | 'middle' | 'accent' | 'paper' | 'ink'

/** Returns the colour scheme of a palette on one of its backgrounds. Every role is distinguishable from the background and the next role. */
export const schemeOf = (palette: readonly [Color, Color, Color], ground: Ground): Scheme => {
  const [back, middle, accent] = palette.map((color) => settle(color.toLowerCase())) as [Color, Color, Color]
  const byLight = [back, middle, accent].sort((a, b) => luminance(a) - luminance(b))
  const darkest = toOklch(byLight[0]!)
  const lightest = toOklch(byLight[2]!)
  const ink = fromOklch({ l: Math.min(darkest.l, 0.2), c: Math.min(darkest.c, 0.05), h: darkest.h })
  const paper = fromOklch({
    l: 0.955,
    c: Math.min(lightest.c, 0.028),
    h: lightest.c < 0.02 ? 85 : lightest.h,
  })
  const behind = { back, middle, accent, paper, ink: shade(ink, 0.02) }[ground]
  const rest = [back, middle, accent]
    .filter((color) => color !== behind && (ground !== 'ink' || distance(color, behind) > 0.12))
    .sort((a, b) => distance(b, behind) - distance(a, behind))
  while (rest.length < 2) rest.push(toOklch(behind).l > 0.6 ? shade(behind, -0.35) : shade(behind, 0.4))
  const main = apart(rest[0]!, behind, 0.28)
  let second = apart(rest[1]!, behind, 0.14)
  if (distance(second, main) < 0.12) second = mix(main, behind, 0.5)
  const ends = toOklch(behind).l > 0.6 ? ink : paper
  let pop = rest[2] && distance(rest[2], behind) > 0.15 ? rest[2] : ends
  if (distance(pop, main) < 0.1) pop = distance(ends, main) < 0.1 ? mix(ends, second, 0.5) : ends
  return { ground: behind, main, second, pop, ink, paper }
}

/** Returns the candidate that is most legible on all of these colours, and its lowest contrast. */
const legible = (behind: readonly Color[], candidates: readonly Color[]) => {
  const best = candidates
    .map((color) => ({ color, ratio: lowestContrast(color, behind) }))
    .reduce((a, b) => (b.ratio > a.ratio ? b : a))
  return best
}

/** Returns the first candidate that reaches the contrast ratio on all of these colours, else the best of the candidates, black and white. */
export const firstLegible = (behind: readonly Color[], candidates: readonly Color[], ratio = 5): Color =>
  candidates.find((color) => lowestContrast(color, behind) >= ratio) ??
  legible(behind, [...candidates, '#0b0b0b', '#ffffff']).color
