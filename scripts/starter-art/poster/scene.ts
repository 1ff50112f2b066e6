import type { Motif } from '../../../server/starter/schema.ts'
import { mix } from './color.ts'
import type { Color } from './color.ts'
import { drawFlat } from './draw.ts'
import type { Inks } from './draw.ts'
import type { Part } from './emblem.ts'
import { emblemOf } from './emblems.ts'
import { box, circle, glint, polar, poly, times, under } from './path.ts'
import type { Point, Shape } from './path.ts'
import type { Random } from './random.ts'

/** The canvas of a scene: a box from 0, 0 of w by h pixels. The scene does not fill the sky. */
export type Stage = {
  w: number
  h: number
  random: Random
  inks: Inks
  motif: Motif
  /** The sky continues above the stage, so nothing may be clipped at the top. */
  open?: boolean
}

export type Scene = (stage: Stage) => string

export const path = (fill: Color, ...d: (Shape | Shape[])[]) => {
  const all = d.flat().filter(Boolean)
  return all.length ? `<path fill-rule="nonzero" fill="${fill}" d="${all.join('')}"/>` : ''
}

export const each = (fill: Color, d: Shape[]) => d.map((p) => `<path fill="${fill}" d="${p}"/>`).join('')

/** From the sky to the foreground. */
export const ramp = (inks: Inks, t: number) => mix(inks.ground, inks.main, t)

/** A line of hills across the width, around this y. */
export const rolling = (s: Stage, y: number, swing: number, steps = 5): Point[] =>
  times(steps + 3, (i) => [((i - 1) / steps) * s.w, y + s.random.range(-swing, swing)] as const)

export const emblemIn = (
  s: Stage,
  x: number,
  y: number,
  r: number,
  inks = s.inks,
  parts?: Part[],
  angle = 0,
) => drawFlat(parts ?? emblemOf(s.motif, s.random), { x, y, r, turn: angle }, inks)

export const glints = (s: Stage, count: number, bottom: number, color: Color) =>
  path(
    color,
    ...times(count, () => {
      const [x, y, r] = [s.random.range(0, s.w), s.random.range(0, bottom), s.random.range(1, 1.6) ** 3]
      return r > 3 ? glint(x, y, r * 3.2) : circle(x, y, r * 0.9)
    }),
  )

export const ridge = (s: Stage, base: number, height: number, count: number) => {
  const step = s.w / count
  const shift = s.random.range(-step, 0)
  const peaks = times(count + 2, (i) => ({
    x: shift + i * step + s.random.range(-0.2, 0.2) * step,
    y: base - height * s.random.range(0.55, 1),
    valley: {
      x: shift + (i + 0.5) * step + s.random.range(-0.08, 0.08) * step,
      y: base - height * s.random.range(0, 0.3),
    },
  }))
  const line: Point[] = peaks.flatMap(
    (p) =>
      [
        [p.x, p.y],
        [p.valley.x, p.valley.y],
      ] as Point[],
  )
  const shades = peaks.map((p) => {
    const d = p.valley.y - p.y
    return poly([
      [p.x, p.y],
      [p.valley.x, p.valley.y],
      [p.x + step * 0.1, p.y + d * 1.15],
      [p.x + step * 0.16, p.y + d * 0.7],
      [p.x - step * 0.06, p.y + d * 0.45],
    ])
  })
  return { body: poly([[line[0]![0], s.h], ...line, [line.at(-1)![0], s.h]]), shades }
}

export const waveLine = (s: Stage, y: number, amp: number, length: number, shift: number): Point[] =>
  times(Math.ceil((s.w / length) * 4) + 4, (i) => {
    const x = (i - 1) * (length / 4)
    return [x, y + Math.sin((x / length) * Math.PI * 2 + shift) * amp] as const
  })

export const waves = (s: Stage, top: number, rows: number) => {
  let out = ''
  for (let i = 0; i < rows; i++) {
    const t = i / (rows - 1)
    const y = top + (s.h - top) * t ** 1.35 * 0.92
    const length = s.w * (0.16 + t * 0.26)
    const color = i % 3 === 1 ? mix(s.inks.second, s.inks.main, t * 0.5) : ramp(s.inks, 0.4 + t * 0.6)
    out += path(color, under(waveLine(s, y, 4 + t * 17, length, s.random.range(0, 6)), s.h + 40))
  }
  return out
}

export const firShape = (x: number, base: number, h: number): Shape =>
  poly([
    [x, base - h],
    ...times(4, (i) => {
      const y = base - h + (h * (i + 1)) / 4
      const w = h * (0.1 + i * 0.055)
      return [
        [x + w, y],
        [x + w * 0.45, y],
      ] as Point[]
    }).flat(),
    ...times(4, (k) => {
      const i = 3 - k
      const y = base - h + (h * (i + 1)) / 4
      const w = h * (0.1 + i * 0.055)
      return [
        [x - w * 0.45, y],
        [x - w, y],
      ] as Point[]
    }).flat(),
  ])

export const woods = (s: Stage, y: number, h: number, color: Color) => {
  const trees: Shape[] = []
  for (let x = s.random.range(-30, 0); x < s.w + 30; x += h * s.random.range(0.22, 0.5))
    trees.push(firShape(x, y + 6 + s.random.range(-8, 8), h * s.random.range(0.6, 1.1)))
  return path(color, box(0, y, s.w, s.h - y + 2), ...trees)
}

export const rays = (s: Stage, x: number, y: number, count: number, color: Color, from = 0, to = 360) => {
  const step = (to - from) / count
  const far = s.open ? y - 4 : (s.w + s.h) * 1.1
  return path(
    color,
    ...times(count, (i) =>
      poly([[x, y], polar(x, y, far, from + i * step), polar(x, y, far, from + (i + 0.5) * step)]),
    ),
  )
}

export const woodsShapes = (s: Stage, y: number, h: number): Shape[] => {
  const trees: Shape[] = [box(0, y, s.w, s.h - y + 2)]
  for (let x = 0; x < s.w + 20; x += h * s.random.range(0.3, 0.6))
    trees.push(firShape(x, y + 4, h * s.random.range(0.6, 1.1)))
  return trees
}
