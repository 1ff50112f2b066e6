import { author, binding, display, roman } from './book-style.ts'
import { distance, luminance, mix } from './color.ts'
import { figure, neighbour, contrastingColors, schemeFor, small, title, wallpaper } from './compose.ts'
import type { Layout } from './compose.ts'
import { drawFlat, drawLines, inksOf } from './draw.ts'
import { box, circle, flat, lens, ring, times, turn } from './path.ts'
import { clip, disc, frame, rect, shape } from './sheet.ts'
import { grain, weave } from './texture.ts'

/** Patterned paper with a label. */
export const label: Layout = (sheet, work) => {
  const { random } = work
  const s = schemeFor(work, 'back', 'middle', 'accent')
  const inks = inksOf(s)
  const count = work.parts.reduce((sum, part) => sum + part.length - 1, 0)
  const size = count > 24 ? 200 : random.pick([120, 150])
  const plate = distance(s.paper, s.ground) > 0.25 ? s.paper : contrastingColors(s, s.ground)[0]!
  const on = { ...s, ground: plate }
  const ink =
    [s.ground, s.second, s.ink].find((c) => Math.abs(luminance(c) - luminance(plate)) > 0.4) ?? s.ink
  sheet.art.push(rect(0, 0, 600, 900, s.ground), wallpaper(sheet, work, inks, size))
  const low = random.chance(0.35)
  const area = low ? { x: 92, y: 480, w: 430, h: 300 } : { x: 92, y: 150, w: 430, h: random.pick([300, 360]) }
  const oval = random.chance(0.25)
  if (oval)
    sheet.art.push(
      shape(box(area.x - 14, area.y - 24, area.w + 28, area.h + 48, 160), plate),
      shape(
        box(area.x - 4, area.y - 14, area.w + 8, area.h + 28, 150) +
          box(area.x - 1, area.y - 11, area.w + 2, area.h + 22, 147),
        ink,
      ),
    )
  else
    sheet.art.push(
      rect(area.x, area.y, area.w, area.h, plate),
      shape(
        box(area.x + 11, area.y + 11, area.w - 22, area.h - 22) +
          box(area.x + 15, area.y + 15, area.w - 30, area.h - 30),
        ink,
      ),
      shape(
        box(area.x + 20, area.y + 20, area.w - 40, area.h - 40) +
          box(area.x + 21.2, area.y + 21.2, area.w - 42.4, area.h - 42.4),
        ink,
      ),
    )
  grain(sheet)
  binding(sheet)
  const inset = oval ? 76 : 48
  const face = random.pick([roman, display])
  const { color } = title(
    sheet,
    work,
    { x: area.x + inset, y: area.y + 48, w: area.w - inset * 2, h: area.h - 140 },
    {
      faces: face,
      align: 'center',
      valign: 'middle',
      max: work.name.length < 10 ? 104 : 78,
      least: 30,
      caps: face === roman && random.chance(0.4),
    },
    [plate],
    [ink, s.ink],
    on,
  )
  const y = area.y + area.h - 46
  sheet.art.push(shape(turn(box(300 + 7 - 4, y - 36, 8, 8), 45, 307, y - 32), color))
  small(
    sheet,
    author(work),
    { x: area.x + 44, y, w: area.w - 88, size: 24, face: 'serifItalic', caps: false, align: 'center' },
    [plate],
    [color],
    on,
  )
}

