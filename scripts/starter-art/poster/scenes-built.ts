import { mix } from './color.ts'
import { box, circle, flat, poly, times, under, arcPoints } from './path.ts'
import type { Shape } from './path.ts'
import { each, emblemIn, firShape, path, ramp, rays, rolling, woodsShapes } from './scene.ts'
import type { Scene } from './scene.ts'

export const city: Scene = (s) => {
  let out = path(s.inks.second, circle(s.w * s.random.range(0.2, 0.8), s.h * 0.32, Math.min(s.w, s.h) * 0.17))
  for (let layer = 0; layer < 3; layer++) {
    const t = layer / 2
    const color = ramp(s.inks, 0.32 + t * 0.68)
    const blocks: Shape[] = []
    const lights: Shape[] = []
    let x = s.random.range(-60, 0)
    while (x < s.w) {
      const w = s.random.range(0.07, 0.14) * Math.min(s.w, 900) * (0.8 + t * 0.5)
      const top = s.h * (0.2 + t * 0.24) + s.random.range(0, s.h * 0.26)
      blocks.push(box(x, top, w + 0.5, s.h))
      const roof = s.random.next()
      if (roof < 0.3) {
        blocks.push(box(x + w * 0.25, top - w * 0.3, w * 0.5, w * 0.4))
        blocks.push(box(x + w * 0.47, top - w * 0.75, w * 0.06, w))
      } else if (roof < 0.5) blocks.push(flat(x, top, x + w, top, x + w, top - w * 0.45))
      if (layer === 2) {
        const columns = 4
        const step = w / (columns + 0.8)
        for (let y = top + step; y < s.h; y += step * 1.25) {
          for (let c = 0; c < columns; c++)
            if (s.random.chance(0.34)) lights.push(box(x + step * (c + 0.7), y, step * 0.5, step * 0.7))
        }
      }
      x += w + (s.random.chance(0.25) ? w * 0.12 : 0)
    }
    out += path(color, blocks) + path(s.inks.pop, lights)
  }
  return out
}

export const house: Scene = (s) => {
  const u = Math.min(s.w, s.h)
  const x = s.w * s.random.range(0.34, 0.66)
  const y = s.h * 0.6
  return (
    path(s.inks.pop, circle(x + u * 0.2 * s.random.pick([-1, 1]), s.h * 0.3, u * 0.13)) +
    path(ramp(s.inks, 0.4), under(rolling(s, s.h * 0.56, s.h * 0.05), s.h + 5)) +
    emblemIn(s, x, y - u * 0.17, u * 0.22) +
    path(
      s.inks.main,
      under(
        [
          [-40, y + s.h * 0.16],
          [s.w * 0.15, y + s.h * 0.1],
          [x, y - 2],
          [s.w * 0.85, y + s.h * 0.08],
          [s.w + 40, y + s.h * 0.12],
        ],
        s.h + 5,
      ),
    ) +
    path(
      s.inks.second,
      `M${x - 5} ${y + 6}C${x + u * 0.2} ${y + s.h * 0.14} ${x - u * 0.3} ${y + s.h * 0.2} ${x - u * 0.16} ${s.h + 5}L${x + u * 0.12} ${s.h + 5}C${x - u * 0.1} ${y + s.h * 0.22} ${x + u * 0.32} ${y + s.h * 0.14} ${x + 7} ${y + 6}Z`,
    ) +
    path(
      s.inks.shade,
      ...times(5, (i) =>
        firShape(
          s.w * [0.06, 0.17, 0.83, 0.93, 0.98][i]!,
          s.h * [0.86, 0.8, 0.79, 0.86, 0.96][i]!,
          s.h * s.random.range(0.14, 0.26),
        ),
      ),
    )
  )
}

export const tower: Scene = (s) => {
  const u = Math.min(s.w, s.h)
  const x = s.w * s.random.range(0.4, 0.6)
  return (
    rays(s, x, s.h * 0.24, 10, ramp(s.inks, 0.14)) +
    path(s.inks.second, circle(x + u * 0.16, s.h * 0.3, u * 0.2)) +
    path(ramp(s.inks, 0.3), under(rolling(s, s.h * 0.7, s.h * 0.06), s.h + 5)) +
    emblemIn(s, x, s.h * 0.48, u * 0.4) +
    path(
      s.inks.main,
      under(
        [
          [-40, s.h * 0.92],
          [x - u * 0.3, s.h * 0.84],
          [x, s.h * 0.47 + u * 0.32],
          [x + u * 0.34, s.h * 0.85],
          [s.w + 40, s.h * 0.95],
        ],
        s.h + 5,
      ),
    ) +
    path(s.inks.shade, woodsShapes(s, s.h * 0.95, s.h * 0.11))
  )
}

