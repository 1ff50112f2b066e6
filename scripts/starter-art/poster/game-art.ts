import { contrast, distance, luminance, mix, shade } from './color.ts'
import type { Color, Scheme } from './color.ts'
import type { Work } from './compose.ts'
import { coverage, drawDeep, drawEcho, drawFlat, drawPixels, drawSolid, drawVoxels, inksOf } from './draw.ts'
import type { Part } from './emblem.ts'
import { emblems } from './emblems.ts'
import type { View } from './game-lights.ts'
import { flat, poly, sector, times } from './path.ts'
import type { Point } from './path.ts'
import { gradient, rect, shape } from './sheet.ts'
import type { Sheet } from './sheet.ts'
import { halftone } from './texture.ts'

/** A figure of the motif that fills enough of its square to be drawn with pixels or cubes. */
const solid = (work: Work): readonly Part[] => {
  if (coverage(work.parts) > 0.3) return work.parts
  const random = work.random.fork('solid')
  const all = emblems[work.title.art.motif].map((make) => make(random))
  return all.reduce((a, b) => (coverage(b) > coverage(a) ? b : a))
}

const diamond = (x: number, y: number, w: number) =>
  flat(x - w, y, x, y - w / 2, x + w, y, x, y + w / 2) +
  flat(x - w + 6, y, x, y - w / 2 + 3, x + w - 6, y, x, y + w / 2 - 3)

/** The figure as cubes, on a slab of tiles centred at x on the floor. */
export const blocksArt = (sheet: Sheet, work: Work, s: Scheme, { x: cx, r, floor }: View) => {
  const light = luminance(s.ground) > 0.3
  const far = shade(s.ground, light ? 0.08 : 0.1)
  sheet.art.push(
    rect(
      0,
      0,
      sheet.w,
      sheet.h,
      gradient(
        sheet,
        [
          [0, s.ground],
          [1, far],
        ],
        [0, 0, 0, sheet.h],
      ),
    ),
  )
  const count = 7
  const u = r * 0.22
  const tiles: Record<string, string[]> = {}
  const put = (color: Color, d: string) => (tiles[color] ??= []).push(d)
  const base = mix(s.second, s.ground, 0.15)
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < count; j++) {
      const [x, y] = [cx + (i - j) * u, floor + (i + j - count) * u * 0.5]
      put(
        (i + j) % 2 ? base : shade(base, 0.05),
        flat(x, y, x + u, y + u * 0.5, x, y + u, x - u, y + u * 0.5),
      )
      if (j === count - 1)
        put(shade(base, -0.12), flat(x - u, y + u * 0.5, x, y + u, x, y + u + 40, x - u, y + u * 0.5 + 40))
      if (i === count - 1)
        put(shade(base, -0.2), flat(x + u, y + u * 0.5, x, y + u, x, y + u + 40, x + u, y + u * 0.5 + 40))
    }
  }
  sheet.art.push(
    shape(
      times(3, (i) => diamond(cx, floor + r * 0.58, r * 2 + i * 44)),
      shade(s.ground, light ? -0.05 : 0.05),
    ),
  )
  for (const [color, d] of Object.entries(tiles)) sheet.art.push(shape(d, color, ' fill-rule="nonzero"'))
  sheet.art.push(drawVoxels(solid(work), { x: cx, y: floor - r * 0.58, r }, inksOf(s), 18))
}

