import { luminance, mix, shade } from './color.ts'
import {
  cycle,
  faintInks,
  figure,
  neighbour,
  contrastingColors,
  simplestFigure,
  softInks,
  schemeFor,
  wallpaper,
} from './compose.ts'
import type { Layout, Work } from './compose.ts'
import { drawCounterchanged, drawFlat, drawLines, inksOf } from './draw.ts'
import { box, poly, ring, times } from './path.ts'
import type { Point } from './path.ts'
import { sceneOf } from './scenes.ts'
import { clip, disc, frame, gradient, rect, shape } from './sheet.ts'
import { grain, halftone, spray, weave } from './texture.ts'

/** The motif’s whole scene. */
export const panorama: Layout = (sheet, work) => {
  const s = schemeFor(work, 'back', 'middle', 'accent')
  const { w, h } = sheet
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
          [0.4, s.ground],
          [1, mix(s.ground, s.second, 0.35)],
        ],
        [0, 0, 0, h],
      ),
    ),
  )
  sheet.art.push(
    frame(
      { x: 0, y: 0, w, h },
      sceneOf({ w, h, random: work.random.fork('scene'), inks: inksOf(s), motif: work.title.art.motif }),
    ),
  )
  grain(sheet)
}

/** A huge figure on the right, sprayed shading on the left. */
export const sign: Layout = (sheet, work) => {
  const s = schemeFor(work, 'back', 'middle', 'accent', 'paper', 'ink')
  const { w, h } = sheet
  const large = work.random.chance(0.5)
  sheet.art.push(rect(0, 0, w, h, s.ground))
  sheet.art.push(
    spray(work.random, { x: 0, y: 0, w, h }, neighbour(s, 0.16), 'left', { count: 3200, alpha: 0.6 }),
  )
  sheet.art.push(
    figure(
      sheet,
      work,
      large ? { x: 900, y: 400, r: 470, turn: work.random.range(-10, 10) } : { x: 880, y: 360, r: 280 },
      s,
    ),
  )
  grain(sheet)
}

/** Two fields of colour with a slanted edge, where the figure swaps colours. */
export const slant: Layout = (sheet, work) => {
  const s = schemeFor(work, 'back', 'middle', 'accent')
  const ground = contrastingColors(s, s.ground)[0]!
  const other = { ...s, ground, main: s.ground, second: s.second === ground ? s.pop : s.second }
  const lean = work.random.pick([-120, 120])
  const edge = poly([
    [800 + lean, 0],
    [1280, 0],
    [1280, 720],
    [800 - lean, 720],
  ])
  sheet.art.push(rect(0, 0, 1280, 720, s.ground), shape(edge, ground))
  sheet.art.push(
    drawCounterchanged(sheet, work.parts, { x: 800, y: 360, r: 270 }, [inksOf(s), inksOf(other)], edge),
  )
  grain(sheet)
}

/** Rows of the figure, one of them different. */
export const ranks: Layout = (sheet, work) => {
  const s = schemeFor(work, 'back', 'middle', 'accent', 'paper')
  const inks = inksOf(s)
  const soft = softInks(s)
  const parts = simplestFigure(work)
  const step = 160
  const odd = work.random.int(13, 14) + work.random.int(0, 1) * 8
  sheet.art.push(rect(0, 0, 1280, 720, s.ground))
  times(32, (i) => {
    const place = { x: 80 + (i % 8) * step, y: 120 + Math.floor(i / 8) * step, r: step * 0.38 }
    const field = mix(s.ground, s.pop, 0.9)
    if (i !== odd) sheet.art.push(drawFlat(parts, place, soft))
    else
      sheet.art.push(
        disc(place.x, place.y, step * 0.48, field),
        drawFlat(parts, place, {
          ...inks,
          ground: field,
          main: contrastingColors(s, field)[0]!,
          pop: s.ground,
        }),
      )
  })
  grain(sheet)
}

