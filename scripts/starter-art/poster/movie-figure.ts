import { mix, shade } from './color.ts'
import {
  figure,
  footline,
  neighbour,
  contrastingColors,
  simplestFigure,
  softInks,
  schemeFor,
  setTitle,
  title,
} from './compose.ts'
import type { Layout } from './compose.ts'
import { drawCounterchanged, drawFlat, inksOf, slimness } from './draw.ts'
import { circle, poly } from './path.ts'
import type { Point } from './path.ts'
import { rect, shape } from './sheet.ts'
import { grain, spray } from './texture.ts'

/** A huge figure on a field of colour, with the title at the bottom. */
export const monument: Layout = (sheet, work) => {
  const { random } = work
  const s = schemeFor(work, 'back', 'back', 'middle', 'accent', 'paper')
  const face = random.pick(['condensed', 'condensed', 'grotesk'] as const)
  const field = random.chance(0.45)
  const foot = field ? random.pick([s.main, s.second]) : s.ground
  sheet.art.push(rect(0, 0, 600, 900, s.ground))
  sheet.art.push(
    spray(random, { x: 0, y: 0, w: 600, h: 620 }, neighbour(s, 0.16), random.pick(['top', 'left', 'right']), {
      count: 2600,
      reach: 0.7,
      alpha: 0.6,
    }),
  )
  const block = setTitle(
    work.name,
    { x: 40, y: 560, w: 520, h: 268 },
    { faces: [face, 'condensed'], caps: true, valign: 'bottom', max: 210 },
  )
  const top = Math.min(640, block.bounds.y - 36)
  const r = field ? Math.min(330, top * 0.5) : Math.min(300, top * 0.47)
  const y = field ? top - r * 0.72 : top * 0.52
  sheet.art.push(figure(sheet, work, { x: 300, y, r: field ? r * 1.12 : r, turn: random.range(-5, 5) }, s))
  if (field) sheet.art.push(rect(0, top, 600, 900 - top, foot))
  const preferred = field ? contrastingColors(s, foot) : [s.main, s.pop, s.second]
  grain(sheet)
  const { color } = title(
    sheet,
    work,
    { x: 40, y: 560, w: 520, h: 268 },
    { faces: [face, 'condensed'], caps: true, valign: 'bottom', max: 210 },
    [foot],
    preferred,
    s,
  )
  footline(sheet, work, 868, [foot], [color], s, { margin: 40 })
}

/** Two fields of colour, with the figure in swapped colours across their edge. */
export const halves: Layout = (sheet, work) => {
  const { random } = work
  const upper = schemeFor(work, 'back', 'middle', 'accent')
  const lowerGround = contrastingColors(upper, upper.ground)[0]!
  const lower = {
    ...upper,
    ground: lowerGround,
    main: upper.ground,
    second: upper.second === lowerGround ? upper.pop : upper.second,
  }
  const bottom = random.chance(0.6)
  const [a, b] = [random.range(330, 420), random.range(330, 420)]
  const edge = random.pick([
    poly([
      [0, a],
      [600, b],
      [600, 900],
      [0, 900],
    ]),
    poly([
      [0, 300],
      [600, 470],
      [600, 900],
      [0, 900],
    ]),
    poly([
      [0, 480],
      [600, 300],
      [600, 900],
      [0, 900],
    ]),
    circle(300, 1010, 640),
    poly([
      [0, 390],
      [300, 390],
      [300, 390],
      [600, 390],
      [600, 900],
      [0, 900],
    ]),
  ])
  const titleBox = { x: 40, y: bottom ? 660 : 44, w: 520, h: 176 }
  const y = bottom ? 366 : 500
  sheet.art.push(rect(0, 0, 600, 900, upper.ground), shape(edge, lower.ground))
  sheet.art.push(
    drawCounterchanged(sheet, work.parts, { x: 300, y, r: 262 }, [inksOf(upper), inksOf(lower)], edge),
  )
  grain(sheet)
  const ground = bottom ? lower.ground : upper.ground
  const { color } = title(
    sheet,
    work,
    titleBox,
    {
      faces: random.pick([['condensed'], ['grotesk', 'condensed'], ['soft', 'condensed']]),
      caps: random.chance(0.7),
      valign: bottom ? 'bottom' : 'top',
      align: 'left',
    },
    [ground],
    contrastingColors(upper, ground),
    upper,
  )
  footline(
    sheet,
    work,
    868,
    [lower.ground],
    bottom ? [color] : contrastingColors(upper, lower.ground),
    upper,
    {
      margin: 40,
    },
  )
}

