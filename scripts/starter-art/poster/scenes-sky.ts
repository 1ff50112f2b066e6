import { mix } from './color.ts'
import { emblemOf } from './emblems.ts'
import { bar, box, circle, ellipse, flat, lens, ring, times, under, polar } from './path.ts'
import { each, emblemIn, glints, path, ramp, rays, rolling, waves, woods } from './scene.ts'
import type { Scene } from './scene.ts'

export const rain: Scene = (s) => {
  const u = Math.min(s.w, s.h)
  const lean = s.random.range(10, 22)
  const streaks = (count: number, w: number, long: number) =>
    times(count, () => {
      const [x, y] = [s.random.range(-40, s.w + 60), s.random.range(-40, s.h * 0.86)]
      return bar(x, y, x - lean * (long / 70), y + long, w)
    })
  return (
    path(ramp(s.inks, 0.3), streaks(46, 2.4, u * 0.16)) +
    path(ramp(s.inks, 0.5), streaks(26, 3.6, u * 0.2)) +
    emblemIn(s, s.w * s.random.range(0.4, 0.6), s.h * 0.5, u * 0.3) +
    path(s.inks.second, streaks(12, 4.6, u * 0.2)) +
    path(s.inks.main, box(0, s.h * 0.88, s.w, s.h)) +
    each(
      s.inks.shade,
      times(5, () => {
        const [x, y, r] = [
          s.random.range(0, s.w),
          s.random.range(0.9, 0.98) * s.h,
          u * s.random.range(0.05, 0.1),
        ]
        return ellipse(x, y, r, r * 0.2) + ellipse(x, y, r * 0.7, r * 0.12)
      }),
    )
  )
}

export const snow: Scene = (s) => {
  const u = Math.min(s.w, s.h)
  const flakes = (count: number, r: number) =>
    times(count, () => circle(s.random.range(0, s.w), s.random.range(0, s.h), r * s.random.range(0.5, 1.2)))
  return (
    path(ramp(s.inks, 0.35), flakes(50, 3)) +
    emblemIn(s, s.w * 0.5, s.h * 0.36, u * 0.26) +
    woods(s, s.h * 0.74, s.h * 0.14, ramp(s.inks, 0.42)) +
    path(mix(s.inks.main, s.inks.ground, 0.25), under(rolling(s, s.h * 0.78, s.h * 0.03), s.h + 5)) +
    path(s.inks.main, under(rolling(s, s.h * 0.88, s.h * 0.03), s.h + 5)) +
    path(s.inks.pop, flakes(22, 5))
  )
}

export const sun: Scene = (s) => {
  const u = Math.min(s.w, s.h)
  const [x, y] = [s.w * s.random.range(0.4, 0.6), s.h * 0.58]
  return (
    rays(s, x, y, s.random.int(14, 20), ramp(s.inks, 0.22)) +
    path(s.inks.second, circle(x, y, u * 0.36)) +
    path(s.inks.main, circle(x, y, u * 0.28)) +
    path(s.inks.pop, circle(x, y, u * 0.17)) +
    waves(s, s.h * 0.68, 5)
  )
}

export const moon: Scene = (s) => {
  const u = Math.min(s.w, s.h)
  const [x, y, r] = [s.w * s.random.range(0.35, 0.65), s.h * 0.42, u * s.random.range(0.3, 0.4)]
  const cloud = (cy: number, w: number, cx: number) => [
    box(cx - w / 2, cy, w, u * 0.034, u * 0.017),
    box(cx - w * 0.3, cy - u * 0.034, w * 0.55, u * 0.035, u * 0.017),
  ]
  return (
    glints(s, 34, s.h * 0.7, ramp(s.inks, 0.6)) +
    path(s.inks.main, circle(x, y, r)) +
    each(
      s.inks.shade,
      times(7, () => {
        const a = s.random.range(0, 360)
        const d = s.random.range(0.1, 0.8) * r
        return circle(...polar(x, y, d, a), r * s.random.range(0.05, 0.16))
      }),
    ) +
    path(s.inks.second, ...cloud(y + r * 0.35, u * 0.6, x - r), ...cloud(y - r * 0.4, u * 0.4, x + r)) +
    woods(s, s.h * 0.84, s.h * 0.18, ramp(s.inks, 0.34)) +
    path(ramp(s.inks, 0.2), under(rolling(s, s.h * 0.93, s.h * 0.02), s.h + 5))
  )
}

