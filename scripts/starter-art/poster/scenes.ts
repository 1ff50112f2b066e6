import type { Motif } from '../../../server/starter/schema.ts'
import { mix } from './color.ts'
import { emblemOf } from './emblems.ts'
import { circle, ellipse, under } from './path.ts'
import { emblemIn, path, ramp, rays, rolling } from './scene.ts'
import type { Scene, Stage } from './scene.ts'
import { city, door, house, tower, train } from './scenes-built.ts'
import { circles, eye, grid, maze, spiral, stripes } from './scenes-form.ts'
import { desert, flame, forest, leaf, mountain, road, sea, ship } from './scenes-land.ts'
import { bird, moon, planet, rain, rocket, snow, stars, sun } from './scenes-sky.ts'

/** Scenes of motifs that are not landscapes: one of several arrangements. */
const thing: Scene = (s) => {
  const u = Math.min(s.w, s.h)
  const parts = emblemOf(s.motif, s.random)
  const mode = s.random.int(0, 3)
  if (mode === 0) {
    return emblemIn(
      s,
      s.w * s.random.range(0.42, 0.6),
      s.h * s.random.range(0.5, 0.58),
      u * s.random.range(0.62, 0.72),
      s.inks,
      parts,
      s.random.range(-14, 14),
    )
  }
  if (mode === 1) {
    const size = u * s.random.range(0.13, 0.17)
    const soft = {
      ...s.inks,
      main: ramp(s.inks, 0.5),
      shade: ramp(s.inks, 0.36),
      second: mix(s.inks.ground, s.inks.second, 0.5),
      pop: mix(s.inks.ground, s.inks.pop, 0.5),
    }
    const odd = s.random.int(4, 8)
    let [out, i] = ['', 0]
    for (let row = 0; row * size * 2.1 < s.h + size; row++) {
      for (let x = row % 2 ? 0 : size * 1.2; x < s.w + size; x += size * 2.4) {
        out += emblemIn(s, x, row * size * 2.1 + size * 0.8, size, i++ === odd ? s.inks : soft, parts)
      }
    }
    return out
  }
  if (mode === 2) {
    const [x, y] = [s.w * 0.5, s.h * 0.5]
    return (
      rays(s, x, y, s.random.int(11, 16), ramp(s.inks, 0.2)) +
      path(s.inks.second, circle(x, y, u * 0.4)) +
      path(s.inks.ground, circle(x, y, u * 0.37)) +
      emblemIn(s, x, y, u * 0.33, s.inks, parts)
    )
  }
  return (
    path(mix(s.inks.ground, s.inks.second, 0.6), circle(s.w * 0.5, s.h * 0.44, u * 0.42)) +
    path(ramp(s.inks, 0.28), under(rolling(s, s.h * 0.7, s.h * 0.04), s.h + 5)) +
    path(
      mix(ramp(s.inks, 0.28), '#000000', 0.25),
      ellipse(s.w * 0.5, s.h * 0.46 + u * 0.36, u * 0.3, u * 0.035),
    ) +
    emblemIn(s, s.w * 0.5, s.h * 0.46, u * 0.36, s.inks, parts)
  )
}

const scenes: Partial<Record<Motif, Scene>> = {
  sun,
  moon,
  stars,
  planet,
  mountain,
  sea,
  city,
  forest,
  desert,
  house,
  road,
  door,
  eye,
  spiral,
  grid,
  circles,
  stripes,
  flame,
  rain,
  snow,
  tower,
  leaf,
  bird,
  train,
  ship,
  maze,
  rocket,
}

/** Motifs whose scene is a landscape with an open sky above. */
export const landscapes: ReadonlySet<Motif> = new Set<Motif>([
  'sun',
  'moon',
  'stars',
  'planet',
  'mountain',
  'sea',
  'city',
  'forest',
  'desert',
  'house',
  'road',
  'snow',
  'tower',
  'train',
  'ship',
  'rocket',
  'flame',
  'grid',
  'rain',
  'bird',
])

/** Fills the stage with the motif’s scene, except for the sky. */
export const sceneOf = (stage: Stage): string => (scenes[stage.motif] ?? thing)(stage)
