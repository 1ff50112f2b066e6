import { luminance, mix, shade } from './color.ts'
import type { Color, Scheme } from './color.ts'
import type { Part, Role } from './emblem.ts'
import { contains, flat, polygons } from './path.ts'
import type { Shape } from './path.ts'
import { clip, define, gradient } from './sheet.ts'
import type { Sheet } from './sheet.ts'
import { halftone, spray } from './texture.ts'

export type Inks = Record<Role, Color>

/** The colours of an emblem, by role, on the background of a scheme. */
export const inksOf = (scheme: Scheme): Inks => ({
  main: scheme.main,
  shade: mix(
    shade(scheme.main, luminance(scheme.main) > luminance(scheme.ground) ? -0.1 : 0.1),
    scheme.ground,
    0.18,
  ),
  second: scheme.second,
  pop: scheme.pop,
  ground: scheme.ground,
})

/** The position of an emblem: its centre and half its size in pixels, its rotation in degrees. */
export type Place = { x: number; y: number; r: number; turn?: number; flip?: boolean }

const n = (v: number) => String(Math.round(v * 1000) / 1000)

const transform = ({ x, y, r, turn = 0, flip = false }: Place) =>
  `transform="translate(${n(x)} ${n(y)})${turn ? ` rotate(${n(turn)})` : ''} scale(${n(flip ? -r / 100 : r / 100)} ${n(r / 100)})"`

const fills = (parts: readonly Part[], paint: (role: Role) => string) =>
  parts.map(([role, ...d]) => d.map((p) => `<path d="${p}" fill="${paint(role)}"/>`).join('')).join('')

/** Draws the emblem in flat colours. */
export const drawFlat = (parts: readonly Part[], place: Place, inks: Inks): string =>
  `<g ${transform(place)}>${fills(parts, (role) => inks[role])}</g>`

/** Returns the emblem’s outer shapes, for clip paths, echoes and shadows. */
export const silhouette = (parts: readonly Part[]): Shape[] =>
  parts.filter(([role]) => role !== 'ground').flatMap(([, ...d]) => d)

/** Draws the outer shapes in one colour. */
export const drawSolid = (parts: readonly Part[], place: Place, color: string, more = ''): string =>
  `<g ${transform(place)} fill="${color}"${more}>${silhouette(parts)
    .map((d) => `<path d="${d}"/>`)
    .join('')}</g>`

/** Draws the emblem in different inks on each side of a straight edge. */
export const drawCounterchanged = (
  sheet: Sheet,
  parts: readonly Part[],
  place: Place,
  [first, second]: readonly [Inks, Inks],
  edge: Shape,
): string => {
  const inside = clip(sheet, edge)
  return drawFlat(parts, place, first) + `<g clip-path="${inside}">${drawFlat(parts, place, second)}</g>`
}

/** Draws rings around the emblem’s outline, with alternating colours from the outside in. */
export const drawEcho = (
  parts: readonly Part[],
  place: Place,
  colors: readonly Color[],
  step: number,
  count: number,
) => {
  const shapes = silhouette(parts)
    .map((d) => `<path d="${d}"/>`)
    .join('')
  let out = ''
  for (let i = count; i > 0; i--) {
    const color = colors[i % colors.length]!
    out += `<g ${transform(place)} fill="${color}" stroke="${color}" stroke-linejoin="round" stroke-width="${n((i * step * 200) / place.r)}">${shapes}</g>`
  }
  return out
}

/** Draws outlines only, as strokes of this width in pixels on a filled background. */
export const drawLines = (
  parts: readonly Part[],
  place: Place,
  inks: Inks,
  fill: Color,
  width: number,
): string =>
  `<g ${transform(place)} stroke-linejoin="round" stroke-width="${n((width * 100) / place.r)}">` +
  parts
    .map(([role, ...d]) =>
      d
        .map(
          (p) =>
            `<path d="${p}" fill="${role === 'pop' ? inks.pop : fill}" stroke="${inks[role === 'ground' || role === 'shade' ? 'main' : role]}"/>`,
        )
        .join(''),
    )
    .join('') +
  '</g>'

/** Draws the emblem extruded by (dx, dy) pixels. */
export const drawDeep = (
  parts: readonly Part[],
  place: Place,
  inks: Inks,
  side: Color,
  dx: number,
  dy: number,
): string => {
  const steps = Math.max(2, Math.ceil(Math.hypot(dx, dy) / 3))
  let out = ''
  for (let i = steps; i > 0; i--) {
    out += drawSolid(
      parts,
      { ...place, x: place.x + (dx * i) / steps, y: place.y + (dy * i) / steps },
      mix(side, shade(side, -0.1), i / steps),
    )
  }
  return out + drawFlat(parts, place, inks)
}

