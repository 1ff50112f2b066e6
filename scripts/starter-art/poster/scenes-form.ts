import { mix } from './color.ts'
import { mazeWalls } from './emblems-form.ts'
import { box, circle, flat, lens, polar, poly, sector, times, under } from './path.ts'
import { emblemIn, path, waveLine } from './scene.ts'
import type { Scene } from './scene.ts'

export const grid: Scene = (s) => {
  const u = Math.min(s.w, s.h)
  const y = s.h * 0.52
  const x = s.w * 0.5
  const lines = [
    ...times(23, (i) => {
      const far = x + (i - 11) * u * 0.05
      return flat(
        far - 0.8,
        y,
        far + 0.8,
        y,
        x + (i - 11) * u * 0.42 + 3,
        s.h,
        x + (i - 11) * u * 0.42 - 3,
        s.h,
      )
    }),
    ...times(9, (i) => {
      const t = ((i + 0.3) / 9) ** 2.1
      return box(0, y + (s.h - y) * t, s.w, 1 + t * 5)
    }),
  ]
  return (
    emblemIn(s, x, y - u * 0.16, u * 0.3) +
    path(mix(s.inks.ground, s.inks.second, 0.35), box(0, y, s.w, s.h)) +
    path(s.inks.second, lines)
  )
}

export const stripes: Scene = (s) => {
  const long = s.w + s.h
  const parts = s.random.int(9, 13)
  const step = long / parts
  const mode = s.random.int(0, 2)
  const colors = [s.inks.main, s.inks.second, s.inks.pop, s.inks.shade]
  if (mode === 0)
    return times(parts, (i) =>
      i % 2
        ? path(
            colors[(i >> 1) % 4]!,
            flat(i * step - s.h, s.h, i * step + step - s.h, s.h, i * step + step, 0, i * step, 0),
          )
        : '',
    ).join('')
  if (mode === 1)
    return times(9, (i) =>
      path([s.inks.ground, ...colors][i % 5]!, circle(s.w * 0.5, s.h, long * 0.62 * (1 - i / 9))),
    ).join('')
  return times(8, (i) =>
    path(
      colors[i % 4]!,
      under(waveLine(s, s.h * (0.16 + i * 0.11), s.h * 0.04, s.w * 0.7, i * 0.3), s.h + 40),
    ),
  ).join('')
}

export const circles: Scene = (s) => {
  const size = Math.min(s.w, s.h) / s.random.int(3, 5)
  const colors = [s.inks.main, s.inks.second, s.inks.pop, s.inks.shade]
  let out = ''
  for (let y = 0; y < s.h; y += size) {
    for (let x = 0; x < s.w; x += size) {
      const q = s.random.int(0, 3)
      const [a, b] = s.random.shuffle(colors)
      const corner = (
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ] as const
      )[q]!
      if (s.random.chance(0.35)) out += path(b!, box(x, y, size + 0.4, size + 0.4))
      out += s.random.chance(0.25)
        ? path(a!, circle(x + size / 2, y + size / 2, size / 2)) +
          path(b!, circle(x + size / 2, y + size / 2, size / 4))
        : path(a!, sector(x + corner[0] * size, y + corner[1] * size, size, q * 90, q * 90 + 90))
    }
  }
  return out
}

export const spiral: Scene = (s) => {
  const [x, y] = [s.w * s.random.range(0.4, 0.6), s.h * 0.5]
  const far = Math.hypot(s.w, s.h) * 0.72
  const arms = s.random.int(7, 10)
  const side = s.random.pick([-1, 1])
  const edge = (deg: number) =>
    times(30, (i) => polar(x, y, 6 + (i / 29) ** 1.3 * far, deg + side * Math.sqrt(i / 29) * 230))
  const step = 360 / arms
  const rim = (i: number) =>
    times(6, (k) => polar(x, y, far + 6, i * step + side * 230 + (k / 5) * step * 0.5))
  return (
    times(arms, (i) =>
      path(
        [s.inks.main, s.inks.second][i % 2]!,
        poly([...edge(i * step), ...rim(i), ...edge((i + 0.5) * step).reverse()]),
      ),
    ).join('') + path(s.inks.pop, circle(x, y, Math.min(s.w, s.h) * 0.06))
  )
}

export const maze: Scene = (s) => {
  const step = Math.min(s.w, s.h) / s.random.int(8, 11)
  const [columns, rows] = [Math.ceil(s.w / step), Math.ceil(s.h / step)]
  const { right, below } = mazeWalls(columns, rows, s.random)
  const w = step * 0.3
  const walls = times(columns * rows, (i) => {
    const [x, y] = [(i % columns) * step, Math.floor(i / columns) * step]
    return [
      right.has(i) ? box(x + step - w / 2, y - w / 2, w, step + w) : '',
      below.has(i) ? box(x - w / 2, y + step - w / 2, step + w, w) : '',
    ]
  })
    .flat()
    .filter(Boolean)
  const [cx, cy] = [Math.floor(columns * 0.5), Math.floor(rows * 0.5)]
  return (
    path(s.inks.second, box((cx - 2) * step, (cy - 2) * step, step * 5, step * 5)) +
    path(s.inks.main, walls) +
    path(s.inks.pop, circle((cx + 0.5) * step, (cy + 0.5) * step, step * 0.3))
  )
}

export const eye: Scene = (s) => {
  const w = Math.min(s.w, s.h) / 2.6
  let out = ''
  let i = 0
  const odd = s.random.int(6, 10)
  for (let row = -0.2; row * w * 0.62 < s.h + w; row++) {
    for (let x = (Math.round(row) % 2 ? -0.5 : 0) * w; x < s.w + w * 0.5; x += w) {
      const y = row * w * 0.62 + w * 0.2
      const isOdd = i++ === odd
      out +=
        path(isOdd ? s.inks.pop : s.inks.main, lens(x - w * 0.46, y, x + w * 0.46, y, w * 0.25)) +
        path(s.inks.ground, circle(x, y, w * 0.17)) +
        path(isOdd ? s.inks.main : s.inks.second, circle(x, y, w * 0.125)) +
        path(s.inks.ground, circle(x + w * 0.03, y - w * 0.03, w * 0.045))
    }
  }
  return out
}
