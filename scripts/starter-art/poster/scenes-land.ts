import { mix } from './color.ts'
import type { Color } from './color.ts'
import { bar, box, circle, flat, lens, polar, poly, thick, times, under } from './path.ts'
import type { Point, Shape } from './path.ts'
import { each, emblemIn, path, ramp, ridge, rolling, waves, woods } from './scene.ts'
import type { Scene, Stage } from './scene.ts'

export const mountain: Scene = (s) => {
  const count = s.random.int(3, 4)
  let out = path(
    s.inks.second,
    circle(
      s.w * s.random.range(0.25, 0.75),
      s.h * s.random.range(0.26, 0.36),
      Math.min(s.w, s.h) * s.random.range(0.13, 0.2),
    ),
  )
  for (let i = 0; i < count; i++) {
    const t = (i + 1) / count
    const { body, shades } = ridge(s, s.h * (0.5 + t * 0.42), s.h * (0.42 - t * 0.1), 2 + i)
    const color = i === count - 1 ? s.inks.main : ramp(s.inks, 0.28 + t * 0.5)
    out += path(color, body) + each(mix(color, s.inks.ground, 0.32), shades)
  }
  return out
}

export const sea: Scene = (s) => {
  const x = s.w * s.random.range(0.3, 0.7)
  const r = Math.min(s.w, s.h) * s.random.range(0.2, 0.28)
  return path(s.inks.pop, circle(x, s.h * 0.36, r)) + waves(s, s.h * 0.42, s.random.int(6, 8))
}

export const ship: Scene = (s) =>
  path(s.inks.second, circle(s.w * 0.5, s.h * 0.4, Math.min(s.w, s.h) * 0.34)) +
  emblemIn(s, s.w * s.random.range(0.42, 0.58), s.h * 0.42, Math.min(s.w, s.h) * 0.3, {
    ...s.inks,
    second: s.inks.pop,
  }) +
  waves(s, s.h * 0.62, 5)

export const forest: Scene = (s) => {
  if (s.random.chance(0.45)) {
    let out = path(
      s.inks.pop,
      circle(s.w * s.random.range(0.35, 0.65), s.h * 0.42, Math.min(s.w, s.h) * 0.27),
    )
    for (let layer = 0; layer < 3; layer++) {
      const t = (layer + 1) / 3
      const trunks: Shape[] = []
      for (let x = s.random.range(0, 60); x < s.w; x += s.random.range(0.08, 0.16) * s.w * (0.7 + t * 0.5)) {
        const w = Math.min(s.w, s.h) * (0.014 + t * 0.04) * s.random.range(0.7, 1.2)
        trunks.push(flat(x - w * 0.4, -2, x + w * 0.4, -2, x + w * 0.6, s.h, x - w * 0.6, s.h))
        const y = s.h * s.random.range(0.1, 0.5)
        const side = s.random.pick([-1, 1])
        trunks.push(
          thick(
            [
              [x, y + w * 3],
              [x + side * w * 2, y],
              [x + side * w * 2.6, y - w * 3.4],
            ],
            w * 0.5,
            w * 0.12,
          ),
        )
      }
      out += path(ramp(s.inks, 0.25 + t * 0.75), trunks)
    }
    return out + path(s.inks.shade, under(rolling(s, s.h * 0.94, 8), s.h + 2))
  }
  let out = path(s.inks.second, circle(s.w * s.random.range(0.3, 0.7), s.h * 0.34, Math.min(s.w, s.h) * 0.2))
  for (let i = 0; i < 4; i++)
    out += woods(s, s.h * (0.56 + i * 0.14), s.h * (0.2 + i * 0.05), ramp(s.inks, 0.3 + i * 0.23))
  return out
}

export const desert: Scene = (s) => {
  let out = path(
    s.inks.pop,
    circle(s.w * s.random.range(0.25, 0.75), s.h * 0.32, Math.min(s.w, s.h) * s.random.range(0.12, 0.22)),
  )
  for (let i = 0; i < 4; i++) {
    const y = s.h * (0.42 + i * 0.15)
    const crest = s.w * s.random.range(0.2, 0.8)
    const color = i % 2 ? mix(s.inks.second, s.inks.main, i / 4) : ramp(s.inks, 0.45 + i * 0.16)
    const h = s.h * s.random.range(0.1, 0.17)
    const d = `M-10 ${y + h}C${crest * 0.4} ${y + h * 0.9} ${crest * 0.7} ${y - h * 0.5} ${crest} ${y - h * 0.5}C${crest + (s.w - crest) * 0.35} ${y - h * 0.1} ${crest + (s.w - crest) * 0.6} ${y + h} ${s.w + 10} ${y + h * 0.6}L${s.w + 10} ${s.h + 5}L-10 ${s.h + 5}Z`
    const shadeSide = `M${crest} ${y - h * 0.5}C${crest + (s.w - crest) * 0.35} ${y - h * 0.1} ${crest + (s.w - crest) * 0.6} ${y + h} ${s.w + 10} ${y + h * 0.6}L${s.w + 10} ${y + h * 2.4}C${crest + s.w * 0.3} ${y + h * 2} ${crest - s.w * 0.1} ${y + h * 1.6} ${crest + s.w * 0.04} ${y + h * 0.8}C${crest + s.w * 0.1} ${y + h * 0.3} ${crest + s.w * 0.02} ${y - h * 0.1} ${crest} ${y - h * 0.5}Z`
    out += path(color, d) + path(mix(color, s.inks.ground, 0.3), shadeSide)
  }
  return out
}