/** Draws the emblem with sprayed or halftone shading. */
export const drawShaded = (
  sheet: Sheet,
  parts: readonly Part[],
  place: Place,
  inks: Inks,
  dark: Color,
  technique: 'spray' | 'halftone',
): string => {
  const inside = define(
    sheet,
    (id) =>
      `<clipPath id="${id}"><g ${transform(place)}></g>${silhouette(
        parts.filter(([role]) => role === 'main' || role === 'second'),
      )
        .map((d) => `<path clip-rule="evenodd" ${transform(place)} d="${d}"/>`)
        .join('')}</clipPath>`,
  )
  const box = { x: place.x - place.r, y: place.y - place.r, w: place.r * 2, h: place.r * 2 }
  const over =
    technique === 'spray'
      ? spray(sheet.random, box, dark, 'right', { count: 2200, reach: 0.85, alpha: 0.55 })
      : halftone(box, dark, 'bottom', { step: Math.max(8, place.r / 22), reach: 0.75, alpha: 0.6 })
  return drawFlat(parts, place, inks) + `<g clip-path="${inside}">${over}</g>`
}

/** Draws the emblem like a misprint: with a second plate of the outline shifted below the first. */
export const drawShifted = (
  parts: readonly Part[],
  place: Place,
  inks: Inks,
  under: Color,
  dx: number,
  dy: number,
) => drawSolid(parts, { ...place, x: place.x + dx, y: place.y + dy }, under) + drawFlat(parts, place, inks)

/** Draws the emblem as glowing tubes: outlines in increasingly wide, fading strokes. */
export const drawGlow = (parts: readonly Part[], place: Place, inks: Inks, strength = 1): string => {
  const lit = (role: Role) => inks[role === 'ground' || role === 'shade' ? 'second' : role]
  const layer = (
    width: number,
    alpha: number,
    white: number,
    roles: readonly Role[] = ['main', 'second', 'pop'],
  ) =>
    `<g ${transform(place)} fill="none" stroke-linejoin="round" stroke-width="${n((width * 100) / place.r)}" opacity="${n(alpha)}">` +
    parts
      .filter(([role]) => roles.includes(role))
      .map(([role, ...d]) =>
        d
          .map((p) => `<path d="${p}" stroke="${white ? mix(lit(role), '#ffffff', white) : lit(role)}"/>`)
          .join(''),
      )
      .join('') +
    '</g>'
  return (
    layer(9, 0.16, 0, ['shade', 'ground']) +
    layer(2, 0.75, 0.2, ['shade', 'ground']) +
    layer(34 * strength, 0.07, 0) +
    layer(22 * strength, 0.1, 0) +
    layer(12 * strength, 0.22, 0) +
    layer(5.5, 1, 0) +
    layer(2, 1, 0.75)
  )
}

/** Rasterizes the emblem to count × count cells, row by row. Returns the visible role of each; undefined for empty cells. */
const cells = (parts: readonly Part[], count: number) => {
  const shapes = parts.flatMap(([role, ...d]) => d.map((p) => ({ role, polygons: polygons(p) })))
  const roles = Array.from({ length: count * count }, (_, i): Role | undefined => {
    const x = -100 + (((i % count) + 0.5) * 200) / count
    const y = -100 + ((Math.floor(i / count) + 0.5) * 200) / count
    const role = shapes.findLast((s) => contains(s.polygons, x, y))?.role
    return role === 'ground' ? undefined : role
  })
  return (c: number, f: number) =>
    c < 0 || f < 0 || c >= count || f >= count ? undefined : roles[f * count + c]
}

/** Returns the ratio of the emblem’s width to its height. */
export const slimness = (parts: readonly Part[]) => {
  const points = silhouette(parts).flatMap((d) => polygons(d).flat())
  const span = (i: 0 | 1) => Math.max(...points.map((p) => p[i])) - Math.min(...points.map((p) => p[i]))
  return span(0) / span(1)
}

/** Returns the share of its square that the emblem fills, 0 to 1. */
export const coverage = (parts: readonly Part[]) => {
  const at = cells(parts, 14)
  let filled = 0
  for (let i = 0; i < 196; i++) if (at(i % 14, Math.floor(i / 14))) filled++
  return filled / 196
}