export const stars: Scene = (s) => {
  const u = Math.min(s.w, s.h)
  const [x, y] = [s.w * s.random.range(0.4, 0.62), s.h * 0.4]
  return (
    each(
      ramp(s.inks, 0.2),
      times(5, (i) => ring(x, s.h * 1.02, u * (0.42 + i * 0.2), u * (0.42 + i * 0.2) - 2)),
    ) +
    glints(s, 70, s.h * 0.86, ramp(s.inks, 0.7)) +
    emblemIn(s, x, y, u * 0.33) +
    path(ramp(s.inks, 0.3), under(rolling(s, s.h * 0.86, s.h * 0.04), s.h + 5)) +
    path(s.inks.second, under(rolling(s, s.h * 0.93, s.h * 0.03), s.h + 5))
  )
}

export const planet: Scene = (s) => {
  const u = Math.min(s.w, s.h)
  const big = Math.max(s.w, s.h)
  const x = s.w * s.random.pick([0.1, 0.9, 0.5])
  return (
    glints(s, 60, s.h, ramp(s.inks, 0.65)) +
    emblemIn(s, s.w * (x > s.w / 2 ? 0.4 : 0.6), s.h * 0.34, u * 0.28) +
    path(s.inks.main, circle(x, s.h + big * 0.42, big * 0.72)) +
    path(s.inks.second, circle(x, s.h + big * 0.46, big * 0.7)) +
    path(s.inks.shade, circle(x, s.h + big * 0.52, big * 0.68)) +
    path(s.inks.pop, circle(s.w * (x > s.w / 2 ? 0.14 : 0.86), s.h * 0.14, u * 0.035))
  )
}

export const rocket: Scene = (s) => {
  const u = Math.min(s.w, s.h)
  const x = s.w * 0.5
  const puff = (r: number, y: number, spread: number, count: number) =>
    times(count, () =>
      circle(
        x + s.random.range(-1, 1) * spread,
        y + s.random.range(-0.1, 0.14) * spread,
        r * s.random.range(0.7, 1.2),
      ),
    )
  return (
    glints(s, 46, s.h * 0.7, ramp(s.inks, 0.6)) +
    path(
      s.inks.second,
      flat(x - u * 0.045, s.h * 0.5, x + u * 0.045, s.h * 0.5, x + u * 0.13, s.h, x - u * 0.13, s.h),
    ) +
    path(
      s.inks.pop,
      flat(x - u * 0.02, s.h * 0.5, x + u * 0.02, s.h * 0.5, x + u * 0.05, s.h, x - u * 0.05, s.h),
    ) +
    emblemIn(s, x, s.h * 0.34, u * 0.3, s.inks) +
    path(ramp(s.inks, 0.4), puff(u * 0.12, s.h * 0.9, s.w * 0.46, 14)) +
    path(ramp(s.inks, 0.75), puff(u * 0.1, s.h * 0.99, s.w * 0.5, 16))
  )
}

export const bird: Scene = (s) => {
  const u = Math.min(s.w, s.h)
  const parts = emblemOf('bird', s.random)
  return (
    path(s.inks.second, circle(s.w * 0.5, s.h * 0.42, u * 0.36)) +
    emblemIn(s, s.w * 0.5, s.h * 0.44, u * 0.34, s.inks, parts) +
    each(
      ramp(s.inks, 0.6),
      times(26, (i) =>
        lens(
          s.w * (i / 25) + s.random.range(-14, 14),
          s.h + 4,
          s.w * (i / 25) + s.random.range(-40, 40),
          s.h * s.random.range(0.7, 0.9),
          5,
        ),
      ),
    )
  )
}