/** Tilted sheets of cut paper with the figure on the top one. */
export const pieces: Layout = (sheet, work) => {
  const s = schemeFor(work, 'back', 'middle', 'accent', 'ink')
  const wobble = (v: number) => v + work.random.range(-22, 22)
  const piece = (x: number, y: number, w: number, h: number): Point[] =>
    [
      [x, y],
      [x + w * 0.5, y],
      [x + w, y],
      [x + w, y + h * 0.5],
      [x + w, y + h],
      [x + w * 0.4, y + h],
      [x, y + h],
    ].map(([a, b]) => [wobble(a!), wobble(b!)] as const)
  const top = contrastingColors(s, s.second)[0]!
  sheet.art.push(
    rect(0, 0, 1280, 720, s.ground),
    shape(poly(piece(420, 80, 780, 580)), mix(s.ground, s.second, 0.45)),
    shape(poly(piece(520, 60, 640, 590)), s.second),
  )
  sheet.art.push(
    figure(
      sheet,
      work,
      { x: 850, y: 360, r: 240, turn: work.random.range(-8, 8) },
      { ...s, ground: s.second, main: top, second: s.ground, pop: contrastingColors(s, s.second)[1]! },
      work.technique === 'ruled' ? 'flat' : work.technique,
    ),
  )
  grain(sheet)
}

/** Bands along the bottom, with the figure on top of them. */
export const strata: Layout = (sheet, work) => {
  const s = schemeFor(work, 'back', 'middle', 'accent')
  const colors = cycle(work, s.ground)
  sheet.art.push(rect(0, 0, 1280, 720, s.ground))
  times(5, (i) =>
    sheet.art.push(rect(0, 500 + 220 * (i / 5) ** 0.85, 1280, 220, colors[(i + 1) % colors.length]!)),
  )
  sheet.art.push(figure(sheet, work, { x: 880, y: 330, r: 262 }, s))
  grain(sheet, 0.7)
}

/** Thick concentric arcs around the figure. */
export const arcs: Layout = (sheet, work) => {
  const s = schemeFor(work, 'back', 'middle', 'accent', 'paper')
  const colors = cycle(work, s.ground)
  const [x, y] = [880, 470]
  sheet.art.push(rect(0, 0, 1280, 720, s.ground))
  times(7, (i) => sheet.art.push(disc(x, y, 720 - i * 78, colors[(i + 1) % colors.length]!)))
  sheet.art.push(disc(x, y, 190, s.ground), figure(sheet, work, { x, y, r: 136 }, s, 'flat'))
  grain(sheet, 0.7)
}

/** The motif’s scene through tall windows. */
export const windows: Layout = (sheet, work) => {
  const s = schemeFor(work, 'back', 'middle', 'accent')
  const outer = work.random.chance(0.5) ? s.ink : s.paper
  const panes = clip(
    sheet,
    times(7, (i) =>
      box(30 + i * 176, 30 + (i % 2) * 34, 164, 626, work.random.fork('round').pick([0, 30, 82])),
    ).join(''),
  )
  const sky = gradient(
    sheet,
    [
      [0, s.ground],
      [1, mix(s.ground, s.second, 0.4)],
    ],
    [0, 0, 0, 720],
  )
  sheet.art.push(rect(0, 0, 1280, 720, outer))
  sheet.art.push(
    frame(
      { x: 0, y: 0, w: 1280, h: 720 },
      rect(0, 0, 1280, 720, sky) +
        sceneOf({
          w: 1280,
          h: 720,
          random: work.random.fork('scene'),
          inks: inksOf(s),
          motif: work.title.art.motif,
        }),
      panes,
    ),
  )
  grain(sheet, 0.7)
}

/** The figure in shifted strips. */
export const strips: Layout = (sheet, work) => {
  const s = schemeFor(work, 'back', 'middle', 'accent', 'ink')
  const lean = work.random.range(12, 20)
  sheet.art.push(rect(0, 0, 1280, 720, s.ground))
  times(8, (i) => {
    const field = i % 3 === 1 ? mix(s.ground, s.second, 0.22) : s.ground
    const inks = { ...inksOf(s), ground: field }
    const slip = i % 2 ? lean : -lean
    sheet.art.push(rect(0, i * 90, 1280, 90, field))
    sheet.art.push(
      frame(
        { x: 0, y: i * 90, w: 1280, h: 87 },
        drawFlat(
          work.parts,
          { x: 860 + slip, y: 360 - i * 90, r: 300 },
          i % 3 === 1 ? { ...inks, main: s.pop } : inks,
        ),
      ),
    )
  })
  grain(sheet, 0.7)
}

/** Nested frames around the figure. */
export const nest: Layout = (sheet, work) => {
  const s = schemeFor(work, 'back', 'middle', 'accent')
  const colors = cycle(work, s.ground)
  let ground = s.ground
  sheet.art.push(rect(0, 0, 1280, 720, s.ground))
  times(6, (i) => {
    ground = colors[(i + 1) % colors.length]!
    const [w, h] = [1180 - i * 150, 680 - i * 92]
    sheet.art.push(shape(box(800 - w / 2, 360 - h / 2, w, h, 60 - i * 6), ground))
  })
  const [main, second, pop] = contrastingColors(s, ground)
  sheet.art.push(
    figure(
      sheet,
      work,
      { x: 800, y: 360, r: 92 },
      { ...s, ground, main: main!, second: second!, pop: pop! },
      'flat',
    ),
  )
  grain(sheet, 0.7)
}

