import { distance, mix, schemeOf } from './color.ts'
import {
  cycle,
  faintInks,
  figure,
  footline,
  neighbour,
  contrastingColors,
  schemeFor,
  setTitle,
  title,
} from './compose.ts'
import type { Layout } from './compose.ts'
import { drawFlat, inksOf } from './draw.ts'
import { box, times } from './path.ts'
import { landscapes, sceneOf } from './scenes.ts'
import { clip, disc, frame, gradient, group, rect, shape } from './sheet.ts'
import type { Sheet } from './sheet.ts'
import { wide } from './show-style.ts'
import { grain, halftone } from './texture.ts'

/** A rounded screen with the motif’s scene, a wide title below, and a row of dots. */
export const screen: Layout = (sheet, work) => {
  const { random } = work
  const outer = schemeFor(work, 'middle', 'accent', 'paper', 'back')
  const inside = schemeOf(work.title.art.palette, 'back')
  const inner =
    distance(inside.ground, outer.ground) < 0.12
      ? schemeOf(
          work.title.art.palette,
          distance(schemeOf(work.title.art.palette, 'middle').ground, outer.ground) < 0.12
            ? 'accent'
            : 'middle',
        )
      : inside
  const round = random.pick([28, 90, 250])
  const picture = { x: 40, y: 40, w: 520, h: 540 }
  const inks = inksOf(inner)
  sheet.art.push(rect(0, 0, 600, 900, outer.ground))
  const window_ = clip(sheet, box(picture.x, picture.y, picture.w, picture.h, round))
  const far = gradient(
    sheet,
    [
      [0, inner.ground],
      [1, mix(inner.ground, inner.second, 0.4)],
    ],
    [0, 0, 0, picture.h],
  )
  const scene =
    landscapes.has(work.title.art.motif) || random.chance(0.5)
      ? rect(0, 0, picture.w, picture.h, far) +
        sceneOf({
          w: picture.w,
          h: picture.h,
          random: random.fork('scene'),
          inks,
          motif: work.title.art.motif,
        })
      : rect(0, 0, picture.w, picture.h, inner.ground) +
        halftone({ x: 0, y: 0, w: picture.w, h: picture.h }, neighbour(inner, 0.07), 'bottom', { step: 16 }) +
        drawFlat(work.parts, { x: 260, y: 270, r: 215 }, inks)
  sheet.art.push(frame(picture, scene, window_))
  grain(sheet, 0.7)
  const { color, bounds } = title(
    sheet,
    work,
    { x: 40, y: 616, w: 520, h: 176 },
    { faces: wide, caps: random.chance(0.5), max: 92, valign: 'middle' },
    [outer.ground],
    [outer.ink, inner.ground, outer.paper],
    outer,
  )
  const pips = random.int(5, 9)
  const y = Math.min(826, Math.max(808, bounds.y + bounds.h + 22))
  sheet.art.push(
    shape(
      times(pips, (i) => box(40 + i * (520 / pips), y, 520 / pips - 8, 7, 3.5)),
      mix(outer.ground, color, 0.28),
    ),
    shape(box(40, y, 520 / pips - 8, 7, 3.5), color),
  )
  footline(sheet, work, 868, [outer.ground], [color], outer, { margin: 40 })
}

/** Tiles of the figure, each cropped and coloured differently, with the title across one row. */
export const tiles: Layout = (sheet, work) => {
  const { random } = work
  const s = schemeFor(work, 'back', 'paper', 'middle')
  const columns = random.pick([2, 3])
  const step = 600 / columns
  const block = setTitle(
    work.name,
    { x: 30, y: 0, w: 540, h: 200 },
    { faces: wide, caps: true, max: 110, least: 40 },
  )
  const height = Math.max(block.bounds.h + 92, 150)
  const rowsOf = Math.round((900 - height) / step)
  const rowHeight = (900 - height) / rowsOf
  const at = random.int(1, rowsOf)
  const palette = (['back', 'middle', 'accent', 'paper'] as const).map((g) =>
    schemeOf(work.title.art.palette, g),
  )
  let last = -1
  let above: number[] = []
  for (let row = 0; row < rowsOf; row++) {
    const y = row * rowHeight + (row >= at ? height : 0)
    const here: number[] = []
    for (let c = 0; c < columns; c++) {
      let index = random.int(0, 3)
      while (index === last || index === above[c]) index = (index + 1) % 4
      last = index
      here.push(index)
      const t = palette[index]!
      const wide_ = Math.max(step, rowHeight)
      const zoom = random.pick([0.4, 0.4, 0.75, 1.1])
      const inner =
        rect(0, 0, step + 1, rowHeight + 1, t.ground) +
        drawFlat(
          work.parts,
          {
            x: zoom > 0.5 ? step * random.pick([0.2, 0.8, 0.5]) : step / 2,
            y: zoom > 0.5 ? rowHeight * random.pick([0.2, 0.8, 0.5]) : rowHeight / 2,
            r: (zoom > 0.5 ? wide_ : Math.min(step, rowHeight)) * zoom,
            turn: zoom > 0.5 ? random.pick([0, 90, 180, 270]) : 0,
          },
          inksOf(t),
        )
      sheet.art.push(frame({ x: c * step, y, w: step + 0.5, h: rowHeight + 0.5 }, inner))
    }
    above = here
  }
  const y = at * rowHeight
  sheet.art.push(rect(0, y, 600, height, s.ground))
  grain(sheet, 0.7)
  const { color } = title(
    sheet,
    work,
    { x: 30, y: y + 26, w: 540, h: height - 86 },
    { faces: wide, caps: true, max: 110, least: 40, valign: 'middle', align: 'left' },
    [s.ground],
    contrastingColors(s, s.ground),
    s,
  )
  footline(sheet, work, y + height - 22, [s.ground], [color], s, { margin: 30, size: 15 })
}