/** Square pixels: a dithered sky, hills, and the figure. */
export const pixelsArt = (sheet: Sheet, work: Work, s: Scheme, { x, y, r, floor }: View) => {
  const { random } = work
  const cell = 12
  const steps = 6
  const low = mix(s.ground, s.second, 0.72)
  const crisp = (d: string, color: Color) => `<path shape-rendering="crispEdges" d="${d}" fill="${color}"/>`
  sheet.art.push(rect(0, 0, sheet.w, sheet.h, s.ground))
  times(steps, (i) => {
    const top = Math.round((floor * (0.22 + (0.78 * i) / steps)) / cell) * cell
    const color = mix(s.ground, low, (i + 1) / steps)
    let d = ''
    for (let row = 0; row < 3; row++) {
      for (let at = 0; at < sheet.w; at += cell * 2)
        d += `M${at + (row % 2) * cell} ${top - (row + 1) * cell * (row > 1 ? 1.5 : 1)}h${cell}v${cell}h-${cell}z`
    }
    sheet.art.push(crisp(d, color), rect(0, top, sheet.w, floor - top, color))
  })
  const hills = (base: number, color: Color, swing: number) => {
    let rise = 0
    let d = ''
    for (let at = 0; at < sheet.w; at += cell * 2) {
      rise = Math.max(-swing, Math.min(swing, rise + random.int(-1, 1)))
      d += `M${at} ${base - rise * cell}h${cell * 2}V${floor}h-${cell * 2}z`
    }
    sheet.art.push(crisp(d, color))
  }
  hills(floor - 60, mix(low, s.ground, 0.45), 4)
  hills(floor - 12, mix(low, s.ground, 0.75), 3)
  const halo = mix(s.ground, '#000000', 0.25)
  const count = random.pick([22, 26, 30])
  const parts = solid(work)
  sheet.art.push(
    drawPixels(
      parts,
      { x: x + 10, y: y + 10, r },
      { main: halo, shade: halo, second: halo, pop: halo, ground: halo },
      count,
    ),
  )
  sheet.art.push(drawPixels(parts, { x, y, r }, inksOf(s), count))
  const brick = mix(s.main, s.ground, 0.42)
  let bricks = ''
  for (let row = 0; floor + row * 42 < sheet.h; row++) {
    for (let at = row % 2 ? -36 : 0; at < sheet.w; at += 72)
      bricks += `M${at + 3} ${floor + 3 + row * 42}h66v36h-66z`
  }
  sheet.art.push(
    rect(0, floor, sheet.w, sheet.h - floor, mix(brick, '#000000', 0.5)),
    `<path d="${bricks}" fill="${mix(brick, '#000000', 0.22)}"/>`,
  )
  sheet.art.push(rect(0, floor, sheet.w, 12, s.main), rect(0, floor + 12, sheet.w, 6, shade(s.main, -0.15)))
}

/** Rays, dots in the corners, and the figure with a thick sticker outline. */
export const burstArt = (sheet: Sheet, work: Work, s: Scheme, { x, y, r }: View) => {
  const { w, h } = sheet
  const { random } = work
  const ray = shade(s.ground, luminance(s.ground) > 0.4 ? -0.07 : 0.08)
  const count = random.int(12, 18)
  sheet.art.push(rect(0, 0, w, h, s.ground))
  sheet.art.push(
    shape(
      times(count, (i) => sector(x, y + 16, w + h, (i * 360) / count, ((i + 0.5) * 360) / count)),
      ray,
    ),
  )
  const tone = mix(s.ground, s.second, 0.75)
  sheet.art.push(
    halftone({ x: 0, y: h - 340, w, h: 340 }, tone, 'bottom', { step: 19 }),
    halftone({ x: 0, y: 0, w, h: 260 }, tone, 'top', { step: 19, reach: 0.9 }),
  )
  const edge = s.ink
  const white = contrast(s.paper, s.ground) > 1.6 ? s.paper : s.main
  const inks = { ...inksOf(s), ground: edge }
  if (distance(inks.main, edge) < 0.25) inks.main = s.paper
  if (distance(inks.second, edge) < 0.2)
    inks.second = s.second === inks.main ? s.ground : shade(s.second, 0.3)
  if (distance(inks.shade, edge) < 0.2) inks.shade = mix(inks.main, edge, 0.3)
  if (distance(inks.pop, edge) < 0.2) inks.pop = s.paper
  const place = { x, y, r, turn: random.range(-8, 8) }
  sheet.art.push(drawEcho(work.parts, place, [white, edge], 11, 2), drawFlat(work.parts, place, inks))
}