/** The figure twice: large and faint, and at normal size. */
export const veil: Layout = (sheet, work) => {
  const s = schemeFor(work, 'back', 'middle', 'accent', 'paper')
  sheet.art.push(
    rect(0, 0, 1280, 720, s.ground),
    drawFlat(work.parts, { x: 420, y: 400, r: 560, turn: work.random.range(-14, 14) }, faintInks(s)),
  )
  sheet.art.push(figure(sheet, work, { x: 940, y: 360, r: 200 }, s))
  grain(sheet)
}

/** Patterned paper. */
export const paper: Layout = (sheet, work) => {
  const s = schemeFor(work, 'back', 'middle', 'accent')
  sheet.art.push(rect(0, 0, 1280, 720, s.ground), wallpaper(sheet, work, inksOf(s), 170))
  grain(sheet)
}

/** A cloth cover with stamped frames and a stamped figure. */
export const cloth: Layout = (sheet, work) => {
  const s = schemeFor(work, 'back', 'middle', 'accent', 'ink')
  const [stamp, second] = contrastingColors(s, s.ground)
  const outline = (inset: number, width: number) =>
    shape(
      box(inset, inset, 1280 - inset * 2, 720 - inset * 2) +
        box(inset + width, inset + width, 1280 - (inset + width) * 2, 720 - (inset + width) * 2),
      stamp!,
    )
  const inks = {
    ...inksOf(s),
    main: stamp!,
    second: second!,
    pop: second!,
    shade: mix(stamp!, s.ground, 0.28),
  }
  sheet.art.push(
    rect(0, 0, 1280, 720, s.ground),
    rect(0, 0, 1280, 720, weave(sheet)),
    outline(40, 6),
    outline(56, 2),
  )
  const place = { x: 860, y: 360, r: 220 }
  sheet.art.push(shape([ring(860, 360, 280, 275), ring(860, 360, 266, 264)], stamp!))
  sheet.art.push(
    work.random.chance(0.4)
      ? drawLines(work.parts, place, inks, s.ground, 4)
      : drawFlat(work.parts, { ...place, r: 176 }, inks),
  )
  grain(sheet)
}

/** Striped boards with a cloth spine and the figure in a circle. */
export const plank: Layout = (sheet, work: Work) => {
  const s = schemeFor(work, 'middle', 'accent', 'paper', 'back')
  const [spine, field] = contrastingColors(s, s.ground)
  const [main, second, pop] = contrastingColors(s, field!)
  sheet.art.push(
    rect(0, 0, 1280, 720, s.ground),
    times(24, (i) => rect(220 + i * 48, 0, 24, 720, neighbour(s, 0.05))).join(''),
    rect(0, 0, 220, 720, spine!),
    rect(220, 0, 4, 720, mix(spine!, '#000000', 0.25)),
  )
  sheet.art.push(
    disc(840, 360, 268, spine!),
    disc(840, 360, 258, field!),
    shape(ring(840, 360, 248, 244), spine!),
  )
  sheet.art.push(
    drawFlat(
      work.parts,
      { x: 840, y: 360, r: 176 },
      inksOf({ ...s, ground: field!, main: main!, second: second!, pop: pop! }),
    ),
  )
  grain(sheet)
}

/** Two halves: a flat colour, and a halftone field that clips the figure. */
export const halved: Layout = (sheet, work) => {
  const s = schemeFor(work, 'back', 'middle', 'accent', 'paper')
  const column = contrastingColors(s, s.ground)[work.random.int(0, 1)]!
  const tone = shade(s.ground, luminance(s.ground) > 0.3 ? -0.06 : 0.06)
  sheet.art.push(
    rect(0, 0, 1280, 720, s.ground),
    halftone({ x: 360, y: 0, w: 920, h: 720 }, tone, work.random.pick(['bottom', 'top', 'right']), {
      step: 17,
      reach: 0.9,
    }),
  )
  sheet.art.push(
    figure(sheet, work, { x: 820, y: 380, r: 400, turn: work.random.pick([0, -12]) }, s),
    rect(0, 0, 360, 720, column),
  )
  grain(sheet)
}