/** Nested frames around the figure. */
export const tunnel: Layout = (sheet, work) => {
  const { random } = work
  const s = schemeFor(work, 'back', 'accent', 'middle')
  const colors = cycle(work, s.ground)
  const kind = random.pick(['round', 'box', 'circle'] as const)
  const count = 6
  const top = random.chance(0.5)
  const area = top ? { x: 36, y: 84, w: 528, h: 186 } : { x: 36, y: 640, w: 528, h: 188 }
  const view = top ? { x: 0, y: 300, w: 600, h: 600 } : { x: 0, y: 0, w: 600, h: 610 }
  sheet.art.push(rect(0, 0, 600, 900, s.ground))
  let inside = ''
  const center = { x: 300, y: view.h / 2 }
  let ground = s.ground
  times(count, (i) => {
    const t = 1 - i / (count + 0.6)
    const [w, h] = [600 * t, view.h * t]
    ground = colors[(i + 1) % colors.length]!
    inside +=
      kind === 'circle'
        ? disc(center.x, center.y, (Math.min(w, h) * 1.12) / 2, ground)
        : shape(box(center.x - w / 2, center.y - h / 2, w, h, kind === 'round' ? 50 * t : 0), ground)
  })
  const inner = {
    ...s,
    ground,
    main: contrastingColors(s, ground)[0]!,
    second: contrastingColors(s, ground)[1]!,
    pop: contrastingColors(s, ground)[2]!,
  }
  const hole = 1 - (count - 1) / (count + 0.6)
  inside += group(
    figure(sheet, work, { x: center.x, y: center.y, r: 300 * hole * 0.72 + 60 }, inner, 'flat'),
    '',
  )
  sheet.art.push(frame(view, inside))
  grain(sheet, 0.7)
  const { color } = title(
    sheet,
    work,
    area,
    { faces: wide, caps: true, max: 112, valign: top ? 'top' : 'bottom', least: 40 },
    [s.ground],
    [s.main, s.pop, s.second],
    s,
  )
  footline(sheet, work, top ? 58 : 872, [s.ground], [color], s, { margin: 36 })
}

/** A title card: a flat colour with the title across it and the figure faintly behind. */
export const card: Layout = (sheet: Sheet, work) => {
  const { random } = work
  const s = schemeFor(work, 'back', 'middle', 'accent')
  const faint = faintInks(s)
  sheet.art.push(rect(0, 0, 600, 900, s.ground))
  sheet.art.push(
    drawFlat(
      work.parts,
      { x: random.pick([150, 450, 300]), y: 430, r: 430, turn: random.range(-12, 12) },
      faint,
    ),
  )
  const edge = random.pick([s.main, s.second])
  sheet.art.push(rect(0, 0, 600, 22, edge), rect(0, 878, 600, 22, edge))
  grain(sheet, 0.7)
  const { color, bounds } = title(
    sheet,
    work,
    { x: 40, y: 150, w: 520, h: 560 },
    { faces: wide, caps: true, justified: true, valign: 'middle', least: 40 },
    [s.ground, faint.main, faint.shade, faint.second, faint.pop],
    [s.main, s.pop, s.paper, s.ink],
    s,
  )
  const rule = (y: number) => rect(40, y, 520, 4, color)
  sheet.art.push(rule(bounds.y - 34), rule(bounds.y + bounds.h + 30))
  footline(sheet, work, 846, [s.ground, faint.main, faint.second, faint.pop, faint.shade], [color], s, {
    margin: 40,
  })
}

/** The motif’s scene through tall windows at different heights. */
export const panes: Layout = (sheet, work) => {
  const { random } = work
  const s = schemeFor(work, 'back', 'middle', 'accent')
  const outer = random.chance(0.5) ? s.paper : s.ink
  const count = random.pick([3, 4, 5])
  const shift = random.pick([26, 44, 0])
  const step = 528 / count
  const rounding = random.pick([0, 0, 30, 60])
  const high = random.chance(0.5)
  const [top, bottom] = high ? [36, 600] : [300, 846]
  const window_ = clip(
    sheet,
    times(count, (i) =>
      box(
        36 + i * step + (i ? 5 : 0),
        top + (i % 2 ? shift : 0),
        step - (i ? 5 : 0),
        bottom - top - shift,
        rounding,
      ),
    ).join(''),
  )
  const inks = inksOf(s)
  const sky = gradient(
    sheet,
    [
      [0, s.ground],
      [1, mix(s.ground, s.second, 0.4)],
    ],
    [0, 0, 0, bottom - top],
  )
  sheet.art.push(rect(0, 0, 600, 900, outer))
  sheet.art.push(
    frame(
      { x: 36, y: top, w: 528, h: bottom - top },
      rect(0, 0, 528, bottom - top, sky) +
        sceneOf({ w: 528, h: bottom - top, random: random.fork('scene'), inks, motif: work.title.art.motif }),
      window_,
    ),
  )
  grain(sheet, 0.7)
  const around_ = { ...s, ground: outer }
  const area = high ? { x: 36, y: 636, w: 528, h: 190 } : { x: 36, y: 88, w: 528, h: 184 }
  const { color } = title(
    sheet,
    work,
    area,
    { faces: wide, caps: true, max: 112, valign: high ? 'bottom' : 'top', least: 40 },
    [outer],
    contrastingColors(s, outer),
    around_,
  )
  footline(sheet, work, high ? 872 : 60, [outer], [color], around_, { margin: 36 })
}
