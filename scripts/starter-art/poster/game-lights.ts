import type { Point } from './path.ts'
import { landscapes, sceneOf } from './scenes.ts'
import { mix } from './color.ts'
import type { Color, Scheme } from './color.ts'
import type { Work } from './compose.ts'
import { drawGlow, inksOf, drawFlat, drawSolid } from './draw.ts'
import { times, polar, under, ring, sector, bar, box } from './path.ts'
import { disc, gradient, line, radial, rect, frame, shape } from './sheet.ts'
import type { Sheet } from './sheet.ts'

/** The position of the figure, half its size, and the y of the floor or the foreground, in pixels. */
export type View = { x: number; y: number; r: number; floor: number }

const glow = (sheet: Sheet, x: number, y: number, r: number, color: Color, strength: number) =>
  rect(
    0,
    0,
    sheet.w,
    sheet.h,
    radial(
      sheet,
      [
        [0, color, strength],
        [0.45, color, strength * 0.36],
        [1, color, 0],
      ],
      x,
      y,
      r,
    ),
  )

/** Neon tubes over a grid floor. */
export const neonArt = (sheet: Sheet, work: Work, s: Scheme, { x, y, r, floor }: View) => {
  const { w, h } = sheet
  const { random } = work
  sheet.art.push(
    rect(0, 0, w, h, s.ground),
    glow(sheet, x, y + 18, r * 2.3, mix(s.ground, s.second, 0.8), 0.7),
  )
  sheet.art.push(
    times(Math.round(w / 15), () =>
      disc(
        random.range(0, w),
        random.range(0, floor - 40),
        random.range(0.7, 2),
        s.paper,
        ` opacity="${random.range(0.3, 0.9).toFixed(2)}"`,
      ),
    ).join(''),
  )
  const half = Math.ceil(w / 66)
  const lines = [
    ...times(half * 2 + 1, (i) => `M${w / 2 + (i - half) * 34} ${floor}L${w / 2 + (i - half) * 150} ${h}`),
    ...times(8, (i) => (floor + (h - floor) * ((i + 0.2) / 8) ** 1.9).toFixed(1)).map(
      (at) => `M0 ${at}L${w} ${at}`,
    ),
  ].join('')
  sheet.art.push(
    rect(0, floor, w, h - floor, mix(s.ground, '#000000', 0.45)),
    line(lines, s.second, 5, ' opacity="0.22"'),
    line(lines, s.second, 1.6, ' opacity="0.9"'),
  )
  sheet.art.push(rect(0, floor - 2, w, 4, mix(s.second, '#ffffff', 0.5)))
  sheet.art.push(disc(x, y + 8, r * 1.13, mix(s.ground, '#000000', 0.5), ' opacity="0.55"'))
  sheet.art.push(drawGlow(work.parts, { x, y, r }, { ...inksOf(s), pop: s.pop === s.ink ? s.paper : s.pop }))
}