export const road: Scene = (s) => {
  const u = Math.min(s.w, s.h)
  const x = s.w * s.random.range(0.42, 0.58)
  const y = s.h * 0.46
  const { body, shades } = ridge(s, y, s.h * 0.16, 4)
  const fields = times(12, (i) =>
    poly([[x, y], polarEdge(s, x, y, 4 + i * 15.4), polarEdge(s, x, y, 4 + i * 15.4 + 7.6)]),
  )
  return (
    path(s.inks.pop, circle(x + u * s.random.range(-0.14, 0.14), y - u * 0.1, u * 0.19)) +
    path(ramp(s.inks, 0.35), body) +
    path(ramp(s.inks, 0.22), shades) +
    path(s.inks.main, box(0, y, s.w, s.h)) +
    path(s.inks.shade, fields) +
    path(s.inks.second, flat(x - 4, y, x + 4, y, x + u * 0.42, s.h, x - u * 0.42, s.h)) +
    path(
      s.inks.pop,
      ...times(6, (i) => {
        const t0 = (i / 6) ** 2
        const t1 = ((i + 0.55) / 6) ** 2
        const w = u * 0.022
        return flat(
          x - w * t0,
          y + (s.h - y) * t0,
          x + w * t0,
          y + (s.h - y) * t0,
          x + w * t1,
          y + (s.h - y) * t1,
          x - w * t1,
          y + (s.h - y) * t1,
        )
      }),
    )
  )
}

/** A point far outside the box, in the lower half, at this angle from the right. */
const polarEdge = (s: Stage, x: number, y: number, deg: number): Point => polar(x, y, (s.w + s.h) * 1.2, deg)

export const leaf: Scene = (s) => {
  const u = Math.min(s.w, s.h)
  const branch = (x: number, y: number, angle: number, long: number, color: Color, dark: Color) => {
    const [tx, ty] = polar(x, y, long, angle)
    let out = path(s.inks.second, bar(x, y, tx, ty, 7, 3))
    for (let i = 0; i < 7; i++) {
      const [px, py] = polar(x, y, long * (0.1 + i * 0.13), angle)
      for (const side of [-1, 1]) {
        const [ex, ey] = polar(px, py, u * (0.3 - i * 0.018), angle + side * 52)
        out +=
          path(color, lens(px, py, ex, ey, u * 0.055)) +
          path(dark, lens(px, py, ex, ey, side > 0 ? 0.01 : u * 0.055, side > 0 ? u * 0.055 : 0.01))
      }
    }
    const [ex, ey] = polar(tx, ty, u * 0.2, angle)
    return out + path(color, lens(tx, ty, ex, ey, u * 0.045))
  }
  return (
    branch(s.w * 1.02, s.h * 0.1, 152, s.w * 0.62, ramp(s.inks, 0.36), ramp(s.inks, 0.28)) +
    path(s.inks.pop, circle(s.w * 0.52, s.h * 0.48, u * 0.17)) +
    branch(-0.04 * s.w, s.h * 1.04, -52, Math.hypot(s.w, s.h) * 0.52, s.inks.main, s.inks.shade) +
    branch(s.w * 1.05, s.h * 1.02, -136, Math.hypot(s.w, s.h) * 0.34, ramp(s.inks, 0.7), ramp(s.inks, 0.55))
  )
}

export const flame: Scene = (s) => {
  const tongue = (x: number, base: number, w: number, h: number) =>
    `M${x - w} ${base}C${x - w} ${base - h * 0.4} ${x - w * 0.2} ${base - h * 0.5} ${x + w * 0.1} ${base - h}C${x + w * 0.3} ${base - h * 0.6} ${x + w} ${base - h * 0.45} ${x + w} ${base}Z`
  const u = Math.min(s.w, s.h)
  const colors = [mix(s.inks.ground, s.inks.main, 0.35), s.inks.main, s.inks.second, s.inks.pop]
  let out = emblemIn(s, s.w * 0.5, s.h * 0.36, u * 0.3)
  colors.forEach((color, row) => {
    const flames: Shape[] = [box(0, s.h * (0.9 + row * 0.03), s.w, s.h)]
    for (let x = s.random.range(-20, 10); x < s.w + 30; x += u * s.random.range(0.1, 0.16))
      flames.push(
        tongue(x, s.h * (0.94 + row * 0.03), u * 0.11, s.h * (0.42 - row * 0.09) * s.random.range(0.6, 1)),
      )
    out += path(color, flames)
  })
  return out
}