/** A cloth binding: stamped frames and a stamped figure, all centred. */
export const cloth: Layout = (sheet, work) => {
  const { random } = work
  const s = schemeFor(work, 'back', 'middle', 'accent', 'ink')
  const stamp = contrastingColors(s, s.ground)[0]!
  const second = contrastingColors(s, s.ground)[1]!
  sheet.art.push(rect(0, 0, 600, 900, s.ground))
  sheet.art.push(rect(0, 0, 600, 900, weave(sheet)))
  const outline_ = (inset: number, width: number, r = 0) =>
    shape(
      box(54 + inset, 34 + inset, 512 - inset * 2, 832 - inset * 2, r) +
        box(
          54 + inset + width,
          34 + inset + width,
          512 - (inset + width) * 2,
          832 - (inset + width) * 2,
          Math.max(0, r - width),
        ),
      stamp,
    )
  const style = random.int(0, 2)
  sheet.art.push(outline_(0, 6), outline_(14, 1.6))
  for (const [cx, cy, k] of [
    [54, 34, 0],
    [566, 34, 90],
    [566, 866, 180],
    [54, 866, 270],
  ] as const) {
    const d =
      style === 0
        ? [flat(cx + 14, cy + 14, cx + 92, cy + 14, cx + 14, cy + 92)]
        : style === 1
          ? [circle(cx + 46, cy + 46, 22) + circle(cx + 46, cy + 46, 17), circle(cx + 46, cy + 46, 8)]
          : times(3, (i) => lens(cx + 20, cy + 20, cx + 20 + [74, 62, 22][i]!, cy + 20 + [22, 62, 74][i]!, 9))
    sheet.art.push(
      shape(
        d.map((p) => turn(p, k, cx, cy)),
        k % 180 ? second : stamp,
      ),
    )
  }
  const inks = {
    ...inksOf(s),
    main: stamp,
    second,
    pop: random.pick([stamp, second]),
    shade: mix(stamp, s.ground, 0.28),
  }
  const place = { x: 310, y: 498, r: random.pick([168, 190]) }
  sheet.art.push(
    random.chance(0.35)
      ? drawLines(work.parts, place, inks, s.ground, 3.4)
      : drawFlat(work.parts, place, inks),
  )
  grain(sheet)
  binding(sheet)
  const { color } = title(
    sheet,
    work,
    { x: 118, y: 104, w: 384, h: 190 },
    {
      faces: random.pick([roman, display]),
      align: 'center',
      valign: 'middle',
      max: 70,
      least: 28,
      caps: random.chance(0.4),
    },
    [s.ground],
    [stamp, s.pop],
    s,
  )
  small(
    sheet,
    author(work),
    { x: 130, y: 774, w: 360, size: 30, face: 'serifBold', caps: true, align: 'center', tracking: 0.12 },
    [s.ground],
    [color],
    s,
  )
  small(
    sheet,
    work.year,
    { x: 130, y: 812, w: 360, size: 20, face: 'serif', caps: false, align: 'center', tracking: 0.1 },
    [s.ground],
    [color],
    s,
  )
}

/** A cloth spine and printed boards, with a paper panel across them. */
export const boards: Layout = (sheet, work) => {
  const { random } = work
  const s = schemeFor(work, 'middle', 'accent', 'paper', 'back')
  const spine = contrastingColors(s, s.ground)[0]!
  const inks = inksOf(s)
  sheet.art.push(rect(0, 0, 600, 900, s.ground))
  const roundel = random.chance(0.6)
  const ground = roundel ? neighbour(s, 0.05) : s.ground
  if (roundel) {
    sheet.art.push(
      frame({ x: 132, y: 0, w: 468, h: 900 }, times(10, (i) => rect(i * 48, 0, 24, 900, ground)).join('')),
    )
    const place = { x: 366, y: 570, r: 156 }
    const field = contrastingColors(s, s.ground)[1]!
    const inner = {
      ...s,
      ground: field,
      main: contrastingColors(s, field)[0]!,
      second: contrastingColors(s, field)[1]!,
      pop: contrastingColors(s, field)[2]!,
    }
    sheet.art.push(
      disc(place.x, place.y, 206, spine),
      disc(place.x, place.y, 198, field),
      shape(ring(place.x, place.y, 190, 187), spine),
      drawFlat(work.parts, { ...place, r: 134 }, inksOf(inner)),
    )
  } else {
    const inside = clip(sheet, box(132, 400, 468, 500))
    sheet.art.push(
      rect(132, 400, 468, 500, spine === s.ink ? s.second : spine),
      frame(
        { x: 132, y: 400, w: 468, h: 500 },
        figure(
          sheet,
          work,
          { x: 234, y: 250, r: 215 },
          {
            ...s,
            ground: spine === s.ink ? s.second : spine,
            main: contrastingColors(s, spine === s.ink ? s.second : spine)[0]!,
            second: contrastingColors(s, spine === s.ink ? s.second : spine)[1]!,
            pop: contrastingColors(s, spine === s.ink ? s.second : spine)[2]!,
          },
          'flat',
        ),
        inside,
      ),
    )
  }
  sheet.art.push(rect(0, 0, 132, 900, spine), rect(132, 0, 3, 900, mix(spine, '#000000', 0.25)))
  const plate = roundel ? s.paper : s.ground
  if (roundel)
    sheet.art.push(
      rect(160, 70, 412, 262, plate),
      shape(box(168, 78, 396, 246) + box(170.5, 80.5, 391, 241), inks.main === plate ? s.ink : s.ink),
    )
  grain(sheet)
  binding(sheet)
  const on = { ...s, ground: plate }
  const area = roundel ? { x: 190, y: 100, w: 352, h: 150 } : { x: 164, y: 64, w: 396, h: 240 }
  const { color } = title(
    sheet,
    work,
    area,
    {
      faces: random.pick([display, roman]),
      align: roundel ? 'center' : 'left',
      valign: roundel ? 'middle' : 'top',
      max: 74,
      least: 28,
    },
    [plate],
    [spine, s.main, s.ink],
    on,
  )
  small(
    sheet,
    author(work),
    {
      x: area.x,
      y: roundel ? 300 : 366,
      w: area.w,
      size: 23,
      face: 'serifItalic',
      caps: false,
      align: roundel ? 'center' : 'left',
    },
    [plate],
    [color],
    on,
  )
}