/** A landscape with light behind it. The sky is plain down to the top of the stage at y − r. */
export const vistaArt = (
  sheet: Sheet,
  work: Work,
  s: Scheme,
  { x, y, r, floor }: View,
): { sky: Color[]; near: Color } => {
  const { w, h } = sheet
  const { random } = work
  const motif = work.title.art.motif
  const low = mix(s.ground, s.second, 0.85)
  sheet.art.push(
    rect(
      0,
      0,
      w,
      h,
      gradient(
        sheet,
        [
          [0, s.ground],
          [0.3, s.ground],
          [0.75, low],
          [1, s.second],
        ],
        [0, 0, 0, h],
      ),
    ),
    glow(sheet, x, y, r * 2.1, s.pop, 0.5),
  )
  const near = mix(s.ground, '#000000', 0.4)
  const top = Math.max(0, y - r - 80)
  // A moon would be a dark disc on the dark sky, so it is drawn in front of the light.
  if (landscapes.has(motif) && motif !== 'moon') {
    const inks = {
      main: near,
      shade: mix(near, s.second, 0.2),
      second: s.main,
      pop: s.pop,
      ground: mix(s.second, s.main, 0.3),
    }
    sheet.art.push(
      frame(
        { x: 0, y: top, w, h: h - top },
        sceneOf({ w, h: h - top, random: random.fork('scene'), inks, motif, open: true }),
      ),
    )
  } else {
    const sun = mix(s.main, s.pop, 0.5)
    sheet.art.push(
      disc(x, y, r * 1.15, sun, ' opacity="0.9"'),
      drawFlat(
        work.parts,
        { x, y, r },
        {
          main: near,
          shade: mix(near, s.second, 0.25),
          second: mix(s.second, near, 0.35),
          pop: s.pop,
          ground: sun,
        },
      ),
    )
    const ridge = (at: number): Point[] =>
      times(Math.ceil(w / 80) + 2, (i) => [i * 80 - 20, at + random.range(-28, 28)] as const)
    sheet.art.push(
      shape(under(ridge(floor), h + 1), mix(near, s.second, 0.18)),
      shape(under(ridge(floor + 60), h + 1), near),
    )
  }
  sheet.art.push(
    rect(
      0,
      h - 200,
      w,
      200,
      gradient(
        sheet,
        [
          [0, '#000000', 0],
          [1, '#000000', 0.55],
        ],
        [0, h - 200, 0, h],
      ),
    ),
  )
  return { sky: [s.ground, mix(s.ground, low, 0.05)], near }
}

/** An instrument panel: rings and ticks around the figure, brackets in the corners. Returns the colour of the grid. */
export const scopeArt = (sheet: Sheet, work: Work, s: Scheme, { x, y, r }: View): Color => {
  const { w, h } = sheet
  const mesh = mix(s.ground, s.second, 0.22)
  const k = r / 168
  sheet.art.push(rect(0, 0, w, h, s.ground), glow(sheet, x, y, 430 * k, mix(s.ground, s.second, 0.7), 0.65))
  sheet.art.push(
    line(
      times(Math.ceil(w / 50), (i) => `M${i * 50} 0V${h}`).join('') +
        times(Math.ceil(h / 50), (i) => `M0 ${i * 50}H${w}`).join(''),
      mesh,
      1,
    ),
  )
  sheet.art.push(
    shape([ring(x, y, 262 * k, 260 * k), ring(x, y, 236 * k, 228 * k)], mix(s.ground, s.second, 0.7)),
  )
  const a = work.random.range(0, 360)
  const arc = (from: number, to: number) => sector(x, y, 282 * k, a + from, a + to, 270 * k)
  sheet.art.push(shape([arc(0, 70), arc(120, 150), arc(210, 320)], s.main))
  const tick = (i: number) =>
    bar(...polar(x, y, (i % 6 ? 244 : 238) * k, i * 5), ...polar(x, y, 254 * k, i * 5), i % 6 ? 1.4 : 3)
  sheet.art.push(shape(times(72, tick), s.second, ' fill-rule="nonzero"'))
  const place = { x, y, r }
  sheet.art.push(
    drawSolid(work.parts, { ...place, r: r + 8 }, s.main, ' opacity="0.16"'),
    drawFlat(work.parts, place, inksOf(s)),
  )
  const corner = (cx: number, cy: number, dx: number, dy: number) =>
    box(Math.min(cx, cx + dx * 44), Math.min(cy, cy + dy * 5), 44, 5) +
    box(Math.min(cx, cx + dx * 5), Math.min(cy, cy + dy * 44), 5, 44)
  const corners = [
    corner(26, 26, 1, 1),
    corner(w - 26, 26, -1, 1),
    corner(26, h - 26, 1, -1),
    corner(w - 26, h - 26, -1, -1),
  ]
  sheet.art.push(shape(corners, s.second, ' fill-rule="nonzero"'))
  return mesh
}