export const train: Scene = (s) => {
  const u = Math.min(s.w, s.h)
  const y = s.h * 0.56
  const span = u * 0.2
  const arches = times(Math.ceil(s.w / span) + 1, (i) =>
    poly([
      [i * span + span * 0.14, s.h + 5],
      ...arcPoints(i * span + span * 0.5, y + span * 0.52, span * 0.36, 180, 360),
      [i * span + span * 0.86, s.h + 5],
    ]),
  )
  const x = s.w * s.random.range(0.6, 0.74)
  const h = u * 0.085
  const cars = times(6, (i) => box(x - h * 2.7 * (i + 1) - h * 0.2, y - h * 1.06, h * 2.5, h * 0.94, 3))
  return (
    path(s.inks.pop, circle(s.w * 0.3, s.h * 0.3, u * 0.16)) +
    path(ramp(s.inks, 0.26), under(rolling(s, s.h * 0.52, s.h * 0.08), s.h + 5)) +
    path(ramp(s.inks, 0.45), under(rolling(s, s.h * 0.72, s.h * 0.06), s.h + 5)) +
    path(
      ramp(s.inks, 0.6),
      ...times(6, (i) =>
        circle(x + h * 1.6 - i * i * h * 0.55, y - h * 2 - i * h * 0.8, h * (0.4 + i * 0.24)),
      ),
    ) +
    each(s.inks.main, [box(0, y, s.w, s.h) + arches.join('')]) +
    path(s.inks.shade, box(0, y, s.w, h * 0.22)) +
    path(s.inks.second, cars) +
    path(
      s.inks.pop,
      ...cars
        .map((_, i) =>
          times(4, (k) =>
            box(x - h * 2.7 * (i + 1) + h * (0.02 + k * 0.6), y - h * 0.86, h * 0.34, h * 0.34),
          ),
        )
        .flat(),
    ) +
    path(
      s.inks.second,
      box(x, y - h * 0.95, h * 2.5, h * 0.6, 3),
      box(x, y - h * 1.35, h * 0.9, h * 1.2, 3),
      flat(
        x + h * 1.5,
        y - h * 0.9,
        x + h * 1.42,
        y - h * 1.5,
        x + h * 1.96,
        y - h * 1.5,
        x + h * 1.9,
        y - h * 0.9,
      ),
      ...times(3, (i) => circle(x + h * (0.4 + i * 0.8), y - h * 0.24, h * 0.28)),
    )
  )
}

export const door: Scene = (s) => {
  const [x, y] = [s.w * s.random.range(0.42, 0.58), s.h * 0.5]
  let out = ''
  for (let i = 0; i < 6; i++) {
    const t = (1 - i / 6) ** 1.5
    const [w, h] = [s.w * (0.16 + t * 0.9), s.h * (0.3 + t * 0.8)]
    out += path(
      i % 2 ? ramp(s.inks, 0.12 + i * 0.12) : mix(s.inks.ground, s.inks.second, 0.2 + i * 0.13),
      box(x - w / 2, y - h * 0.5, w, h * 1.2),
    )
  }
  const [w, h] = [s.w * 0.16, s.h * 0.3]
  return (
    out +
    path(
      s.inks.pop,
      box(x - w / 2, y - h * 0.5, w, h * 1.08),
      flat(x - w / 2, y + h * 0.58, x + w / 2, y + h * 0.58, x + w * 1.9, s.h, x - w * 1.1, s.h),
    ) +
    path(
      s.inks.main,
      circle(x, y + h * 0.14, h * 0.07),
      flat(
        x - h * 0.09,
        y + h * 0.24,
        x + h * 0.09,
        y + h * 0.24,
        x + h * 0.06,
        y + h * 0.58,
        x - h * 0.06,
        y + h * 0.58,
      ),
      flat(x - h * 0.05, y + h * 0.58, x + h * 0.06, y + h * 0.58, x + h * 0.5, s.h, x + h * 0.1, s.h),
    )
  )
}