/** A wall of lit facets with the figure in front. Returns the dark colour behind the figure. */
export const facetsArt = (sheet: Sheet, work: Work, s: Scheme, { x, y, r }: View): Color => {
  const { random } = work
  const columns = Math.round(sheet.w / 100)
  const rows = Math.round(sheet.h / 100)
  const [w, h] = [sheet.w / columns, sheet.h / rows]
  const nodes = times((columns + 1) * (rows + 1), (i): Point => {
    const [c, f] = [i % (columns + 1), Math.floor(i / (columns + 1))]
    const edge = c === 0 || c === columns || f === 0 || f === rows
    return [
      c * w + (edge ? 0 : random.range(-0.34, 0.34) * w),
      f * h + (edge ? 0 : random.range(-0.34, 0.34) * h),
    ]
  })
  const [lx, ly] = [x + random.range(-150, 150), y + random.range(-150, 50)]
  for (let i = 0; i < columns * rows; i++) {
    const [c, f] = [i % columns, Math.floor(i / columns)]
    const at = f * (columns + 1) + c
    const [a, b, e, g] = [nodes[at]!, nodes[at + 1]!, nodes[at + columns + 1]!, nodes[at + columns + 2]!]
    for (const t of (f + c) % 2
      ? [
          [a, b, e],
          [b, g, e],
        ]
      : [
          [a, b, g],
          [a, g, e],
        ]) {
      const [tx, ty] = [(t[0]![0] + t[1]![0] + t[2]![0]) / 3, (t[0]![1] + t[1]![1] + t[2]![1]) / 3]
      const near = Math.max(0, 1 - Math.hypot(tx - lx, ty - ly) / 520)
      const color = mix(
        mix(s.ground, s.second, near * 0.85),
        near > 0.5 ? s.main : '#000000',
        random.range(0, 0.22),
      )
      sheet.art.push(`<path d="${poly(t)}" fill="${color}" stroke="${color}" stroke-width="1"/>`)
    }
  }
  const dark = mix(s.ground, '#000000', 0.5)
  const place = { x, y, r }
  sheet.art.push(drawSolid(work.parts, { ...place, y: y + 22 }, '#000000', ' opacity="0.3"'))
  sheet.art.push(
    drawDeep(work.parts, place, { ...inksOf(s), ground: dark }, mix(dark, s.second, 0.35), 0, 20),
  )
  return dark
}

/** The figure extruded and tilted over motion bands, above a slanted dark area at the bottom. */
export const speedArt = (sheet: Sheet, work: Work, s: Scheme, { x, y, r, floor }: View) => {
  const { w, h } = sheet
  const { random } = work
  const lean = random.pick([-1, 1]) * random.range(0.25, 0.45)
  sheet.art.push(rect(0, 0, w, h, s.ground))
  const colors = [
    mix(s.ground, s.second, 0.5),
    s.second,
    mix(s.second, s.main, 0.5),
    mix(s.ground, s.second, 0.8),
    s.main,
  ]
  let top = y - r * 0.7
  times(6, (i) => {
    const high = random.range(18, 92)
    const slope = (lean * w) / 2
    sheet.art.push(
      shape(
        flat(-10, top + slope, w + 10, top - slope, w + 10, top + high - slope, -10, top + high + slope),
        colors[i % 5]!,
      ),
    )
    top += high + random.range(0, 18)
  })
  const ink = s.ink
  const inks = { ...inksOf(s), main: s.pop, pop: s.main, ground: ink }
  if (distance(inks.main, ink) < 0.3) inks.main = s.paper
  inks.shade = mix(inks.main, ink, 0.26)
  if (distance(inks.second, inks.main) < 0.15 || distance(inks.second, ink) < 0.15)
    inks.second = mix(inks.main, ink, 0.5)
  if (distance(inks.pop, inks.main) < 0.15 || distance(inks.pop, ink) < 0.15) inks.pop = s.paper
  const place = { x, y, r, turn: -lean * 30 }
  sheet.art.push(
    drawEcho(work.parts, place, [ink], 10, 1),
    drawDeep(work.parts, place, inks, ink, 16 * Math.sign(lean), 20),
  )
  const slope = lean * 60
  sheet.art.push(shape(flat(-10, floor + slope, w + 10, floor - slope, w + 10, h + 1, -10, h + 1), ink))
}