const byColor = () => {
  const paths = new Map<Color, string>()
  return {
    add: (color: Color, d: string) => paths.set(color, (paths.get(color) ?? '') + d),
    svg: () => [...paths].map(([color, d]) => `<path d="${d}" fill="${color}"/>`).join(''),
  }
}

/** Draws the emblem as `count` × `count` square pixels, lit from the upper left. */
export const drawPixels = (parts: readonly Part[], place: Place, inks: Inks, count: number): string => {
  const at = cells(parts, count)
  const cell = (place.r * 2) / count
  const side = (cell + 0.4).toFixed(1)
  const paths = byColor()
  for (let f = 0; f < count; f++) {
    for (let c = 0; c < count; c++) {
      const role = at(c, f)
      if (!role) continue
      const dim = at(c, f + 1) !== role || at(c + 1, f) !== role
      const lit = at(c, f - 1) !== role
      const color = dim ? shade(inks[role], -0.13) : lit ? shade(inks[role], 0.09) : inks[role]
      const [x, y] = [place.x - place.r + c * cell, place.y - place.r + f * cell]
      paths.add(color, `M${x.toFixed(1)} ${y.toFixed(1)}h${side}v${side}h-${side}z`)
    }
  }
  return `<g shape-rendering="crispEdges" fill-rule="nonzero">${paths.svg()}</g>`
}

/** Draws the emblem as cubes, seen from above its left corner. */
export const drawVoxels = (parts: readonly Part[], place: Place, inks: Inks, count: number): string => {
  const at = cells(parts, count)
  const u = ((place.r * 2) / count) * 0.9
  const v = u * 0.5
  const rise = u * 1.06
  const deep = 2.4
  const [left, top] = [
    place.x - (count * u) / 2 - u * deep * 0.5,
    place.y - (count * (rise + v)) / 2 + rise + v * deep,
  ]
  const out: string[] = []
  const face = (color: Color, d: Shape) =>
    out.push(`<path d="${d}" fill="${color}" stroke="${color}" stroke-width="0.6"/>`)
  for (let c = 0; c < count; c++) {
    for (let f = count - 1; f >= 0; f--) {
      const role = at(c, f)
      if (!role) continue
      const color = inks[role]
      const [x, y] = [left + c * u, top + c * v + f * rise]
      if (!at(c + 1, f))
        face(
          shade(color, -0.17),
          flat(
            x + u,
            y + v,
            x + u + u * deep,
            y + v - v * deep,
            x + u + u * deep,
            y + v - v * deep - rise,
            x + u,
            y + v - rise,
          ),
        )
      if (!at(c, f - 1))
        face(
          shade(color, 0.1),
          flat(
            x,
            y - rise,
            x + u,
            y + v - rise,
            x + u + u * deep,
            y + v - rise - v * deep,
            x + u * deep,
            y - rise - v * deep,
          ),
        )
      face(
        (c + f) % 2 ? color : shade(color, -0.025),
        flat(x, y, x + u, y + v, x + u, y + v - rise, x, y - rise),
      )
    }
  }
  return `<g fill-rule="nonzero">${out.join('')}</g>`
}

/** Draws the emblem half lit and half shaded, split at an angle. */
export const drawSplit = (
  sheet: Sheet,
  parts: readonly Part[],
  place: Place,
  inks: Inks,
  dark: Color,
): string => {
  const g = gradient(
    sheet,
    [
      [0, inks.main],
      [0.5, inks.main],
      [0.5, dark],
      [1, dark],
    ],
    [-100, -20, 100, 20],
  )
  return `<g ${transform(place)}>${fills(parts, (role) => (role === 'main' ? g : inks[role]))}</g>`
}

/** Draws the emblem with its main shapes filled with stripes. */
export const drawRuled = (
  sheet: Sheet,
  parts: readonly Part[],
  place: Place,
  inks: Inks,
  other: Color,
  angle: number,
): string => {
  const [x, y] = [Math.cos((angle * Math.PI) / 180) * 9, Math.sin((angle * Math.PI) / 180) * 9]
  const g = gradient(
    sheet,
    [
      [0, inks.main],
      [0.62, inks.main],
      [0.62, other],
      [1, other],
    ],
    [0, 0, x, y],
    'repeat',
  )
  return `<g ${transform(place)}>${fills(parts, (role) => (role === 'main' ? g : inks[role]))}</g>`
}