/** Rows of the figure, one of them different. */
export const rows: Layout = (sheet, work) => {
  const { random } = work
  const s = schemeFor(work, 'back', 'paper', 'accent', 'middle')
  const columns = random.pick([3, 4])
  const parts = simplestFigure(work)
  const step = 520 / columns
  const top = random.chance(0.4)
  const block = setTitle(
    work.name,
    { x: 40, y: 0, w: 520, h: 176 },
    { faces: ['condensed'], caps: true, max: 150 },
  )
  const count = Math.max(3, Math.floor((900 - 150 - block.bounds.h) / step))
  const start = top ? 900 - 40 - count * step : 44
  const odd = random.int(columns, columns * count - 2)
  const inks = inksOf(s)
  const soft = softInks(s)
  sheet.art.push(rect(0, 0, 600, 900, s.ground))
  for (let i = 0; i < columns * count; i++) {
    const [x, y] = [40 + ((i % columns) + 0.5) * step, start + (Math.floor(i / columns) + 0.5) * step]
    if (i === odd)
      sheet.art.push(
        shape(circle(x, y, step * 0.5), s.pop === s.main ? s.second : mix(s.ground, s.pop, 0.9)),
        drawFlat(
          parts,
          { x, y, r: step * 0.38 },
          {
            ...inks,
            ground: mix(s.ground, s.pop, 0.9),
            main: contrastingColors(s, s.pop)[0]!,
            shade: mix(contrastingColors(s, s.pop)[0]!, s.pop, 0.25),
            pop: s.ground,
            second: s.second,
          },
        ),
      )
    else sheet.art.push(drawFlat(parts, { x, y, r: step * 0.4 }, soft))
  }
  grain(sheet)
  const area = top
    ? { x: 40, y: 84, w: 520, h: start - 110 }
    : { x: 40, y: start + count * step + 14, w: 520, h: 832 - (start + count * step + 14) }
  const { color } = title(
    sheet,
    work,
    area,
    { faces: ['condensed'], caps: true, max: 170, valign: top ? 'top' : 'bottom' },
    [s.ground],
    [s.main, s.pop, s.ink],
    s,
  )
  footline(sheet, work, top ? 58 : 868, [s.ground], [color], s, { margin: 40 })
}

/** Cut paper: tilted sheets on top of each other, with the title on the lowest. */
export const cut: Layout = (sheet, work) => {
  const { random } = work
  const s = schemeFor(work, 'back', 'middle', 'accent', 'ink')
  const wobble = (v: number, by = 16) => v + random.range(-by, by)
  const sheetOf = (x: number, y: number, w: number, h: number): Point[] => [
    [wobble(x), wobble(y)],
    [wobble(x + w * 0.45), wobble(y, 9)],
    [wobble(x + w), wobble(y)],
    [wobble(x + w, 9), wobble(y + h * 0.5)],
    [wobble(x + w), wobble(y + h)],
    [wobble(x + w * 0.6), wobble(y + h, 9)],
    [wobble(x), wobble(y + h)],
  ]
  const under = { ...s, ground: s.second }
  const label = contrastingColors(s, s.ground).find((c) => c !== s.second) ?? s.paper
  sheet.art.push(rect(0, 0, 600, 900, s.ground))
  sheet.art.push(shape(poly(sheetOf(70, 60, 440, 560)), mix(s.second, s.ground, 0.55)))
  sheet.art.push(shape(poly(sheetOf(96, 84, 430, 530)), s.second))
  sheet.art.push(
    spray(random, { x: 110, y: 100, w: 390, h: 490 }, shade(s.second, -0.13), 'bottom', {
      count: 1800,
      alpha: 0.5,
    }),
  )
  const main = contrastingColors(s, s.second).find((c) => c !== label) ?? s.ink
  sheet.art.push(
    figure(
      sheet,
      work,
      { x: 306, y: 330, r: 212, turn: random.range(-9, 9) },
      { ...under, main, second: s.ground, pop: label },
      work.technique === 'ruled' ? 'flat' : work.technique,
    ),
  )
  sheet.art.push(shape(poly(sheetOf(46, 626, 508, 200)), label))
  grain(sheet)
  title(
    sheet,
    work,
    { x: 80, y: 654, w: 440, h: 146 },
    { faces: ['condensed', 'grotesk'], caps: true, align: 'center', valign: 'middle', max: 140 },
    [label],
    [s.ground, s.ink, s.paper],
    s,
  )
  footline(sheet, work, 876, [s.ground], [label, s.paper], s)
}

/** The figure cut in half by one edge, with wide margins around a plain title. */
export const edge: Layout = (sheet, work) => {
  const { random } = work
  const s = schemeFor(work, 'back', 'middle', 'accent', 'paper')
  const from = random.pick(['below', 'below', 'left', 'right'] as const)
  sheet.art.push(rect(0, 0, 600, 900, s.ground))
  const slim = slimness(work.parts) < 0.62
  const place =
    from === 'below'
      ? slim
        ? { x: 290, y: 700, r: 380, turn: random.pick([-24, 24]) }
        : { x: 300, y: 752, r: 340 }
      : { x: from === 'left' ? 130 : 470, y: 640, r: 366, turn: from === 'left' ? 10 : -10 }
  sheet.art.push(figure(sheet, work, place, s))
  if (from === 'below') sheet.art.push(rect(0, 842, 600, 58, s.ink))
  else sheet.art.push(rect(0, 0, 600, 250, s.ground))
  grain(sheet)
  const area = from === 'below' ? { x: 44, y: 44, w: 512, h: 296 } : { x: 44, y: 44, w: 512, h: 156 }
  const { color, bounds } = title(
    sheet,
    work,
    area,
    {
      faces: random.pick([['grotesk', 'condensed'], ['soft', 'condensed'], ['condensed']]),
      max: from === 'below' ? 118 : 110,
      leading: 0.94,
      tracking: -0.015,
      least: 40,
    },
    [s.ground],
    [s.pop, s.main, s.second],
    s,
  )
  if (from === 'below') {
    sheet.art.push(rect(44, bounds.y + bounds.h + 24, 64, 6, color))
    footline(sheet, work, 877, [s.ink], [s.paper], s)
  } else footline(sheet, work, bounds.y + bounds.h + 42, [s.ground], [color], s)
}
